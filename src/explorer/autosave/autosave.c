#include "explorer/autosave/autosave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave_state.h"
#include "explorer/state/state.h"
#include "explorer/state/state_probes.h"
#include "work/files/stored.h"
#include "work/probe/probe_book.h"
#include "work/probe/probe_store.h"
#include "work/run/flow_run.h"
#include "work/run/run.h"
#include "work/search/search.h"
#include "work/timeline/snapshot_records.h"
#include "work/timeline/timeline.h"

#define OPENING_SECONDS 0.02 /* between two looks whether the file is open */

unsigned
autosave_given_by(
	bool features, bool confidence, bool region, bool counters, bool observations, bool family_wise, bool phases)
{
	return (features ? AUTOSAVE_FEATURES : 0) | (confidence ? AUTOSAVE_CONFIDENCE : 0) |
		(region ? AUTOSAVE_REGION : 0) | (counters ? AUTOSAVE_COUNTERS : 0) |
		(observations ? AUTOSAVE_OBSERVATIONS : 0) | (family_wise ? AUTOSAVE_FAMILY_WISE : 0) |
		(phases ? AUTOSAVE_PHASES : 0);
}

struct autosave *
autosave_new(void)
{
	return mem_new(sizeof(struct autosave));
}

static void
close_file(struct autosave *k)
{
	session_file_close(autosave_opened(k, NULL, &(struct err){0}));
	snapshot_records_free(k->records);
	k->records = NULL;
	stored_free(&k->tables);
	session_file_close(k->file);
	k->file = NULL;
}

static void
autosave_forget(struct autosave *k)
{
	close_file(k);
	resume_free(&k->resume);
	str_free(&k->lost);
	str_free(&k->settings);
	str_free(&k->chosen);
	*k = (struct autosave){0};
}

void
autosave_free(struct autosave *k)
{
	if (!k)
		return;
	autosave_forget(k);
	free(k);
}

int64_t
autosave_shown(const struct autosave *k)
{
	return k->foreign ? k->own : -1;
}

void
autosave_soon(struct autosave *k)
{
	k->soon = true;
}

/* Is anything open that could be saved? */
static bool
has_subject(const struct state *s)
{
	return s->question.model || s->data.timeline || state_has_curves(s);
}

static void
join_graph(struct autosave *autosave, struct state *state)
{
	struct search_graph *graph = NULL;
	struct str lost = {0};

	if (autosave_graph_read(autosave->file, autosave->model, false, state->question.model, &graph, &lost, NULL) &&
		graph) {
		if (state->answers.result && search_same_observations(graph, state->answers.result)) {
			state_join_search(state, graph, NULL);
		} else {
			search_graph_free(graph);
		}
	}
	str_free(&lost);
}

/* Lets the file open with what is open here. If it opened with something else, the settings and graph of that are kept
 * for it; this is said, unless the text was edited: then the user knows. */
static bool
take_file_over(struct autosave *k, struct state *s, struct err *e)
{
	int64_t before, now;

	if (!session_file_model_number(k->file, &before, e) || !autosave_texts_write(k->file, s, &k->model, e))
		return false;
	if (!k->foreign)
		return true;
	now = k->model;
	if ((!now && !session_file_model_number(k->file, &now, e)) ||
		!session_file_turn(k->file, before, k->own, now, e))
		return false;
	k->foreign = false;
	str_clear(&k->settings); /* the file has none of these yet */
	memset(k->graph_size, 0, sizeof k->graph_size);
	if (!k->edited)
		state_say(s, false, "%s now opens with this; what it opened with before is kept in it, with its search",
			s->data.saved.in);
	k->edited = false;
	return true;
}

/* Takes in notes and graph that another explorer may have written to the file meanwhile. */
static bool
autosave_join(struct autosave *k, struct state *s, struct err *e)
{
	if (!autosave_remarks_read(k->file, s, e) || !take_file_over(k, s, e))
		return false;
	if (s->question.model && s->answers.search.graph && !s->answers.search.graph->running)
		join_graph(k, s);
	return true;
}

