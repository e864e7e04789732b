/* The view of A and B: each quantity with its interval against zero and the threshold, and what it says in words. */
#include "draw/view/diff/diff_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/stack.h"
#include "draw/amount.h"
#include "draw/view/view_list.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_views.h"
#include "work/diff/diff_words.h"

static const struct pane_spec quantities_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 7, .weight_w = 1, .weight_h = 3},
};

const struct diff_found *
diff_found_of(const struct contest *c, size_t quantity)
{
	return c && quantity < c->of.measured.report.n ? &c->of.measured.report.found[quantity] : NULL;
}

enum role
diff_answer_role(const struct diff_quantity *q, const struct diff_found *f)
{
	if (!f || f->answer == DIFF_UNDECIDED || !f->counted)
		return ROLE_UNDECIDED;
	if (f->answer == DIFF_EQUAL)
		return ROLE_FEASIBLE;
	if (!q->is_time)
		return ROLE_BORDERLINE;
	return f->answer == DIFF_MORE ? ROLE_INFEASIBLE : ROLE_FEASIBLE;
}

const char *
diff_answer_mark(const struct diff_found *f)
{
	return !f || f->answer == DIFF_UNDECIDED || !f->counted ? "?"
		: f->answer == DIFF_EQUAL                        ? "="
		: f->answer == DIFF_MORE                         ? "↑"
								 : "↓";
}

void
diff_write_chosen(const struct state *state, struct str *out)
{
	size_t chosen = state_quantity(state);

	if (chosen != SIZE_MAX)
		str_add(out, state->data.contest->of.measured.table.quantity[chosen].name);
}

