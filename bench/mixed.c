#include "mixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "synthetic.h"
#include "test.h"
#include "text/diag.h"

static struct cone *
cone_of(const struct udd_model *m, const char *variant)
{
	struct diags d = {0};
	struct udd_diagram *g = NULL;
	struct signatures *s = NULL;
	struct cone *c = NULL;
	struct fset on;
	struct err e;

	if (udd_choose(m, variant, NULL, NULL, &on, &e))
		g = udd_expand(m, &on, &d);
	if (g)
		s = signatures_new(g, &d);
	if (s)
		c = cone_new(s->n_counters, s->n, s->coef, NULL);
	signatures_free(s);
	udd_diagram_free(g);
	diags_free(&d);
	return c;
}

static bool
holds(const struct cone *c, const int64_t *v)
{
	for (size_t k = 0; k < c->n_equalities + c->n_inequalities; k++) {
		bool equality = k < c->n_equalities;
		const int64_t *row = equality ? c->equality + k * c->n_counters
					      : c->inequality + (k - c->n_equalities) * c->n_counters;
		int64_t sum = 0;

		for (size_t j = 0; j < c->n_counters; j++)
			sum += row[j] * v[j];
		if (sum < 0 || (equality && sum > 0))
			return false;
	}
	return true;
}

static void
find_outside(struct mixed *x, const struct udd_model *m)
{
	struct cone *m4 = cone_of(m, "m4");

	if (!m4) {
		char **name = mem_new_array(x->n, sizeof *name);

		for (size_t i = 0; i < x->n; i++)
			name[i] = mem_str(m->counter[i].name);
		x->n_outside = synthetic_haswell_outside(x->n, name, &x->outside);
		x->from = "six signatures by name";
		for (size_t i = 0; i < x->n; i++)
			free(name[i]);
		free(name);
		return;
	}
	x->from = "the rays of m4 outside m0";
	x->outside = mem_new_array(m4->n_rays * x->n, sizeof *x->outside);
	for (size_t i = 0; i < m4->n_rays; i++)
		if (!holds(x->m0, m4->ray + i * x->n))
			memcpy(x->outside + x->n_outside++ * x->n, m4->ray + i * x->n, x->n * sizeof *x->outside);
	cone_free(m4);
}

static struct synthetic
kind(const struct mixed *x, uint64_t *seed)
{
	struct synthetic s = {.n_counters = x->n, .n_rays = x->m0->n_rays, .ray = x->m0->ray, .rows = MIXED_ROWS};

	s.spread = 3 + test_random(seed) % 198;
	s.scale = pow(10, 4 + (double)(test_random(seed) % 7));
	return s;
}

struct mixed *
mixed_new(const struct udd_model *haswell)
{
	static const double shares[] = {0, 0, 0.01, 0.03, 0.1, 0.2, 0.4, 1};
	struct mixed *x = mem_new(sizeof *x);
	uint64_t seed = 20;

	x->m0 = cone_of(haswell, "m0");
	x->n = x->m0->n_counters;
	find_outside(x, haswell);
	for (size_t i = 0; i < MIXED; i++) {
		struct synthetic s = kind(x, &seed);

		s.share = x->share[i] = shares[i % 8];
		s.n_outside = x->n_outside;
		s.outside = x->outside;
		x->count[i] = synthetic_samples(&s, &seed);
	}
	return x;
}

int64_t *
mixed_feasible(const struct mixed *x, uint64_t *seed)
{
	struct synthetic s = kind(x, seed);

	return synthetic_samples(&s, seed);
}

void
mixed_free(struct mixed *x)
{
	for (size_t i = 0; i < MIXED; i++)
		free(x->count[i]);
	free(x->outside);
	cone_free(x->m0);
	free(x);
}

struct obs_table *
mixed_table(const struct mixed *x, const struct udd_model *m, size_t n)
{
	const char **name = mem_new_array(m->n_counters, sizeof *name);
	struct obs_table *t;

	for (size_t i = 0; i < m->n_counters; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, m->n_counters);
	for (size_t i = 0; i < n; i++) {
		char *what = str_format("o%zu", i);
		struct obs *o = obs_table_add(t, what, "bench");

		for (size_t row = 0; row < MIXED_ROWS; row++)
			obs_add_row(o, x->count[i] + row * x->n, NULL, (double)row);
		free(what);
	}
	free(name);
	return t;
}
