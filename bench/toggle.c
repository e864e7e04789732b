/* From a key to the whole answer: one feature of the Haswell family is switched, and the result for 300 observations is made,
 * verdicts, slack and words, as the engine sends it. `make bench-toggle`. A frame has 16.7 ms. */
#include <stdio.h>
#include <stdlib.h>

#include "app/analysis.h"
#include "app/cones.h"
#include "app/wire.h"
#include "base/clock.h"
#include "base/mem.h"
#include "bench.h"
#include "core/udd/model.h"
#include "signature_file.h"
#include "test.h"

#define OBSERVATIONS 300
#define ROWS 60
#define TOGGLES 400
#define FRAME 16.7e-3

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

/* A walk over the feature sets, one feature at a time. */
static void
walk(const struct udd_model *m, struct analysis *a, double unit, const char *what)
{
	double *t = mem_new_array(TOGGLES, sizeof *t), median;
	struct fset on = {0};
	uint64_t seed = 11;
	size_t infeasible = 0;

	for (size_t i = 0; i < TOGGLES; i++) {
		size_t f = test_random(&seed) % m->n_features;

		fset_put(&on, f, !fset_has(&on, f));
		t[i] = answer(a, &on, &infeasible);
	}
	median = bench_median(t, TOGGLES); /* sorts */
	printf("%-36s median %6.2f ms, 99 %% %6.2f ms, worst %6.2f ms; of a frame %.2f, at the prototype's speed %.2f; %zu of %d infeasible\n", what, median * 1e3,
	       t[TOGGLES * 99 / 100] * 1e3, t[TOGGLES - 1] * 1e3, t[TOGGLES * 99 / 100] / FRAME, t[TOGGLES * 99 / 100] / FRAME / unit, infeasible, TOGGLES * OBSERVATIONS);
	free(t);
}

int
main(void)
{
	struct udd_model *m = bench_model("haswell-mmu");
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct analysis_options how = {.confidence = 0.99};
	struct analysis *a = analysis_new(m, &how);
	double start, unit = bench_unit() / PROTOTYPE_SECONDS;

	analysis_set_table(a, 0, bench_observations(f, OBSERVATIONS, ROWS));
	start = clock_seconds();
	analysis_set_table(a, 0, bench_observations(f, OBSERVATIONS, ROWS));
	printf("%d observations of %d rows, made and taken in: %.1f ms\n", OBSERVATIONS, ROWS, (clock_seconds() - start) * 1e3);
	walk(m, a, unit, "a feature toggled, cones made as met");
	walk(m, a, unit, "the same again, cones at hand");
	analysis_free(a);
	signature_file_free(f);
	udd_free(m);
	return 0;
}
