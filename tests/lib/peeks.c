#include "peeks.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/stats/sequence.h"
#include "core/stats/tails.h"
#include "core/verdict/verdict.h"
#include "cover.h"
#include "synthetic.h"
#include "test.h"

#define CONFIDENCE 0.99

const struct calibration_setting peeks_setting[] = {
	/* name, how, rate of false refutations that is allowed, whether correlation must be reported, counters */
	{"independent", {.steady = false}, 0.01, false, 0},
	{"steady load", {.steady = true}, 0.01, false, 0},
	{"AR(1) 0.5", {.load_lag = 0.5, .noise_lag = 0.5}, 0.01, true, 0},
	{"AR(1) 0.9", {.load_lag = 0.9, .noise_lag = 0.9}, 0.01, true, 0},
	{"exactly related", {.related = true}, 0.01, false, 0},
	{"exactly related, torn by 16 tasks", {.related = true, .tasks = 16}, 0.01, false, 0},
	{"multiplexed", {.run_lo = 0.2, .run_hi = 0.6}, 0.01, false, 0},
	{"half the cells empty", {.absent = 0.5}, 0.01, false, 0},
	{"5 counters", {.steady = false}, 0.01, false, 5},
	{"5 counters, steady load", {.steady = true}, 0.01, false, 5},
	{"5 counters, AR(1) 0.9", {.load_lag = 0.9, .noise_lag = 0.9}, 0.01, true, 5},
};
const size_t peeks_n_settings = sizeof peeks_setting / sizeof *peeks_setting;

/* Whether the first n samples refute, by both thresholds. If the distance is below the smallest threshold of the
 * sequence, no second verdict is needed. */
static void
test_first(const struct cone *c, const struct samples *all, size_t n, const struct verdict_options *o,
	bool refuted[PEEKS_KINDS])
{
	struct samples s = *all;
	struct region *r;
	struct verdict *v;

	s.n_rows = n;
	r = region_new(&s, false);
	v = verdict_new(c, r, o);
	refuted[PEEKS_FIXED] = v->verdict == VERDICT_INFEASIBLE;
	refuted[PEEKS_SEQUENCE] = false;
	if (v->distance2 >= sequence_threshold2(CONFIDENCE, r->n, (double)n)) {
		verdict_free(v);
		region_free(r);
		s.peeked = true;
		r = region_new(&s, false);
		v = verdict_new(c, r, o);
		refuted[PEEKS_SEQUENCE] = v->verdict == VERDICT_INFEASIBLE;
	}
	verdict_free(v);
	region_free(r);
}

static int
by_size(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct peeks_count
peeks_run(const struct calibration *c, const struct calibration_setting *k, size_t streams, size_t rows, double share,
	uint64_t seed)
{
	const struct cone *cone = calibration_cone(c, k);
	struct verdict_options o = {
		.confidence = CONFIDENCE, .threshold2 = chi2_quantile(CONFIDENCE, cone->n_counters)};
	struct peeks_count out = {.streams = streams};
	size_t *first[PEEKS_KINDS];

	for (int kind = 0; kind < PEEKS_KINDS; kind++)
		first[kind] = mem_new_array(streams, sizeof **first);
	for (size_t i = 0; i < streams; i++) {
		struct synthetic how = calibration_draw(c, k, share, &seed);
		struct synthetic_cells cells;
		struct samples s = {.n_counters = cone->n_counters, .tasks = how.tasks};
		bool ever[PEEKS_KINDS] = {false}, now[PEEKS_KINDS] = {false};

		how.rows = rows;
		cells = synthetic_cells(&how, &seed);
		s.count = cells.count;
		s.counted = cells.counted;
		s.running = cells.running;
		for (size_t n = SEQUENCE_FIRST; n <= rows && !(ever[PEEKS_FIXED] && ever[PEEKS_SEQUENCE] && share > 0);
			n++) {
			test_first(cone, &s, n, &o, now);
			for (int kind = 0; kind < PEEKS_KINDS; kind++) {
				if (now[kind] && !ever[kind])
					first[kind][i] = n;
				ever[kind] |= now[kind];
			}
		}
		for (int kind = 0; kind < PEEKS_KINDS; kind++) {
			out.ever[kind] += ever[kind];
			out.last[kind] += now[kind];
			if (!ever[kind])
				first[kind][i] = SIZE_MAX;
		}
		synthetic_cells_free(&cells);
	}
	for (int kind = 0; kind < PEEKS_KINDS; kind++) {
		qsort(first[kind], streams, sizeof **first, by_size);
		out.median[kind] = streams && first[kind][streams / 2] < SIZE_MAX ? first[kind][streams / 2] : 0;
		free(first[kind]);
	}
	return out;
}

/* Whether the refutation also holds against slow noise, as a verdict asks. */
static bool
stands(const struct region *r, double d2)
{
	const struct noise_question q = {.d2 = d2 * r->inflation, .dimensions = (double)r->n};

	return !r->noise || noise_ask(r->noise, &r->fit, &q).p <= 1 - CONFIDENCE;
}

struct peeks_count
peeks_cover(size_t n, double lag, size_t streams, size_t rows, uint64_t seed)
{
	struct peeks_count out = {.streams = streams};
	double fixed = chi2_quantile(CONFIDENCE, n), *z = mem_new_array(n, sizeof *z);

	for (size_t i = 0; i < streams; i++) {
		int64_t *count = cover_rows(n, lag, rows, &seed);
		bool ever[PEEKS_KINDS] = {false}, now[PEEKS_KINDS] = {false};

		for (size_t m = SEQUENCE_FIRST; m <= rows; m++) {
			struct samples s = {.n_counters = n, .n_rows = m, .count = count};
			struct region *r = region_new(&s, false);
			double d2 = cover_distance2(r, z);

			now[PEEKS_FIXED] = d2 > fixed;
			now[PEEKS_SEQUENCE] = false;
			if (d2 > sequence_threshold2(CONFIDENCE, n, (double)m)) {
				region_free(r);
				s.peeked = true;
				r = region_new(&s, false);
				d2 = cover_distance2(r, z);
				now[PEEKS_SEQUENCE] = d2 > region_threshold2(r, CONFIDENCE) && stands(r, d2);
			}
			for (int kind = 0; kind < PEEKS_KINDS; kind++)
				ever[kind] |= now[kind];
			region_free(r);
		}
		for (int kind = 0; kind < PEEKS_KINDS; kind++) {
			out.ever[kind] += ever[kind];
			out.last[kind] += now[kind];
		}
		free(count);
	}
	free(z);
	return out;
}
