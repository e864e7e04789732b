/* Files that others wrote: recorded counts, tables of other programs, session files, traces. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/perf_json.h"
#include "collect/events/perf_list.h"
#include "collect/import/csv.h"
#include "collect/import/curve_csv.h"
#include "collect/import/feed.h"
#include "collect/import/gem5_stats.h"
#include "collect/import/import.h"
#include "collect/import/run_table.h"
#include "collect/import/sniper.h"
#include "collect/import/tools.h"
#include "collect/store/session_file.h"
#include "collect/store/session_summary.h"
#include "collect/store/session_table.h"
#include "core/curve/curve.h"
#include "core/obs/obs.h"
#include "core/search/search_graph.h"
#include "core/trust/expected.h"
#include "core/trust/runs.h"
#include "event/table.h"
#include "explorer/autosave/autosave.h"
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "made_traces.h"
#include "models.h"
#include "sim/op.h"
#include "sim/trace.h"
#include "sql.h"
#include "targets.h"
#include "test.h"
#include "work/files/files.h"

/* What every table has. */
static void
must_be_sound(const struct obs_table *t)
{
	fuzz_must(t->n > 0 && t->n_columns > 0, "a table has observations and columns");
	for (size_t i = 0; i < t->n; i++) {
		const struct obs *o = t->obs[i];

		fuzz_must(
			o->n_rows > 0 && o->decimals >= 0 && o->decimals <= 18 && *o->name, "an observation is whole");
		for (size_t k = 0; k < o->n_rows * o->n_columns; k++) {
			fuzz_must(o->count[k] >= 0 && o->counted[k] <= OBS_PART, "a cell is a count or empty");
			fuzz_must(o->counted[k] || o->count[k] == 0, "an empty cell has no count");
			fuzz_must(!o->running || (o->running[k] >= 0 && o->running[k] <= 1), "a share is from 0 to 1");
			fuzz_must(!o->error || o->error[k] >= 0, "an error is not negative");
		}
	}
}

static void
take_table(struct obs_table *t, const struct err *e)
{
	fuzz_must_say(t != NULL, e);
	if (t)
		must_be_sound(t);
	obs_table_free(t);
}

static bool
same_table(const struct obs_table *a, const struct obs_table *b)
{
	bool same = a->n == b->n && a->n_columns == b->n_columns;

	for (size_t i = 0; same && i < a->n_columns; i++)
		same = str_eq(a->column[i], b->column[i]);
	for (size_t i = 0; same && i < a->n; i++) {
		size_t cells = a->obs[i]->n_rows * a->n_columns;

		same = str_eq(a->obs[i]->name, b->obs[i]->name) && a->obs[i]->n_rows == b->obs[i]->n_rows &&
			a->obs[i]->decimals == b->obs[i]->decimals &&
			memcmp(a->obs[i]->count, b->obs[i]->count, cells * sizeof(int64_t)) == 0 &&
			memcmp(a->obs[i]->counted, b->obs[i]->counted, cells) == 0;
	}
	return same;
}

/* The fast reader, the general one, and a text that arrives in pieces give the same table, or none. */
void
fuzz_csv(const char *text, size_t n)
{
	struct import_how fast = {.exact = false}, careful = {.careful = true};
	struct err e = {0}, e2 = {0}, e3 = {0};
	struct obs_table *t = feed_read_text(csv_read_feed, "f.csv", text, n, 0, &fast, &e),
			 *u = feed_read_text(csv_read_feed, "f.csv", text, n, 0, &careful, &e2),
			 *v = feed_read_text(csv_read_feed, "f.csv", text, n, 7, &fast, &e3);

	fuzz_must((t != NULL) == (u != NULL), "both readers of CSV read it, or none");
	fuzz_must(!t || same_table(t, u), "both readers of CSV read the same");
	fuzz_must((t != NULL) == (v != NULL), "a CSV in pieces is read like a whole one");
	fuzz_must(!t || same_table(t, v), "a CSV in pieces has the same table");
	take_table(t, &e);
	take_table(u, &e2);
	take_table(v, &e3);
}

void
fuzz_perf(const char *text, size_t n)
{
	struct import_how how = {0};
	struct err e = {0}, e2 = {0};
	struct obs_table *t = feed_read_text(import_read_feed, "f", text, n, 0, &how, &e),
			 *u = feed_read_text(import_read_feed, "f", text, n, 11, &how, &e2);

	fuzz_must((t != NULL) == (u != NULL), "a text in pieces is read like a whole one");
	fuzz_must(!t || same_table(t, u), "a text in pieces has the same table");
	take_table(t, &e);
	take_table(u, &e2);
}

