#include "explorer/state/state_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/counters/counters.h"
#include "core/trust/judge.h"
#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_views.h"
#include "work/run/run.h"
#include "work/trust/events.h"
#include "work/trust/known.h"
#include "work/trust/table.h"

void
state_forget_events(struct state *s)
{
	trust_events_free(s->data.events);
	s->data.events = NULL;
	s->view.events.chosen = 0;
	s->view.cursor[PANE_EVENTS] = s->view.cursor[PANE_RUNS] = s->view.cursor[PANE_EVENT] = 0;
	state_shown_changed(s);
}

/* Chooses the event that the user had chosen before the list was made again, if it is still there. */
static void
choose_again(struct state *s)
{
	uint64_t wanted = s->shown->things.wanted[PANE_EVENTS];
	size_t n, row = 0;
	const size_t *order = state_events(s, &n);

	while (row < n && state_shown_thing(s, &shown_events, row) != wanted)
		row++;
	if (row < n)
		s->view.events.chosen = order[row];
}

void
state_list_events(struct state *s)
{
	if (s->data.events)
		return;
	s->data.events = trust_events_new(s->data.repeated, s->data.known, s->question.model);
	state_shown_changed(s);
	choose_again(s);
	state_sync_events(s);
	s->shown->things.at[PANE_EVENTS] = s->view.cursor[PANE_EVENTS]; /* moved by the list, not by the user */
}

/* Makes the list again if it is on the screen. */
static void
renew(struct state *s)
{
	if (s->view.current == VIEW_EVENTS)
		state_list_events(s);
}

void
state_set_known(struct state *s, struct trust_known *k)
{
	state_forget_events(s);
	trust_known_free(s->data.known);
	s->data.known = k;
	renew(s);
}

void
state_give_trust(struct state *s, struct trust_page *p)
{
	state_forget_events(s);
	trust_known_give(s->data.known, p);
	renew(s);
}

void
state_set_repeated(struct state *s, struct trust_table *t)
{
	state_forget_events(s);
	trust_table_free(s->data.repeated);
	s->data.repeated = t;
	renew(s);
}

void
state_open_repeated(struct state *s, struct trust_table *t)
{
	free(s->view.filter[VIEW_EVENTS]);
	s->view.filter[VIEW_EVENTS] = NULL;
	state_set_repeated(s, t);
	s->view.popup.kind = POPUP_NONE;
	s->view.message.text[0] = '\0';
	s->view.panes.last_focus[VIEW_EVENTS] = PANE_EVENTS;
	if (s->view.current == VIEW_EVENTS)
		s->view.focus = PANE_EVENTS;
	state_show_view(s, VIEW_EVENTS);
}

/* --- the list ---------------------------------------------------------------------------------------------------- */

static bool
state_events_has_words(const struct trust_event *e, const char *words)
{
	return strcasestr(e->event, words) || strcasestr(e->machine, words) || strcasestr(e->test, words) ||
		(e->counter && strcasestr(e->counter, words)) ||
		strcasestr(trust_verdict_name(trust_event_verdict(e)), words);
}

struct sorted {
	size_t at;
	const struct trust_event *event;
	double by;
};

/* The worst comes first; what is not known comes last. */
static const int rank[TRUST_N_VERDICTS] = {
	[TRUST_ELSE] = 0, [TRUST_NOISY] = 1, [TRUST_CONSTANT] = 2, [TRUST_CORRECTABLE] = 3, [TRUST_REPEATABLE] = 4,
	[TRUST_EXACT] = 5, [TRUST_UNKNOWN] = 6,
};

static double
sort_key(const struct trust_event *e, enum event_sort by)
{
	double v = NAN;

	if (by == EVENT_BY_VERDICT)
		return rank[trust_event_verdict(e)];
	if (e->judged && by == EVENT_BY_OFFSET)
		v = fabs(e->judged->offset);
	else if (e->judged && by == EVENT_BY_RANGE)
		v = e->judged->spread;
	return isnan(v) ? INFINITY : -v; /* the largest first */
}

static int
state_events_by_number(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	return x->by < y->by ? -1 : x->by > y->by ? 1 : (x->at > y->at) - (x->at < y->at);
}

static int
by_name(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = strcasecmp(x->event->event, y->event->event);

	order = order ? order : strcasecmp(x->event->test, y->event->test);
	order = order ? order : strcasecmp(x->event->machine, y->event->machine);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static void *
make_events(const struct state *state, size_t *n)
{
	const struct trust_events *events = state->data.events;
	const char *words = state->view.filter[VIEW_EVENTS];
	enum event_sort by = state->view.events.sort;
	struct sorted *sorted = mem_new_array(events ? events->n : 0, sizeof *sorted);
	size_t *out = mem_new_array(events ? events->n : 0, sizeof *out);

	*n = 0;
	for (size_t i = 0; events && i < events->n; i++)
		if (!words || state_events_has_words(&events->event[i], words))
			sorted[(*n)++] = (struct sorted){i, &events->event[i], sort_key(&events->event[i], by)};
	if (*n && by != EVENT_AS_READ)
		qsort(sorted, *n, sizeof *sorted, by == EVENT_BY_NAME ? by_name : state_events_by_number);
	for (size_t i = 0; i < *n; i++)
		out[i] = sorted[i].at;
	free(sorted);
	return out;
}

static uint64_t
event_thing(const struct state *s, const void *row)
{
	const struct trust_event *e = &s->data.events->event[*(const size_t *)row];

	return thing_text(thing_text(thing_text(0, e->event), e->test), e->machine);
}

const struct shown_ops shown_events = {.kind = SHOWN_EVENTS, .make = make_events, .size = sizeof(size_t),
	.thing = event_thing,
	.filter = VIEW_EVENTS, .sort = offsetof(struct state, view.events.sort)};

const size_t *
state_events(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_events, n);
}

