/* Takes up a session from its file. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "explorer/autosave/autosave_state.h"
#include "explorer/state/state.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_timeline_due.h"
#include "work/probe/probe_book.h"
#include "work/probe/probe_store.h"
#include "work/search/search.h"

void
autosave_settings_text(const struct session_table *table, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < table->n_rows; i++)
		str_addf(out, "%s\n%s\n", session_table_cell(table, i, 0), session_table_cell(table, i, 1));
}

void
autosave_settings_now(const struct autosave *k, const struct state *s, bool places, struct str *out)
{
	struct session_table table;

	settings_write(s, &k->resume, places, &table);
	autosave_settings_text(&table, out);
	session_table_clear(&table);
}

bool
autosave_find_own(struct autosave *k, struct session_file *f, const struct state *s, struct err *e)
{
	struct session_model model;
	struct udd_file text;
	int64_t opens;

	if (!autosave_subject(s, &model, &text))
		return true;
	if (!session_file_model_number(f, &opens, e) || !session_file_find_model(f, &model, &k->own, e))
		return false;
	k->foreign = opens && opens != k->own;
	return true;
}

static bool
read_settings(struct autosave *k, struct session_file *f, struct state *s, unsigned given, struct err *e)
{
	struct session_table table = {0};
	bool kept = k->foreign && k->own;

	if (kept && !session_table_read_kept(f, k->own, SESSION_TABLE_SETTING, &table, e))
		return false;
	if (!table.n_rows && !session_table_read(f, SESSION_TABLE_SETTING, &table, e))
		return false;
	settings_read(s, &table, given, &k->resume, &k->lost);
	k->has_settings = table.n_rows > 0;
	session_table_clear(&table);
	return true;
}

bool
autosave_read_graph(struct autosave *autosave, struct session_file *file, struct state *state, struct err *e)
{
	struct search_answers *found = &state->answers.search;
	struct search_graph *graph = NULL;

	if (!state->question.model || (autosave->foreign && !autosave->own))
		return true;
	if (!autosave_graph_read(file, autosave->own, autosave->foreign, state->question.model, &graph,
		    &autosave->lost, e))
		return false;
	search_graph_free(found->graph);
	found->graph = graph;
	found->data = 0;
	if (graph)
		state->question.pinned = graph->fixed;
	return true;
}

static bool
read_curves(struct session_file *file, struct state *state, struct err *e)
{
	struct probe_book *b = probe_book_load();
	size_t n;
	bool good = probe_store_read(file, b, &n, e);

	if (n && b->n_measured) {
		probe_book_choose(b, b->measured[0]->machine, NULL);
		state_set_probes(state, b);
	} else {
		probe_book_free(b);
	}
	return good;
}

/* Reports what is lost. Where settings wait for the first result, the report waits too, because that result may show
 * more losses. */
static void
say_lost(struct autosave *k, struct state *s)
{
	if (k->lost.n)
		state_say(s, true, "not restored from %s, because it no longer exists: %s", s->data.saved.in,
			str_text(&k->lost));
	str_clear(&k->lost);
}

void
autosave_restore(struct autosave *autosave, struct state *s, const char *path, unsigned given)
{
	struct err e = {0};
	struct session_file *file = session_file_open_to_read(path, &e);
	bool good = file != NULL;

	resume_free(&autosave->resume);
	free(s->data.saved.in);
	free(s->data.saved.end);
	s->data.saved.in = mem_str(path);
	s->data.saved.end = NULL;
	/* a damaged part does not cost the others */
	if (file) {
		bool found = autosave_find_own(autosave, file, s, &e), curves = read_curves(file, s, &e),
		     settings = read_settings(autosave, file, s, given, &e),
		     remarks = autosave_remarks_read(file, s, &e), graph = autosave_read_graph(autosave, file, s, &e),
		     end = session_file_value(file, SESSION_END, &s->data.saved.end, &e);

		good = found && settings && remarks && graph && curves && end;
		if (!autosave->has_settings)
			state_timeline_ended(s); /* first the whole run */
		state_timeline_make_due(s, DUE_ANSWER);
	}
	session_file_close(file);
	if (s->answers.search.graph) {
		autosave_graph_measure(s->answers.search.graph, autosave->graph_size);
		autosave->resume.waits = true; /* does it belong to these observations? */
	}
	autosave->resume.waits |= autosave->foreign && s->question.model; /* marks are known with the first result */
	if (autosave->has_settings || !s->question.model) /* a recording that is only opened is not changed */
		autosave_settings_now(autosave, s, true, &autosave->settings);
	autosave_settings_now(autosave, s, false, &autosave->chosen);
	s->question.remarks.touched = false;
	if (!good)
		state_say(s, true, "not all that was kept can be taken up: %s", e.what);
	else if (!autosave->resume.waits)
		say_lost(autosave, s);
}

void
autosave_read_late(struct autosave *autosave, struct state *state)
{
	struct str before = {0}, chosen = {0};
	bool changed, chose;

	autosave_settings_now(autosave, state, true, &before);
	autosave_settings_now(autosave, state, false, &chosen);
	changed = !str_eq(str_text(&before), str_text(&autosave->settings));
	chose = !str_eq(str_text(&chosen), str_text(&autosave->chosen));
	str_free(&before);
	str_free(&chosen);
	settings_read_late(state, &autosave->resume, &autosave->lost);
	if (!changed)
		autosave_settings_now(autosave, state, true, &autosave->settings);
	if (!chose)
		autosave_settings_now(autosave, state, false, &autosave->chosen);
	say_lost(autosave, state);
}
