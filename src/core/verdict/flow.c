#include "core/verdict/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/verdict/projection.h"

double *
flow_find(const struct cone *c, const double *v, const double *factor)
{
	double *flow = mem_new_array(c->n_signatures, sizeof *flow);
	struct projection p;
	size_t k = 0;

	projection_find(c, v, NULL, factor, true, &p);
	/* Rays are signatures, in the same order. */
	for (size_t i = 0; i < c->n_signatures && k < c->n_rays; i++)
		if (memcmp(c->signature + i * c->n_counters, c->ray + k * c->n_counters, c->n_counters * sizeof *c->ray) == 0)
			flow[i] = p.flow[k++];
	projection_free(&p);
	return flow;
}