/* Statistics and stacks of gem5 and Sniper. */
void
fuzz_simulators(const char *text, size_t n)
{
	tool_reader *const reader[] = {
		gem5_stats_read, gem5_json_read, sniper_stack_read, sniper_stats_read, sniper_out_read};
	char *copy = mem_strn(text, n);

	for (size_t i = 0; i < sizeof reader / sizeof *reader; i++) {
		struct err e = {0};

		take_table(reader[i]("f", copy, n, n % 2, &e), &e);
	}
	free(copy);
}

void
fuzz_sniper_db(const char *text, size_t n)
{
	struct err e = {0};

	take_table(sniper_db_read("f", text, n, false, &e), &e);
}

char *
fuzz_seed_sniper_db(size_t i, size_t *n)
{
	char path[64], *sql = test_read("data/sniper/db.sql", NULL), *bytes = NULL;
	struct err e = {0};

	snprintf(path, sizeof path, "/dev/shm/hecate-fuzz-%d.db", (int)getpid());
	if (i == 0 && sql) {
		run_sql(path, "PRAGMA page_size = 512;");
		run_sql(path, sql);
		bytes = file_read(path, SIZE_MAX, n, &e);
		unlink(path);
	}
	free(sql);
	return bytes;
}

/* Through the recognition of formats, as a user's file. */
void
fuzz_tools(const char *text, size_t n)
{
	struct err e = {0};
	char *copy = mem_strn(text, n);

	take_table(import_read("f.csv", copy, n, n % 3 == 0, &e), &e);
	free(copy);
}

void
fuzz_runs(const char *text, size_t n)
{
	struct trust_runs runs = {0};
	struct trust_expected expected = {0};
	struct run_table_pairs *pairs = run_table_pairs_new();
	struct err e = {0}, e2 = {0};
	char *copy = mem_strn(text, n);
	bool good = run_table_read("f.csv", copy, n, &runs, pairs, &e);

	fuzz_must_say(good, &e);
	if (good)
		run_table_settle(&runs, pairs);
	good = run_table_read_expected("f.csv", copy, n, &expected, &e2);
	fuzz_must_say(good, &e2);
	if (good)
		trust_expected_apply(&expected, &runs);
	trust_runs_free(&runs);
	trust_expected_free(&expected);
	run_table_pairs_free(pairs);
	free(copy);
}

void
fuzz_curve(const char *text, size_t n)
{
	struct curve c = {0};
	struct err e = {0};
	char *copy = mem_strn(text, n);
	bool good = curve_csv_read("f.csv", copy, n, &c, &e);

	fuzz_must_say(good, &e);
	for (size_t i = 1; good && i < c.n; i++)
		fuzz_must(c.point[i - 1].x < c.point[i].x, "the points of a curve ascend");
	curve_free(&c);
	free(copy);
}

char *
fuzz_seed_curve(size_t i, size_t *n)
{
	static const char *const text[] = {"icount,min,avg,max\n1,2,3,4\n2,2,3,4\n# probe rob\n3,5,6,7\n",
		"size;latency\n4096;4.1\n1024;4\n4096;4.2\n8192;nan\n", "x\ty\n1\t-2e3\n", NULL};

	return fuzz_seed_of(text, i, n);
}

/* What perf lists, as text or JSON. The table can be packed and read again. */
void
fuzz_events(const char *text, size_t n)
{
	struct event_table t = {0}, again = {0};
	struct str packed = {0};
	struct err e = {0};
	char *copy = mem_strn(text, n);
	bool good = perf_list_read(copy, n, &t, &e);
	size_t size;

	fuzz_must_say(good, &e);
	event_table_sort(&t);
	if (good) {
		char *bytes;

		event_table_pack(&t, &packed);
		size = packed.n;
		bytes = str_take(&packed);
		fuzz_must(event_table_unpack(bytes, size, &again), "a packed table can be read");
		fuzz_must(again.n == t.n && again.n_metrics == t.n_metrics, "a packed table has the same rows");
	} else {
		/* The text itself is no packed table, or a sound one. */
		char *bytes = mem_strn(text, n);

		if (!event_table_unpack(bytes, n, &again))
			free(bytes);
	}
	event_table_free(&again);
	event_table_free(&t);
	free(copy);
}

