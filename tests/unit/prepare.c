/* From tables to regions: the quality of cells reaches the region, estimates are not exact totals, and everything left
 * out is reported. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "models.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"

/* `all` counts every µop, as a sum of two events; `some` counts a part of them. */
static const char MODEL[] = "model m; counter all = \"x\", \"y\"; counter some;\n"
	"path p { count all; choose { case S: count some; case N: event other; } }\n";
static const char *const COLUMN[] = {"x", "y", "some"};

struct fixture {
	struct udd_model *model;
	struct diags diags;
	struct obs_table *table;
	struct obs *obs;
};

static struct fixture
fixture(void)
{
	struct fixture f = {.table = obs_table_new(COLUMN, 3)};

	f.model = model_from_text(MODEL, sizeof MODEL - 1, &f.diags);
	CHECK(f.model);
	f.obs = obs_table_add(f.table, "run", "here");
	return f;
}

static void
add(struct obs *o, int64_t x, int64_t y, int64_t some)
{
	int64_t count[] = {x, y, some};

	obs_add_row(o, count, NULL, NAN);
}

/* Computes verdicts and frees the table. */
static struct result *
judge(struct fixture *f, bool exact, bool split)
{
	struct analysis_options how = {
		.confidence = 0.99, .independent_rows = true, .exact = exact, .split_phases = split};
	struct analysis *a = analysis_new(f->model, &how);
	struct fset none = {0};
	struct result *r;

	analysis_set_table(a, 0, f->table);
	r = analysis_run(a, &none, NULL);
	analysis_free(a);
	udd_free(f->model);
	diags_free(&f->diags);
	return r;
}

static const char *
note(const struct result *r, const char *code)
{
	for (size_t i = 0; i < r->n_notes; i++)
		if (strcmp(r->note[i].code, code) == 0)
			return r->note[i].text;
	return NULL;
}

/* --exact does not make extrapolated counts exact. */
static void
extrapolated_rows_are_no_totals(void)
{
	for (int part = 0; part < 2; part++) {
		struct fixture f = fixture();
		struct result *r;

		add(f.obs, 50, 50, 101);
		if (part)
			obs_set_quality(f.obs, 1, 0.25, 0);
		f.obs->exact = true;
		r = judge(&f, true, false);
		test_label("part %d", part);
		CHECK_INT(r->finding[0].data.exact, !part);
		CHECK_INT(r->finding[0].verdict, part ? VERDICT_UNDECIDED : VERDICT_INFEASIBLE);
		CHECK(!part || strstr(r->finding[0].reason, "not an exact total"));
		CHECK(!part == !note(r, "multiplexed"));
		CHECK(!part || strstr(note(r, "multiplexed"), "25 %"));
		result_free(r);
	}
}

/* A single row with stated errors gives a region from them; errors of a counter's parts add up as squares. */
static void
stated_errors_decide_one_row(void)
{
	static const struct { double error[3], runs; enum verdict_kind want; } row[] = {
		{{10, 10, 10}, 1000, VERDICT_INFEASIBLE},
		{{600, 10, 10}, 1000, VERDICT_FEASIBLE},
		{{10, 600, 10}, 1000, VERDICT_FEASIBLE},
		{{10, 0, 10}, 1000, VERDICT_UNDECIDED},
		{{10, 10, 0}, 1000, VERDICT_UNDECIDED},
		{{10, 10, 10}, 0, VERDICT_FEASIBLE}, /* it may be a mean of two runs */
		{{10, 10, 10}, 2, VERDICT_FEASIBLE},
		{{10, 10, 10}, 5, VERDICT_INFEASIBLE},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fixture f = fixture();
		struct result *r;

		add(f.obs, 5000, 5000, 11000);
		for (size_t k = 0; k < 3; k++)
			obs_set_quality(f.obs, k, 1, row[i].error[k]);
		f.obs->runs = row[i].runs;
		r = judge(&f, i % 2, false);
		test_label("row %zu", i);
		CHECK_INT(r->finding[0].verdict, row[i].want);
		CHECK(!r->finding[0].data.exact);
		CHECK((note(r, "stated-errors") != NULL) == (row[i].want != VERDICT_UNDECIDED));
		CHECK(!note(r, "stated-errors") || !strstr(note(r, "stated-errors"), "--runs") == (row[i].runs > 0));
		result_free(r);
	}
}

/* Torn rows: `all` is two events, so three per task and border between rows; 25 too many of `some` in 10 rows are 2.5
 * each. */
static void
torn_rows_are_given_their_slack(void)
{
	for (int tasks = 0; tasks <= 16; tasks += 4) {
		struct fixture f = fixture();
		struct result *r;

		for (int k = 0; k < 10; k++)
			add(f.obs, 500, 500, k < 5 ? 1002 : 1003);
		f.obs->tasks = tasks;
		r = judge(&f, false, false);
		test_label("%d tasks", tasks);
		/* 3 · tasks / 10 and a little noise against 2.5. */
		CHECK_INT(r->finding[0].verdict, tasks <= 4 ? VERDICT_INFEASIBLE : VERDICT_FEASIBLE);
		CHECK(tasks == 0 ? !note(r, "torn")
				 : note(r, "torn") && strstr(note(r, "torn"), tasks == 4 ? "0.8" : "tasks"));
		result_free(r);
	}
}

static void
phases_become_observations(void)
{
	for (int split = 0; split < 2; split++) {
		struct fixture f = fixture();
		struct result *r;
		uint64_t seed = 3;

		for (int k = 0; k < 50; k++) {
			int64_t level = k < 20 ? 10000 : 40000;

			add(f.obs, level / 2 + (int64_t)(100 * test_normal(&seed)), level / 2, level / 4);
			obs_set_quality(f.obs, 0, 0.5, 0);
		}
		add(obs_table_add(f.table, "other", "there"), 1, 2, 3);
		r = judge(&f, false, split);
		test_label("split %d", split);
		CHECK_INT(r->n_findings, split ? 3 : 2);
		CHECK_STR(r->finding[0].name, split ? "run@1" : "run");
		CHECK_STR(r->finding[0].source, "here");
		CHECK_INT(r->finding[0].time.n_phases, !split);
		CHECK_INT(r->finding[0].data.samples, split ? 20 : 50);
		CHECK(split || r->finding[0].time.phase[0] == 20);
		CHECK((note(r, "phased") != NULL) == !split);
		CHECK(note(r, "multiplexed") != NULL);
		CHECK_NEAR(r->finding[split].counter.value[0], split ? 40000 : 28000, 100);
		result_free(r);
	}
}

TEST_MAIN(CASE(extrapolated_rows_are_no_totals), CASE(stated_errors_decide_one_row),
	CASE(torn_rows_are_given_their_slack), CASE(phases_become_observations))
