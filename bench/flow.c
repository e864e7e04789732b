/* Ranges of flow through each feature: haswell-mmu m4, on feasible observations of the mixed set, one feature at a
 * time. Mean processor time. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/bench.h"
#include "bench/mixed.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/analysis/result.h"
#include "work/analysis/uop_ranges.h"

#define OBSERVATIONS 20

/* The sum of the widths, so that empty answers show. */
static double
width_of(const struct uop_ranges *r)
{
	double sum = 0;

	for (size_t k = 0; k < r->n; k++)
		sum += r->feature[k].uops.range.greatest - r->feature[k].uops.range.least;
	return sum;
}

static void
measure(const struct udd_model *m, const struct mixed *x, double unit, const char *what, int decides)
{
	struct analysis_options how = {.confidence = 0.99, .decides = decides};
	struct analysis *a = analysis_new(m, &how);
	struct result *r;
	struct fset on = {0};
	double seconds = 0, width = 0;
	size_t ranges = 0;
	bool *ask;
	struct uop_ranges **out;
	char *row = str_format("flow, %s, an observation and a feature", what);

	udd_choose(m, "m4", NULL, NULL, &on, NULL);
	analysis_set_table(a, 0, mixed_table(x, m, OBSERVATIONS));
	r = analysis_run(a, &on, NULL);
	ask = mem_new_array(r->n_findings, sizeof *ask);
	out = mem_new_array(r->n_findings, sizeof(struct uop_ranges *));
	seconds -= bench_processor_seconds();
	for (size_t i = 0; i < r->n_findings; i++) {
		ask[i] = r->finding[i].verdict == VERDICT_FEASIBLE;
		for (size_t f = 0; f < m->n_features && ask[i]; f++) {
			if (!fset_has(&on, f))
				continue;
			analysis_flow_ranges(a, &on, ask, i + 1, f, out, NULL);
			width += width_of(out[i]);
			ranges++;
			uop_ranges_free(out[i]);
		}
		ask[i] = false;
	}
	seconds += bench_processor_seconds();
	bench_row(row, ranges ? seconds / (double)ranges : 0, unit, 0);
	printf("  %zu ranges, mean width of the share of all counted µops: %.3f\n", ranges,
		ranges ? width / (double)ranges : 0);
	free(row);
	free(ask);
	free(out);
	result_free(r);
	analysis_free(a);
}

int
main(void)
{
	struct udd_model *m = bench_model("haswell-mmu");
	struct mixed *x = mixed_new(m);
	double unit = bench_unit();

	measure(m, x, unit, "ellipsoid", REGION_ELLIPSOID);
	measure(m, x, unit, "box", REGION_BOX);
	measure(m, x, unit, "independent", REGION_INDEPENDENT);
	mixed_free(x);
	udd_free(m);
	return 0;
}