void
diff_write_nothing(struct page *page)
{
	const struct contest *c = page->s->data.contest;

	page_blank(page);
	if (!c)
		page_words(page, ROLE_DIM, page->s->question.model
			? "Nothing is compared yet. hecate diff -i 'COMMAND A' 'COMMAND B' measures two commands. Two "
			  "observations of a model are compared if they are marked: 3 shows them, m marks one, p "
			  "compares."
			: "Nothing is compared yet. hecate diff -i 'COMMAND A' 'COMMAND B' measures two commands. S "
			  "goes to the start screen.");
	else if (c->failure)
		page_words(page, ROLE_INFEASIBLE, c->failure);
	else if (c->measuring)
		page_words(page, ROLE_DIM, "A and B run once each to warm up; then blocks of four runs begin.");
	else
		page_words(page, ROLE_DIM, "No run has ended. Space measures A and B.");
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

enum { NAME, A, B, CHANGE, INTERVAL, ANSWER, MORE, COLUMNS };
static const struct column quantity_columns[COLUMNS] = {
	[NAME] = {.head = "quantity", .gap = 1, .width = 16, .name = "quantity", .stays = true,
		.order = DIFF_BY_NAME + 1},
	[A] = {.head = "A", .gap = 1, .width = 8, .right = true, .name = "a"},
	[B] = {.head = "B", .gap = 1, .width = 8, .right = true, .name = "b"},
	[CHANGE] = {.head = "B/A", .gap = 1, .width = 8, .right = true, .name = "change", .order = DIFF_BY_CHANGE + 1},
	[INTERVAL] = {.head = "interval", .gap = 2, .width = 12, .rest = true, .room = 60, .name = "interval"},
	[ANSWER] = {.head = "answer", .gap = 2, .width = 13, .name = "answer", .order = DIFF_BY_ANSWER + 1},
	[MORE] = {.head = "pairs to go", .gap = 1, .width = 15, .right = true, .room = 92, .name = "pairs-to-go"},
};

struct quantity_list {
	const struct contest *contest;
	double reach; /* the bars' axis: from -reach to reach, but not below -1: counts do not fall further */
};

#define REACH_MOST 10.0

/* The axis shows the first quantity whole, and at least twice the threshold. */
static double
axis_reach(const struct contest *c)
{
	const struct diff_found *f = diff_found_of(c, 0);
	double most = f && isfinite(f->low) && isfinite(f->high) ? 1.2 * fmax(fabs(f->low), fabs(f->high)) : 0;

	return fmin(REACH_MOST, fmax(most, 4 * c->rule.threshold));
}

static int
interval_column(const struct rect *at, double reach, double v)
{
	double low = -fmin(reach, 1), share = (v - low) / (reach - low);

	return at->x + (int)fmax(0, fmin(at->w - 1, round(share * (at->w - 1))));
}

/* "╎  │ ├─┼─┤ ╎": the interval, zero, and the threshold on both sides; "◂" and "▸": it goes on. */
static void
draw_change_bar(struct pen p, const struct rect *at, const struct quantity_list *list, const struct diff_found *f,
	enum role role)
{
	double threshold = list->contest->rule.threshold, reach = list->reach;
	int zero = interval_column(at, reach, 0), low, high;

	p.fg = ROLE_DIM;
	pen_text(&p, interval_column(at, reach, -threshold), at->y, "╎");
	pen_text(&p, interval_column(at, reach, threshold), at->y, "╎");
	pen_text(&p, zero, at->y, "│");
	if (!f || f->absolute || !f->counted || isnan(f->estimate))
		return;
	if (isinf(f->low) && isinf(f->high)) {
		pen_text(&p, at->x, at->y, "◂");
		pen_text(&p, at->x + at->w - 1, at->y, "▸");
		return;
	}
	p.fg = role;
	p.attr |= CELL_BOLD;
	low = interval_column(at, reach, f->low);
	high = interval_column(at, reach, f->high);
	for (int x = low; x <= high; x++)
		pen_text(&p, x, at->y, "─");
	pen_text(&p, low, at->y, f->low < -fmin(reach, 1) ? "◂" : f->low > reach ? "▸" : "├");
	pen_text(&p, high, at->y, f->high > reach ? "▸" : high == low ? "│" : "┤");
	if (f->estimate >= -reach && f->estimate <= reach && high - low > 1)
		pen_text(&p, interval_column(at, reach, f->estimate), at->y, "┼");
}

/* A text that str_format() made. */
static void
list_made(struct list_row *row, size_t column, enum role role, char *text)
{
	list_text(row, column, role, text);
	free(text);
}

static void
draw_pairs_to_go(struct list_row *row, const struct measured_diff *m, const struct diff_found *f)
{
	char number[NUMBER_TEXT], seconds[NUMBER_TEXT];

	if (f->answer != DIFF_UNDECIDED || !f->more_blocks)
		return;
	number_round(number, 2 * (double)f->more_blocks);
	if (isnan(diff_seconds_for(m, f->more_blocks)) || m->seconds <= 0)
		list_made(row, MORE, ROLE_DIM, str_format("about %s", number));
	else
		list_made(row, MORE, ROLE_DIM,
			str_format(isinf(f->high) ? "%s+, %s" : "%s, %s", number,
				number_seconds(seconds, diff_seconds_for(m, f->more_blocks), false)));
}

static void
draw_quantity_row(struct list_row *row)
{
	const struct quantity_list *list = row->list->of;
	const struct measured_diff *m = &list->contest->of.measured;
	const struct diff_quantity *q = &m->table.quantity[row->item];
	const struct diff_found *f = diff_found_of(list->contest, row->item);
	enum role role = diff_answer_role(q, f);
	struct rect at;

	row->pen.attr = row->here ? CELL_BOLD : 0;
	list_text(row, NAME, ROLE_TEXT, q->name);
	row->pen.attr = 0;
	if (list_cell(row, INTERVAL, role, &at))
		draw_change_bar(row->pen, &at, list, f, role);
	if (!f)
		return;
	list_made(row, A, ROLE_TEXT, diff_value_text(q, f->a, false));
	list_made(row, B, ROLE_TEXT, diff_value_text(q, f->b, false));
	list_made(row, CHANGE, ROLE_TEXT, f->counted ? diff_change_cell(q, f, f->estimate, false) : mem_str("·"));
	row->pen.attr = role == ROLE_UNDECIDED ? 0 : CELL_BOLD;
	list_made(row, ANSWER, role, str_format("%s %s", diff_answer_mark(f), diff_answer_brief(q, f)));
	row->pen.attr = 0;
	draw_pairs_to_go(row, m, f);
}

/* "±4 %" at the head of the bars. */
static void
draw_axis_head(const struct list *list, struct grid *grid, struct rect r, double reach)
{
	const struct column *c = &list->column[INTERVAL];
	struct pen p = pen_on(grid, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);
	char number[NUMBER_TEXT], *left, *right;
	int zero;

	if (!c->x || c->width < 12)
		return;
	left = str_format("−%s %%", number_digits(number, 100 * fmin(reach, 1), 2, false));
	right = str_format("+%s %%", number_digits(number, 100 * reach, 2, false));
	pen_fill(&p, (struct rect){r.x + c->x, r.y, c->width, 1}, ' ');
	pen_text(&p, r.x + c->x, r.y, left);
	zero = interval_column(&(struct rect){r.x + c->x, r.y, c->width, 1}, reach, 0);
	if (zero > r.x + c->x + pen_columns(&p, left) && zero < r.x + c->x + c->width - 1 - pen_columns(&p, right))
		pen_text(&p, zero, r.y, "0");
	pen_right(&p, r.x + c->x + c->width, r.y, right);
	free(left);
	free(right);
}

static void
draw_quantities(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct contest *c = state->data.contest;
	struct column column[COLUMNS];
	struct quantity_list of = {.contest = c};
	struct list list = {.state = state,
		.of = &of,
		.column = column,
		.n_columns = COLUMNS,
		.room = r.w,
		.draw = draw_quantity_row,
		.pane = PANE_QUANTITIES,
		.action = ACTION_quantity};

	if (!c || !c->of.measured.table.n) {
		diff_write_nothing(&(struct page){.s = state, .g = grid, .r = r});
		return;
	}
	of.reach = axis_reach(c);
	memcpy(column, quantity_columns, sizeof column);
	if (r.w < 60)
		column[NAME].width = r.w < 48 ? 12 : 14;
	list.order = state_quantities(state, &list.n);
	list.cursor = (size_t)state->view.cursor[PANE_QUANTITIES];
	list_draw(&list, grid, r, focus, drawn);
	draw_axis_head(&list, grid, r, of.reach);
}

static void
title_quantities(const struct state *state, struct str *title, struct str *info)
{
	const struct contest *c = state->data.contest;
	char number[NUMBER_TEXT];

	str_add(title, "B against A");
	if (!c)
		return;
	str_addf(info, "╎ threshold %s %%", number_digits(number, 100 * c->rule.threshold, 2, false));
	if (state->view.filter[VIEW_DIFF])
		str_addf(info, " · filter: %s", state->view.filter[VIEW_DIFF]);
	if (state->view.sort.quantities != DIFF_AS_MEASURED || state_is_reversed(state))
		str_addf(info, " · %s%s", diff_sort_name(state->view.sort.quantities), state_reversed_words(state));
}

/* --- header and status -------------------------------------------------------------------------------------------- */

static void
diff_draw_header(const struct state *state, struct grid *grid)
{
	const struct contest *c = state->data.contest;
	struct pen right = pen_on(grid, (struct rect){0, 0, grid->w, 1}, ROLE_TEXT);
	struct line l = line_on(grid, right.clip, 0);
	const struct diff_found *f = diff_found_of(c, 0);
	char *answer, *change;

	if (f) {
		change = diff_change_cell(&c->of.measured.table.quantity[0], f, f->estimate, false);
		answer = str_format("%s %s%s%s", diff_answer_mark(f),
			diff_answer_brief(&c->of.measured.table.quantity[0], f), f->answer == DIFF_UNDECIDED ? "" : " ",
			f->answer == DIFF_UNDECIDED || f->answer == DIFF_EQUAL ? "" : change);
		right.fg = diff_answer_role(&c->of.measured.table.quantity[0], f);
		right.attr = CELL_BOLD;
		pen_right(&right, grid->w - 1, 0, answer);
		l.end = grid->w - 2 - pen_columns(&right, answer);
		free(answer);
		free(change);
	}
	if (grid->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	for (int side = 0; side < 2 && c; side++) {
		int room = (l.end - l.x) / (2 - side) - 4;

		line_add(&l, side ? ROLE_OF_B : ROLE_OF_A, CELL_BOLD, "%s ", side ? "B" : "A");
		if (room > 0)
			l.x += pen_fit_middle(&(struct pen){.grid = grid, .clip = right.clip, .fg = ROLE_TEXT}, l.x, 0,
				room, c->of.side[side]);
		line_gap(&l, 2);
	}
}

static const char *
wait_words(const struct contest *c)
{
	if (!c->measuring)
		return NULL;
	switch (contest_waits(c)) {
	case CONTEST_RUNS:
		return NULL;
	case CONTEST_PAUSED:
		return "paused, Space goes on";
	case CONTEST_KNOWS:
		return "known, Space goes on";
	case CONTEST_USED_UP:
		return "time or runs used up, Space goes on";
	}
	return NULL;
}

static bool
diff_sentence(const struct state *state, struct line *line)
{
	const struct contest *c = state->data.contest;
	struct str lead = {0};
	char seconds[NUMBER_TEXT];
	size_t runs = c ? c->of.measured.table.n_runs + c->block : 0;

	if (!c)
		return false;
	if (wait_words(c))
		line_add(line, ROLE_ACCENT, 0, "%s  ", wait_words(c));
	else if (c->measuring)
		line_add(line, ROLE_ACCENT, 0, "%s %zu runs, %s  ",
			glyph_spinner(state->view.frame.motion ? (unsigned)(state->view.frame.now * 10) : 0, false),
			runs, number_seconds(seconds, runs && c->ended ? c->ended[runs - 1] : 0, false));
	if (diff_found_of(c, 0))
		diff_add_lead(&lead, &c->of.measured, &c->rule, c->recorded, line->pen.grid->ascii);
	if (lead.n)
		line_add(line, ROLE_TEXT, 0, "%.*s", (int)lead.n - 1, str_text(&lead));
	str_free(&lead);
	return true;
}

static void
diff_draw_tiny(const struct state *state, struct grid *grid)
{
	struct line l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 0);

	if (!diff_sentence(state, &l))
		line_add(&l, ROLE_DIM, 0, "nothing is compared");
	if (grid->w >= 20 && grid->h > 3) {
		l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, grid->h - 1);
		line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
	}
}

