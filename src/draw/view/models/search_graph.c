/* Pane "Search" as a graph: a box is a cone, with the models that share it; lines say which features were added or
 * removed. */
#include "draw/view/models/search.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/view/models/search_boxes.h"
#include "draw/view/view_relation.h"

#define NONE SIZE_MAX
#define GRAPH_W 100       /* least size of the pane */
#define GRAPH_H 8
#define WORDS_COLUMNS 116 /* most columns of the words below the graph */
#define WORDS_LEAST 72    /* least columns of the words to its right */
#define LABEL_MOST 28
#define BOXES_MOST 160    /* most boxes; more become a list */

/* Sizes of text; the first that fits is used. */
static const struct box_words sizes[] = {
	{24, true, 28}, {18, true, 20}, {14, true, 14}, {14, false, 14}, {10, false, 10}, {10, false, 7}
};

/* --- lines ------------------------------------------------------------------------------------------------------- */

static struct search_strand *
strand_at(struct search_drawing *d, int x, int y)
{
	return x >= 0 && y >= 0 && x < d->at.w && y < d->at.h ? &d->strand[y * d->at.w + x] : NULL;
}

static void
run_across(struct search_drawing *drawing, int from, int to, int y, enum role role, bool dashed)
{
	for (int x = from; x <= to; x++) {
		struct search_strand *strand = strand_at(drawing, x, y);

		if (!strand)
			continue;
		strand->left |= x > from;
		strand->right |= x < to;
		strand->role = role;
		strand->dashed = dashed;
	}
}

static void
run_down(struct search_drawing *drawing, int x, int from, int to, enum role role, bool dashed)
{
	for (int y = from; y <= to; y++) {
		struct search_strand *strand = strand_at(drawing, x, y);

		if (!strand)
			continue;
		strand->up |= y > from;
		strand->down |= y < to;
		strand->role = role;
		strand->dashed = dashed;
	}
}

static void
run_line(struct search_drawing *drawing, size_t from, size_t to, enum role role, bool dashed)
{
	const struct layout_box *a = &drawing->at.box[from], *b = &drawing->at.box[to];
	int first = a->x + a->w, last = b->x - 1;

	if (a->y == b->y) {
		run_across(drawing, first - 1, last + 1, a->y, role, dashed);
		return;
	}
	run_across(drawing, first - 1, a->trunk, a->y, role, dashed);
	run_down(drawing, a->trunk, a->y < b->y ? a->y : b->y, a->y < b->y ? b->y : a->y, role, dashed);
	run_across(drawing, a->trunk, last + 1, b->y, role, dashed);
}

static void
run_lines(struct search_drawing *d)
{
	d->strand = mem_new_array((size_t)d->at.w * (size_t)(d->at.h > 0 ? d->at.h : 1), sizeof *d->strand);
	for (size_t k = 0; k < d->at.n_lines; k++)
		if (search_layout_draws(&d->at, &d->line[k]))
			run_line(d, d->line[k].from, d->line[k].to, d->line_role[k], true);
	for (size_t i = d->at.n; i-- > 0;) /* the first child last, so that its straight line is not overdrawn */
		if (d->at.box[i].parent != NONE)
			run_line(d, d->at.box[i].parent, i, d->box[i].line, d->box[i].dashed);
}

static void
draw_strands(struct search_drawing *drawing, struct grid *grid, struct rect r, int first)
{
	for (int y = first > 0 ? first : 0; y < drawing->at.h && y - first < r.h; y++)
		for (int x = 0; x < drawing->at.w; x++) {
			const struct search_strand *s = &drawing->strand[y * drawing->at.w + x];
			struct pen p = pen_on(grid, r, s->role);
			uint32_t cp = glyph_junction(s->up, s->right, s->down, s->left);

			if (!(s->up | s->right | s->down | s->left))
				continue;
			if (s->dashed && !(s->up | s->down))
				cp = 0x254c; /* ╌ */
			else if (s->dashed && !(s->left | s->right))
				cp = 0x254e; /* ╎ */
			pen_hline(&p, r.x + x, r.y + y - first, 1, cp);
		}
}

