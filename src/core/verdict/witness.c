/* Witnesses: the flow onto a point of the cone, from a projection over the rays, of which only few carry it. */
#include "core/verdict/witness.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/point.h"
#include "core/verdict/projection.h"

#define ROUNDING 1e-12 /* relative to a region's squared size: how far from the cone a solver's point may be */

static struct witness *
from_projection(const struct cone *c, const struct projection *p)
{
	struct witness *f = mem_new(sizeof *f);

	f->term = mem_new_array(c->n_counters, sizeof *f->term);
	for (size_t k = 0; k < c->n_rays && f->n < c->n_counters; k++)
		if (p->flow[k] > 0)
			f->term[f->n++] = (struct witness_term){k, p->flow[k]};
	return f;
}

/* The flow to the point of the cone nearest to v and its slack; NULL if it is farther away than √most. */
static struct witness *
flow_within(const struct cone *c, const double *v, const double *slack, const double *factor, double most)
{
	struct witness *f = NULL;
	struct projection p;

	projection_find(c, v, slack, factor, true, &p);
	if (p.d2 <= most)
		f = from_projection(c, &p);
	projection_free(&p);
	return f;
}

struct witness *
witness_of_region(const struct cone *c, const struct region *r, double q, const double *inside)
{
	struct witness *f = flow_within(c, r->mean, r->slack, r->spread.factor, q);

	return f || !inside ? f : flow_within(c, inside, NULL, r->spread.factor, ROUNDING * q);
}

struct witness *
witness_of_point(const struct cone *c, const struct region *r, const double *v)
{
	double *metric = point_metric(r);
	struct witness *f;
	struct projection p;

	projection_find(c, v, NULL, metric, true, &p);
	f = from_projection(c, &p);
	projection_free(&p);
	free(metric);
	return f;
}

void
witness_free(struct witness *f)
{
	if (!f)
		return;
	free(f->term);
	free(f);
}