char *
fuzz_seed_events(size_t i, size_t *n)
{
	static const char *const text[] = {
		"\n  inst_retired.any                                   [Number of instructions retired. Spec update: "
		"HSM61]\n"
		"        cpu/event=0xc0,period=0x1e8483/ \n\nvirtual memory:\n  dtlb_load_misses.walk_completed\n"
		"       [Walks. Unit: cpu_core]\n        cpu_core/event=0x8,umask=0xe/\n\nMetrics:\n\nBackend:\n"
		"  tma_backend_bound\n       [Slots]\n        [1 - (a + b) / c]\n        [tma_backend_bound > 0.2]\n",
		"[\n{\n\t\"Unit\": \"cpu\",\n\t\"Topic\": \"cache\",\n\t\"EventName\": \"l1d.replacement\",\n"
		"\t\"BriefDescription\": \"Lines\",\n\t\"Encoding\": "
		"\"cpu/event=0x51,period=0x1e8483,umask=0x1/\"\n},\n"
		"{\n\t\"MetricGroup\": \"A;B\",\n\t\"MetricName\": \"IPC\",\n\t\"MetricExpr\": \"inst / cycles\",\n"
		"\t\"ScaleUnit\": \"100%\",\n\t\"MetricThreshold\": \"IPC < 1\"\n}\n]\n",
		NULL};

	return fuzz_seed_of(text, i, n);
}

static void
write_json(struct json_writer *w, const char *key, const struct json *v)
{
	switch (v->kind) {
	case JSON_NULL:
		json_null(w, key);
		break;
	case JSON_BOOL:
		json_bool(w, key, v->truth);
		break;
	case JSON_NUMBER:
		json_raw(w, key, v->text);
		break;
	case JSON_STRING:
		json_str(w, key, v->text);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		json_open(w, key, v->kind == JSON_ARRAY ? '[' : '{');
		for (const struct json *c = v->first; c; c = c->next)
			write_json(w, c->key, c);
		json_close(w, v->kind == JSON_ARRAY ? ']' : '}');
		break;
	}
}

static size_t
json_depth(const struct json *v)
{
	size_t deepest = 0;

	for (const struct json *c = v->first; c; c = c->next) {
		size_t d = json_depth(c);

		deepest = d > deepest ? d : deepest;
	}
	return 1 + deepest;
}

/* A document that is written again is a document. */
void
fuzz_json(const char *text, size_t n)
{
	struct err e = {0}, e2 = {0};
	struct str out = {0};
	struct json *v = json_parse(text, n, &e);

	fuzz_must(v || *e.what, "a document, or a sentence");
	if (v && json_depth(v) < 32) {
		struct json_writer w = {.out = &out};
		struct json *again;

		write_json(&w, NULL, v);
		again = json_parse(str_text(&out), out.n, &e2);
		fuzz_must(again != NULL, "what is written is JSON");
		json_free(again);
	}
	json_free(v);
	v = perf_json_parse(text, n, &e2);
	json_free(v);
	str_free(&out);
}

static struct udd_model *
small_model(struct diags *d)
{
	static const char text[] =
		"model m; feature f; feature g; counter a; counter b; path p { switch (P) { case X when f: count a; "
		"case Y: count b; } }";

	return model_from_text(text, sizeof text - 1, d);
}

/* Opens a small model with its first result, which has no observations. */
static void
open_state(struct state *s)
{
	struct bundle b = {0};
	struct diags d = {0};
	struct fset on = {0};
	struct analysis_options how = analysis_options_default();
	struct analysis *analysis;

	state_init(s);
	state_set_model(s, &b, small_model(&d), &how, &on);
	analysis = analysis_new(s->question.model, &s->question.how);
	state_take_result(s, analysis_run(analysis, &on, NULL));
	analysis_free(analysis);
	diags_free(&d);
}

/* Settings read into a state, written, and read again are the same. */
static void
use_settings(const struct session_table *settings)
{
	struct state s, t;
	struct resume resume = {0}, resume2 = {0};
	struct str lost = {0};
	struct session_table once = {.n_columns = 2}, twice = {.n_columns = 2};

	open_state(&s);
	settings_read(&s, settings, 0, &resume, &lost);
	settings_read_late(&s, &resume, &lost);
	settings_write(&s, &resume, true, &once);
	open_state(&t);
	settings_read(&t, &once, 0, &resume2, &lost);
	settings_read_late(&t, &resume2, &lost);
	settings_write(&t, &resume2, true, &twice);
	fuzz_must(once.n_rows == twice.n_rows, "settings that were read are written again");
	session_table_clear(&once);
	session_table_clear(&twice);
	resume_free(&resume);
	resume_free(&resume2);
	str_free(&lost);
	state_free(&s);
	state_free(&t);
}

/* Lines KEY TAB VALUE. */
void
fuzz_settings(const char *text, size_t n)
{
	struct session_table table = {.n_columns = 2};
	char *copy = mem_strn(text, n);
	char **line = str_split(copy, '\n', NULL);

	for (size_t i = 0; line[i] && i < 100; i++) {
		char *tab = strchr(line[i], '\t');

		if (tab)
			*tab = '\0';
		session_table_add(&table, (const char *const[]){line[i], tab ? tab + 1 : NULL});
	}
	use_settings(&table);
	session_table_clear(&table);
	str_split_free(line);
	free(copy);
}

