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
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "explorer/state/state_probes.h"
#include "work/files/stored.h"
#include "work/probe/probe_book.h"
#include "work/probe/probe_store.h"
#include "work/search/search_graph.h"
#include "work/timeline/timeline.h"

struct autosave {
	struct session_file *file;     /* NULL: not open for writing */
	struct stored_tables tables;   /* tables that grow while the explorer runs */
	int64_t model;                 /* row of the model in the file */
	struct resume resume;
	struct str lost;               /* things that could not be restored */
	bool has_settings;
	struct str settings;           /* the settings as the file has them */
	/* State as last written; whatever differs is new. */
	const struct result *result;
	uint64_t request;
	size_t graph_size[6];
	bool graph_running;
	/* Times of writing. */
	bool pending, soon, said;
	size_t writes;
	double due;
	int shown_age;
};

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
settings_text(const struct session_table *table, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < table->n_rows; i++)
		str_addf(out, "%s\n%s\n", session_table_cell(table, i, 0), session_table_cell(table, i, 1));
}

static void
settings_now(const struct autosave *k, const struct state *s, struct str *out)
{
	struct session_table table;

	settings_write(s, &k->resume, &table);
	settings_text(&table, out);
	session_table_clear(&table);
}

static bool
read_settings(struct autosave *k, struct session_file *f, struct state *s, unsigned given, struct err *e)
{
	struct session_table table;

	if (!session_table_read(f, SESSION_TABLE_SETTING, &table, e))
		return false;
	settings_read(s, &table, given, &k->resume, &k->lost);
	k->has_settings = table.n_rows > 0;
	session_table_clear(&table);
	return true;
}

static bool
read_graph(struct autosave *k, struct session_file *f, struct state *s, struct err *e)
{
	struct search_answers *found = &s->answers.search;
	struct session_model m;
	struct search_graph *g = NULL;
	int64_t number;

	if (!s->question.model)
		return true;
	m = stored_model(s->question.model, &s->question.bundle);
	if (!session_file_same_model(f, &m, &number, e) ||
		!autosave_graph_read(f, number, s->question.model, &g, &k->lost, e))
		return false;
	search_graph_free(found->graph);
	found->graph = g;
	found->data = 0;
	if (g)
		s->question.pinned = g->fixed;
	return true;
}

static bool
read_curves(struct session_file *f, struct state *s, struct err *e)
{
	struct probe_book *b = probe_book_load();
	size_t n;
	bool good = probe_store_read(f, b, &n, e);

	if (n && b->n_measured) {
		probe_book_choose(b, b->measured[0]->machine, NULL);
		state_set_probes(s, b);
	} else {
		probe_book_free(b);
	}
	return good;
}

/* Writes several sizes of a graph. A step of a search changes at least one of them. */
static void
measure_graph(const struct search_graph *g, size_t out[6])
{
	size_t refuted = 0;
	double seconds = g->seconds;
	uint64_t bits;

	memcpy(&bits, &seconds, sizeof bits);
	for (size_t i = 0; i < g->n_models; i++)
		refuted += g->model[i].infeasible + g->model[i].survives;
	out[0] = g->n_models + 1;
	out[1] = g->n_edges;
	out[2] = refuted;
	out[3] = (size_t)bits;
	out[4] = g->needs.n_minimal + 2 * g->n_repairs + 3 * g->n_alike;
	out[5] = g->tested * 16 + (size_t)g->task * 4 + g->complete * 2 + g->running;
}

/* Reports what is lost. Where settings wait for the first result, the report waits too, because that result may show
 * more losses. */
static void
say_lost(struct autosave *k, struct state *s)
{
	if (k->lost.n)
		state_say(s, true, "gone since %s was left, and left out: %s", s->data.saved.in, str_text(&k->lost));
	str_clear(&k->lost);
}

