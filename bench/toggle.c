/* From a key to the complete answer: one feature of the Haswell family is toggled, and the result for 300 observations
 * is computed: verdicts, slack and texts, as the engine sends it. `make bench-toggle`. A frame has 16.7 ms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "bench.h"
#include "core/udd/model.h"
#include "signature_file.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/analysis/cones.h"
#include "shape/wire.h"

#define OBSERVATIONS 300
#define ROWS 60
#define TOGGLES 400
#define FRAME 16.7e-3
#define LARGE_REACH 100e-3

/* Each µop may start a prefetch of its own. The prefetch's references are in the µpath of the µop, and multiply the
 * signatures (as Table 5's models do). */
static const char TRIGGERED[] =
	"def triggered() { choose { case None: case Prefetch when tlb_pf: repeat (1..5) { ref(); } } }\n"
	"path load  { triggered(); uop(load); }\n"
	"path store { triggered(); uop(store); }\n";

static double
answer(struct analysis *a, const struct fset *on, size_t *infeasible)
{
	double start = clock_seconds();
	struct result *r = analysis_run(a, on, NULL);
	struct wire w = {0};

	result_wire(&w, r);
	start = clock_seconds() - start;
	*infeasible += r->count[VERDICT_INFEASIBLE];
	wire_free(&w);
	result_free(r);
	return start;
}

/* A walk over the sets of features, one feature at a time. */
static void
walk(const struct udd_model *m, struct analysis *a, double unit, double reach, const char *what)
{
	double *t = mem_new_array(TOGGLES, sizeof *t), median, most = 0;
	struct fset on = {0};
	uint64_t seed = 11;
	size_t infeasible = 0;

	for (size_t i = 0; i < TOGGLES; i++) {
		size_t f = test_random(&seed) % m->n_features;

		fset_put(&on, f, !fset_has(&on, f));
		t[i] = answer(a, &on, &infeasible);
		most = fmax(most, bench_megabytes());
	}
	median = bench_median(t, TOGGLES); /* sorts */
	printf("  %-36s median %6.2f ms, 99 %% %6.2f ms, worst %6.2f ms; of %.1f ms %.2f, at the prototype's speed "
	       "%.2f; %zu of %d infeasible; %.1f MB\n",
		what, median * 1e3, t[TOGGLES * 99 / 100] * 1e3, t[TOGGLES - 1] * 1e3, reach * 1e3,
		t[TOGGLES * 99 / 100] / reach, t[TOGGLES * 99 / 100] / reach / unit, infeasible, TOGGLES * OBSERVATIONS,
		most);
	free(t);
}

static void
family(const char *what, const struct udd_model *m, const struct signature_file *f, double unit, double reach)
{
	struct analysis_options how = {.confidence = 0.99};
	struct analysis *a = analysis_new(m, &how);
	struct fset all = {0};
	struct result *r;
	double start = clock_seconds();

	analysis_set_table(a, 0, bench_observations(f, OBSERVATIONS, ROWS));
	start = clock_seconds() - start;
	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&all, i, true);
	r = analysis_run(a, &all, NULL);
	printf("%s: up to %zu signatures; %d observations of %d rows taken in: %.1f ms; threads: %zu\n", what,
		r->signatures, OBSERVATIONS, ROWS, start * 1e3, parallel_threads());
	result_free(r);
	analysis_free(a);
	a = analysis_new(m, &how);
	analysis_set_table(a, 0, bench_observations(f, OBSERVATIONS, ROWS));
	walk(m, a, unit, reach, "a feature toggled, cones made as met");
	walk(m, a, unit, reach, "the same again, cones at hand");
	analysis_free(a);
}

int
main(void)
{
	struct udd_model *m = bench_model("haswell-mmu"),
			 *large = bench_model_with("haswell-mmu", "path load", TRIGGERED);
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	double unit = bench_unit() / PROTOTYPE_SECONDS;

	family("haswell-mmu", m, f, unit, FRAME);
	family("the same, prefetches in their µop's path", large, f, unit, LARGE_REACH);
	signature_file_free(f);
	udd_free(large);
	udd_free(m);
	return 0;
}