/* --- drawing ----------------------------------------------------------------------------------------------------- */

static void
draw_frame(const struct search_drawing *drawing, struct grid *grid, struct rect clip, struct rect r, size_t i)
{
	const struct search_box *box = &drawing->box[i];
	struct pen p = pen_on(grid, clip, box->role);
	int weight = box->star ? 2 : 1, end = r.x + r.w - 1;

	p.attr = box->star ? CELL_BOLD : 0;
	pen_hline(&p, r.x, r.y, r.w, glyph_junction(0, weight, 0, weight));
	pen_hline(&p, r.x, r.y + 2, r.w, glyph_junction(0, weight, 0, weight));
	pen_hline(&p, r.x, r.y, 1, glyph_junction(0, weight, weight, 0));
	pen_hline(&p, end, r.y, 1, glyph_junction(0, 0, weight, weight));
	pen_hline(&p, r.x, r.y + 1, 1, glyph_junction(weight, 0, weight, 0));
	pen_hline(&p, end, r.y + 1, 1, glyph_junction(weight, 0, weight, 0));
	pen_hline(&p, r.x, r.y + 2, 1, glyph_junction(weight, weight, 0, 0));
	pen_hline(&p, end, r.y + 2, 1, glyph_junction(weight, 0, 0, weight));
	if (box->here) {
		p.fg = ROLE_ACCENT;
		p.attr = CELL_BOLD;
		pen_text(&p, r.x + 1, r.y, " here ");
	}
}

static void
draw_box(const struct search_drawing *drawing, struct grid *grid, struct rect r, int first, size_t i, bool focus,
	struct drawn *out)
{
	const struct layout_box *at = &drawing->at.box[i];
	const struct search_box *search_box = &drawing->box[i];
	size_t cursor = (size_t)drawing->list->s->view.cursor[PANE_SEARCH];
	int y = r.y + at->y - first, framed = !drawing->flat && !search_box->folded;
	struct rect box = {r.x + at->x, y - framed, at->w, framed ? 3 : 1}, seen = rect_cut(box, r);
	struct pen p = pen_on(grid, r, search_box->role);

	pen_fill(&p, box, ' ');
	if (framed)
		draw_frame(drawing, grid, r, box, i);
	p.attr = search_box->folded ? 0 : CELL_BOLD;
	pen_text(&p, box.x + (framed ? 2 : 1), y, search_box->text);
	if (!framed && search_box->here) {
		p.fg = ROLE_ACCENT;
		pen_right(&p, box.x + box.w, y, "here");
	}
	if (cursor < drawing->list->n && drawing->of_row[cursor] == i) {
		p.fg = ROLE_ACCENT;
		p.attr = CELL_BOLD;
		pen_text(&p, box.x - 1, y, "▸");
		if (focus)
			grid_tint(grid, seen, ROLE_SELECT);
	}
	hit_add(out, seen, HIT_ROW, PANE_SEARCH, (int)search_box->row, ACTION_to_model);
}

static void
draw_label(const struct search_drawing *drawing, struct grid *grid, struct rect r, int first, size_t i)
{
	const struct layout_box *at = &drawing->at.box[i];
	const struct search_box *box = &drawing->box[i];
	struct pen p = pen_on(grid, r, ROLE_TEXT);
	const struct layout_box *up;
	int n, room, y = r.y + at->y - first;

	if (!box->label)
		return;
	up = &drawing->at.box[at->parent];
	room = at->x - 3 - (up->y == at->y ? up->x + up->w : up->trunk + 1);
	p.fg = box->line == ROLE_DIM ? ROLE_DIM : ROLE_TEXT;
	n = pen_columns(&p, box->label);
	n = n > room ? room : n;
	if (drawing->flat) {
		pen_hline(&p, r.x + at->x - n - 3, y, n + 2, ' ');
		pen_fit(&p, r.x + at->x - n - 2, y, n, box->label);
	} else {
		pen_fit(&p, r.x + at->x - n - 2, y - 1, n, box->label);
	}
}

