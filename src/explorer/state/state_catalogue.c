#include "explorer/state/state_catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "explorer/state/pane.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_views.h"
#include "work/catalogue.h"
#include "work/fit/fitting.h"

/* --- the list ---------------------------------------------------------------------------------------------------- */

/* While / is open, its input counts; later, the text that was found here, until Esc or a search elsewhere. */
const char *
state_catalogue_words(const struct state *s)
{
	const struct prompt_state *prompt = &s->view.prompt;
	const char *words = s->view.events.words, *typed = NULL;

	if (s->view.popup.kind == POPUP_PROMPT && prompt->kind == PROMPT_FIND)
		typed = state_pane(s) == PANE_CATALOGUE ? str_text(&prompt->input) : NULL;
	else if (words && s->view.find && str_eq(words, s->view.find))
		typed = words;
	return typed && typed[strspn(typed, " ")] ? typed : NULL;
}

static void
stamp_catalogue(const struct state *s, uint64_t *stamp)
{
	const char *words = state_catalogue_words(s);

	for (; words && *words; words++)
		shown_add(stamp, (unsigned char)*words);
}

static void *
make_catalogue(const struct state *s, size_t *n)
{
	const struct catalogue *c = s->view.events.catalogue;
	const char *words = state_catalogue_words(s);
	size_t *row, all = c ? c->n : 0;

	*n = 0;
	if (all && words)
		return catalogue_find(c, words, n);
	row = mem_new_array(all, sizeof *row);
	for (size_t i = 0; i < all; i++) {
		row[(*n)++] = i;
		if (c->node[i].below && s->view.events.folded[i])
			i += c->node[i].below;
	}
	return row;
}

static const struct shown_ops shown_catalogue = {
	.kind = SHOWN_CATALOGUE, .stamp = stamp_catalogue, .make = make_catalogue, .size = sizeof(size_t)};

const size_t *
state_catalogue_rows(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_catalogue, n);
}

const struct catalogue_node *
state_catalogue_node(const struct state *s)
{
	size_t n, at = (size_t)s->view.cursor[PANE_CATALOGUE];
	const size_t *row = state_catalogue_rows(s, &n);

	return n ? &s->view.events.catalogue->node[row[at < n ? at : n - 1]] : NULL;
}

const struct catalogue_node *
state_catalogue_page(const struct state *s)
{
	return s->view.events.all && state_pane(s) != PANE_EVENTS ? state_catalogue_node(s) : NULL;
}

const struct event_row *
state_catalogue_event(const struct state *s)
{
	const struct catalogue_node *node = state_catalogue_page(s);

	if (!node || node->row == CATALOGUE_GROUP)
		return NULL;
	return &s->view.events.catalogue->table.row[node->row];
}

/* Puts the cursor on a node, below folded groups too. */
static void
catalogue_reveal(struct state *s, size_t node)
{
	const struct catalogue *c = s->view.events.catalogue;
	const size_t *row;
	size_t n;

	for (size_t i = 0; i < node && !state_catalogue_words(s); i++)
		if (i + c->node[i].below >= node && s->view.events.folded[i]) {
			s->view.events.folded[i] = false;
			state_shown_changed(s);
		}
	row = state_catalogue_rows(s, &n);
	for (size_t i = 0; i < n; i++)
		if (row[i] == node)
			s->view.cursor[PANE_CATALOGUE] = (int)i;
}

/* --- loading ----------------------------------------------------------------------------------------------------- */

void
state_set_catalogue(struct state *s, struct catalogue *c)
{
	catalogue_free(s->view.events.catalogue);
	s->view.events.catalogue = c;
	state_catalogue_came(s);
}

/* At first the PMUs are open, and their topics are folded. */
void
state_catalogue_came(struct state *s)
{
	const struct catalogue *c = s->view.events.catalogue;

	free(s->view.events.folded);
	s->view.events.folded = mem_new_array(c ? c->n : 0, sizeof *s->view.events.folded);
	for (size_t i = 0; c && i < c->n; i++)
		s->view.events.folded[i] = c->node[i].depth == 1;
	s->view.cursor[PANE_CATALOGUE] = 0;
	state_shown_changed(s);
}

void
state_show_catalogue(struct state *s)
{
	s->view.events.all = !s->view.events.all;
	s->view.focus = s->view.events.all ? PANE_CATALOGUE : PANE_EVENTS;
	s->view.cursor[PANE_EVENT] = 0;
	if (s->view.events.all && !s->view.events.catalogue)
		state_request(s, REQUEST_CATALOGUE);
	if (s->view.events.all && s->view.events.n_added)
		state_request(s, REQUEST_FIT);
}

/* --- actions ----------------------------------------------------------------------------------------------------- */

void
state_fold_catalogue(struct state *s, int how)
{
	const struct catalogue_node *node = state_catalogue_node(s), *first;
	size_t at;

	if (node && state_catalogue_words(s))
		state_say(s, false, "what was found is no tree; Esc brings the tree back");
	if (!node || state_catalogue_words(s))
		return;
	first = s->view.events.catalogue->node;
	at = (size_t)(node - first);
	if (node->below && (how >= 0 || !s->view.events.folded[at])) {
		s->view.events.folded[at] = how ? how < 0 : !s->view.events.folded[at];
		state_shown_changed(s);
		return;
	}
	if (how > 0)
		return;
	while (at > 0 && first[at].depth >= node->depth)
		at--;
	catalogue_reveal(s, at);
	if (how == 0)
		state_fold_catalogue(s, -1);
}

