
#include <stdlib.h>

#include "core/udd/alternatives.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/requests.h"
#include "explorer/state/state.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_tree.h"

void
state_toggle(struct state *state)
{
	size_t i = (size_t)state->view.cursor[PANE_FEATURES];
	struct fset on = state->question.on;
	struct err e = {0};

	if (i >= state->question.model->n_features)
		return;
	udd_flip(state->question.model, &on, i);
	if (fset_equal(&on, &state->question.on)) {
		state_say(state, false, "%s is the model that is shown", state->question.model->feature[i].name);
		return;
	}
	if (!udd_legal(state->question.model, &on, &e)) {
		state_say(state, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
		return;
	}
	state_switch_to(state, &on);
}

void
state_ask_flow(struct state *state)
{
	const struct finding *finding = state_finding(state);
	size_t i = (size_t)state->view.cursor[PANE_FEATURES];

	if (i >= state->question.model->n_features)
		return;
	if (!fset_has(&state->question.on, i))
		state_say(state, false, "%s is off, so no µop takes its paths", state->question.model->feature[i].name);
	else if (!finding || state_stale(state))
		state_say(state, false, "no observation is judged yet");
	else if (finding->verdict != VERDICT_FEASIBLE)
		state_say(state, false, "%s is %s with these features: no flow gives its counts", finding->name,
			verdict_name(finding->verdict));
	else
		requests_add(&state->requests, REQUEST_FLOW, i, NULL);
}

void
state_ask_witness(struct state *state)
{
	size_t n, at = (size_t)state->view.cursor[PANE_TREE];
	const size_t *row = state_tree_rows(state, &n);
	const struct outline_row *outline_row = at < n ? &state->question.outline->row[row[at]] : NULL;

	for (size_t k = 0; outline_row && k < outline_row->n_items; k++)
		if (outline_row->item[k].kind == OUTLINE_COUNT && !outline_row->item[k].off) {
			requests_add(&state->requests, REQUEST_WITNESS, outline_row->item[k].counter, NULL);
			break;
		}
	if (!requests_find(&state->requests, REQUEST_WITNESS))
		state_say(state, false, "this row raises no counter; choose one with %s", "■");
}

/* The search's proposal belongs to certain features, so its row appears or vanishes here. The cursor stays on its
 * model. */
static void
set_features(struct state *s, const struct fset *on)
{
	struct fset under;
	bool on_model = state_search_cursor(s, &under);

	s->question.on = *on;
	s->view.search.follows = false;
	if (on_model)
		state_search_put_cursor(s, &under);
	state_make_outline(s);
}

void
state_revert(struct state *s)
{
	if (!s->answers.result)
		return;
	set_features(s, &s->answers.result->on);
}

void
state_switch_to(struct state *s, const struct fset *on)
{
	set_features(s, on);
	state_request(s, REQUEST_RESULT);
	s->view.message.text[0] = '\0';
}
