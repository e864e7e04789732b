/* A stack's bar over time: in each snapshot its parts on top of each other, CPI or shares.
 *
 *      CPI over time, core 0                                44 snapshots, 11 s
 *       1.4 ▃T▓▓▅▂▁ ▁▂▃
 *           D░░░░░░▓▓░░░
 *         0 B███████████
 *           0 s        ▲11 s
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/stack/stack.h"
#include "draw/stack_bars.h"
#include "draw/view/stalls/compared.h"
#include "draw/view/stalls/stalls.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/timeline.h"

enum { LEAST_ROWS = 3, MOST_ROWS = 16, GUTTER = 7, LEAST_COLUMNS = 24, LOWEST = 0x2581 };

/* The band, and how its cells are filled. */
struct band {
	const struct state *s;
	const struct timeline_course *course;
	struct draw_part *look; /* per part of the stack; `amount` is 1 where the part is drawn */
	bool *named;            /* per part: its key is on the screen already */
	double top;             /* value at the upper edge */
	int columns, rows;
	size_t shown;           /* snapshots that the columns show */
};

/* The looks of the chosen stack's parts: those of its bar. */
static struct draw_part *
looks_of(const struct state *state, const struct stack *stack)
{
	struct draw_part *look = mem_new_array(stack->n_parts, sizeof *look);
	size_t chosen = timeline_chosen(state->data.timeline);
	struct compared v;

	if (!state_compares_methods(state)) {
		for (size_t i = 0; i < stack->n_parts; i++)
			look[i] = (struct draw_part){stack_is_drawn(stack, i), stack_role(stack, i),
				stack_fill(stack, i), stack_key(stack, i)};
		return look;
	}
	v = compared_new(state);
	for (size_t k = 0; k < v.n_rows; k++) {
		const struct chart_part *part = &v.look[v.row[k]];
		size_t own = v.m->part[v.row[k]].in[chosen];

		if (own < stack->n_parts)
			look[own] = (struct draw_part){
				compared_draws(&v, chosen, v.row[k]), part->role, part->fill, part->key};
	}
	arena_free(v.arena);
	compared_end(&v);
	return look;
}

/* The snapshots of a column: one, or several that follow each other. */
static void
snapshots_of(const struct band *band, int column, size_t *from, size_t *to)
{
	size_t n = band->shown, w = (size_t)band->columns;

	*from = (size_t)column * n / w;
	*to = ((size_t)column + 1) * n / w;
	if (*to == *from)
		++*to;
}

