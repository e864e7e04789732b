/* The search over the features of haswell-mmu: 32 models × 300 observations of the mixed set. Cold: only the regions
 * are known. Warm: a second search by the same analysis, which has the cones. Then with seven more features, and over
 * the 98 304 sets of haswell-study. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/bench.h"
#include "bench/mixed.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/analysis.h"
#include "work/search/search.h"

#define OBSERVATIONS 300
#define ROUNDS 5

/* Seven more features, so that there are 2^12 sets: other explanations of what the five explain, and some that no
 * counter sees. */
static const char MORE[] =
	"feature abort_asked \"a load is squashed when its walk has been requested\";\n"
	"feature abort_psc   \"a load is squashed after the lookup in the PDE cache\";\n"
	"feature abort_tlb   \"a load is squashed after the STLB\";\n"
	"feature replay_ld   \"a load's walk is replayed, and the replay's references are not seen\";\n"
	"feature replay_st   \"the same for stores\";\n"
	"feature next_page   \"a prefetcher of the next page, two references at most\";\n"
	"feature refill      \"a load that hits refills the STLB, which counts as a hit again\";\n"
	"path asked  when abort_asked { count load.causes_walk; }\n"
	"path psc    when abort_psc { count load.pde$_miss; }\n"
	"path tlb    when abort_tlb { event squashed; }\n"
	"path again  when replay_ld { count load.causes_walk; completes(load, 4k); }\n"
	"path againS when replay_st { count store.causes_walk; completes(store, 4k); }\n"
	"path next   when next_page { repeat (1..2) { ref(); } }\n"
	"path refill_hit when refill { count load.stlb_hit; count load.stlb_hit_4k; }\n";

/* Seconds of one search; prints its results if `print`. */
static double
once(struct analysis *a, const struct udd_model *m, bool print)
{
	struct fset none = {0};
	double start = clock_seconds(), seconds;
	struct search *s = search_run(a, &none, 0, NULL);

	seconds = clock_seconds() - start;
	if (print) {
		const struct search_graph *l = s->graph;

		printf("models %.0f, tested %zu, skipped %.0f, cones %zu, survivors without a feature to spare %zu, "
		       "features known to add only:",
			l->sets, l->tested, l->sets - (double)l->tested, s->cones, l->needs.n_minimal);
		for (size_t i = 0; i < m->n_features; i++)
			if (fset_has(&s->proven, i))
				printf(" %s", m->feature[i].name);
		printf("\n");
	}
	search_free(s);
	return seconds;
}

static void
rounds(const char *what, const struct udd_model *m, const struct mixed *x, double unit, double cold_reach, double reach,
	size_t n)
{
	struct analysis_options how = {.confidence = 0.99};
	double cold[ROUNDS], warm[ROUNDS], before = bench_megabytes();
	char row[80];

	for (size_t k = 0; k < n; k++) {
		struct analysis *a = analysis_new(m, &how);

		analysis_set_table(a, 0, mixed_table(x, m, OBSERVATIONS));
		cold[k] = once(a, m, k == 0);
		warm[k] = once(a, m, false);
		if (k == 0)
			printf("own memory %.1f MB, of that the set of observations %.1f MB\n", bench_megabytes(),
				before);
		analysis_free(a);
	}
	snprintf(row, sizeof row, "search, 300 observations, %scold", what);
	bench_row(row, bench_median(cold, n), unit, cold_reach);
	snprintf(row, sizeof row, "search, 300 observations, %swarm", what);
	bench_row(row, bench_median(warm, n), unit, reach);
}

int
main(void)
{
	struct udd_model *m = bench_model("haswell-mmu"), *wide = bench_model_with("haswell-mmu", NULL, MORE),
			 *study = bench_model("haswell-study");
	struct mixed *x = mixed_new(m);
	double unit = bench_unit();

	rounds("", m, x, unit, 0, 0.1, ROUNDS);
	rounds("2^12 sets, ", wide, x, unit, 0, 0, 1);
	rounds("98 304 sets, ", study, x, unit, 2, 0, 3);
	udd_free(study);
	mixed_free(x);
	udd_free(wide);
	udd_free(m);
	return 0;
}