void
autosave_restore(struct autosave *k, struct state *s, const char *path, unsigned given)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	bool good = f != NULL;

	resume_free(&k->resume);
	free(s->data.saved.in);
	s->data.saved.in = mem_str(path);
	/* a damaged part does not cost the others */
	if (f) {
		bool curves = read_curves(f, s, &e), settings = read_settings(k, f, s, given, &e),
			remarks = autosave_remarks_read(f, s, &e), graph = read_graph(k, f, s, &e);

		good = settings && remarks && graph && curves;
	}
	session_file_close(f);
	if (s->answers.search.graph) {
		measure_graph(s->answers.search.graph, k->graph_size);
		k->resume.waits = true; /* does it belong to these observations? */
	}
	if (k->has_settings || !s->question.model) /* a recording that is only opened is not changed */
		settings_now(k, s, &k->settings);
	s->question.remarks.touched = false;
	if (!good)
		state_say(s, true, "not all that was kept can be taken up: %s", e.what);
	else if (!k->resume.waits)
		say_lost(k, s);
}

static void
read_late(struct autosave *k, struct state *s)
{
	struct str before = {0};
	bool changed;

	settings_now(k, s, &before);
	changed = !str_eq(str_text(&before), str_text(&k->settings));
	str_free(&before);
	settings_read_late(s, &k->resume, &k->lost);
	if (!changed)
		settings_now(k, s, &k->settings);
	say_lost(k, s);
}

static void
join_graph(struct autosave *k, struct state *s)
{
	struct search_graph *g = NULL;
	struct str lost = {0};

	if (autosave_graph_read(k->file, k->model, s->question.model, &g, &lost, NULL) && g) {
		if (s->answers.result && search_graph_same_observations(g, s->answers.result)) {
			state_join_search(s, g, NULL);
		} else {
			search_graph_free(g);
		}
	}
	str_free(&lost);
}

/* Takes in notes and graph that another explorer may have written to the file meanwhile. */
static bool
autosave_join(struct autosave *k, struct state *s, struct err *e)
{
	if (!autosave_remarks_read(k->file, s, e) || !autosave_texts_write(k->file, s, &k->model, e))
		return false;
	if (s->question.model && s->answers.search.graph && !s->answers.search.graph->running)
		join_graph(k, s);
	return true;
}

static bool
open_file(struct autosave *k, struct state *s, struct err *e)
{
	if (k->file)
		return true;
	if (access(s->data.saved.in, F_OK) != 0) {
		err_set(e, "%s has gone", s->data.saved.in);
		return err_hint(e, "w saves the session in a new file");
	}
	k->file = session_file_open(s->data.saved.in, e);
	if (k->file && autosave_join(k, s, e))
		return true;
	close_file(k);
	return false;
}

/* The parts that have changed since the last write. */
struct changes {
	struct session_table settings;
	struct str text;
	size_t graph_size[6];
	bool new_settings, verdicts, graph, remarks, curves;
};

