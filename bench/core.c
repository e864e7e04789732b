/* How long the numeric core takes: `make bench-core`, then run bench/core from the build directory with HECATE_TESTS set to the
 * source's tests/ (the make target does it). Figures are medians over a mixed set of observations on Haswell's m0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/double_description.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"
#include "signature_file.h"
#include "synthetic.h"
#include "test.h"

#define OBSERVATIONS 400
#define ROUNDS 5

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
median(double *t, size_t n)
{
	qsort(t, n, sizeof *t, compare);
	return t[n / 2];
}

#define PROTOTYPE_MS 3.3 /* PPL's facets of m0 from all signatures, on the machine of docs/numerics.md */

/* How fast this machine is: the same work as the prototype's. */
static void
calibrate(const struct signature_file *f)
{
	double t[15];

	for (size_t i = 0; i < 15; i++) {
		struct double_description d;
		double start = clock_seconds();

		double_description(f->n_counters, f->n, f->signature, 60, &d);
		t[i] = clock_seconds() - start;
		double_description_free(&d);
	}
	printf("PPL on all signatures of m0    %8.3f ms: %.2f times the prototype's %.1f ms\n", median(t, 15) * 1e3,
		median(t, 15) * 1e3 / PROTOTYPE_MS, PROTOTYPE_MS);
}

static void
bench_cone(const struct signature_file *f)
{
	double t[50];

	for (size_t i = 0; i < 50; i++) {
		struct cone *c = cone_new(f->n_counters, f->n, f->signature, NULL);

		t[i] = c->seconds;
		cone_free(c);
	}
	printf("cone of m0                     %8.3f ms\n", median(t, 50) * 1e3);
}

static void
bench_verdicts(const struct signature_file *f, const struct cone *c, const struct cone *truth, const char *name)
{
	static const double shares[] = {0, 0, 0.01, 0.03, 0.1, 0.2, 0.4, 1};
	double t_region[OBSERVATIONS], t_verdict[OBSERVATIONS], t_both[OBSERVATIONS], total = 0;
	struct verdict_options o = {.confidence = 0.99, .threshold2 = chi2_quantile(0.99, c->n_counters)};
	size_t kinds[3][4] = {{0}};
	uint64_t seed = 20;
	struct synthetic s = {.n_counters = c->n_counters, .n_rays = truth->n_rays, .ray = truth->ray, .rows = 60};
	int64_t *outside;

	s.n_outside = synthetic_haswell_outside(f->n_counters, f->name, &outside);
	s.outside = outside;
	for (size_t i = 0; i < OBSERVATIONS; i++) {
		int64_t *count;
		double best_region = 1, best_verdict = 1;

		s.share = shares[i % 8];
		s.spread = 3 + test_random(&seed) % 198;
		s.scale = 1e4;
		for (size_t k = test_random(&seed) % 7; k > 0; k--)
			s.scale *= 10;
		count = synthetic_samples(&s, &seed);
		for (int round = 0; round < ROUNDS; round++) {
			struct samples samples = {.n_counters = c->n_counters, .n_rows = s.rows, .count = count};
			double a = clock_seconds(), b, d;
			struct region *r = region_new(&samples, false);
			struct verdict *v;

			b = clock_seconds();
			v = verdict_new(c, r, &o);
			d = clock_seconds();
			best_region = b - a < best_region ? b - a : best_region;
			best_verdict = d - b < best_verdict ? d - b : best_verdict;
			for (size_t k = 0; k < 3 && round == 0; k++)
				kinds[k][v->region[k]]++;
			verdict_free(v);
			region_free(r);
		}
		t_region[i] = best_region;
		t_verdict[i] = best_verdict;
		t_both[i] = best_region + best_verdict;
		total += t_both[i];
		free(count);
	}
	printf("%s\n", name);
	printf("  samples to region, median    %8.2f µs\n", median(t_region, OBSERVATIONS) * 1e6);
	printf("  three verdicts, median       %8.2f µs\n", median(t_verdict, OBSERVATIONS) * 1e6);
	printf("  samples to verdicts, median  %8.2f µs, mean %.2f µs\n", median(t_both, OBSERVATIONS) * 1e6, total / OBSERVATIONS * 1e6);
	for (size_t k = 0; k < 3; k++)
		printf("  %-12s feasible %zu, infeasible %zu, borderline %zu, undecided %zu\n", region_name((enum region_kind)k), kinds[k][0],
			kinds[k][1], kinds[k][2], kinds[k][3]);
	free(outside);
}

int
main(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct cone_limits none = {.seconds = -1};
	struct cone *c = cone_new(f->n_counters, f->n, f->signature, NULL), *d = cone_new(f->n_counters, f->n, f->signature, &none);

	calibrate(f);
	bench_cone(f);
	bench_verdicts(f, c, c, "with facets");
	bench_verdicts(f, d, c, "without facets, on all signatures");
	cone_free(c);
	cone_free(d);
	signature_file_free(f);
	return 0;
}
