/* View 0, Events: a list of events with letters, verdict, and how far they are off; runs and details of the chosen
 * one. */
#include "draw/view/events/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "core/udd/model.h"
#include "draw/view/view_list.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"
#include "event/table.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_views.h"
#include "work/trust/events.h"
#include "work/trust/known.h"
#include "work/trust/table.h"

enum { SIDE_BY_SIDE = 110, ROOMY = 150, EVENT_LEAST = 14, LETTERS_W = 6, VERDICT_W = 13, NUMBER_W = 15, RANGE_W = 9 };

static const struct pane_spec events_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 3, .weight_h = 3},
};
/* While all events are listed, what was judged stands below them, if there is room. */
static bool
events_fit_list(const struct state *s, struct rect body, struct pane_spec *wish)
{
	if (!s->view.events.all)
		return true;
	wish->band = 2;
	wish->priority = 3;
	wish->min_h = 8;
	return body.w >= SIDE_BY_SIDE && body.h >= 28;
}

static bool
events_fit_runs(const struct state *s, struct rect body, struct pane_spec *wish)
{
	(void)body, (void)wish;
	return !s->view.events.all;
}

static const struct pane_spec runs_wish[] = {
	{.priority = 2, .band = 0, .column = 1, .min_w = 40, .max_w = 64, .min_h = 10, .max_h = 24, .weight_w = 2,
		.weight_h = 2, .from_w = ROOMY},
	{.priority = 2, .band = 0, .column = 1, .min_w = 40, .max_w = 46, .min_h = 10, .max_h = 20, .weight_w = 2,
		.weight_h = 2, .from_w = SIDE_BY_SIDE, .below_w = ROOMY},
	{.priority = 2, .band = 1, .column = 1, .min_w = 30, .max_w = 44, .min_h = 10, .weight_w = 1, .weight_h = 3,
		.from_h = 18, .below_w = SIDE_BY_SIDE},
};
static const struct pane_spec event_wish[] = {
	{.priority = 1, .band = 0, .column = 1, .min_w = 40, .max_w = 64, .min_h = 8, .weight_w = 2, .weight_h = 3,
		.from_w = ROOMY},
	{.priority = 1, .band = 0, .column = 1, .min_w = 40, .max_w = 46, .min_h = 8, .weight_w = 2, .weight_h = 3,
		.from_w = SIDE_BY_SIDE, .below_w = ROOMY},
	{.priority = 1, .band = 1, .column = 0, .min_w = 36, .min_h = 8, .weight_w = 1, .weight_h = 3, .from_h = 14,
		.below_w = SIDE_BY_SIDE},
};

/* --- columns ----------------------------------------------------------------------------------------------------- */

enum { MARK, EVENT, TEST, MACHINE, LETTERS, VERDICT, OFFSET, RANGE, LEFT, COLUMNS };

/* `room` is the width of the list. */
static const struct column event_columns[COLUMNS] = {
	[MARK] = {.gap = 1, .width = 2},
	[EVENT] = {.head = "event", .name = "event", .stays = true, .order = 1 + EVENT_BY_NAME},
	[TEST] = {.head = "test", .gap = 1, .name = "test"},
	[MACHINE] = {.head = "machine", .gap = 1, .name = "machine"},
	[LETTERS] = {.head = "why", .gap = 1, .width = LETTERS_W - 1, .name = "why"},
	[VERDICT] = {.head = "verdict", .gap = 1, .width = VERDICT_W - 1, .name = "verdict",
		.order = 1 + EVENT_BY_VERDICT},
	[OFFSET] = {.head = "off by", .gap = 1, .width = NUMBER_W, .right = true, .name = "offset",
		.order = 1 + EVENT_BY_OFFSET},
	[RANGE] = {.head = "range", .width = RANGE_W, .right = true, .name = "range", .order = 1 + EVENT_BY_RANGE},
	[LEFT] = {.head = "left", .width = RANGE_W + 2, .right = true, .name = "left"},
};

static int
events_widest(
	const struct pen *p, const struct trust_events *l, const char *(*text)(const struct trust_event *), int most)
{
	int w = 0;

	for (size_t i = 0; i < l->n; i++) {
		int here = pen_columns(p, text(&l->event[i]));

		w = here > w ? here : w;
	}
	return w < most ? w : most;
}

