#include "calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/series/changes.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/verdict/verdict.h"
#include "signature_file.h"
#include "test.h"

struct calibration {
	struct signature_file *file;
	struct cone *cone;
	int64_t *outside;
	struct cone *small; /* over the first SMALL counters */
	int64_t *small_outside;
};

#define SMALL 5
#define OUTSIDE 4 /* outside vectors that other flows cannot hide */

const double calibration_effect[CALIBRATION_EFFECTS] = {0.01, 0.03, 0.1, 0.3};

const struct calibration_setting calibration_setting[] = {
	/* name and number of rows, how, rate of false refutations that is allowed, whether correlation must be
	 * reported, counters */
	{"independent, 30", {.rows = 30}, 0, false, 0},
	{"independent, 60", {.rows = 60}, 0, false, 0},
	{"independent, 200", {.rows = 200}, 0, false, 0},
	{"few, 3", {.rows = 3}, 0, false, 0},
	{"few, 5", {.rows = 5}, 0, false, 0},
	{"few, 8", {.rows = 8}, 0, false, 0},
	{"few, 10", {.rows = 10}, 0, false, 0},
	{"few, 20", {.rows = 20}, 0, false, 0},
	{"few, 26", {.rows = 26}, 0, false, 0},
	{"steady load, 2", {.rows = 2, .steady = true}, 0, false, 0},
	{"steady load, 3", {.rows = 3, .steady = true}, 0, false, 0},
	{"steady load, 5", {.rows = 5, .steady = true}, 0, false, 0},
	{"steady load, 10", {.rows = 10, .steady = true}, 0, false, 0},
	{"steady load, 20", {.rows = 20, .steady = true}, 0, false, 0},
	{"steady load, 60", {.rows = 60, .steady = true}, 0, false, 0},
	{"AR(1) 0.5, 20", {.rows = 20, .load_lag = 0.5, .noise_lag = 0.5}, 0.01, false, 0},
	{"AR(1) 0.5, 60", {.rows = 60, .load_lag = 0.5, .noise_lag = 0.5}, 0.01, true, 0},
	{"AR(1) 0.5, 200", {.rows = 200, .load_lag = 0.5, .noise_lag = 0.5}, 0.01, true, 0},
	{"AR(1) 0.9, 20", {.rows = 20, .load_lag = 0.9, .noise_lag = 0.9}, 0.01, false, 0},
	{"AR(1) 0.9, 60", {.rows = 60, .load_lag = 0.9, .noise_lag = 0.9}, 0.01, true, 0},
	{"AR(1) 0.9, 200", {.rows = 200, .load_lag = 0.9, .noise_lag = 0.9}, 0.01, true, 0},
	{"AR(1) 0.5, steady load, 20", {.rows = 20, .steady = true, .noise_lag = 0.5}, 0.01, false, 0},
	{"AR(1) 0.5, steady load, 60", {.rows = 60, .steady = true, .noise_lag = 0.5}, 0.01, true, 0},
	{"AR(1) 0.5, steady load, 200", {.rows = 200, .steady = true, .noise_lag = 0.5}, 0.01, true, 0},
	{"AR(1) 0.9, steady load, 20", {.rows = 20, .steady = true, .noise_lag = 0.9}, 0.01, false, 0},
	{"AR(1) 0.9, steady load, 60", {.rows = 60, .steady = true, .noise_lag = 0.9}, 0.01, true, 0},
	{"AR(1) 0.9, steady load, 200", {.rows = 200, .steady = true, .noise_lag = 0.9}, 0.01, true, 0},
	{"AR(1) 0.9 of the noise alone, 60", {.rows = 60, .noise_lag = 0.9}, 0.01, true, 0},
	{"AR(1) 0.9 of the load alone, 60", {.rows = 60, .load_lag = 0.9}, 0.01, true, 0},
	{"multiplexed, 10", {.rows = 10, .run_lo = 0.2, .run_hi = 0.6}, 0, false, 0},
	{"multiplexed, 60", {.rows = 60, .run_lo = 0.2, .run_hi = 0.6}, 0, false, 0},
	{"multiplexed, steady load, 10", {.rows = 10, .steady = true, .run_lo = 0.2, .run_hi = 0.6}, 0, false, 0},
	{"half the cells empty, 10", {.rows = 10, .absent = 0.5}, 0, false, 0},
	{"half the cells empty, steady load, 10", {.rows = 10, .absent = 0.5, .steady = true}, 0, false, 0},
	{"half the cells empty, 30", {.rows = 30, .absent = 0.5}, 0, false, 0},
	{"half the cells empty, 60", {.rows = 60, .absent = 0.5}, 0, false, 0},
	{"exactly related, 10", {.rows = 10, .related = true}, 0, false, 0},
	{"exactly related, 60", {.rows = 60, .related = true}, 0, false, 0},
	{"torn by 16 tasks, 10", {.rows = 10, .related = true, .tasks = 16}, 0, false, 0},
	{"torn by 16 tasks, 60", {.rows = 60, .related = true, .tasks = 16}, 0, false, 0},
	{"torn by 64 tasks, steady load, 60", {.rows = 60, .related = true, .steady = true, .tasks = 64}, 0, false, 0},
	{"5 counters, 5", {.rows = 5}, 0.01, false, SMALL},
	{"5 counters, 10", {.rows = 10}, 0.01, false, SMALL},
	{"5 counters, 15", {.rows = 15}, 0.01, false, SMALL},
	{"5 counters, 20", {.rows = 20}, 0.01, false, SMALL},
	{"5 counters, 30", {.rows = 30}, 0.01, false, SMALL},
	{"5 counters, 60", {.rows = 60}, 0.01, false, SMALL},
	{"5 counters, steady load, 2", {.rows = 2, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 3", {.rows = 3, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 5", {.rows = 5, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 8", {.rows = 8, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 10", {.rows = 10, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 15", {.rows = 15, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 20", {.rows = 20, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 30", {.rows = 30, .steady = true}, 0.01, false, SMALL},
	{"5 counters, steady load, 60", {.rows = 60, .steady = true}, 0.01, false, SMALL},
	{"5 counters, AR(1) 0.9, 60", {.rows = 60, .load_lag = 0.9, .noise_lag = 0.9}, 0.01, true, SMALL},
	{"5 counters, AR(1) 0.9, steady, 60", {.rows = 60, .steady = true, .noise_lag = 0.9}, 0.01, true, SMALL},
	{"5 counters, AR(1) 0.5, 60", {.rows = 60, .load_lag = 0.5, .noise_lag = 0.5}, 0.01, true, SMALL},
	{"two phases, twice, 60", {.rows = 60, .jump = 2}, 0.01, true, 0},
	{"two phases, four times, 60", {.rows = 60, .jump = 4}, 0.01, true, 0},
};
const size_t calibration_n_settings = sizeof calibration_setting / sizeof *calibration_setting;

static int64_t *
first_counters(const int64_t *vector, size_t n, size_t counters)
{
	int64_t *out = mem_new_array(n * SMALL, sizeof *out);

	for (size_t k = 0; k < n; k++)
		memcpy(out + k * SMALL, vector + k * counters, SMALL * sizeof *out);
	return out;
}

struct calibration *
calibration_new(void)
{
	struct calibration *c = mem_new(sizeof *c);
	int64_t *first;

	c->file = signature_file_read("cones/haswell-m0.txt");
	if (!c->file->n) {
		fprintf(stderr,
			"cannot read cones/haswell-m0.txt below $HECATE_TESTS: set it to the folder tests of the "
			"sources\n");
		calibration_free(c);
		return NULL;
	}
	c->cone = cone_new(c->file->n_counters, c->file->n, c->file->signature, NULL);
	synthetic_haswell_outside(c->file->n_counters, c->file->name, &c->outside);
	first = first_counters(c->file->signature, c->file->n, c->file->n_counters);
	c->small = cone_new(SMALL, c->file->n, first, NULL);
	free(first);
	/* Walks that are done and have no size, and walks done that never began. */
	c->small_outside = mem_new_array(OUTSIDE * SMALL, sizeof *c->small_outside);
	for (size_t k = 0; k < OUTSIDE; k++)
		c->small_outside[k * SMALL + (k + 1) % SMALL] = 1;
	return c;
}

void
calibration_free(struct calibration *c)
{
	if (!c)
		return;
	cone_free(c->cone);
	cone_free(c->small);
	free(c->small_outside);
	free(c->outside);
	signature_file_free(c->file);
	free(c);
}

const struct cone *
calibration_cone(const struct calibration *c, const struct calibration_setting *k)
{
	return k->counters ? c->small : c->cone;
}

/* Draws one observation and gives its verdict. */
static struct verdict *
draw_verdict(const struct cone *c, const struct synthetic *s, const struct verdict_options *o, uint64_t *seed,
	struct region **region, bool *phased)
{
	struct synthetic_cells cells = synthetic_cells(s, seed);
	struct samples samples = {.n_counters = s->n_counters,
		.n_rows = s->rows,
		.count = cells.count,
		.counted = cells.counted,
		.running = cells.running,
		.tasks = s->tasks};

	struct changes *changes;

	*region = region_new(&samples, false);
	changes = changes_find(&samples, *region);
	*phased = changes->n > 0;
	changes_free(changes);
	synthetic_cells_free(&cells);
	return verdict_new(c, *region, o);
}

struct synthetic
calibration_draw(const struct calibration *c, const struct calibration_setting *k, double share, uint64_t *seed)
{
	struct synthetic s = k->how;

	const struct cone *cone = calibration_cone(c, k);

	s.n_counters = cone->n_counters;
	s.n_rays = cone->n_rays;
	s.ray = cone->ray;
	s.n_outside = 1;
	s.outside = (k->counters ? c->small_outside : c->outside) + test_random(seed) % OUTSIDE * s.n_counters;
	s.share = share;
	s.spread = test_random(seed) % 2 ? 3 + test_random(seed) % 10 : 3 + test_random(seed) % 198;
	s.scale = pow(10, 4 + (double)(test_random(seed) % 7));
	return s;
}

struct calibration_count
calibration_run(const struct calibration *c, const struct calibration_setting *k, size_t feasible, size_t per_effect)
{
	struct calibration_count out = {.observations = feasible, .tried = per_effect};
	struct verdict_options o = {.confidence = 0.99,
		.decides = REGION_CONE,
		.threshold2 = chi2_quantile(0.99, calibration_cone(c, k)->n_counters)};
	uint64_t seed = (uint64_t)(k - calibration_setting) + 1000;

	for (size_t i = 0; i < feasible + CALIBRATION_EFFECTS * per_effect; i++) {
		size_t effect = i < feasible ? 0 : (i - feasible) % CALIBRATION_EFFECTS;
		struct synthetic s = calibration_draw(c, k, i < feasible ? 0 : calibration_effect[effect], &seed);
		struct region *r;
		bool phased;
		struct verdict *v = draw_verdict(calibration_cone(c, k), &s, &o, &seed, &r, &phased);

		for (size_t d = 0; d < REGION_KINDS; d++)
			if (i < feasible)
				out.refuted[d] += v->region[d] == VERDICT_INFEASIBLE;
			else
				out.found[d][effect] += v->region[d] == VERDICT_INFEASIBLE;
		if (i < feasible) {
			out.phased += phased;
			out.lagged += r->lag > 0;
			out.undecided += v->region[REGION_CONE] == VERDICT_UNDECIDED;
		}
		verdict_free(v);
		region_free(r);
	}
	return out;
}

/* P(X ≤ k) for a binomial X. */
static double
binomial_tail(size_t k, size_t n, double p)
{
	double sum = 0;

	for (size_t i = 0; i <= k; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
			(double)i * log(p) + (double)(n - i) * log1p(-p));
	return sum;
}

double
calibration_bound(size_t k, size_t n, double confidence)
{
	double low = 0, high = 1;

	if (k >= n)
		return 1;
	for (int step = 0; step < 60; step++) {
		double p = (low + high) / 2;

		*(binomial_tail(k, n, p) > 1 - confidence ? &low : &high) = p;
	}
	return high;
}

double
calibration_upper(size_t k, size_t n)
{
	return calibration_bound(k, n, 0.95);
}

double
calibration_lower(size_t k, size_t n)
{
	return k == 0 ? 0 : 1 - calibration_upper(n - k, n);
}
