#include "explorer/state/state_leave.h"

#include <stdlib.h>

#include "base/mem.h"
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
state_stop(struct state *s)
{
	if (state_flows_leave(s)) /* before anything else ends */
		return;
	if (state_probing(s) && (s->view.current == VIEW_PROBES || !state_running(s)))
		state_request(s, REQUEST_END_PROBES);
	else if (state_running(s))
		state_request(s, REQUEST_END_RUN);
	else if (s->answers.progress.busy || s->answers.search.task != SEARCH_NONE ||
		requests_find(&s->requests, REQUEST_SEARCH) || s->answers.asked.kind != DETAIL_NONE)
		state_request(s, REQUEST_STOP);
	else if (s->view.find && *s->view.find)
		end_find(s);
	else
		state_go_back(s);
}

void
state_go_to_start(struct state *s)
{
	s->view.last_focus[s->view.current] = s->view.focus;
	s->view.current = VIEW_START;
}

/* The number of observations counted here that are in no file. */
static size_t
unsaved_observations(const struct state *s)
{
	size_t n = 0;

	if (s->data.saved.in && !s->data.saved.failed)
		return 0;
	for (size_t i = 0; i < s->data.n_runs; i++) {
		struct run *r = s->data.run[i];

		if (r->ops->shown) /* tasks come and go: those of one run count as one */
			n += r->ops->judged ? run_table(r)->n : 1;
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
state_may_leave(struct state *s, const char *name)
{
	size_t notes = unsaved_notes(s), counted = unsaved_observations(s);
	struct str what = {0};

	if (notes + counted == 0 ||
		(s->view.leaving.for_what && str_eq(s->view.leaving.for_what, name) &&
			s->view.leaving.of == notes + counted))
		return true;
	s->view.leaving.of = notes + counted;
	free(s->view.leaving.for_what);
	s->view.leaving.for_what = mem_str(name);
	if (counted)
		str_addf(&what, "%zu observation%s counted here", counted, counted == 1 ? "" : "s");
	if (notes)
		str_addf(&what, "%s%zu note%s", counted ? " and " : "", notes, notes == 1 ? "" : "s");
	state_say(s, true, "%s %s in no file: 1, w, then f saves them; the same again opens %s without saving",
		str_text(&what), counted + notes == 1 ? "is" : "are", name);
	str_free(&what);
	return false;
}

/* Adds "2 curves" after what is there already. */
static void
state_leave_add_count(struct str *out, size_t n, const char *what)
{
	if (n)
		str_addf(out, "%s%zu %s%s", out->n ? " and " : "", n, what, n == 1 ? "" : "s");
}

/* Notes and curves that are in no file need a second q. */
void
state_quit(struct state *s)
{
	size_t notes = unsaved_notes(s), curves = state_unsaved_curves(s);
	struct str what = {0};

	if (s->view.popup.kind != POPUP_NONE) {
		state_close_popup(s);
	} else if (notes + curves && !s->view.leaving.warned) {
		state_leave_add_count(&what, notes, "note");
		state_leave_add_count(&what, curves, "curve");
		state_say(s, true,
			"%s %s in no file: w, then f saves the session; q again loses %s",
			str_text(&what), notes + curves == 1 ? "is" : "are", notes + curves == 1 ? "it" : "them");
		s->view.leaving.warned = true;
	} else {
		state_request(s, REQUEST_QUIT);
	}
	str_free(&what);
}