static const char *
event_text(const struct trust_event *e)
{
	return e->event;
}

static const char *
machine_text(const struct trust_event *e)
{
	return e->machine;
}

/* A test of the benchmark, or the counter of the model. */
static const char *
test_text(const struct trust_event *e)
{
	return e->counter ? e->counter : e->test;
}

/* What is the same in all rows needs no column: the pane of the event names it. */
static bool
events_differs(const struct trust_events *l, const char *(*text)(const struct trust_event *))
{
	for (size_t i = 1; i < l->n; i++)
		if (!str_eq(text(&l->event[i]), text(&l->event[0])))
			return true;
	return false;
}

/* The source of an event that no run judges stands where the others have their numbers. */
static void
events_fit_columns(struct list *list, const struct trust_events *all, struct grid *grid, int w)
{
	struct pen p = pen_on(grid, (struct rect){0, 0, 1, 1}, ROLE_TEXT);
	int machine = events_differs(all, machine_text) ? events_widest(&p, all, machine_text, 14) : 0,
	    test = events_differs(all, test_text) ? events_widest(&p, all, test_text, 18) : 0,
	    event = events_widest(&p, all, event_text, w >= 70 ? 30 : w - LETTERS_W - 6), at;
	bool judged = all->event[list->order[0]].judged != NULL;
	struct column *column = list->column;

	test = test && test < 7 ? 7 : test; /* its head */
	column[EVENT].width = event > EVENT_LEAST ? event : EVENT_LEAST;
	at = 3 + column[EVENT].width + 1 + LETTERS_W;
	if (test && at + test + 1 + 2 < w) {
		column[TEST].width = test;
		at += test + 1;
	}
	if (machine && at + machine + 1 <= w) {
		column[MACHINE].width = machine;
		at += machine + 1;
	}
	if (!judged) {
		column[TEST].head = "counter";
		column[OFFSET].head = "source";
		column[OFFSET].right = false;
		column[RANGE].head = column[LEFT].head = NULL;
		column[OFFSET].order = 0;
	}
	list->room = w - at;
	column[VERDICT].room = VERDICT_W + 1;
	column[OFFSET].room = column[VERDICT].room + NUMBER_W;
	column[RANGE].room = column[OFFSET].room + RANGE_W;
	column[LEFT].room = column[RANGE].room + RANGE_W + 2;
	if (!judged && list_is_arranged(list)) { /* between columns that were moved, it has the room of all three */
		column[OFFSET].rest = list->room >= column[OFFSET].room;
		column[RANGE].width = column[LEFT].width = 0;
	}
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static void
draw_number(struct list_row *row, size_t column, enum role role, double v, bool sign)
{
	char number[NUMBER_TEXT] = "·", plain[NUMBER_TEXT];

	if (!isnan(v))
		number_exact(number, llround(v), sign, false);
	if (pen_columns(&row->pen, number) >= row->list->column[column].width)
		snprintf(number, sizeof number, "%s%s", v < 0 ? "−" : sign ? "+" : "",
			number_count(plain, fabs(v), false));
	list_text(row, column, role, number);
}

static void
draw_judged(struct list_row *row, const struct trust_event *e)
{
	const struct trust_judged *j = e->judged;
	bool several = e->group->n > 1;

	draw_number(row, OFFSET, isnan(j->offset) || llround(j->offset) == 0 ? ROLE_DIM : ROLE_TEXT, j->offset, true);
	draw_number(row, RANGE, several && j->spread > 0 ? ROLE_TEXT : ROLE_DIM, several ? j->spread : NAN, false);
	draw_number(row, LEFT, ROLE_DIM, j->n_parts ? j->adjusted - e->group->expected : NAN, true);
}

static void
events_draw_row(struct list_row *row)
{
	const struct trust_event *event = &row->list->state->data.events->event[row->item];
	enum trust_verdict v = trust_event_verdict(event);
	char letters[LETTERS_TEXT], *key = state_event_key(event);
	struct line l = list_line(row, MARK);
	struct rect at;

	line_add(&l, trust_role(v), 0, "%s", trust_mark(v));
	if (state_note_on(row->list->state, REMARK_EVENT, key))
		line_add(&l, ROLE_ACCENT, 0, "\"");
	free(key);
	row->pen.attr = row->here ? CELL_BOLD : 0;
	list_text(row, EVENT, ROLE_TEXT, event->event);
	row->pen.attr = 0;
	list_text(row, TEST, ROLE_DIM, test_text(event));
	list_text(row, MACHINE, ROLE_DIM, event->machine);
	row->pen.attr = CELL_BOLD;
	list_text(row, LETTERS, ROLE_BORDERLINE, trust_letters_text(letters, trust_event_letters(event), v));
	row->pen.attr = 0;
	list_text(row, VERDICT, trust_role(v), trust_verdict_brief(v));
	if (event->judged)
		draw_judged(row, event);
	else if (list_cell(row, OFFSET, ROLE_DIM, &at))
		pen_fit(&row->pen, at.x, at.y,
			list_is_arranged(row->list) ? at.w : row->pen.clip.x + row->pen.clip.w - 1 - at.x,
			event->entry && event->entry->source ? event->entry->source : "no errors known");
}

static void
events_draw_nothing(const struct state *s, struct page *p)
{
	if (s->data.events && s->data.events->n) {
		page_words(p, ROLE_DIM, "No event contains these words. \\ then Enter without a text shows all.");
		return;
	}
	page_words(p, ROLE_TEXT, "No runs are open, and no book of trust is installed.");
	page_blank(p);
	page_words(p, ROLE_DIM,
		"S goes to the start screen, where e opens recorded runs of a program whose counts are known\n"
		"hecate doctor    where books are looked for");
}

static void
events_draw_list(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	size_t n, cursor = (size_t)state->view.cursor[PANE_EVENTS];
	const size_t *order = state_events(state, &n);
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .order = order, .n = n,
		.cursor = cursor < n ? cursor : n - 1, .draw = events_draw_row, .pane = PANE_EVENTS,
		.action = ACTION_event};

	if (n == 0) {
		events_draw_nothing(state, &(struct page){.s = state, .g = grid, .r = r});
	} else {
		memcpy(column, event_columns, sizeof column);
		events_fit_columns(&l, state->data.events, grid, r.w);
		list_draw(&l, grid, r, focus, drawn);
	}
}