static struct changes
autosave_find_changes(struct autosave *k, struct state *s)
{
	struct changes n = {0};

	settings_write(s, &k->resume, &n.settings);
	settings_text(&n.settings, &n.text);
	n.new_settings = !str_eq(str_text(&n.text), str_text(&k->settings));
	n.verdicts = s->answers.result && !s->answers.result->error &&
		(s->answers.result != k->result || s->answers.result->request != k->request);
	if (s->answers.search.graph) {
		measure_graph(s->answers.search.graph, n.graph_size);
		n.graph = memcmp(n.graph_size, k->graph_size, sizeof n.graph_size) != 0;
	}
	for (size_t i = 0; i < s->question.remarks.n; i++)
		n.remarks |= s->question.remarks.remark[i].unsaved;
	n.remarks |= s->question.remarks.touched;
	n.curves = probe_store_is_behind(s->data.probes);
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

/* Remembers what the file now holds. */
static void
note_written(struct autosave *k, struct state *s, const struct changes *n)
{
	k->writes++;
	if (n->new_settings) {
		str_clear(&k->settings);
		str_add(&k->settings, str_text(&n->text));
	}
	if (n->verdicts) {
		k->result = s->answers.result;
		k->request = s->answers.result->request;
	}
	if (n->graph)
		memcpy(k->graph_size, n->graph_size, sizeof k->graph_size);
	for (size_t i = 0; i < s->question.remarks.n && n->remarks; i++)
		s->question.remarks.remark[i].unsaved = false;
	if (n->remarks)
		s->question.remarks.touched = false;
	if (n->curves)
		probe_store_written(s->data.probes);
}

bool
autosave_now(struct autosave *k, struct state *s, struct err *e)
{
	struct changes n;
	size_t rows = stored_rows(&k->tables);
	bool good = true, some, samples;

	if (!s->data.saved.in || !has_subject(s))
		return true;
	samples = autosave_tables_grow(s);
	n = autosave_find_changes(k, s);
	some = n.new_settings || n.verdicts || n.graph || n.remarks || n.curves;
	if (some || samples) {
		good = open_file(k, s, e) && autosave_tables_write(&k->tables, k->file, s, e);
		if (good && some && !write_changes(k, s, &n, e)) {
			session_file_rollback(k->file);
			good = false;
		}
		some |= good && stored_rows(&k->tables) != rows;
		if (good && some) {
			note_written(k, s, &n);
			s->data.saved.at = s->view.frame.now > 0 ? s->view.frame.now : 1e-9;
		}
		s->data.saved.failed = !good;
	}
	session_table_clear(&n.settings);
	str_free(&n.text);
	return good;
}

/* Frees a table after writing what is new of it. If that fails, the next attempt reports it. */
void
autosave_leave_table(struct autosave *k, struct state *s, const struct obs_table *t)
{
	struct err e = {0};

	autosave_now(k, s, &e);
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
	bool good = autosave_now(k, s, &e);

	k->soon = false;
	k->pending = !good;
	k->due = s->view.frame.now + (good ? AUTOSAVE_SECONDS : AUTOSAVE_RETRY);
	if (!good && !k->said)
		state_say(s, true, "not saved, but kept in memory and tried again: %s", e.what);
	k->said = !good;
}

bool
autosave_tick(struct autosave *k, struct state *s)
{
	bool show = false, running = s->answers.search.graph && s->answers.search.graph->running;

	if (!s->data.saved.in || !has_subject(s))
		return false;
	if (k->resume.waits && s->answers.result && s->answers.constraints && !state_stale(s)) {
		read_late(k, s);
		show = true;
	}
	k->soon |= s->question.remarks.touched || (k->graph_running && !running);
	k->graph_running = running;
	k->pending = true;
	if (s->view.frame.now >= k->due || (k->soon && !s->data.saved.failed)) {
		size_t writes = k->writes;
		bool failed = s->data.saved.failed;

		try_to_write(k, s);
		show |= k->writes != writes || s->data.saved.failed != failed;
	}
	show |= age_of(s) != k->shown_age;
	k->shown_age = age_of(s);
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

bool
autosave_make(struct autosave *k, struct state *s, const char *path, struct err *e)
{
	bool good;

	if (access(path, F_OK) == 0) {
		err_set(e, "%s is there already, and no file is overwritten", path);
		return shell_hint(e, "give another name; hecate %s goes on with a session file", path);
	}
	close_file(k);
	k->file = session_file_open(path, e);
	good = k->file && session_file_begin(k->file, e) && stored_add(k->file, s->data.table, s->data.n_tables, e) &&
		session_file_commit(k->file, e) && autosave_join(k, s, e);
	if (!good) {
		close_file(k);
		return false;
	}
	/* everything is new to the file */
	free(s->data.saved.in);
	s->data.saved.in = mem_str(path);
	str_clear(&k->settings);
	memset(k->graph_size, 0, sizeof k->graph_size);
	k->result = NULL;
	probe_store_forget(s->data.probes);
	for (size_t i = 0; i < s->question.remarks.n; i++)
		s->question.remarks.remark[i].unsaved = true;
	k->due = 0;
	return autosave_now(k, s, e);
}

void
autosave_leave(struct autosave *k, struct state *s)
{
	struct err e = {0};

	if (!s->data.saved.in)
		return;
	if (!autosave_now(k, s, &e))
		state_say(s, true, "not saved: %s", e.what);
	autosave_forget(k);
	free(s->data.saved.in);
	s->data.saved.in = NULL;
	s->data.saved.at = 0;
	s->data.saved.failed = false;
	remarks_free(&s->question.remarks);
}
