/* A column that is 0 throughout: the result warns, unless the source vouches for its zeros. This mark must survive the
 * way from a run through copies, the engine's messages and session files to the analysis. */
#include "work/analysis/zeros.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/engine/message.h"
#include "shape/wire.h"
#include "fake_source.h"
#include "lone_run.h"
#include "parsed.h"
#include "session_place.h"
#include "session_tables.h"
#include "sql.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/analysis/geometry.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"
#include "work/run/run.h"

static struct udd_model *
small_model(void)
{
	return parsed_model(
		"model m; counter a; counter b; path p { count a; choose { case Quiet: case Loud: count b; } }");
}

static bool
warns(const struct result_note *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(w[i].code, ZEROS_CODE))
			return CHECK(strstr(w[i].text, "b reads 0 throughout"));
	return false;
}

/* Whether the analysis' result warns; frees the analysis. Checks which findings have a warning: `want` has a letter for
 * each, so "w-" stands for a warning of the first only. */
static bool
analysis_warns(struct analysis *a, const char *want)
{
	const struct fset none = {0};
	struct result *r = analysis_run(a, &none, NULL);
	bool some = warns(r->note, r->n_notes);

	if (CHECK(!r->error) && CHECK_INT(r->n_findings, strlen(want)))
		for (size_t i = 0; i < r->n_findings; i++)
			CHECK(warns(r->finding[i].warning, r->finding[i].n_warnings) == (want[i] == 'w'));
	CHECK(some == (strchr(want, 'w') != NULL));
	result_free(r);
	analysis_free(a);
	return some;
}

static struct obs_table *
new_table(void)
{
	return obs_table_new((const char *[]){"a", "b"}, 2);
}

static struct obs *
add_zero(struct obs_table *t, enum obs_health b)
{
	struct obs *o = obs_table_add(t, "o", "ls");

	o->exact = true;
	obs_add_row(o, (const int64_t[]){10, 0}, NULL, 1);
	o->health[1] = b;
	return o;
}

static const struct analysis_options how = {.confidence = CONFIDENCE_DEFAULT, .exact = true};

/* Checks the warnings for a table in this process, as subcommands analyse it, and from messages with the whole table or
 * with its rows, as the engine does. */
static void
check_everywhere(const struct udd_model *m, const struct obs_table *t, const char *want)
{
	struct obs_table *copy = new_table(), *sent = NULL, *whole = copy;
	struct analysis *here = analysis_new(m, &how), *there = analysis_new(m, &how), *growing = analysis_new(m, &how);
	struct wire w = {0};

	for (size_t i = 0; i < t->n; i++)
		obs_table_add_part(copy, t->obs[i], t->obs[i]->name, 0, t->obs[i]->n_rows);
	obs_table_wire(&w, &whole);
	w.reading = true;
	obs_table_wire(&w, &sent);
	CHECK(!w.bad);
	wire_free(&w);
	analysis_set_table(there, 0, sent);
	analysis_set_table(growing, 0, new_table());
	for (size_t i = 0; i < t->n; i++) {
		struct obs *rows = copy->obs[i];

		obs_rows_wire(&w, &rows);
		w.reading = true;
		obs_rows_wire(&w, &rows);
		CHECK(!w.bad && analysis_add_rows(growing, 0, i, rows));
		obs_free(rows);
		wire_free(&w);
	}
	analysis_set_table(here, 0, copy);
	analysis_warns(here, want);
	analysis_warns(there, want);
	analysis_warns(growing, want);
}