/* The first canvas row to show, so that the cursor's box is visible. */
static int
scroll_to_cursor(const struct search_drawing *d, int rows)
{
	size_t cursor = (size_t)d->list->s->view.cursor[PANE_SEARCH];
	int first = -!d->flat, last = d->at.h - !d->flat - rows, y;

	if (cursor >= d->list->n || d->of_row[cursor] == NONE || last <= first)
		return first;
	y = d->at.box[d->of_row[cursor]].y;
	first = y - rows / 2 > first ? y - rows / 2 : first;
	return first > last ? last : first;
}

/* --- sizes ------------------------------------------------------------------------------------------------------- */

static void
search_graph_measure(struct search_drawing *d, const struct pen *p)
{
	for (size_t i = 0; i < d->at.n; i++) {
		d->at.box[i].w = pen_columns(p, d->box[i].text) + (d->flat || d->box[i].folded ? 2 : 4) +
			(d->flat && d->box[i].here ? 5 : 0);
		d->at.box[i].label = d->box[i].label ? pen_columns(p, d->box[i].label) : 0;
	}
}

/* Lays out boxes of three rows, or one; false if the graph is wider than the room. */
static bool
lay(struct search_drawing *drawing, struct grid *grid, struct rect r, int pitch)
{
	struct pen p = pen_on(grid, r, ROLE_TEXT);

	drawing->flat = pitch == 1;
	drawing->at.pitch = pitch;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		search_drawing_name(drawing, &sizes[k]);
		search_graph_measure(drawing, &p);
		drawing->at.label_most = sizes[k].label;
		search_layout(&drawing->at);
		if (drawing->at.w + 1 > r.w)
			continue;
		/* labels get the remaining room */
		for (; drawing->at.label_most < LABEL_MOST && drawing->at.w + 1 <= r.w; drawing->at.label_most++)
			search_layout(&drawing->at);
		drawing->at.label_most -= drawing->at.w + 1 > r.w ? 2 : 0;
		search_layout(&drawing->at);
		return true;
	}
	return false;
}

static int
count_words(const struct search_drawing *d, struct grid *g, struct rect r)
{
	struct page p = {.s = d->list->s, .g = g, .r = r, .skip = 1 << 20};

	search_words(&p, d->list, true);
	return p.row;
}

/* The place of the words: right of the graph, else below its left boxes, else below everything. Height 0: no room. */
static struct rect
place_words(const struct search_drawing *drawing, struct grid *grid, struct rect r)
{
	struct rect left = {r.x, r.y, WORDS_COLUMNS < r.w ? WORDS_COLUMNS : r.w, r.h};
	struct rect right = {r.x + drawing->at.w + 3, r.y + 1, r.w - drawing->at.w - 3, r.h};
	/* rows from the upper edge of the first box */
	int used = 0, all = drawing->at.h - drawing->at.pitch + (drawing->flat ? 1 : 3), n;

	for (size_t i = 0; i < drawing->at.n; i++) {
		const struct layout_box *box = &drawing->at.box[i];

		if (box->parent != NONE && drawing->at.box[box->parent].trunk < left.w && box->y > used)
			used = box->y; /* its line crosses this place */
		else if (box->x < left.w && box->y > used)
			used = box->y;
	}
	used += drawing->flat ? 2 : 4;
	n = right.w >= WORDS_LEAST ? count_words(drawing, grid, right) : r.h;
	if (n + 1 <= r.h && all <= r.h) {
		right.h = n;
		return right;
	}
	n = count_words(drawing, grid, left);
	if (used + n <= r.h && all <= r.h)
		return (struct rect){r.x, r.y + used, left.w, n};
	n = count_words(drawing, grid, r);
	if (all + n + 1 <= r.h)
		return (struct rect){r.x, r.y + all + 1, r.w, n};
	return (struct rect){.h = 0};
}