/* The mean of a part over the snapshots of a column; NAN: none has it. n_parts: the whole. */
static double
band_amount(const struct band *band, int column, size_t part)
{
	const struct timeline_course *c = band->course;
	size_t from, to, n = 0;
	double sum = 0;

	snapshots_of(band, column, &from, &to);
	for (size_t k = from; k < to; k++) {
		double v = c->amount[k * (c->n_parts + 1) + part];

		if (isnan(v))
			continue;
		sum += v > 0 ? v : 0;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

static double
band_sum(const struct band *band, int column)
{
	double sum = 0;

	if (isnan(band_amount(band, column, band->course->n_parts)))
		return NAN;
	for (size_t i = 0; i < band->course->n_parts; i++)
		if (band->look[i].amount > 0)
			sum += fmax(band_amount(band, column, i), 0);
	return sum;
}

/* One column of the band, from below. */
static void
draw_parts_of_column(const struct band *band, const struct pen *pen, int x, int bottom, int column)
{
	double unit = band->top / band->rows, sum = 0, all = band_sum(band, column);
	struct pen p = *pen;
	int row = 0;

	for (size_t i = 0; i < band->course->n_parts && row < band->rows; i++) {
		double own = band->look[i].amount > 0 ? fmax(band_amount(band, column, i), 0) : 0;
		struct draw_part one = {1, band->look[i].fg, band->look[i].fill, 0};

		sum += isnan(own) ? 0 : own;
		for (; row < band->rows && (row + 0.5) * unit <= sum && (row + 1) * unit <= all + unit / 16; row++) {
			one.key = band->named[i] ? 0 : band->look[i].key;
			band->named[i] = true;
			draw_stack(&p, x, bottom - row, 1, &one, 1, 1);
		}
		if (row < band->rows && sum >= all - unit / 1000 && all > row * unit) { /* the end, in eighths */
			int eighths = (int)lround((all - row * unit) / unit * 8);

			p.fg = band->look[i].fg;
			if (eighths > 0)
				pen_hline(&p, x, bottom - row, 1, LOWEST - 1 + (uint32_t)(eighths > 8 ? 8 : eighths));
			return;
		}
	}
}

/* The column below which the snapshot shown is marked; -1: none is. */
static int
marked_column(const struct band *band)
{
	const struct timeline_view *view = &band->s->view.timeline;
	size_t first = band->course->first, at = view->snapshot - first, w = (size_t)band->columns, from, to;

	if (view->whole || view->snapshot < first || at >= band->shown)
		return -1;
	from = at * w / band->shown;
	to = (at + 1) * w / band->shown;
	return (int)((from + (to > from ? to - 1 : from)) / 2);
}

/* 0 and the largest value beside the band; below it the times of its ends, and a mark at the snapshot shown. */
static void
draw_scale(const struct band *band, struct pen *pen, struct rect r, bool figure)
{
	const struct timeline *timeline = band->s->data.timeline;
	const struct timeline_course *c = band->course;
	struct timeline_snapshot begin = timeline_snapshot(timeline, c->first);
	double end = timeline_snapshot(timeline, c->first + band->shown - 1).end;
	int bottom = r.y + r.h - 2, left = r.x + GUTTER, mark = marked_column(band), columns;
	char number[NUMBER_TEXT];

	pen_right(pen, left - 1, r.y, figure ? number_digits(number, band->top, 2, false) : "100 %");
	pen_right(pen, left - 1, bottom, "0");
	columns = pen_columns(pen, number_seconds(number, begin.number > 1 ? begin.end : 0, false));
	pen_text(pen, mark >= 0 && mark <= columns ? left + mark + 2 : left, bottom + 1, number);
	if (isfinite(end) && end > 0) {
		columns = pen_columns(pen, number_seconds(number, end, false));
		pen_right(pen, left + (mark >= band->columns - columns - 1 ? mark - 1 : band->columns), bottom + 1,
			number);
	}
	if (mark >= 0) {
		pen->fg = ROLE_ACCENT;
		pen_text(pen, left + mark, bottom + 1, "▲");
		pen->fg = ROLE_DIM;
	}
}

static double
band_top(const struct band *band, bool figure)
{
	double top = 0;

	for (int x = 0; x < band->columns; x++) {
		double sum = band_sum(band, x);

		top = fmax(top, isnan(sum) ? 0 : sum);
	}
	return figure ? top : top > 0 ? 1 : 0;
}

static void
draw_head(const struct state *state, struct grid *grid, struct rect r, const struct timeline_bar *bar, size_t shown)
{
	const struct stack *stack = timeline_stack(state->data.timeline);
	struct page p = {.s = state, .g = grid, .r = r};
	struct str title = {0}, more = {0};

	str_addf(&title, "%s over time, %s", stack->figure ? stack->figure_text : "Shares", bar->name);
	if (state_compares_methods(state))
		str_addf(&title, " by %s", stack->name);
	str_addf(&more, "%zu snapshots", shown);
	page_head(&p, str_text(&title), str_text(&more));
	str_free(&title);
	str_free(&more);
}

void
draw_course(const struct state *state, struct grid *grid, struct rect r)
{
	const struct timeline_bar *bar = state_bar(state);
	const struct stack *stack = timeline_stack(state->data.timeline);
	struct pen pen = pen_on(grid, r, ROLE_DIM);
	struct band band = {.s = state, .rows = r.h - 3 < MOST_ROWS ? r.h - 3 : MOST_ROWS,
		.columns = r.w - GUTTER - 2};

	if (!bar || band.rows < LEAST_ROWS || band.columns < LEAST_COLUMNS)
		return;
	band.course = timeline_course(state->data.timeline, bar->name, state->view.timeline.grouped,
		state->view.timeline.whole ? TIMELINE_WHOLE : state->view.timeline.snapshot);
	if (!band.course || band.course->n < 2)
		return;
	band.shown = band.course->n;
	if (band.shown < (size_t)band.columns) /* all of one width */
		band.columns -= band.columns % (int)band.shown;
	band.look = looks_of(state, stack);
	band.named = mem_new_array(stack->n_parts, sizeof *band.named);
	band.top = band_top(&band, stack->figure != NULL);
	if (band.top > 0) {
		r.y++;
		r.h = band.rows + 2;
		draw_head(state, grid, r, bar, band.shown);
		r.y++;
		r.h--;
		for (int x = 0; x < band.columns; x++)
			draw_parts_of_column(&band, &pen, r.x + GUTTER + x, r.y + band.rows - 1, x);
		r.h = band.rows + 1;
		draw_scale(&band, &pen, r, stack->figure != NULL);
	}
	free(band.look);
	free(band.named);
}