static bool
open_file(struct autosave *autosave, struct state *state, struct err *e)
{
	if (autosave->file)
		return (!autosave->edited || take_file_over(autosave, state, e)) &&
			session_file_is_in_place(autosave->file, e);
	if (access(state->data.saved.in, F_OK) != 0) {
		err_set(e, "%s has gone", state->data.saved.in);
		return err_hint(e, "w saves the session in a new file");
	}
	autosave->file = autosave_opened(autosave, state->data.saved.in, e);
	if (autosave->file && autosave_join(autosave, state, e))
		return true;
	close_file(autosave);
	return false;
}

/* The parts that have changed since the last write. */
struct changes {
	struct session_table settings;
	struct str text;
	size_t graph_size[6];
	bool new_settings, verdicts, graph, remarks, curves;
};

/* Has the user changed more than the place that the screen shows? */
static bool
chose_otherwise(const struct autosave *autosave, const struct state *state)
{
	struct str chosen = {0};
	bool other;

	autosave_settings_now(autosave, state, false, &chosen);
	other = !str_eq(str_text(&chosen), str_text(&autosave->chosen));
	str_free(&chosen);
	return other;
}

/* Has a search added models to the graph? The model that is open is always in it. */
static bool
has_searched(const struct autosave *autosave, const struct changes *n)
{
	return n->graph &&
		(n->graph_size[0] > (autosave->graph_size[0] > 2 ? autosave->graph_size[0] : 2) ||
			n->graph_size[1] > autosave->graph_size[1]);
}

static struct changes
autosave_find_changes(struct autosave *autosave, struct state *state)
{
	struct changes n = {0};

	settings_write(state, &autosave->resume, true, &n.settings);
	autosave_settings_text(&n.settings, &n.text);
	n.new_settings = !str_eq(str_text(&n.text), str_text(&autosave->settings));
	n.verdicts = state->answers.result && !state->answers.result->error &&
		(state->answers.result != autosave->result || state->answers.result->request != autosave->request);
	if (state->answers.search.graph) {
		autosave_graph_measure(state->answers.search.graph, n.graph_size);
		n.graph = memcmp(n.graph_size, autosave->graph_size, sizeof n.graph_size) != 0;
	}
	for (size_t i = 0; i < state->question.remarks.n; i++)
		n.remarks |= state->question.remarks.remark[i].unsaved;
	n.remarks |= state->question.remarks.touched;
	n.curves = probe_store_is_behind(state->data.probes);
	if (autosave->foreign && !autosave->edited && !n.remarks && !n.curves && !autosave_tables_grow(state) &&
		!has_searched(autosave, &n) && !chose_otherwise(autosave, state))
		n.new_settings = n.verdicts = n.graph = false;
	return n;
}

static bool
write_changes(struct autosave *k, struct state *s, const struct changes *n, struct err *e)
{
	return session_file_begin(k->file, e) &&
		(!n->new_settings || session_table_write(k->file, SESSION_TABLE_SETTING, &n->settings, true, e)) &&
		(!n->verdicts || autosave_verdicts_write(k->file, k->model, s, e)) &&
		(!n->graph || autosave_graph_write(k->file, k->model, s->question.model, s->answers.search.graph, e)) &&
		(!n->remarks || autosave_remarks_write(k->file, s, e)) &&
		(!n->curves || probe_store_write(k->file, s->data.probes, e)) && session_file_commit(k->file, e);
}

/* Writes what is new of the record tables. */
static bool
write_records(struct autosave *k, const struct state *s, struct err *e)
{
	struct snapshot_run run = {.ended = !state_running(s)};

	if (!s->question.subject.keeps_tables || !s->data.leader || !s->data.timeline)
		return true;
	run.network = timeline_network(s->data.timeline);
	if (!run.network)
		return true;
	run.table = run_table(s->data.leader);
	for (size_t i = 0; i < s->data.n_runs; i++)
		if (run_as_flow(s->data.run[i]))
			run.flows = run_table(s->data.run[i]);
	return snapshot_records_keep(&k->records, k->file, &k->tables, &run, e);
}

