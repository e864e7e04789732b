/* Pane "Search" as a graph: one box is one cone, with the models that share it; lines say what was added or taken away. */
#include "draw/view_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/udd/model.h"
#include "draw/search_layout.h"

#define NONE SIZE_MAX
#define GRAPH_W 100       /* least size of the pane */
#define GRAPH_H 8
#define WORDS_COLUMNS 116 /* words stand left below the graph where there is so much room */
#define WORDS_LEAST 72    /* … or right of it */
#define LABEL_MOST 28
#define STAR_NAME 20      /* the best survivor's name has at least so much room */
#define BOXES_MOST 160    /* more are a list */
#define LINES_MOST 24     /* lines besides the tree's: more would hide it */

struct box {
	size_t row;     /* first of the list's rows that it stands for */
	char *text;     /* in the box */
	char *label;    /* on the line that leads to it */
	enum role role, line;
	bool dashed, star, here, folded;
};

/* What a cell of the lines holds: arms, and whether they are broken. */
struct strand {
	unsigned char up, right, down, left;
	bool dashed;
	enum role role;
};

struct drawing {
	const struct search_list *list;
	struct box *box;
	size_t *of_row; /* per row of the list: its box; NONE: none */
	struct layout_line *line;
	enum role *line_role;
	struct search_layout at;
	struct strand *strand; /* at.w × at.h */
	bool flat;             /* boxes have one row, without borders */
};

/* How much is written: columns of a set of features, beyond which they are counted; who shares the cone; columns of labels. The first that fits is taken. */
static const struct size {
	int name;
	bool others;
	int label;
} sizes[] = {{24, true, 28}, {18, true, 20}, {14, true, 14}, {14, false, 14}, {10, false, 10}, {10, false, 7}};

/* ---- boxes ---- */

static size_t
box_with_cone(const struct drawing *d, size_t row)
{
	const struct search_list *l = d->list;
	uint64_t cone = l->g->model[l->row[row].model].cone;

	for (size_t i = 0; cone && i < d->at.n; i++)
		if (l->row[d->box[i].row].kind == SEARCH_ROW_MODEL && l->g->model[l->row[d->box[i].row].model].cone == cone)
			return i;
	return NONE;
}

static void
add_name(const struct search_list *l, size_t row, int columns, struct str *out)
{
	const struct fset *on = &l->g->model[l->row[row].model].on;
	struct str all = {0};

	search_name(l->s->model, on, &all);
	if (search_variant(l->s->model, on) || utf8_width(str_text(&all)) <= (size_t)columns)
		str_add(out, str_text(&all));
	else
		str_addf(out, "%zu features", fset_count(on));
	str_free(&all);
}

/* "m5 = m9 ✗ 5": the model under the cursor first; with less room only how many share the cone, or that some do. */
static void
name_box(struct drawing *d, size_t i, const struct size *size)
{
	const struct search_list *l = d->list;
	size_t cursor = (size_t)l->s->cursor[PANE_SEARCH], first = d->box[i].row, others = 0, other = 0;
	const struct graph_model *m;
	struct str text = {0};

	if (l->row[first].kind == SEARCH_ROW_FOLDED) {
		str_add(&text, "▸ ");
		if (l->row[first].refuted)
			str_addf(&text, "%zu more refuted", l->row[first].refuted);
		if (l->row[first].surviving)
			str_addf(&text, "%s%zu survive%s", l->row[first].refuted ? ", " : "", l->row[first].surviving, l->row[first].surviving == 1 ? "s" : "");
		free(d->box[i].text);
		d->box[i].text = str_take(&text);
		d->box[i].role = ROLE_DIM;
		d->box[i].folded = true;
		return;
	}
	first = cursor < l->n && d->of_row[cursor] == i ? cursor : first;
	for (size_t k = 0; k < l->n; k++)
		if (d->of_row[k] == i && k != first) {
			others++;
			other = k;
		}
	m = &l->g->model[l->row[first].model];
	add_name(l, first, d->box[i].star && size->name < STAR_NAME ? STAR_NAME : size->name, &text);
	if (others)
		str_add(&text, " =");
	if (size->others && others > 1)
		str_addf(&text, " %zu more", others);
	else if (size->others && others)
		str_add(&text, " ");
	if (size->others && others == 1)
		add_name(l, other, size->name, &text);
	str_addf(&text, " %s %*zu", m->survives ? "✓" : "✗", l->digits, m->infeasible);
	if (d->box[i].star)
		str_add(&text, " ★");
	free(d->box[i].text);
	d->box[i].text = str_take(&text);
	d->box[i].role = search_role(l, m->survives ? ROLE_FEASIBLE : ROLE_INFEASIBLE);
}