void
state_fold_all_catalogue(struct state *s)
{
	const struct catalogue *c = s->view.events.catalogue;
	bool any = false;

	for (size_t i = 0; c && i < c->n; i++)
		any |= c->node[i].below && s->view.events.folded[i];
	for (size_t i = 0; c && i < c->n; i++)
		s->view.events.folded[i] = !any && c->node[i].below;
	s->view.cursor[PANE_CATALOGUE] = 0;
	state_shown_changed(s);
}

void
state_open_catalogue(struct state *s)
{
	if (!state_catalogue_node(s))
		state_say(s, false, "no event is listed");
	else if (state_catalogue_event(s))
		state_open_popup(s, POPUP_EVENT);
	else
		state_fold_catalogue(s, 0);
}

void
state_step_catalogue(struct state *s, int by)
{
	size_t n, at = (size_t)s->view.cursor[PANE_CATALOGUE];
	const size_t *row = state_catalogue_rows(s, &n);

	for (size_t i = 0; i < n; i++) {
		at = (at + n + (size_t)by) % n;
		if (s->view.events.catalogue->node[row[at]].row != CATALOGUE_GROUP) {
			s->view.cursor[PANE_CATALOGUE] = (int)at;
			s->view.popup.cursor = s->view.cursor[PANE_EVENT] = 0;
			return;
		}
	}
	state_say(s, false, "no event is unfolded; * unfolds all");
}

/* --- the next run ------------------------------------------------------------------------------------------------ */

static size_t
catalogue_added_at(const struct events_view *v, const char *event)
{
	size_t i = 0;

	while (i < v->n_added && !str_eq(v->added[i].event, event))
		i++;
	return i;
}

bool
state_event_is_added(const struct state *s, const struct event_row *row)
{
	struct str event = {0};
	bool is = false;

	if (s->view.events.n_added) {
		catalogue_event(row, &event);
		is = catalogue_added_at(&s->view.events, str_text(&event)) < s->view.events.n_added;
	}
	str_free(&event);
	return is;
}

struct fitting *
state_fitting(struct state *s)
{
	if (!s->view.events.fitting)
		s->view.events.fitting = fitting_new();
	return s->view.events.fitting;
}

static void
added_free(struct added_event *added)
{
	free(added->name);
	free(added->event);
}

void
state_added_write(const struct state *s, struct str *out)
{
	const struct events_view *v = &s->view.events;

	for (size_t i = 0; i < v->n_added; i++) {
		str_addn(out, v->added[i].name, strlen(v->added[i].name) + 1);
		str_addn(out, v->added[i].event, strlen(v->added[i].event) + 1);
	}
}

void
state_added_put(struct state *s, const struct str *list)
{
	struct events_view *v = &s->view.events;

	while (v->n_added)
		added_free(&v->added[--v->n_added]);
	for (size_t at = 0; at < list->n && v->n_added < EVENTS_ADDED_MOST;) {
		const char *name = list->s + at, *event = name + strlen(name) + 1;

		v->added[v->n_added++] = (struct added_event){mem_str(name), mem_str(event)};
		at = (size_t)(event - list->s) + strlen(event) + 1;
	}
	if (v->n_added)
		state_request(s, REQUEST_FIT);
}

void
state_add_event(struct state *s)
{
	struct events_view *v = &s->view.events;
	const struct event_row *row = state_catalogue_event(s);
	struct str event = {0};
	size_t at;

	if (!row) {
		state_fold_catalogue(s, 0);
		return;
	}
	catalogue_event(row, &event);
	at = catalogue_added_at(v, str_text(&event));
	if (at < v->n_added) {
		added_free(&v->added[at]);
		memmove(&v->added[at], &v->added[at + 1], (--v->n_added - at) * sizeof *v->added);
		state_say(s, false, "the next run no longer counts %s", row->name);
	} else if (v->n_added == EVENTS_ADDED_MOST) {
		state_say(s, true, "a run counts %d events in addition at most; Space takes one back",
			EVENTS_ADDED_MOST);
	} else {
		v->added[v->n_added].name = mem_str(row->name);
		v->added[v->n_added++].event = mem_str(str_text(&event));
		state_say(s, false, "the next run counts %s, too: %zu in addition; R runs the command", row->name,
			v->n_added);
	}
	str_free(&event);
	if (v->n_added)
		state_request(s, REQUEST_FIT);
}

/* --- the pane ---------------------------------------------------------------------------------------------------- */

static int
catalogue_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_catalogue);
}

static uint64_t
catalogue_thing(const struct state *s, enum pane_id pane, size_t at)
{
	size_t n;
	const size_t *row = state_catalogue_rows(s, &n);

	(void)pane;
	return at < n ? row[at] + 1 : 0;
}

static void
catalogue_choose(struct state *s, enum pane_id pane, int row)
{
	(void)pane, (void)row;
	s->view.cursor[PANE_EVENT] = s->view.popup.cursor = 0;
}

/* While words are typed, the best row; with key n, the next one. */
static bool
find_in_catalogue(struct state *s, const char *words)
{
	bool typing = s->view.popup.kind == POPUP_PROMPT;
	size_t n;

	free(s->view.events.words);
	s->view.events.words = mem_str(words);
	state_catalogue_rows(s, &n);
	if (n)
		s->view.cursor[PANE_CATALOGUE] = typing ? 0 : (int)(((size_t)s->view.cursor[PANE_CATALOGUE] + 1) % n);
	return n > 0;
}

static struct rows_found
found_in_catalogue(const struct state *s, const char *words)
{
	struct rows_found out = {0};

	(void)words;
	if (state_catalogue_words(s))
		out.n = state_count_shown(s, &shown_catalogue);
	return out;
}

const struct pane_ops state_pane_catalogue = {.length = catalogue_length, .thing = catalogue_thing,
	.choose = catalogue_choose, .find = find_in_catalogue, .found = found_in_catalogue};