enum { PART_X = 26, PART_W = 12 }; /* columns of a stack's parts */

/* --- the popup ---------------------------------------------------------------------------------------------------- */

static void
add_disturbed(struct page *page, const struct diff_scene *scene)
{
	const struct diff_table *t = scene->table;
	struct diff_usual *usual = mem_new_array(t->n, sizeof *usual);
	size_t shown = 0;

	for (size_t i = 0; i < t->n; i++)
		diff_usual(t, i, &usual[i]);
	page_blank(page);
	page_head(page, "Disturbed runs", "far above their own median");
	for (size_t run = 0; run < t->n_runs; run++) {
		char *value, *beside;
		size_t by;
		struct line l;

		if (!(diff_distance(t, scene->chosen, &scene->usual, run) > DIFF_DISTURBED))
			continue;
		if (shown++ == 12) {
			page_words(page, ROLE_DIM, "… and more.");
			break;
		}
		by = diff_disturbed_by(t, usual, run);
		value = diff_value_text(scene->quantity, scene->quantity->value[run], false);
		beside = by == SIZE_MAX
			? mem_str("0") : diff_value_text(&t->quantity[by], t->quantity[by].value[run], false);
		l = page_line(page);
		line_add(&l, t->is_b[run] ? ROLE_OF_B : ROLE_OF_A, CELL_BOLD, "%s ", t->is_b[run] ? "B" : "A");
		line_add(&l, ROLE_TEXT, 0, "run %zu, %s", run + 1, value);
		if (by == SIZE_MAX)
			line_add(&l, ROLE_DIM, 0, "; no other count rose with it");
		else
			line_add(&l, ROLE_DIM, 0, "; with it rose %s, to %s", t->quantity[by].name, beside);
		free(value);
		free(beside);
	}
	if (!shown)
		page_words(page, ROLE_DIM, "none");
	free(usual);
}

