#include "synthetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

#define FACTORS 4

int64_t *
synthetic_samples(const struct synthetic *s, uint64_t *seed)
{
	size_t n = s->n_counters, lines = s->spread + s->n_outside;
	int64_t *count = mem_new_array(s->rows * n, sizeof *count);
	double *flow = mem_new_array(lines, sizeof *flow), *load = mem_new_array(lines * FACTORS, sizeof *load);
	double *noise = mem_new_array(n, sizeof *noise), *v = mem_new_array(n, sizeof *v), inside = 0, outside = 0;
	const int64_t **line = mem_new_array(lines, sizeof *line);

	for (size_t k = 0; k < lines; k++) {
		line[k] = k < s->spread ? s->ray + test_random(seed) % s->n_rays * n : s->outside + (k - s->spread) * n;
		flow[k] = -log(1 - test_uniform(seed));
		*(k < s->spread ? &inside : &outside) += flow[k];
		for (size_t f = 0; f < FACTORS; f++)
			load[k * FACTORS + f] = 0.15 * test_normal(seed);
	}
	for (size_t k = 0; k < lines; k++)
		flow[k] *= s->scale * (k < s->spread ? (1 - s->share) / inside : s->share / outside);
	for (size_t i = 0; i < n; i++)
		noise[i] = 0.01 + 0.04 * test_uniform(seed);
	for (size_t m = 0; m < s->rows; m++) {
		double factor[FACTORS];

		memset(v, 0, n * sizeof *v);
		for (size_t f = 0; f < FACTORS; f++)
			factor[f] = test_normal(seed);
		for (size_t k = 0; k < lines; k++) {
			double t = 0;

			for (size_t f = 0; f < FACTORS; f++)
				t += load[k * FACTORS + f] * factor[f];
			for (size_t i = 0; i < n; i++)
				v[i] += flow[k] * exp(t) * (double)line[k][i];
		}
		for (size_t i = 0; i < n; i++)
			count[m * n + i] = (int64_t)floor(fmax(0, v[i] * (1 + noise[i] * test_normal(seed))) + test_uniform(seed));
	}
	free(flow);
	free(load);
	free(noise);
	free(v);
	free(line);
	return count;
}

size_t
synthetic_haswell_outside(size_t n_counters, char *const *name, int64_t **out)
{
	static const char *const names[][5] = {
		{"load.pde$_miss"}, {"load.ret", "load.ret_stlb_miss"}, {"store.pde$_miss"}, {"store.ret", "store.ret_stlb_miss"}, {"walk_ref.l1"},
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
