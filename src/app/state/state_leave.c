#include "app/state/state_leave.h"

#include <stdint.h>
#include <stdlib.h>

#include "app/run/live.h"
#include "app/state/state.h"
#include "app/state/state_flows.h"
#include "app/state/state_sim.h"
#include "app/state/state_views.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/obs/obs.h"
#include "core/spec/spec.h"

/* n writes notes again. */
static void
end_find(struct state *s)
{
	free(s->view.find);
	s->view.find = NULL;
	state_say(s, false, "nothing is looked for any more");
}

void
state_stop(struct state *s)
{
	if (state_flows_leave(s)) /* before anything is ended */
		return;
	if (state_running(s))
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

/* Observations that were counted here and are in no file. */
static size_t
uncounted_for(const struct state *s)
{
	size_t n = s->data.n_stalls + s->data.n_specified;

	if (s->data.saved.in && !s->data.saved.failed)
		return 0;
	return n + (s->data.live ? live_table(s->data.live)->n : 0);
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
	size_t notes = unsaved_notes(s), counted = uncounted_for(s);
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
	state_say(s, true, "%s %s in no file: 1, w, then f keeps them; the same again opens %s without",
		str_text(&what), counted + notes == 1 ? "is" : "are", name);
	str_free(&what);
	return false;
}

void
state_forget_subject(struct state *s)
{
	subject_clear(&s->question.subject);
	free(s->data.name);
	s->data.name = NULL;
	str_clear(&s->data.output);
	s->data.output_total = 0;
	str_clear(&s->data.run_notes);
	s->question.sampling.samples = 0;
	s->question.sampling.duration = 0;
	free(s->view.find);
	s->view.find = NULL;
	for (int v = 0; v < VIEW_COUNT; v++) {
		free(s->view.filter[v]);
		s->view.filter[v] = NULL;
	}
	free(s->view.leaving.for_what);
	s->view.leaving.for_what = NULL;
	s->view.message.text[0] = '\0';
}

/* Notes that no file holds are not thrown away by one key. */
void
state_quit(struct state *s)
{
	size_t unsaved = unsaved_notes(s);

	if (s->view.popup.kind != POPUP_NONE) {
		state_close_popup(s);
	} else if (unsaved && !s->view.leaving.warned) {
		state_say(s, true,
			"%zu note%s in no file: w, then f, keeps the session in one; q again leaves without", unsaved,
			unsaved == 1 ? " is" : "s are");
		s->view.leaving.warned = true;
	} else {
		state_request(s, REQUEST_QUIT);
	}
}
