/* View 8, Phases: series over time, their windows of steady behaviour, and what changed between two of them. */
#include "draw/view/phases/phases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "draw/time_graph.h"
#include "draw/view/view_list.h"
#include "explorer/state/state_phases.h"
#include "work/phases/phases.h"

enum { SPARK = 16 };

static const struct pane_spec series_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 30, .min_h = 5, .weight_w = 1, .weight_h = 2},
};
static const struct pane_spec course_wish[] = {
	{.priority = 2, .band = 1, .column = 0, .min_w = 30, .min_h = 6, .weight_w = 1, .weight_h = 2, .from_h = 18},
};
static const struct pane_spec windows_wish[] = {
	{.priority = 1,
		.band = 0,
		.column = 1,
		.min_w = 34,
		.max_w = 60,
		.min_h = 5,
		.weight_w = 1,
		.weight_h = 2,
		.from_w = 70},
	{.priority = 1,
		.band = 2,
		.column = 0,
		.min_w = 30,
		.min_h = 5,
		.weight_w = 1,
		.weight_h = 1,
		.below_w = 70,
		.from_h = 16},
};
static const struct pane_spec changed_wish[] = {
	{.priority = 3,
		.band = 1,
		.column = 1,
		.min_w = 34,
		.max_w = 60,
		.min_h = 6,
		.weight_w = 1,
		.weight_h = 2,
		.from_w = 70,
		.from_h = 18},
};

char *
phase_name(char out[NUMBER_TEXT], size_t phase)
{
	if (phase < 26)
		snprintf(out, NUMBER_TEXT, "%c", (char)('A' + (int)phase));
	else
		snprintf(out, NUMBER_TEXT, "%c%zu", (char)('A' + (int)(phase % 26)), phase / 26);
	return out;
}

static enum role
phase_role(size_t phase)
{
	static const enum role role[] = {ROLE_PATH1, ROLE_PATH2, ROLE_PATH3, ROLE_PATH4};

	return role[phase % (sizeof role / sizeof *role)];
}

char *
phase_time(char out[NUMBER_TEXT], const struct phases *p, size_t row)
{
	char number[NUMBER_TEXT];
	double begin = phases_begin(p, row);

	if (p->set->end && begin < 0.01 && begin > p->set->step / 2)
		snprintf(out, NUMBER_TEXT, "%s", number_seconds(number, begin, false));
	else if (p->set->end)
		snprintf(out, NUMBER_TEXT, "%.24s s",
			number_digits(number, begin < 0.01 ? 0 : begin, begin < 1000 ? 4 : 6, false));
	else
		snprintf(out, NUMBER_TEXT, "row %zu", row + 1);
	return out;
}

char *
phase_value(char out[NUMBER_TEXT], double v)
{
	if (isnan(v))
		snprintf(out, NUMBER_TEXT, "·");
	else if (v < 0) {
		char number[NUMBER_TEXT];

		snprintf(out, NUMBER_TEXT, "-%.24s", number_digits(number, -v, 4, false));
	} else {
		number_digits(out, v, 4, false);
	}
	return out;
}

char *
phase_ratio(char out[NUMBER_TEXT], double ratio)
{
	char number[NUMBER_TEXT];

	if (isfinite(ratio) && ratio >= 0)
		snprintf(out, NUMBER_TEXT, "×%.24s", number_digits(number, ratio, 3, false));
	else
		snprintf(out, NUMBER_TEXT, "·");
	return out;
}

/* --- the series -------------------------------------------------------------------------------------------------- */

enum { NAME, MEAN, NOISE, OVER_TIME, TREND, SEASON, COLUMNS };
static const struct column phase_series_columns[COLUMNS] = {
	[NAME] = {.head = "series", .gap = 1, .width = 12, .rest = true, .name = "series", .stays = true},
	[MEAN] = {.head = "mean", .gap = 1, .width = 8, .right = true, .name = "mean"},
	[NOISE] = {.head = "noise", .gap = 1, .width = 7, .room = 70, .right = true, .name = "noise"},
	[OVER_TIME] = {.head = "over time", .gap = 2, .width = SPARK, .room = 58, .name = "over-time"},
	[TREND] = {.head = "trend", .gap = 1, .width = 7, .room = 34, .right = true, .name = "trend"},
	[SEASON] = {.head = "season", .gap = 1, .width = 8, .room = 66, .right = true, .name = "season"},
};