/* How the line to a box is drawn. */
static void
style_line(const struct search_list *l, const struct graph_edge *e, enum role *role, bool *dashed)
{
	*dashed = e->step == GRAPH_ELIMINATION;
	*role = e->step == GRAPH_DISCOVERY ? ROLE_PATH1 : e->step == GRAPH_ELIMINATION ? ROLE_PATH2 : ROLE_TEXT;
	if (e->step != GRAPH_CHOSEN && l->g->model[e->from].infeasible == l->g->model[e->to].infeasible)
		*role = ROLE_DIM;
	*role = search_role(l, *role);
}

static void
make_boxes(struct drawing *d)
{
	const struct search_list *l = d->list;

	for (size_t r = 0; r < l->n; r++) {
		const struct search_row *row = &l->row[r];
		const struct graph_edge *e = row->edge == NONE ? NULL : &l->g->edge[row->edge];
		struct box *b = &d->box[d->at.n];
		size_t same;

		d->of_row[r] = NONE;
		if (row->kind == SEARCH_ROW_PROPOSAL)
			continue;
		same = row->kind == SEARCH_ROW_MODEL ? box_with_cone(d, r) : NONE;
		if (same == NONE) {
			*b = (struct box){.row = r, .line = ROLE_DIM, .dashed = true};
			d->at.box[d->at.n].parent = row->parent == NONE ? NONE : d->of_row[row->parent];
			if (e) {
				struct str label = {0};

				search_change(l->s->model, &l->g->model[e->from].on, &l->g->model[e->to].on, &label);
				b->label = str_take(&label);
				style_line(l, e, &b->line, &b->dashed);
			}
			same = d->at.n++;
		}
		d->of_row[r] = same;
		d->box[same].star |= row->kind == SEARCH_ROW_MODEL && row->model == l->best;
		d->box[same].here |= row->kind == SEARCH_ROW_MODEL && row->model == l->here;
	}
}

/* Edges of the graph between boxes that no line of the tree stands for. */
static void
make_lines(struct drawing *d)
{
	const struct search_list *l = d->list;
	size_t *of_model = mem_new_array(l->g->n_models, sizeof *of_model);

	for (size_t i = 0; i < l->g->n_models; i++)
		of_model[i] = NONE;
	for (size_t r = 0; r < l->n; r++)
		if (l->row[r].kind == SEARCH_ROW_MODEL)
			of_model[l->row[r].model] = d->of_row[r];
	for (size_t i = 0; i < l->g->n_edges && d->at.n_lines < LINES_MOST; i++) {
		const struct graph_edge *e = &l->g->edge[i];
		struct layout_line line = {of_model[e->from], of_model[e->to]};
		bool dashed, there = line.from == NONE || line.to == NONE || line.from == line.to || d->at.box[line.to].parent == line.from;

		for (size_t k = 0; k < d->at.n_lines; k++)
			there |= d->line[k].from == line.from && d->line[k].to == line.to;
		if (there)
			continue;
		style_line(l, e, &d->line_role[d->at.n_lines], &dashed);
		d->line[d->at.n_lines++] = line;
	}
	free(of_model);
}

/* ---- lines ---- */

static struct strand *
strand_at(struct drawing *d, int x, int y)
{
	return x >= 0 && y >= 0 && x < d->at.w && y < d->at.h ? &d->strand[y * d->at.w + x] : NULL;
}

static void
run_across(struct drawing *d, int from, int to, int y, enum role role, bool dashed)
{
	for (int x = from; x <= to; x++) {
		struct strand *s = strand_at(d, x, y);

		if (!s)
			continue;
		s->left |= x > from;
		s->right |= x < to;
		s->role = role;
		s->dashed = dashed;
	}
}

