/* The checking part of the case study: 34 models (tables 3, 5 and 7 of CounterPoint) and the observations of a file, in
 * one process. `make bench-study` simulates the suite first, which is not timed. Cold: from the file to the last
 * verdict. Incremental: one observation has one more sample, and all models have their verdicts again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "bench.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/files/data.h"

#define ROUNDS 5
#define MODELS 34
#define COLD_REACH 3.0
#define INCREMENTAL_REACH 1.0

/* True for a variant of tables 3, 5 or 7: a letter and a number. */
static bool
is_of_the_tables(const char *variant)
{
	return strchr("mta", variant[0]) && variant[1] && strspn(variant + 1, "0123456789") == strlen(variant + 1);
}

/* Runs all models; returns their infeasible observations together. */
static size_t
judge_all(struct analysis *a, const struct udd_model *m, double *slowest)
{
	size_t infeasible = 0, models = 0;

	*slowest = 0;
	for (size_t i = 0; i < m->n_variants; i++) {
		double start = clock_seconds();
		struct fset on;
		struct err e;
		struct result *r;

		if (!is_of_the_tables(m->variant[i].name))
			continue;
		if (!udd_choose(m, m->variant[i].name, NULL, NULL, &on, &e))
			exit(1);
		r = analysis_run(a, &on, NULL);
		infeasible += r->count[VERDICT_INFEASIBLE];
		result_free(r);
		if (clock_seconds() - start > *slowest)
			*slowest = clock_seconds() - start;
		models++;
	}
	if (models != MODELS)
		exit(1);
	return infeasible;
}

static struct obs_table *
table_of(const char *path)
{
	struct err e;
	struct obs_table *t = data_read(path, false, &e);

	if (!t) {
		fprintf(stderr, "bench/study: %s: %s\n", path, e.what);
		exit(1);
	}
	return t;
}

int
main(int argc, char **argv)
{
	struct analysis_options how = {.confidence = 0.99};
	struct udd_model *m = bench_model("haswell-study");
	double cold[ROUNDS], again[ROUNDS], unit = bench_unit(), slowest_cold = 0, slowest_again = 0;
	size_t infeasible = 0, grown = 0, observations = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: study FILE (the session file of the suite)\n");
		return 2;
	}
	for (size_t k = 0; k < ROUNDS; k++) {
		struct obs_table *more = table_of(argv[1]),
				 *row = obs_table_new((const char *const *)more->column, more->n_columns), *t;
		struct analysis *a;
		double start;

		obs_table_add_part(row, more->obs[0], "more", 0, 1);
		start = clock_seconds();
		t = table_of(argv[1]);
		observations = t->n;
		a = analysis_new(m, &how);
		analysis_set_table(a, 0, t);
		infeasible = judge_all(a, m, &slowest_cold);
		cold[k] = clock_seconds() - start;
		start = clock_seconds();
		if (!analysis_add_rows(a, 0, 0, row->obs[0]))
			return 1;
		grown = judge_all(a, m, &slowest_again);
		again[k] = clock_seconds() - start;
		analysis_free(a);
		obs_table_free(row);
		obs_table_free(more);
	}
	printf("%d models, %zu observations, %zu infeasible in all (%zu with one more sample), %zu threads; own memory "
	       "%.1f MB\n",
		MODELS, observations, infeasible, grown, parallel_threads(), bench_megabytes());
	printf("slowest model: cold %.1f ms, incremental %.1f ms\n", slowest_cold * 1e3, slowest_again * 1e3);
	bench_row("case study, cold", bench_median(cold, ROUNDS), unit, COLD_REACH);
	bench_row("case study, incremental", bench_median(again, ROUNDS), unit, INCREMENTAL_REACH);
	udd_free(m);
	return 0;
}