/* Remembers what the file now holds. */
static void
note_written(struct autosave *autosave, struct state *state, const struct changes *changes)
{
	autosave->writes++;
	if (changes->new_settings) {
		str_clear(&autosave->settings);
		str_add(&autosave->settings, str_text(&changes->text));
	}
	if (changes->verdicts) {
		autosave->result = state->answers.result;
		autosave->request = state->answers.result->request;
	}
	if (changes->graph)
		memcpy(autosave->graph_size, changes->graph_size, sizeof autosave->graph_size);
	for (size_t i = 0; i < state->question.remarks.n && changes->remarks; i++)
		state->question.remarks.remark[i].unsaved = false;
	if (changes->remarks)
		state->question.remarks.touched = false;
	if (changes->curves)
		probe_store_written(state->data.probes);
}

/* Writes what is new. `later`: true if the file must be opened first, which is under way; NULL: waits for that. */
static bool
save(struct autosave *autosave, struct state *state, bool *later, struct err *e)
{
	struct changes n;
	size_t rows = stored_rows(&autosave->tables);
	bool good = true, some, samples;

	if (!state->data.saved.in || !has_subject(state))
		return true;
	samples = autosave_tables_grow(state);
	n = autosave_find_changes(autosave, state);
	some = n.new_settings || n.verdicts || n.graph || n.remarks || n.curves;
	if (later && (some || samples) && !autosave->file && access(state->data.saved.in, F_OK) == 0)
		*later = autosave_opens(autosave, state->data.saved.in);
	if ((some || samples) && !(later && *later)) {
		bool foreign = autosave->foreign;

		good = open_file(autosave, state, e) &&
			autosave_tables_write(&autosave->tables, autosave->file, state, e) &&
			write_records(autosave, state, e);
		if (good && foreign) /* all that is here is new to the file */
			n.new_settings = some = true, n.graph = state->answers.search.graph != NULL;
		if (good && some && !write_changes(autosave, state, &n, e)) {
			session_file_rollback(autosave->file);
			good = false;
		}
		some |= good && stored_rows(&autosave->tables) != rows;
		if (good && some) {
			note_written(autosave, state, &n);
			state->data.saved.at = state->view.frame.now > 0 ? state->view.frame.now : 1e-9;
		}
		state->data.saved.failed = !good;
	}
	session_table_clear(&n.settings);
	str_free(&n.text);
	return good;
}

bool
autosave_now(struct autosave *autosave, struct state *state, struct err *e)
{
	return save(autosave, state, NULL, e);
}

/* Frees a table after writing what is new of it. If that fails, the next attempt reports it. */
void
autosave_leave_table(struct autosave *k, struct state *s, const struct obs_table *t)
{
	struct err e = {0};

	autosave_now(k, s, &e);
	snapshot_records_leave(&k->records, t);
	stored_leave(&k->tables, t);
}

static int
age_of(const struct state *s)
{
	double age = s->view.frame.now - s->data.saved.at;

	return s->data.saved.at <= 0 || age < 0 ? 0 : age < 60 ? (int)age : 60 + (int)(age / 60);
}

/* Reports a failure once; further attempts stay silent until one succeeds. */
static void
try_to_write(struct autosave *k, struct state *s)
{
	struct err e = {0};
	bool later = false, good = save(k, s, &later, &e);

	if (later) {
		k->due = s->view.frame.now + OPENING_SECONDS;
		k->soon = false;
		return;
	}
	k->soon = false;
	k->pending = !good;
	k->due = s->view.frame.now + (good ? AUTOSAVE_SECONDS : AUTOSAVE_RETRY);
	if (!good && !k->said)
		state_say(s, true, "not saved, but kept in memory and tried again: %s", e.what);
	k->said = !good;
}