static void
run_down(struct drawing *d, int x, int from, int to, enum role role, bool dashed)
{
	for (int y = from; y <= to; y++) {
		struct strand *s = strand_at(d, x, y);

		if (!s)
			continue;
		s->up |= y > from;
		s->down |= y < to;
		s->role = role;
		s->dashed = dashed;
	}
}

static void
run_line(struct drawing *d, size_t from, size_t to, enum role role, bool dashed)
{
	const struct layout_box *a = &d->at.box[from], *b = &d->at.box[to];
	int first = a->x + a->w, last = b->x - 1;

	if (a->y == b->y) {
		run_across(d, first - 1, last + 1, a->y, role, dashed);
		return;
	}
	run_across(d, first - 1, a->trunk, a->y, role, dashed);
	run_down(d, a->trunk, a->y < b->y ? a->y : b->y, a->y < b->y ? b->y : a->y, role, dashed);
	run_across(d, a->trunk, last + 1, b->y, role, dashed);
}

static void
run_lines(struct drawing *d)
{
	d->strand = mem_new_array((size_t)d->at.w * (size_t)(d->at.h > 0 ? d->at.h : 1), sizeof *d->strand);
	for (size_t k = 0; k < d->at.n_lines; k++)
		if (search_layout_draws(&d->at, &d->line[k]))
			run_line(d, d->line[k].from, d->line[k].to, d->line_role[k], true);
	for (size_t i = d->at.n; i-- > 0;) /* the first child last: its straight line keeps its look */
		if (d->at.box[i].parent != NONE)
			run_line(d, d->at.box[i].parent, i, d->box[i].line, d->box[i].dashed);
}

