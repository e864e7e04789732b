#include "explorer/state/state_follow.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "explorer/state/pane.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_views.h"

uint64_t
state_thing(const struct state *s, enum pane_id pane, int row)
{
	return pane_ops(pane)->thing && row >= 0 ? pane_ops(pane)->thing(s, pane, (size_t)row) : 0;
}

int
state_row_of(const struct state *s, enum pane_id pane, uint64_t thing, int near)
{
	const struct pane_ops *ops = pane_ops(pane);
	int n = thing && ops->thing && ops->length ? ops->length(s) : 0, best = -1, off = INT_MAX;

	for (int row = 0; row < n; row++) {
		int far = row < near ? near - row : row - near;

		if (far < off && ops->thing(s, pane, (size_t)row) == thing) {
			best = row;
			off = far;
		}
	}
	return best;
}

/* The first and the last but one of the panes whose cursors are looked after; the start screen has none. */
static enum pane_id
first_pane(const struct state *s)
{
	return s->view.current == VIEW_START ? PANE_COUNT : view_row(s->view.current)->first;
}

static enum pane_id
end_pane(const struct state *s)
{
	return s->view.current == VIEW_START ? PANE_COUNT : view_row(s->view.current)->end;
}

/* Panes with `choose` follow what is selected, which the state finds again by its name when it takes new answers. */
void
state_follow(struct state *state)
{
	struct things *things = &state->shown->things;

	for (enum pane_id pane = first_pane(state); pane < end_pane(state); pane++) {
		int *at = &state->view.cursor[pane], row;

		if (*at != things->at[pane]) /* something else than a list has moved it */
			state_want(state, pane);
		if (!things->wanted[pane] || pane_ops(pane)->choose ||
			state_thing(state, pane, *at) == things->wanted[pane])
			continue;
		row = state_row_of(state, pane, things->wanted[pane], *at);
		*at = things->at[pane] = row >= 0 ? row : *at;
	}
}

bool
state_follow_seen(struct state *state)
{
	enum pane_id pane = state->view.current == VIEW_START ? PANE_COUNT : state_pane(state);
	uint64_t seen = pane < PANE_COUNT ? state->shown->things.seen[pane] : 0;
	int at = pane < PANE_COUNT ? state->view.cursor[pane] : 0, row;

	if (!seen || state_thing(state, pane, at) == seen)
		return true;
	row = state_row_of(state, pane, seen, at);
	if (row < 0)
		return false;
	if (pane_ops(pane)->choose)
		state_choose(state, pane, row);
	state->view.cursor[pane] = row;
	return true;
}

void
state_seen(struct state *s)
{
	for (enum pane_id pane = first_pane(s); pane < end_pane(s); pane++) {
		s->shown->things.seen[pane] = state_thing(s, pane, s->view.cursor[pane]);
		s->shown->things.at[pane] = s->view.cursor[pane];
	}
}

void
state_want(struct state *s, enum pane_id pane)
{
	s->shown->things.wanted[pane] = state_thing(s, pane, s->view.cursor[pane]);
	s->shown->things.at[pane] = s->view.cursor[pane];
}

struct cursors
state_cursors(const struct state *s)
{
	struct cursors c = {.view = s->view.current, .popup = s->view.popup.kind};

	memcpy(c.at, s->view.cursor, sizeof c.at);
	return c;
}

/* A popup is about what is under the cursor, so that must not change meanwhile. */
void
state_want_moved(struct state *s, const struct cursors *before)
{
	bool opened = s->view.popup.kind != POPUP_NONE && s->view.popup.kind != before->popup;

	if (s->view.current != before->view)
		return;
	for (enum pane_id pane = first_pane(s); pane < end_pane(s); pane++)
		if (s->view.cursor[pane] != before->at[pane] || (opened && pane == state_pane(s)))
			state_want(s, pane);
}

enum pane_id
state_searched_pane(const struct state *s)
{
	return s->view.prompt.kind == PROMPT_FILTER ? state_filtered_pane(s) : state_pane(s);
}

void
state_prompt_begin(struct state *s)
{
	struct prompt_before *b = &s->view.prompt.before;
	const char *filter = s->view.filter[s->view.current];
	enum pane_id pane = state_searched_pane(s);

	state_prompt_forget(s);
	b->row = s->view.cursor[pane];
	b->thing = state_thing(s, pane, b->row);
	b->filter = filter ? mem_str(filter) : NULL;
	if (pane == PANE_TREE && s->view.tree.n) {
		b->n_folded = s->view.tree.n;
		b->folded = mem_copy(s->view.tree.folded, b->n_folded * sizeof *b->folded);
	}
}