const struct trust_event *
state_event(const struct state *s)
{
	const struct trust_events *l = s->data.events;

	return state_count_shown(s, &shown_events) && s->view.events.chosen < l->n
		? &l->event[s->view.events.chosen] : NULL;
}

void
state_sync_events(struct state *state)
{
	size_t n, at = 0;
	const size_t *order = state_events(state, &n);

	while (at < n && order[at] != state->view.events.chosen)
		at++;
	if (at == n && n) { /* a filter hides it */
		at = 0;
		state->view.events.chosen = order[0];
	}
	state->view.cursor[PANE_EVENTS] = at < n ? (int)at : 0;
}

static void
state_events_choose(struct state *s, size_t event)
{
	if (event != s->view.events.chosen)
		s->view.cursor[PANE_EVENT] = s->view.cursor[PANE_RUNS] = s->view.popup.cursor = 0;
	s->view.events.chosen = event;
	state_sync_events(s);
}

void
state_step_event(struct state *s, int by)
{
	size_t n, at = (size_t)s->view.cursor[PANE_EVENTS];
	const size_t *order = state_events(s, &n);

	if (state_catalogue_page(s))
		state_step_catalogue(s, by);
	else if (n && (s->view.popup.kind == POPUP_NONE || s->view.popup.kind == POPUP_EVENT))
		state_events_choose(s, order[(at + n + (size_t)by) % n]);
}

char *
state_event_key(const struct trust_event *e)
{
	return str_format("%s%s%s%s%s", e->event, *e->test ? " " : "", e->test, *e->machine ? " " : "", e->machine);
}

/* --- the panes --------------------------------------------------------------------------------------------------- */

static int
events_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_events);
}

static void
state_events_choose_listed(struct state *s, enum pane_id pane, int row)
{
	size_t n, at = (size_t)s->view.cursor[pane];
	const size_t *order = state_events(s, &n);

	(void)row;
	if (at < n)
		state_events_choose(s, order[at]);
}

static bool
state_events_listed_has(const struct state *s, size_t row, const char *words)
{
	size_t n;
	const size_t *order = state_events(s, &n);

	return row < n && state_events_has_words(&s->data.events->event[order[row]], words);
}

static bool
note_on_event(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	const struct trust_event *e = state_event(s);

	(void)pane;
	*on = REMARK_EVENT;
	*what = e ? state_event_key(e) : NULL;
	return *what != NULL;
}

static uint64_t
listed_event_thing(const struct state *s, enum pane_id pane, size_t row)
{
	(void)pane;
	return state_shown_thing(s, &shown_events, row);
}

const struct pane_ops state_pane_events = {.length = events_length,
	.thing = listed_event_thing,
	.choose = state_events_choose_listed,
	.has = state_events_listed_has,
	.note = note_on_event};
const struct pane_ops state_pane_about_event = {.note = note_on_event};

/* --- counters --------------------------------------------------------------------------------------------------- */

/* Were the data counted on this machine's processor, as far as this is known? Recorded files do not say where. */
static bool
counted_here(const struct state *s)
{
	return s->data.n_tables == 0 && s->data.n_runs > 0 && !state_is_simulated(s);
}

/* What a book says of an event of the data; NULL: nothing, or it does not matter because the event is exact. */
static const struct trust_entry *
state_events_entry_of(const struct state *s, const char *event)
{
	const struct trust_known *k = s->data.known;
	const struct trust_page *page = !k ? NULL : k->given ? k->given : counted_here(s) ? k->here : NULL;
	const struct trust_entry *e = page ? trust_page_entry(page, event) : NULL;
	bool matters = e && (e->letters || (e->verdict != TRUST_EXACT && e->verdict != TRUST_UNKNOWN) || e->note);

	return matters ? e : NULL;
}

const struct trust_entry *
state_counter_entry(const struct state *s, size_t counter)
{
	const struct udd_counter *c = &s->question.model->counter[counter];
	const struct trust_entry *e = NULL;

	for (size_t i = 0; i < c->n_events && !e; i++)
		e = state_events_entry_of(s, c->event[i].name);
	return e;
}

const struct trust_entry *
state_item_entry(const struct state *s, const struct counter_item *c)
{
	const struct trust_entry *e = NULL;

	for (size_t i = 0; i < c->n_choices; i++)
		for (size_t k = 0; k < c->choice[i].n && !e; k++)
			e = state_events_entry_of(s, c->choice[i].event[k].name);
	return e;
}