static void
draw_phase_spark(struct list_row *row, const struct rect *at, const double *v, size_t n)
{
	double shown[SPARK], top = 0;
	size_t columns = n < SPARK ? n : SPARK;

	for (size_t k = 0; k < columns; k++) {
		double sum = 0, some = 0;

		for (size_t i = k * n / columns; i < (k + 1) * n / columns; i++)
			if (!isnan(v[i])) {
				sum += v[i];
				some++;
			}
		shown[k] = some > 0 ? sum / some : NAN;
		top = fmax(top, some > 0 ? shown[k] : 0);
	}
	draw_spark(&row->pen, at->x, at->y, SPARK, shown, columns, top);
}

static void
draw_series_row(struct list_row *row)
{
	const struct phases *p = row->list->of;
	const struct phase_series *s = &p->series[row->item];
	char number[NUMBER_TEXT], text[NUMBER_TEXT + 4];
	struct rect at;

	row->pen.attr = row->here ? CELL_BOLD : 0;
	if (list_cell(row, NAME, ROLE_TEXT, &at)) /* names of events begin alike */
		pen_fit_middle(&row->pen, at.x, at.y, at.w, p->set->series[row->item]);
	row->pen.attr = 0;
	list_text(row, MEAN, ROLE_TEXT, phase_value(number, s->mean));
	if (s->mean > 0 && p->windows->noise[row->item] > 0)
		snprintf(text, sizeof text, "%s %%",
			number_digits(number, 100 * p->windows->noise[row->item] / s->mean, 2, false));
	else
		snprintf(text, sizeof text, "·");
	list_text(row, NOISE, ROLE_DIM, text);
	if (list_cell(row, OVER_TIME, ROLE_TEXT, &at))
		draw_phase_spark(row, &at, p->set->v + row->item * p->set->rows, p->set->rows);
	if (!s->trend.direction)
		snprintf(text, sizeof text, "·");
	else if (isnan(s->trend.ratio))
		snprintf(text, sizeof text, s->trend.direction > 0 ? "↑" : "↓");
	else
		snprintf(text, sizeof text, "%s%s", s->trend.direction > 0 ? "↑" : "↓",
			phase_ratio(number, s->trend.ratio));
	list_text(row, TREND, s->trend.direction ? ROLE_TEXT : ROLE_DIM, text);
	if (!s->season.places)
		snprintf(text, sizeof text, "·");
	else if (isnan(p->set->step))
		snprintf(text, sizeof text, "%s rows", number_digits(number, s->season.period, 3, false));
	else
		snprintf(text, sizeof text, "%s s", number_digits(number, s->season.period * p->set->step, 3, false));
	list_text(row, SEASON, s->season.places ? ROLE_TEXT : ROLE_DIM, text);
}

static void
write_no_series(const struct state *state, struct page *page)
{
	if (state->answers.phases.too_long) {
		page_words(page, ROLE_TEXT, "These data are too long to be analysed while you wait.");
		page_words(page, ROLE_DIM, "hecate phases FILE prints their phases.");
		return;
	}
	page_words(page, ROLE_TEXT, "Phases need several rows of counts in the order of time. There are too few yet.");
	page_words(page, ROLE_DIM,
		"A longer command has more rows, and so has a shorter interval (-I 10); r runs a command. hecate "
		"phases FILE prints the phases of recorded data.");
}