static void
draw_strands(struct drawing *d, struct grid *g, struct rect r, int first)
{
	for (int y = first > 0 ? first : 0; y < d->at.h && y - first < r.h; y++)
		for (int x = 0; x < d->at.w; x++) {
			const struct strand *s = &d->strand[y * d->at.w + x];
			struct pen p = pen_on(g, r, s->role);
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

/* ---- drawing ---- */

static void
draw_frame(const struct drawing *d, struct grid *g, struct rect clip, struct rect r, size_t i)
{
	const struct box *b = &d->box[i];
	struct pen p = pen_on(g, clip, b->role);
	int weight = b->star ? 2 : 1, end = r.x + r.w - 1;

	p.attr = b->star ? CELL_BOLD : 0;
	pen_hline(&p, r.x, r.y, r.w, glyph_junction(0, weight, 0, weight));
	pen_hline(&p, r.x, r.y + 2, r.w, glyph_junction(0, weight, 0, weight));
	pen_hline(&p, r.x, r.y, 1, glyph_junction(0, weight, weight, 0));
	pen_hline(&p, end, r.y, 1, glyph_junction(0, 0, weight, weight));
	pen_hline(&p, r.x, r.y + 1, 1, glyph_junction(weight, 0, weight, 0));
	pen_hline(&p, end, r.y + 1, 1, glyph_junction(weight, 0, weight, 0));
	pen_hline(&p, r.x, r.y + 2, 1, glyph_junction(weight, weight, 0, 0));
	pen_hline(&p, end, r.y + 2, 1, glyph_junction(weight, 0, 0, weight));
	if (b->here) {
		p.fg = ROLE_ACCENT;
		p.attr = CELL_BOLD;
		pen_text(&p, r.x + 1, r.y, " here ");
	}
}

static void
draw_box(const struct drawing *d, struct grid *g, struct rect r, int first, size_t i, bool focus, struct drawn *out)
{
	const struct layout_box *at = &d->at.box[i];
	const struct box *b = &d->box[i];
	size_t cursor = (size_t)d->list->s->cursor[PANE_SEARCH];
	int y = r.y + at->y - first, framed = !d->flat && !b->folded;
	struct rect box = {r.x + at->x, y - framed, at->w, framed ? 3 : 1}, seen = rect_cut(box, r);
	struct pen p = pen_on(g, r, b->role);

	pen_fill(&p, box, ' ');
	if (framed)
		draw_frame(d, g, r, box, i);
	p.attr = b->folded ? 0 : CELL_BOLD;
	pen_text(&p, box.x + (framed ? 2 : 1), y, b->text);
	if (!framed && b->here) {
		p.fg = ROLE_ACCENT;
		pen_right(&p, box.x + box.w, y, "here");
	}
	if (cursor < d->list->n && d->of_row[cursor] == i) {
		p.fg = ROLE_ACCENT;
		p.attr = CELL_BOLD;
		pen_text(&p, box.x - 1, y, "▸");
		if (focus)
			grid_tint(g, seen, ROLE_SELECT);
	}
	hit_add(out, seen, HIT_ROW, PANE_SEARCH, (int)b->row, ACTION_to_model);
}

static void
draw_label(const struct drawing *d, struct grid *g, struct rect r, int first, size_t i)
{
	const struct layout_box *at = &d->at.box[i];
	const struct box *b = &d->box[i];
	struct pen p = pen_on(g, r, ROLE_TEXT);
	const struct layout_box *up;
	int n, room, y = r.y + at->y - first;

	if (!b->label)
		return;
	up = &d->at.box[at->parent];
	room = at->x - 3 - (up->y == at->y ? up->x + up->w : up->trunk + 1);
	p.fg = b->line == ROLE_DIM ? ROLE_DIM : ROLE_TEXT;
	n = pen_columns(&p, b->label);
	n = n > room ? room : n;
	if (d->flat) {
		pen_hline(&p, r.x + at->x - n - 3, y, n + 2, ' ');
		pen_fit(&p, r.x + at->x - n - 2, y, n, b->label);
	} else {
		pen_fit(&p, r.x + at->x - n - 2, y - 1, n, b->label);
	}
}

/* The first canvas row that is shown, so that the cursor's box is in sight. */
static int
scroll_to_cursor(const struct drawing *d, int rows)
{
	size_t cursor = (size_t)d->list->s->cursor[PANE_SEARCH];
	int first = -!d->flat, last = d->at.h - !d->flat - rows, y;

	if (cursor >= d->list->n || d->of_row[cursor] == NONE || last <= first)
		return first;
	y = d->at.box[d->of_row[cursor]].y;
	first = y - rows / 2 > first ? y - rows / 2 : first;
	return first > last ? last : first;
}

/* ---- sizes ---- */

static void
measure(struct drawing *d, const struct pen *p)
{
	for (size_t i = 0; i < d->at.n; i++) {
		d->at.box[i].w = pen_columns(p, d->box[i].text) + (d->flat || d->box[i].folded ? 2 : 4) + (d->flat && d->box[i].here ? 5 : 0);
		d->at.box[i].label = d->box[i].label ? pen_columns(p, d->box[i].label) : 0;
	}
}

/* Lays everything for boxes of three rows, or one; false when it is wider than the room. */
static bool
lay(struct drawing *d, struct grid *g, struct rect r, int pitch)
{
	struct pen p = pen_on(g, r, ROLE_TEXT);

	d->flat = pitch == 1;
	d->at.pitch = pitch;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		for (size_t i = 0; i < d->at.n; i++)
			name_box(d, i, &sizes[k]);
		measure(d, &p);
		d->at.label_most = sizes[k].label;
		search_layout(&d->at);
		if (d->at.w + 1 > r.w)
			continue;
		for (; d->at.label_most < LABEL_MOST && d->at.w + 1 <= r.w; d->at.label_most++) /* labels get what is left over */
			search_layout(&d->at);
		d->at.label_most -= d->at.w + 1 > r.w ? 2 : 0;
		search_layout(&d->at);
		return true;
	}
	return false;
}

static int
count_words(const struct drawing *d, struct grid *g, struct rect r)
{
	struct page p = {.s = d->list->s, .g = g, .r = r, .skip = 1 << 20};

	search_words(&p, d->list, true);
	return p.row;
}

/* Where the words stand: left below the boxes that reach so far, else below everything. Height 0: nowhere without hiding boxes. */
static struct rect
place_words(const struct drawing *d, struct grid *g, struct rect r)
{
	struct rect left = {r.x, r.y, WORDS_COLUMNS < r.w ? WORDS_COLUMNS : r.w, r.h};
	struct rect right = {r.x + d->at.w + 3, r.y + 1, r.w - d->at.w - 3, r.h};
	int used = 0, all = d->at.h - d->at.pitch + (d->flat ? 1 : 3), n; /* rows from the first box's upper edge */

	for (size_t i = 0; i < d->at.n; i++) {
		const struct layout_box *b = &d->at.box[i];

		if (b->parent != NONE && d->at.box[b->parent].trunk < left.w && b->y > used)
			used = b->y; /* its line passes there */
		else if (b->x < left.w && b->y > used)
			used = b->y;
	}
	used += d->flat ? 2 : 4;
	n = right.w >= WORDS_LEAST ? count_words(d, g, right) : r.h;
	if (n + 1 <= r.h && all <= r.h) {
		right.h = n;
		return right;
	}
	n = count_words(d, g, left);
	if (used + n <= r.h && all <= r.h)
		return (struct rect){r.x, r.y + used, left.w, n};
	n = count_words(d, g, r);
	if (all + n + 1 <= r.h)
		return (struct rect){r.x, r.y + all + 1, r.w, n};
	return (struct rect){.h = 0};
}

static void
draw_all(struct drawing *d, struct grid *g, struct rect r, bool focus, struct drawn *out)
{
	struct rect words = place_words(d, g, r), room = r;
	struct page p = {.s = d->list->s, .g = g, .r = words};
	int first;

	if (words.h == 0) { /* the graph scrolls above them */
		int n = count_words(d, g, r);

		n = n > r.h / 2 ? r.h / 2 : n;
		room.h = r.h - n - 1;
		p.r = (struct rect){r.x, r.y + r.h - n, r.w, n};
	}
	first = scroll_to_cursor(d, room.h);
	run_lines(d);
	draw_strands(d, g, room, first);
	for (size_t i = 0; i < d->at.n; i++)
		draw_label(d, g, room, first, i);
	for (size_t i = 0; i < d->at.n; i++)
		draw_box(d, g, room, first, i, focus, out);
	search_words(&p, d->list, true);
	free(d->strand);
}

static struct drawing
begin(const struct search_list *list)
{
	struct drawing d = {.list = list};

	d.box = mem_new_array(list->n, sizeof *d.box);
	d.of_row = mem_new_array(list->n, sizeof *d.of_row);
	d.line = mem_new_array(LINES_MOST, sizeof *d.line);
	d.line_role = mem_new_array(LINES_MOST, sizeof *d.line_role);
	d.at.box = mem_new_array(list->n, sizeof *d.at.box);
	make_boxes(&d);
	make_lines(&d);
	d.at.line = d.line;
	return d;
}

static void
end(struct drawing *d)
{
	for (size_t i = 0; i < d->at.n; i++) {
		free(d->box[i].text);
		free(d->box[i].label);
	}
	free(d->box);
	free(d->of_row);
	free(d->line);
	free(d->line_role);
	free(d->at.box);
}

bool
draw_search_graph(const struct search_list *list, struct grid *g, struct rect r, bool focus, struct drawn *out)
{
	static const int pitches[] = {4, 3, 1};
	struct drawing d;
	bool fits = false;

	if (r.w < GRAPH_W || r.h < GRAPH_H || list->n < 2 || list->n > BOXES_MOST)
		return false;
	d = begin(list);
	for (size_t k = 0; k < sizeof pitches / sizeof *pitches; k++) {
		fits = lay(&d, g, r, pitches[k]);
		if (fits && (place_words(&d, g, r).h || pitches[k] == 1))
			break;
	}
	if (fits)
		draw_all(&d, g, r, focus, out);
	end(&d);
	return fits;
}

int
search_rows_wanted(const struct session *s, int columns)
{
	struct grid *g = grid_new(1, 1, false);
	struct search_list list;
	struct drawing d;
	struct rect r = {0, 0, columns, 1000};
	int rows = 4;

	if (s->graph) {
		list = search_list_of(s);
		d = begin(&list);
		if (list.n >= 2 && list.n <= BOXES_MOST && lay(&d, g, r, 4)) {
			struct rect words = place_words(&d, g, r);

			rows = words.y + words.h > d.at.h - 1 ? words.y + words.h : d.at.h - 1;
		} else {
			rows = (int)list.n + (list.n > 1 ? 8 : 4);
		}
		end(&d);
		search_list_free(&list);
	}
	grid_free(g);
	return rows;
}
