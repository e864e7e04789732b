#include "synthetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/region.h"
#include "test.h"

#define FACTORS 4

/* The lines that carry flow, the flow of each, and how each follows the workload's factors. */
struct lines {
	size_t n;
	const int64_t **line;
	double *flow, *load;
};

static struct lines
draw_lines(const struct synthetic *s, uint64_t *seed)
{
	struct lines l = {.n = s->spread + s->n_outside};
	double inside = 0, outside = 0;

	l.line = mem_new_array(l.n, sizeof *l.line);
	l.flow = mem_new_array(l.n, sizeof *l.flow);
	l.load = mem_new_array(l.n * FACTORS, sizeof *l.load);
	for (size_t k = 0; k < l.n; k++) {
		l.line[k] = k < s->spread ? s->ray + test_random(seed) % s->n_rays * s->n_counters
					  : s->outside + (k - s->spread) * s->n_counters;
		l.flow[k] = -log(1 - test_uniform(seed));
		*(k < s->spread ? &inside : &outside) += l.flow[k];
		for (size_t f = 0; f < FACTORS; f++)
			l.load[k * FACTORS + f] = 0.15 * test_normal(seed);
	}
	for (size_t k = 0; k < l.n; k++)
		l.flow[k] *= s->scale * (k < s->spread ? (1 - s->share) / inside : s->share / outside);
	return l;
}

/* The next value of an AR(1) process of variance 1. */
static double
next_value(double before, double lag, bool first, uint64_t *seed)
{
	double z = test_normal(seed);

	return first ? z : lag * before + sqrt(1 - lag * lag) * z;
}

/* Writes into v what the workload counts in one row. */
static void
do_work(const struct synthetic *s, const struct lines *l, const double *factor, bool second_half, double *v)
{
	memset(v, 0, s->n_counters * sizeof *v);
	for (size_t k = 0; k < l->n; k++) {
		double t = 0, flow;

		for (size_t f = 0; f < FACTORS && !s->steady; f++)
			t += l->load[k * FACTORS + f] * factor[f];
		flow = l->flow[k] * exp(t);
		if (second_half && s->jump > 0 && k % 2 == 0)
			flow *= s->jump;
		if (s->related)
			flow = floor(flow);
		for (size_t i = 0; i < s->n_counters; i++)
			v[i] += flow * (double)l->line[k][i];
	}
}

/* The extrapolated count where v counts happened and a share of the interval was counted. The counts in the share
 * are a binomial number (here its normal approximation), with 3 % of unevenness within the interval. The expectation
 * is v. */
static double
extrapolate(double v, double share, uint64_t *seed)
{
	double out = (1 - share) / share;

	return fmax(0, v + (sqrt(v * out) + 0.03 * v * sqrt(out)) * test_normal(seed));
}

int64_t *
synthetic_samples(const struct synthetic *s, uint64_t *seed)
{
	struct synthetic_cells c = synthetic_cells(s, seed);

	free(c.counted);
	free(c.running);
	return c.count;
}

struct synthetic_cells
synthetic_cells(const struct synthetic *s, uint64_t *seed)
{
	size_t n = s->n_counters;
	struct lines l = draw_lines(s, seed);
	struct synthetic_cells c = {.count = mem_new_array(s->rows * n, sizeof *c.count)};
	double *noise = mem_new_array(4 * n, sizeof *noise), *shock = noise + n, *v = shock + n, *torn = v + n,
	       factor[FACTORS] = {0};

	if (s->absent > 0)
		c.counted = mem_new_array(s->rows * n, 1);
	if (s->run_hi > 0)
		c.running = mem_new_array(s->rows * n, sizeof *c.running);
	for (size_t i = 0; i < n; i++)
		noise[i] = 0.01 + 0.04 * test_uniform(seed);
	for (size_t m = 0; m < s->rows; m++) {
		for (size_t f = 0; f < FACTORS; f++)
			factor[f] = next_value(factor[f], s->load_lag, m == 0, seed);
		do_work(s, &l, factor, m >= s->rows / 2, v);
		for (size_t i = 0; i < n; i++) {
			size_t cell = m * n + i;
			double was = torn[i];

			if (!s->related) {
				shock[i] = next_value(shock[i], s->noise_lag, m == 0, seed);
				v[i] = fmax(0, v[i] * (1 + noise[i] * shock[i]));
			}
			if (c.running) {
				c.running[cell] = s->run_lo + (s->run_hi - s->run_lo) * test_uniform(seed);
				v[i] = extrapolate(v[i], c.running[cell], seed);
			}
			c.count[cell] = (int64_t)floor(v[i] + (s->related ? 0 : test_uniform(seed)));
			if (s->tasks > 0) {
				torn[i] = floor(test_uniform(seed) * (s->tasks + 1));
				c.count[cell] += (int64_t)(torn[i] - was);
			}
			if (c.counted)
				c.counted[cell] = test_uniform(seed) >= s->absent;
		}
	}
	free(l.line);
	free(l.flow);
	free(l.load);
	free(noise);
	return c;
}

void
synthetic_cells_free(struct synthetic_cells *c)
{
	free(c->count);
	free(c->counted);
	free(c->running);
	*c = (struct synthetic_cells){0};
}

size_t
synthetic_haswell_outside(size_t n_counters, char *const *name, int64_t **out)
{
	static const char *const names[][5] = {
		{"load.pde$_miss"}, {"load.ret", "load.ret_stlb_miss"}, {"store.pde$_miss"}, {"store.ret",
			"store.ret_stlb_miss"}, {"walk_ref.l1"},
		{"load.ret", "load.ret_stlb_miss", "load.causes_walk", "load.walk_done", "load.walk_done_4k"},
	};
	size_t n = sizeof names / sizeof *names;

	*out = mem_new_array(n * n_counters, sizeof **out);
	for (size_t k = 0; k < n; k++)
		for (size_t t = 0; t < 5 && names[k][t]; t++)
			for (size_t i = 0; i < n_counters; i++)
				if (strcmp(name[i], names[k][t]) == 0)
					(*out)[k * n_counters + i] = 1;
	return n;
}

struct region *
synthetic_region(const int64_t *v, size_t n, size_t rows, double spread, double own, uint64_t *seed)
{
	int64_t *count = mem_new_array(n * rows, sizeof *count);
	double *mix = mem_new_array(n * 3, sizeof *mix);
	struct samples s = {.n_counters = n, .n_rows = rows, .count = count, .independent = true};
	struct region *r;

	for (size_t i = 0; i < n * 3; i++)
		mix[i] = spread * test_normal(seed);
	for (size_t k = 0; k < rows; k++) {
		double z[3] = {test_normal(seed), test_normal(seed), test_normal(seed)};

		for (size_t i = 0; i < n; i++)
			count[k * n + i] = v[i] +
				llrint(mix[i * 3] * z[0] + mix[i * 3 + 1] * z[1] + mix[i * 3 + 2] * z[2] +
					own * spread * test_normal(seed));
	}
	r = region_new(&s, false);
	free(mix);
	free(count);
	return r;
}