static void
add_series_facts(struct page *page, const struct contest *c)
{
	const struct measured_diff *m = &c->of.measured;
	char number[NUMBER_TEXT];
	struct line l;

	page_blank(page);
	page_head(page, "The series",
		c->recorded ? "recorded: nobody drew the order" : "blocks of four in random order");
	l = page_line(page);
	line_add(&l, ROLE_TEXT, 0, "%zu %s", m->table.n_runs, m->table.quantity[0].stated ? "means" : "runs");
	if (m->seconds > 0)
		line_add(&l, ROLE_DIM, 0, ", %s", number_seconds(number, m->seconds, false));
	if (m->report.warm_up)
		line_add(&l, ROLE_BORDERLINE, 0, ", the first %zu are a warm-up", m->report.warm_up * SHIFT_BLOCK);
	for (int side = 0; side < 2; side++)
		if (m->failed[side]) {
			l = page_line(page);
			line_add(&l, ROLE_INFEASIBLE, 0, "%s failed %zu times, with status %d", side ? "B" : "A",
				m->failed[side], m->status[side]);
		}
	if (!isnan(m->report.drift)) {
		l = page_line(page);
		line_add(&l, ROLE_BORDERLINE, 0, "drift of %+.1f %% from the first to the last third",
			100 * m->report.drift);
	}
	if (!isnan(m->report.carry)) {
		l = page_line(page);
		line_add(&l, ROLE_BORDERLINE, 0, "a run after B takes %+.1f %%: --prepare CMD runs before each run",
			100 * m->report.carry);
	}
}

