#include "explorer/state/state_leave.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/source.h"
#include "explorer/state/requests.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_views.h"
#include "work/run/run.h"

/* Ends the search for a text: key n writes notes again. */
static void
end_find(struct state *s)
{
	free(s->view.find);
	s->view.find = NULL;
	state_say(s, false, "the search for a text has ended");
}

void
state_stop(struct state *state)
{
	if (state_flows_leave(state)) /* before anything else ends */
		return;
	if (state_probing(state) && (state->view.current == VIEW_PROBES || !state_running(state)))
		state_request(state, REQUEST_END_PROBES);
	else if (state_running(state))
		state_request(state, REQUEST_END_RUN);
	else if (state->answers.progress.busy || state->answers.search.task != SEARCH_NONE ||
		requests_find(&state->requests, REQUEST_SEARCH) || state->answers.asked.kind != DETAIL_NONE)
		state_request(state, REQUEST_STOP);
	else if (state->view.find && *state->view.find)
		end_find(state);
	else if (!state_go_back(state))
		state_say(state, false, "nothing runs that Esc could stop; q leaves");
}

void
state_go_to_start(struct state *s)
{
	s->view.panes.last_focus[s->view.current] = s->view.focus;
	s->view.current = VIEW_START;
}

/* The number of observations counted here that are in no file. */
static size_t
unsaved_observations(const struct state *state)
{
	size_t n = 0;

	if (state->data.saved.in && !state->data.saved.failed)
		return 0;
	for (size_t i = 0; i < state->data.n_runs; i++) {
		struct run *run = state->data.run[i];

		if (run->ops->shown) /* tasks come and go: those of one run count as one */
			n += run->ops->judged ? run_table(run)->n : 1;
	}
	return n;
}

static size_t
unsaved_notes(const struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->question.remarks.n && (!s->data.saved.in || s->data.saved.failed); i++)
		n += s->question.remarks.remark[i].unsaved;
	return n;
}

bool
state_may_leave(struct state *state, const char *name)
{
	size_t notes = unsaved_notes(state), counted = unsaved_observations(state);
	struct str what = {0};

	if (notes + counted == 0 ||
		(state->view.leaving.for_what && str_eq(state->view.leaving.for_what, name) &&
			state->view.leaving.of == notes + counted))
		return true;
	state->view.leaving.of = notes + counted;
	free(state->view.leaving.for_what);
	state->view.leaving.for_what = mem_str(name);
	if (counted)
		str_addf(&what, "%zu observation%s counted here", counted, plural_s(counted));
	if (notes)
		str_addf(&what, "%s%zu note%s", counted ? " and " : "", notes, plural_s(notes));
	state_say(state, true, "%s %s in no file: 1, w, then f saves them; the same again opens %s without saving",
		str_text(&what), counted + notes == 1 ? "is" : "are", name);
	str_free(&what);
	return false;
}

/* Adds "2 curves" after what is there already. */
static void
state_leave_add_count(struct str *out, size_t n, const char *what)
{
	if (n)
		str_addf(out, "%s%zu %s%s", out->n ? " and " : "", n, what, plural_s(n));
}

/* Notes and curves that are in no file need a second q. */
void
state_quit(struct state *state)
{
	size_t notes = unsaved_notes(state), curves = state_unsaved_curves(state);
	struct str what = {0};

	if (state->view.popup.kind != POPUP_NONE) {
		state_close_popup(state);
	} else if (notes + curves && !state->view.leaving.warned) {
		state_leave_add_count(&what, notes, "note");
		state_leave_add_count(&what, curves, "curve");
		state_say(state, true,
			"%s %s in no file: w, then f saves the session; q again loses %s",
			str_text(&what), notes + curves == 1 ? "is" : "are", notes + curves == 1 ? "it" : "them");
		state->view.leaving.warned = true;
	} else {
		state_request(state, REQUEST_QUIT);
	}
	str_free(&what);
}