static void
draw_all(struct search_drawing *drawing, struct grid *g, struct rect r, bool focus, struct drawn *out)
{
	struct rect words = place_words(drawing, g, r), room = r;
	struct page p = {.s = drawing->list->s, .g = g, .r = words};
	int first;

	if (words.h == 0) { /* the graph scrolls above the words */
		int n = count_words(drawing, g, r);

		n = n > r.h / 2 ? r.h / 2 : n;
		room.h = r.h - n - 1;
		p.r = (struct rect){r.x, r.y + r.h - n, r.w, n};
	}
	first = scroll_to_cursor(drawing, room.h);
	run_lines(drawing);
	draw_strands(drawing, g, room, first);
	for (size_t i = 0; i < drawing->at.n; i++)
		draw_label(drawing, g, room, first, i);
	for (size_t i = 0; i < drawing->at.n; i++)
		draw_box(drawing, g, room, first, i, focus, out);
	search_words(&p, drawing->list, true);
	free(drawing->strand);
}

/* The first row of the list, which is shown above the boxes. */
static void
draw_proposal(const struct search_list *list, struct grid *grid, struct rect row, bool focus, struct drawn *out)
{
	struct line l = line_on(grid, row, 0);
	const char *relaxes = state_proposal_relaxes(list->s);
	char *text = state_proposal_text(list->s), *shown = relation_pretty(relaxes ? relaxes : "");

	line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", text ? text : "");
	if (*shown) {
		line_add(&l, ROLE_DIM, 0, " · relaxes ");
		line_relation(&l, ROLE_ACCENT, 0, 0, shown);
	}
	if (list->s->view.cursor[PANE_SEARCH] == 0)
		draw_cursor(grid, row, focus);
	hit_add(out, row, HIT_ROW, PANE_SEARCH, 0, ACTION_to_model);
	free(text);
	free(shown);
}

bool
draw_search_graph(const struct search_list *list, struct grid *grid, struct rect r, bool focus, struct drawn *out)
{
	static const int pitches[] = {4, 3, 1};
	struct search_drawing d;
	bool fits = false;

	int head = list->n && list->row[0].kind == SEARCH_ROW_PROPOSAL ? 2 : 0;
	struct rect all = r;

	r.y += head;
	r.h -= head;
	if (r.w < GRAPH_W || r.h < GRAPH_H || list->n < 2 || list->n > BOXES_MOST)
		return false;
	d = search_drawing_new(list);
	for (size_t k = 0; k < sizeof pitches / sizeof *pitches; k++) {
		fits = lay(&d, grid, r, pitches[k]);
		if (fits && (place_words(&d, grid, r).h || pitches[k] == 1))
			break;
	}
	if (fits && head)
		draw_proposal(list, grid, (struct rect){all.x, all.y, all.w, 1}, focus, out);
	if (fits)
		draw_all(&d, grid, r, focus, out);
	search_drawing_free(&d);
	return fits;
}

/* At most BOXES_MOST rows, so that the list can be drawn as a graph. */
static int
graph_rows_wanted(const struct search_list *list, int columns)
{
	struct grid *grid = grid_new(1, 1, false);
	struct search_drawing d = search_drawing_new(list);
	struct rect r = {0, 0, columns, 1000};
	int rows = (int)list->n + 8;

	if (lay(&d, grid, r, 4)) {
		struct rect words = place_words(&d, grid, r);

		rows = words.y + words.h > d.at.h - 1 ? words.y + words.h : d.at.h - 1;
		rows = (rows < GRAPH_H ? GRAPH_H : rows) + (list->row[0].kind == SEARCH_ROW_PROPOSAL ? 2 : 0);
	}
	search_drawing_free(&d);
	grid_free(grid);
	return rows;
}

int
search_rows_wanted(const struct state *state, int columns)
{
	struct search_list list;
	int rows = 4;

	if (!state->answers.search.graph)
		return rows;
	list = search_list_of(state);
	if (list.n > 1 && list.n <= BOXES_MOST)
		rows = graph_rows_wanted(&list, columns);
	else
		rows += (int)list.n;
	return rows;
}