/* The parts of a stack, a row each. */
static void
add_stack(struct page *page, const struct contest *c)
{
	const struct measured_why *stack = &c->of.measured.stack;

	if (!c->stack)
		return;
	page_blank(page);
	page_head(page, "Parts of the stack", c->stack->name);
	if (c->stack_failure)
		page_words(page, ROLE_BORDERLINE, c->stack_failure);
	for (size_t i = 0; i < stack->report.n; i++) {
		const struct diff_quantity *q = &stack->table.quantity[i];
		const struct diff_found *f = &stack->report.found[i];
		char *text[3] = {diff_value_text(q, f->a, false), diff_value_text(q, f->b, false),
			diff_change_cell(q, f, f->estimate, false)};
		struct line l = page_line(page);

		line_add(&l, ROLE_TEXT, 0, "%s ", q->name);
		for (int k = 0; k < 3 && f->counted; k++) {
			line_to(&l, PART_X + k * PART_W);
			line_add(&l, k == 0 ? ROLE_OF_A : k == 1 ? ROLE_OF_B : ROLE_TEXT, 0, "%s ", text[k]);
		}
		line_to(&l, PART_X + 3 * PART_W);
		line_add(&l, diff_answer_role(q, f), 0, "%s %s", diff_answer_mark(f), diff_answer_brief(q, f));
		for (int k = 0; k < 3; k++)
			free(text[k]);
	}
}

/* Where the difference of the first quantity went. */
static void
add_why(struct page *page, const struct contest *c)
{
	struct str words = {0};

	diff_add_why(&words, &c->of.measured, c->recorded, page->g->ascii);
	if (words.n)
		page_words(page, ROLE_TEXT, str_text(&words));
	str_free(&words);
	add_stack(page, c);
}

static int
draw_quantity_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct contest *c = state->data.contest;
	struct diff_scene scene;
	struct page page = {.s = state, .g = grid, .skip = first};
	const struct diff_found *f;
	char *low, *high, *answer, number[NUMBER_TEXT];
	bool some = diff_scene(state, &scene);

	page.r = draw_popup(grid, screen, 84, screen.h - 4, some ? scene.quantity->name : "Quantity", NULL);
	f = some ? diff_found_of(c, scene.chosen) : NULL;
	if (!f) {
		diff_write_nothing(&page);
		return page_rows(&page);
	}
	low = diff_change_text(scene.quantity, f, f->low, false);
	high = diff_change_text(scene.quantity, f, f->high, false);
	answer = diff_answer_text(&c->of.measured, c->recorded, scene.chosen, false);
	page_words(&page, ROLE_TEXT, answer);
	if (scene.chosen == 0)
		add_why(&page, c);
	page_blank(&page);
	for (int side = 0; side < 2; side++) {
		char *value = diff_value_text(scene.quantity, side ? f->b : f->a, false);
		struct line l = page_line(&page);

		line_add(&l, side ? ROLE_OF_B : ROLE_OF_A, CELL_BOLD, "%s ", side ? "B" : "A");
		line_add(&l, ROLE_TEXT, 0, "%s", value);
		line_add(&l, ROLE_DIM, 0, ", the %s; %s", scene.quantity->stated ? "mean" : "median",
			c->of.side[side]);
		free(value);
	}
	{
		struct line l = page_line(&page);

		line_add(&l, ROLE_DIM, 0, "B/A ");
		line_add(&l, ROLE_TEXT, 0, "from %s to %s", low, high);
		line_add(&l, ROLE_DIM, 0, ", %s, wrong with a chance of %s %%",
			c->recorded ? "at one look" : "at every look",
			number_digits(number,
				100 * diff_alpha(&c->rule, scene.chosen, c->of.measured.table.n), 2, false));
	}
	add_disturbed(&page, &scene);
	add_series_facts(&page, c);
	free(low);
	free(high);
	free(answer);
	return page_rows(&page);
}

/* No higher than its rows need. */
static bool
fit_quantities(const struct state *state, struct rect body, struct pane_spec *wish)
{
	int rows = (int)state_count_quantities(state) + 3;

	(void)body;
	wish->max_h = rows > wish->min_h ? rows : wish->min_h;
	return true;
}

const struct pane_draw pane_draw_quantities = {.title = title_quantities,
	.fit = fit_quantities,
	.draw = draw_quantities,
	PANE_WISHES(quantities_wish),
	PANE_COLUMNS(quantity_columns)};
const struct popup_draw popup_draw_quantity = {.text = draw_quantity_popup};
const struct view_draw view_draw_diff = {
	.header = diff_draw_header, .tiny = diff_draw_tiny, .sentence = diff_sentence};