bool
autosave_tick(struct autosave *autosave, struct state *state)
{
	bool show = false, running = state->answers.search.graph && state->answers.search.graph->running;

	if (!state->data.saved.in || !has_subject(state))
		return false;
	if (autosave->resume.waits && state->answers.result && state->answers.constraints && !state_stale(state)) {
		autosave_read_late(autosave, state);
		show = true;
	}
	autosave->soon |= state->question.remarks.touched || (autosave->graph_running && !running);
	autosave->graph_running = running;
	autosave->pending = true;
	if (state->view.frame.now >= autosave->due || (autosave->soon && !state->data.saved.failed)) {
		size_t writes = autosave->writes;
		bool failed = state->data.saved.failed;

		try_to_write(autosave, state);
		show |= autosave->writes != writes || state->data.saved.failed != failed;
	}
	show |= age_of(state) != autosave->shown_age;
	autosave->shown_age = age_of(state);
	return show;
}

double
autosave_patience(const struct autosave *k, const struct state *s)
{
	double age = s->view.frame.now - s->data.saved.at, write = INFINITY, clock = INFINITY;

	if (!s->data.saved.in)
		return INFINITY;
	if (k->pending)
		write = fmax(0, k->due - s->view.frame.now);
	if (s->data.saved.at > 0 && age >= 0)
		clock = age < 60 ? 1 - (age - floor(age)) : 60 - fmod(age, 60);
	return fmin(write, clock);
}

void
autosave_reload(struct autosave *autosave, struct state *state)
{
	struct err e = {0};
	struct session_file *file = state->data.saved.in ? session_file_open_to_read(state->data.saved.in, &e) : NULL;

	if (!state->data.saved.in)
		return;
	autosave->foreign = false;
	autosave->own = 0;
	if (file && autosave_find_own(autosave, file, state, &e) && autosave->foreign)
		autosave_read_graph(autosave, file, state, &e);
	session_file_close(file);
	autosave->edited = autosave->foreign;
	str_clear(&autosave->lost);
	str_clear(&autosave->settings);
	memset(autosave->graph_size, 0, sizeof autosave->graph_size);
	autosave->result = NULL;
	autosave_soon(autosave);
}

bool
autosave_make(struct autosave *autosave, struct state *state, const char *path, struct err *e)
{
	bool good;

	if (access(path, F_OK) == 0) {
		err_set(e, "%s is there already, and no file is overwritten", path);
		return shell_hint(e, "give another name; hecate %s goes on with a session file", path);
	}
	close_file(autosave);
	autosave->file = autosave_opened(autosave, path, e);
	good = autosave->file && session_file_begin(autosave->file, e) &&
		stored_add(autosave->file, state->data.table, state->data.n_tables, e) &&
		session_file_commit(autosave->file, e) && autosave_join(autosave, state, e);
	if (!good) {
		close_file(autosave);
		return false;
	}
	/* everything is new to the file */
	free(state->data.saved.in);
	free(state->data.saved.end);
	state->data.saved.in = mem_str(path);
	state->data.saved.end = NULL;
	str_clear(&autosave->settings);
	memset(autosave->graph_size, 0, sizeof autosave->graph_size);
	autosave->result = NULL;
	probe_store_forget(state->data.probes);
	for (size_t i = 0; i < state->question.remarks.n; i++)
		state->question.remarks.remark[i].unsaved = true;
	autosave->due = 0;
	return autosave_now(autosave, state, e);
}

void
autosave_leave(struct autosave *autosave, struct state *state)
{
	struct err e = {0};

	if (!state->data.saved.in)
		return;
	if (!autosave_now(autosave, state, &e))
		state_say(state, true, "not saved: %s", e.what);
	autosave_forget(autosave);
	free(state->data.saved.in);
	free(state->data.saved.end);
	state->data.saved.in = state->data.saved.end = NULL;
	state->data.saved.at = 0;
	state->data.saved.failed = false;
	remarks_free(&state->question.remarks);
}