char *
fuzz_seed_settings(size_t i, size_t *n)
{
	static const struct setting *const tables[] = {
		settings_of_file, settings_of_model, settings_of_timeline, settings_of_view};
	static const char *const value[] = {
		"1", "0", "[\"f\"]", "[\"a\",\"b\"]", "0.95", "{}", "signatures", "p", "-1", "99999999999999999999"};
	struct str out = {0};

	if (i >= sizeof tables / sizeof *tables * (sizeof value / sizeof *value))
		return NULL;
	for (const struct setting *s = tables[i % 4]; s->key; s++)
		str_addf(&out, "%s\t%s\n", s->key, value[i / 4]);
	*n = out.n;
	return str_take(&out);
}

static void
read_session(const char *path)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct session_model m = {0};
	struct session_model *texts = NULL;
	struct session_summary summary = {0};
	struct session_text *list = NULL;
	struct search_graph *graph = NULL;
	struct str lost = {0};
	struct diags d = {0};
	struct udd_model *model;
	struct obs_table *t;
	size_t n = 0;
	char *value = NULL;

	fuzz_must_say(f != NULL, &e);
	if (!f)
		return;
	e = (struct err){0};
	t = session_file_read(f, &e);
	fuzz_must(t || *e.what, "a table, or a sentence");
	obs_table_free(t);
	if (session_file_model(f, &m, &e))
		session_model_free(&m);
	for (int kind = 0; kind <= TEXT_STACK; kind++)
		if (session_file_texts(f, (enum text_kind)kind, &texts, &n, &e))
			session_models_free(texts, n);
	for (int kind = 0; kind < SESSION_TABLES; kind++) {
		struct session_table rows;

		if (session_table_read(f, (enum session_table_kind)kind, &rows, &e)) {
			if (kind == SESSION_TABLE_SETTING)
				use_settings(&rows);
			session_table_clear(&rows);
		}
	}
	model = small_model(&d);
	if (autosave_graph_read(f, 1, false, model, &graph, &lost, &e))
		search_graph_free(graph);
	udd_free(model);
	diags_free(&d);
	str_free(&lost);
	if (session_file_value(f, SESSION_END, &value, &e))
		free(value);
	session_file_close(f);
	session_summary_read(path, &summary, &e);
	session_summary_clear(&summary);
	if (session_texts_read(path, &list, &n, &e))
		session_texts_free(list, n);
}

void
fuzz_session(const char *text, size_t n)
{
	char path[64];
	int fd;
	bool whole;

	snprintf(path, sizeof path, "/dev/shm/hecate-fuzz-%d.hecate", (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	whole = write(fd, text, n) == (ssize_t)n;
	close(fd);
	if (whole)
		read_session(path);
	unlink(path);
}

struct pieces {
	const char *at;
	size_t left, piece;
};

static ssize_t
next_piece(void *ctx, void *to, size_t n, struct err *e)
{
	struct pieces *p = ctx;

	(void)e;
	n = n < p->left ? n : p->left;
	n = n < p->piece ? n : p->piece;
	memcpy(to, p->at, n);
	p->at += n;
	p->left -= n;
	return (ssize_t)n;
}

/* The first byte chooses the format. Accesses and µops that are read are possible ones. */
void
fuzz_trace(const char *text, size_t n)
{
	struct pieces p = {.at = text + 1, .left = n - 1, .piece = 61};
	enum sim_trace_format guess;
	struct sim_stream *s;
	size_t got;

	if (n == 0)
		return;
	sim_trace_format_guess(text + 1, n - 1, &guess);
	s = sim_op_trace_from(next_piece, &p, (enum sim_trace_format)((unsigned char)*text % SIM_N_TRACE_FORMATS));
	do {
		struct sim_op op[50];
		struct err e = {0};

		got = sim_stream_fill(s, op, 50, &e);
		fuzz_must(got <= 50 || (got == SIZE_MAX && *e.what && *e.hint), "µops, or a sentence");
		for (size_t i = 0; i < got && got != SIZE_MAX; i++)
			fuzz_must(op[i].pc < UINT64_C(1) << 48, "an address has 48 bits");
	} while (got && got != SIZE_MAX);
	sim_stream_free(s);
}

char *
fuzz_seed_trace(size_t i, size_t *n)
{
	struct str b = {0};

	if (i >= SIM_N_TRACE_FORMATS)
		return NULL;
	str_addc(&b, (char)i);
	made_trace(&b, (enum sim_trace_format)i);
	*n = b.n;
	return str_take(&b);
}
