#include "explorer/state/state_undo.h"

#include "core/search/search_graph.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_search.h"
#include "explorer/state/undo_steps.h"

/* --- the graph of searches ---------------------------------------------------------------------------------------- */

/* Shows the kept graph, and keeps the one that was shown. */
static void
graph_exchange(struct state *s, struct kept_graph *kept)
{
	struct search_answers *found = &s->answers.search;
	struct kept_graph shown;
	struct fset under;
	bool follows = state_search_cursor(s, &under);

	undo_write_graph(s, &shown);
	search_graph_free(found->graph);
	found->graph = NULL;
	if (kept->bytes.n) {
		found->graph = search_graph_new();
		kept->bytes.reading = true;
		kept->bytes.at = 0;
		search_graph_wire(&kept->bytes, found->graph);
	}
	found->data = kept->data;
	found->proposed_for = kept->proposed_for;
	found->undone = true;
	wire_free(&kept->bytes);
	*kept = shown;
	state_shown_changed(s);
	s->view.cursor[PANE_SEARCH] = 0;
	if (follows)
		state_search_put_cursor(s, &under);
}

/* Takes the models out that only the user's own switching has added since. */
static void
drop_chosen(struct state *s, size_t models)
{
	struct search_graph *graph = s->answers.search.graph;
	struct fset under;
	bool follows = state_search_cursor(s, &under);

	for (size_t i = models; graph && i < graph->n_models; i++)
		if (graph->model[i].step != GRAPH_CHOSEN)
			return;
	if (!graph || models == 0 || models >= graph->n_models)
		return;
	search_graph_cut(graph, models);
	state_shown_changed(s);
	if (follows && !state_search_put_cursor(s, &under))
		s->view.cursor[PANE_SEARCH] = 0;
}

/* --- undo and redo ------------------------------------------------------------------------------------------------ */

/* Would the step change anything? An answer that was stopped has taken its features back already, for example. */
static bool
step_matters(const struct state *s, const struct step *step, bool back)
{
	bool matters = step->graph.kept;

	for (int i = 0; i < UNDO_PARTS && !matters; i++) {
		const struct str *wanted = back ? &step->before[i] : &step->after[i];
		struct str now = {0};

		if (!step->changed[i])
			continue;
		undo_parts[i].read(s, &now);
		matters = now.n != wanted->n || (now.n && memcmp(now.s, wanted->s, now.n) != 0);
		str_free(&now);
	}
	return matters;
}

static void
take_step(struct state *s, struct step *step, bool back, struct str *words)
{
	if (step->graph.kept)
		graph_exchange(s, &step->graph);
	if (step->changed[UNDO_PHASES]) /* of other observations: it is as new as the next result */
		s->answers.search.data = 0;
	for (int i = 0; i < UNDO_PARTS; i++) {
		const struct str *from = back ? &step->after[i] : &step->before[i],
				 *to = back ? &step->before[i] : &step->after[i];

		if (!step->changed[i])
			continue;
		undo_parts[i].put(s, to);
		str_add(words, words->n ? ", " : "");
		undo_parts[i].say(s, from, to, words);
		str_add(words, back && (i == UNDO_FEATURES || i == UNDO_PINS) ? " again" : "");
	}
	if (step->changed[UNDO_MARKS] && s->answers.result && s->answers.constraints)
		state_remake_constraints(s);
	if (back && step->changed[UNDO_FEATURES] && !step->graph.kept)
		drop_chosen(s, step->models);
	if (!words->n)
		str_add(words, back ? "the graph is as before the search" : "the graph is as after the search");
	state_shown_changed(s);
	if (s->view.current == VIEW_EVENTS)
		state_sync_events(s);
	state_follow_queue(s);
	state_sync_cursors(s);
}

static void
walk(struct state *s, bool back)
{
	struct undo *undo = s->undo;
	struct step *step = NULL;
	struct str words = {0};

	undo->quiet = true;
	while (!step && (back ? undo->done > 0 : undo->done < undo->n)) {
		step = undo->step[back ? undo->done - 1 : undo->done];
		if (step->graph.kept && s->answers.search.task != SEARCH_NONE) {
			state_say(s, false, "a search is running: Esc stops it, then U takes its models away");
			return;
		}
		undo->done = back ? undo->done - 1 : undo->done + 1;
		step = step_matters(s, step, back) ? step : NULL;
	}
	if (!step) {
		state_say(s, false, "%s", back ? state_undo_reason(s) : state_redo_reason(s));
		return;
	}
	undo->bytes -= undo_step_bytes(step);
	take_step(s, step, back, &words);
	undo->bytes += undo_step_bytes(step);
	if (back && undo->done)
		state_say(s, false, "undone: %s (%zu more; Ctrl-R redoes)", str_text(&words), undo->done);
	else if (back)
		state_say(s, false, "undone: %s (Ctrl-R redoes)", str_text(&words));
	else if (undo->done < undo->n)
		state_say(s, false, "redone: %s (%zu more; U undoes)", str_text(&words), undo->n - undo->done);
	else
		state_say(s, false, "redone: %s (U undoes)", str_text(&words));
	str_free(&words);
}

void
state_undo(struct state *s)
{
	walk(s, true);
}

void
state_redo(struct state *s)
{
	walk(s, false);
}