static void
events_title_list(const struct state *s, struct str *title, struct str *info)
{
	size_t n = state_count_shown(s, &shown_events), all = s->data.events ? s->data.events->n : 0;

	str_add(title, "Events");
	str_addf(info, n < all ? "%zu of %zu" : "%zu", n, all);
	if (s->view.filter[VIEW_EVENTS])
		str_addf(info, " · filter: %s", s->view.filter[VIEW_EVENTS]);
	str_addf(info, " · %s%s", event_sort_name(s->view.events.sort), state_reversed_words(s));
}

/* --- header and status ------------------------------------------------------------------------------------------- */

/* "✓ 20 exact  ≈ 61 correctable  ✗ 47": how many of each. Returns the columns of the words to the left of x. */
static int
draw_counts(const struct state *state, const struct pen *pen, int end, bool roomy)
{
	static const struct { enum role role; const char *mark, *word; } kind[] = {
		{ROLE_UNDECIDED, "?", "unknown"}, {ROLE_INFEASIBLE, "✗", "not usable"},
		{ROLE_BORDERLINE, "≈", "correctable"}, {ROLE_FEASIBLE, "✓", "exact"}};
	const struct trust_events *events = state->data.events;
	struct pen p = *pen;
	int from = end;

	p.attr = CELL_BOLD;
	for (size_t k = 0; events && k < sizeof kind / sizeof kind[0]; k++) {
		size_t n = 0;
		char *text;

		for (size_t i = 0; i < events->n; i++)
			n += trust_role(trust_event_verdict(&events->event[i])) == kind[k].role;
		if (!n)
			continue;
		text = roomy ? str_format("%s %zu %s", kind[k].mark, n, kind[k].word)
			     : str_format("%s %zu", kind[k].mark, n);
		p.fg = kind[k].role;
		pen_right(&p, from, p.clip.y, text);
		from -= pen_columns(&p, text) + 2;
		free(text);
	}
	return end - from;
}