static void
draw_phase_series(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct phases *p = state_phases(state);
	struct column column[COLUMNS];
	struct page page = {.s = state, .g = grid, .r = r};
	struct list list = {.state = state,
		.of = p,
		.column = column,
		.n_columns = COLUMNS,
		.room = r.w,
		.draw = draw_series_row,
		.pane = PANE_PHASE_SERIES};

	if (!p) {
		write_no_series(state, &page);
		return;
	}
	memcpy(column, phase_series_columns, sizeof column);
	list.n = p->set->n;
	list.cursor = state_phases_series(state);
	list_draw(&list, grid, r, focus, drawn);
}

static void
title_phase_series(const struct state *state, struct str *title, struct str *info)
{
	const struct phases *p = state_phases(state);
	char number[NUMBER_TEXT];

	str_add(title, "Series");
	if (!p)
		return;
	str_addf(info, "%s, %zu rows", p->set->name, p->set->rows);
	if (!isnan(p->set->step))
		str_addf(info, " of %s", number_seconds(number, p->set->step, false));
	if (state->answers.phases.n > 1)
		str_addf(info, " · run %zu of %zu", state->view.timeline.phases.run + 1, state->answers.phases.n);
}

/* --- the windows ------------------------------------------------------------------------------------------------- */

enum { NUMBER, FROM, ROWS, PHASE, BY, CHANGED_MOST, WINDOW_COLUMNS };
static const struct column phase_window_columns[WINDOW_COLUMNS] = {
	[NUMBER] = {.gap = 1, .width = 3, .right = true},
	[FROM] = {.head = "from", .gap = 1, .width = 9, .right = true},
	[ROWS] = {.head = "rows", .gap = 1, .width = 5, .right = true, .room = 32},
	[PHASE] = {.head = "phase", .gap = 2, .width = 5},
	[BY] = {.head = "by", .gap = 1, .width = 8, .right = true},
	[CHANGED_MOST] = {.head = "what changed most", .gap = 1, .width = 6, .rest = true},
};

static void
draw_window_row(struct list_row *row)
{
	const struct phases *p = row->list->of;
	const struct window *w = &p->windows->window[row->item];
	char number[NUMBER_TEXT];

	snprintf(number, sizeof number, "%s%zu",
		row->list->state->view.timeline.phases.held == row->item + 1 ? "=" : "", row->item + 1);
	list_text(row, NUMBER, ROLE_TEXT, number);
	list_text(row, FROM, ROLE_TEXT, phase_time(number, p, w->first));
	snprintf(number, sizeof number, "%zu", w->n);
	list_text(row, ROWS, ROLE_DIM, number);
	row->pen.attr = CELL_BOLD;
	list_text(row, PHASE, phase_role(w->phase), phase_name(number, w->phase));
	row->pen.attr = 0;
	if (row->item == 0)
		return;
	list_text(row, BY, ROLE_TEXT, phase_ratio(number, w->ratio));
	list_text(row, CHANGED_MOST, ROLE_TEXT, p->set->series[w->series]);
}

static void
draw_phase_windows(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct phases *p = state_phases(state);
	struct column column[WINDOW_COLUMNS];
	struct page page = {.s = state, .g = grid, .r = r};
	struct list list = {.state = state,
		.of = p,
		.column = column,
		.n_columns = WINDOW_COLUMNS,
		.room = r.w,
		.draw = draw_window_row,
		.pane = PANE_PHASE_WINDOWS};

	if (!p) {
		page_words(&page, ROLE_DIM, "No series, so no windows.");
		return;
	}
	memcpy(column, phase_window_columns, sizeof column);
	list.n = p->windows->n;
	list.cursor = state_phases_window(state);
	list_draw(&list, grid, r, focus, drawn);
}

static void
title_phase_windows(const struct state *state, struct str *title, struct str *info)
{
	const struct phases *p = state_phases(state);

	str_add(title, "Windows");
	if (p)
		str_addf(info, "%zu in %zu phase%s", p->windows->n, p->windows->n_phases,
			plural_s(p->windows->n_phases));
}

/* --- the course -------------------------------------------------------------------------------------------------- */