static void
a_source_that_vouches_is_believed_everywhere(void)
{
	static const struct { enum obs_health health[2]; size_t n; const char *want, *of_old; } row[] = {
		{{OBS_LIVE}, 1, "w", "w"},          /* from a source that does not say */
		{{OBS_ZERO_SUSPECT}, 1, "w", "w"},  /* the source cannot vouch for it */
		{{OBS_HONEST}, 1, "-", "w"},
		{{OBS_DEAD}, 1, "-", "-"},          /* takes part in no verdict */
		{{OBS_HONEST, OBS_LIVE}, 2, "-w", "ww"},
		{{OBS_ZERO_SUSPECT, OBS_HONEST}, 2, "w-", "ww"},
		{{OBS_HONEST, OBS_HONEST}, 2, "--", "ww"},
	};
	struct udd_model *m = small_model();

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct session_place p = session_place_new();
		struct obs_table *t = new_table(), *back;
		struct err e = {0};

		test_label("row %zu", k);
		for (size_t i = 0; i < row[k].n; i++)
			add_zero(t, row[k].health[i]);
		check_everywhere(m, t, row[k].want);
		CHECK(session_append(p.file, t, &e));
		back = session_read_back(p.file, &e);
		if (CHECK(back))
			check_everywhere(m, back, row[k].want);
		obs_table_free(back);
		/* A file of version 5 does not say which sources vouch. It has neither processors nor curves. */
		run_sql(p.file, "UPDATE observation_counter SET health='live' WHERE health='honest';"
				SQL_WITHOUT_RECORDS
				"DROP TABLE curve_point; DROP TABLE curve; DROP TABLE kept; DROP TABLE machine;"
				"PRAGMA writable_schema=1; UPDATE sqlite_schema SET sql=replace(sql, "
				"', cpu TEXT, machine INTEGER REFERENCES machine(id)', '') WHERE name='observation';"
				"PRAGMA user_version=5");
		back = session_read_back(p.file, &e);
		if (CHECK(back))
			check_everywhere(m, back, row[k].of_old);
		obs_table_free(back);
		obs_table_free(t);
		session_place_free(&p);
	}
	udd_free(m);
}

/* Rows and totals of runs get the mark according to the source's status. */
static void
a_run_sets_the_mark(void)
{
	static const struct fake_row quiet = {.count = {7, 0}};
	static char thing[] = "thing";
	static char *const command[] = {thing, NULL};
	static const struct { enum source_zero zero; size_t rows; bool totals; const char *want; } row[] = {
		{SOURCE_ZERO_HONEST, 30, false, "-"}, {SOURCE_ZERO_HONEST, 30, true, "--"},
		{SOURCE_ZERO_SUSPECT, 30, false, "w"}, {SOURCE_ZERO_SUSPECT, 30, true, "ww"},
		{SOURCE_ZERO_SUSPECT, 4, false, "w"}, /* too few rows to suspect it */
	};
	struct udd_model *m = small_model();

	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct fake_script s = {.row = &quiet, .n_rows = 1, .repeat = row[k].rows, .last = &quiet,
			.end = {.exited = true}, .status = {{.running = 1}, {.zero = row[k].zero, .running = 1}}};
		struct err e = {0};
		struct run *r;
		long polls = 0;

		test_label("row %zu", k);
		fake_play(&s);
		r = counters_as_run(counters_run_new(counter_list_of_model(m, NULL), &(struct counters_run_options){
			.ops = &source_fake, .argv = command, .interval_ms = 10, .totals = row[k].totals}));
		CHECK(lone_run_start(r, &e));
		while (!lone_run_poll(r, &e) && CHECK(++polls < 1000))
			;
		check_everywhere(m, run_table(r), row[k].want);
		run_free(r);
	}
	udd_free(m);
}

/* What view 4 draws is what the verdict is about: a doubted 0 that alone refutes is not in it. */
static void
the_picture_is_of_what_was_judged(void)
{
	struct udd_model *m = parsed_model("model m; counter a; counter b; counter c; "
		"path p { count a; choose { case B: count b; case C: count c; } }");
	const struct fset none = {0};

	for (int trust = 0; trust < 2; trust++) {
		struct analysis_options o = how;
		struct obs_table *t = obs_table_new((const char *[]){"a", "b", "c"}, 3);
		struct obs *x = obs_table_add(t, "o", "ls");
		struct analysis *a;
		struct geometry *g;

		x->exact = true;
		obs_add_row(x, (const int64_t[]){9000, 4000, 0}, NULL, 1);
		o.trust_zeros = trust;
		a = analysis_new(m, &o);
		analysis_set_table(a, 0, t);
		g = analysis_geometry(a, &none, 0, NULL);
		if (CHECK(g))
			CHECK_INT(g->n, trust ? 3 : 2);
		geometry_free(g);
		analysis_free(a);
	}
	udd_free(m);
}

TEST_MAIN(CASE(the_picture_is_of_what_was_judged), CASE(a_source_that_vouches_is_believed_everywhere),
	CASE(a_run_sets_the_mark))