static void
draw_subject(const struct state *state, struct line *line)
{
	const struct trust_known *known = state->data.known;
	const struct catalogue *all = state->view.events.all ? state->view.events.catalogue : NULL;

	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", state->data.repeated ? state->data.repeated->name : "events");
	line_gap(line, 2);
	if (state->data.repeated)
		line_add(line, ROLE_DIM, 0, "%zu event%s and tests", state->data.repeated->runs.n,
			plural_s(state->data.repeated->runs.n));
	else if (state->question.model)
		line_add(line, ROLE_DIM, 0, "of %s", state->question.model->name);
	else if (known && (known->here || all))
		line_add(line, ROLE_DIM, 0, "this machine: %s", known->cpu ? known->cpu : "a processor without a name");
	else if (known)
		line_add(line, ROLE_DIM, 0, "judged on other processors; a lists this machine's");
}

static void
events_draw_header(const struct state *state, struct grid *grid)
{
	struct rect row = {0, 0, grid->w, 1};
	struct pen right = pen_on(grid, row, ROLE_TEXT);
	struct line l = line_on(grid, row, 0);

	l.end = grid->w - 1 - draw_counts(state, &right, grid->w - 1, grid->w >= 100);
	if (grid->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	draw_subject(state, &l);
}

static bool
events_sentence(const struct state *state, struct line *line)
{
	const struct trust_event *event = state_event(state);
	const struct trust_judged *judged = event ? event->judged : NULL;
	const struct event_row *row = state_catalogue_event(state);
	char number[NUMBER_TEXT];

	if (!row && state_catalogue_page(state))
		return false;
	if (row) {
		line_add(line, ROLE_TEXT, CELL_BOLD, "%s", row->name);
		line_add(line, ROLE_TEXT, 0, *row->text ? ": %s" : "%s", row->text);
		return true;
	}
	if (!event)
		return false;
	line_add(line, ROLE_TEXT, CELL_BOLD, "%s", event->event);
	if (*event->test)
		line_add(line, ROLE_TEXT, 0, " in %s", event->test);
	line_add(line, ROLE_TEXT, 0, ": ");
	line_add(line, trust_role(trust_event_verdict(event)), 0, "%s", trust_verdict_name(trust_event_verdict(event)));
	if (!judged)
		return true;
	if (!isnan(judged->offset))
		line_add(line, ROLE_TEXT, 0, ", off by %s", number_exact(number, llround(judged->offset), true, false));
	if (judged->n_parts && !isnan(judged->adjusted - event->group->expected))
		line_add(line, ROLE_TEXT, 0, ", %s after correction",
			number_exact(number, llround(judged->adjusted - event->group->expected), true, false));
	return true;
}

static void
events_draw_tiny(const struct state *state, struct grid *grid)
{
	const struct trust_event *event = state_event(state);
	struct rect screen = {-1, 0, grid->w + 1, grid->h};
	struct line l = line_on(grid, screen, 0);
	char letters[LETTERS_TEXT];
	enum trust_verdict v = event ? trust_event_verdict(event) : TRUST_UNKNOWN;

	if (grid->w >= 20 && grid->h >= 3 && event) {
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s ", event->event);
		line_add(&l, ROLE_DIM, 0, "%s", event->machine);
		l = line_on(grid, screen, 1);
	}
	line_add(&l, trust_role(v), CELL_BOLD, "%s %s ", trust_mark(v), trust_verdict_brief(v));
	line_add(&l, ROLE_BORDERLINE, 0, "%s", event ? trust_letters_text(letters, trust_event_letters(event), v) : "");
	if (grid->w >= 20 && grid->h > 3) {
		l = line_on(grid, screen, grid->h - 1);
		line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
	}
}

const struct pane_draw pane_draw_events = {
	.title = events_title_list, .draw = events_draw_list, PANE_WISHES(events_wish), .fit = events_fit_list,
	PANE_COLUMNS(event_columns)};
const struct pane_draw pane_draw_runs = {.title = title_runs, .draw = draw_runs, PANE_WISHES(runs_wish),
	.fit = events_fit_runs};
const struct pane_draw pane_draw_event = {.title = title_event, .draw = draw_event, PANE_WISHES(event_wish)};
const struct view_draw view_draw_events = {
	.header = events_draw_header, .tiny = events_draw_tiny, .sentence = events_sentence};