/* Over the graph, each column's phase; the window under the cursor is reversed. */
static void
draw_phase_strip(const struct state *state, const struct phases *p, struct grid *grid, struct rect r)
{
	int columns = r.w - GRAPH_AXIS - 1;
	struct pen pen = pen_on(grid, r, ROLE_TEXT);
	size_t chosen = state_phases_window(state), k = 0;
	char name[NUMBER_TEXT];

	for (int x = 0; x < columns; x++) {
		size_t row = (size_t)x * p->set->rows / (size_t)columns;

		while (k + 1 < p->windows->n && p->windows->window[k + 1].first <= row)
			k++;
		phase_name(name, p->windows->window[k].phase);
		name[1] = '\0';
		pen.fg = phase_role(p->windows->window[k].phase);
		pen.attr = k == chosen ? CELL_REVERSE : 0;
		pen_text(&pen, r.x + GRAPH_AXIS + x, r.y, name);
	}
}

static void
draw_phase_course(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct phases *p = state_phases(state);
	size_t series = state_phases_series(state);
	struct page page = {.s = state, .g = grid, .r = r};
	struct time_graph graph = {.n_series = 1, .from = NAN, .to = NAN};

	(void)focus;
	(void)drawn;
	if (!p) {
		page_words(&page, ROLE_DIM, "No series is chosen.");
		return;
	}
	graph.n = p->set->rows;
	graph.series[0] = (struct graph_series){p->set->series[series], ROLE_ACCENT, p->set->v + series * p->set->rows};
	if (p->set->end) {
		graph.from = phases_begin(p, 0);
		graph.to = p->set->end[p->set->rows - 1];
	}
	draw_phase_strip(state, p, grid, (struct rect){r.x, r.y, r.w, 1});
	graph_draw(&graph, grid, (struct rect){r.x, r.y + 1, r.w, r.h - 1});
}

static void
title_phase_course(const struct state *state, struct str *title, struct str *info)
{
	const struct phases *p = state_phases(state);

	if (!p) {
		str_add(title, "Over time");
		return;
	}
	str_add(title, p->set->series[state_phases_series(state)]);
	str_add(info, "phases above");
}

static bool
phases_sentence(const struct state *state, struct line *line)
{
	const struct phases *p = state_phases(state);
	size_t window = p ? phases_largest_change(p) : 0;
	char number[NUMBER_TEXT];

	if (!p)
		return false;
	if (!window) {
		line_add(line, ROLE_TEXT, 0, "one window: no series changes its level in %zu rows", p->set->rows);
		return true;
	}
	line_add(line, ROLE_TEXT, 0, "%zu windows, %zu phases; largest change at %s: ", p->windows->n,
		p->windows->n_phases, phase_time(number, p, p->windows->window[window].first));
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", p->set->series[p->windows->window[window].series]);
	line_add(line, ROLE_TEXT, 0, " %s", phase_ratio(number, p->windows->window[window].ratio));
	return true;
}

static const char *
phases_lack(const struct state *state)
{
	return state->data.timeline || state->question.model ? NULL : "nothing is open";
}

static void
phases_nothing(struct page *page)
{
	page_words(
		page, ROLE_TEXT, "Open a model, a network or a stack with data; this view shows the data over time.");
	page_words(page, ROLE_DIM, "S lists what can be opened. hecate phases FILE prints the phases of any data.");
}

const struct pane_draw pane_draw_phase_series = {.title = title_phase_series,
	.draw = draw_phase_series,
	PANE_WISHES(series_wish),
	PANE_COLUMNS(phase_series_columns)};
const struct pane_draw pane_draw_phase_windows = {
	.title = title_phase_windows, .draw = draw_phase_windows, PANE_WISHES(windows_wish)};
const struct pane_draw pane_draw_phase_course = {
	.title = title_phase_course, .draw = draw_phase_course, PANE_WISHES(course_wish)};
const struct pane_draw pane_draw_phase_changed = {
	.title = title_phase_changed, .draw = draw_phase_changed, PANE_WISHES(changed_wish)};
const struct view_draw view_draw_phases = {
	.sentence = phases_sentence, .lacks = phases_lack, .nothing = phases_nothing};
