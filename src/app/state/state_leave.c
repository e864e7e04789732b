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
	free(s->find);
	s->find = NULL;
	state_say(s, false, "nothing is looked for any more");
}

void
state_stop(struct state *s)
{
	if (state_flows_leave(s)) /* before anything is ended */
		return;
	if (state_running(s))
		s->want.kill = true;
	else if (s->busy || s->searching != SEARCH_NONE || s->want.search != SEARCH_NONE ||
		s->asked.kind != QUESTION_NONE)
		s->want.stop = true;
	else if (s->find && *s->find)
		end_find(s);
	else
		state_go_back(s);
}

void
state_close_popup(struct state *s)
{
	s->popup = POPUP_NONE;
}

void
state_go_to_start(struct state *s)
{
	s->view_focus[s->view] = s->focus;
	s->view = VIEW_START;
}

/* Observations that were counted here and are in no file. */
static size_t
uncounted_for(const struct state *s)
{
	size_t n = s->n_stalls + s->n_specified;

	if (s->kept_in && !s->not_kept)
		return 0;
	return n + (s->live ? live_table(s->live)->n : 0);
}

static size_t
unsaved_notes(const struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->remarks.n && (!s->kept_in || s->not_kept); i++)
		n += s->remarks.remark[i].unsaved;
	return n;
}

bool
state_may_leave(struct state *s, const char *name)
{
	size_t notes = unsaved_notes(s), counted = uncounted_for(s);
	struct str what = {0};

	if (notes + counted == 0 ||
		(s->asked_to_leave && str_eq(s->asked_to_leave, name) && s->asked_for == notes + counted))
		return true;
	s->asked_for = notes + counted;
	free(s->asked_to_leave);
	s->asked_to_leave = mem_str(name);
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
	str_split_free(s->argv);
	s->argv = NULL;
	state_sim_forget(s);
	if (s->target)
		free((void *)(uintptr_t)s->target->id);
	free(s->target);
	s->target = NULL;
	spec_free(s->spec);
	s->spec = NULL;
	free(s->spec_file);
	s->spec_file = NULL;
	free(s->data_name);
	s->data_name = NULL;
	str_clear(&s->output);
	s->output_total = 0;
	str_clear(&s->run_notes);
	s->follows_flows = false;
	s->samples = 0;
	s->duration = 0;
	free(s->find);
	s->find = NULL;
	for (int v = 0; v < VIEW_COUNT; v++) {
		free(s->filter[v]);
		s->filter[v] = NULL;
	}
	free(s->asked_to_leave);
	s->asked_to_leave = NULL;
	s->message[0] = '\0';
}

/* Notes that no file holds are not thrown away by one key. */
void
state_quit(struct state *s)
{
	size_t unsaved = unsaved_notes(s);

	if (s->popup != POPUP_NONE) {
		state_close_popup(s);
	} else if (unsaved && !s->warned) {
		state_say(s, true,
			"%zu note%s in no file: w, then f, keeps the session in one; q again leaves without", unsaved,
			unsaved == 1 ? " is" : "s are");
		s->warned = true;
	} else {
		s->want.quit = true;
	}
}
