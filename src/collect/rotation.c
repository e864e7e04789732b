#include "collect/rotation.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"

struct rotation {
	size_t n, at;
	uint64_t mean_ns, random;
	size_t *order;
};

struct rotation *
rotation_new(size_t n_sets, uint64_t mean_ns, uint64_t seed)
{
	struct rotation *r = mem_new(sizeof *r);

	*r = (struct rotation){.n = n_sets, .mean_ns = mean_ns > 1 ? mean_ns : 1, .random = seed};
	r->order = mem_new_array(n_sets, sizeof *r->order);
	for (size_t i = 0; i < n_sets; i++)
		r->order[i] = i;
	return r;
}

void
rotation_free(struct rotation *r)
{
	if (!r)
		return;
	free(r->order);
	free(r);
}

/* Puts the sets in random order (Fisher and Yates): each order is equally likely. */
static void
rotation_shuffle(struct rotation *r)
{
	for (size_t i = r->n; i > 1; i--) {
		size_t k = (size_t)random_below(&r->random, i), kept = r->order[i - 1];

		r->order[i - 1] = r->order[k];
		r->order[k] = kept;
	}
}

/* A uniform length of at least half the mean bounds the cost of switching: two switches a mean turn at most. Its spread
 * of a third of the mean moves the turns against every period within a few rounds, even if the order happened to
 * repeat. */
struct rotation_turn
rotation_next(struct rotation *r)
{
	struct rotation_turn t;

	if (r->at == 0)
		rotation_shuffle(r);
	t.set = r->order[r->at];
	t.ns = r->mean_ns - r->mean_ns / 2 + random_below(&r->random, 2 * (r->mean_ns / 2) + 1);
	r->at = (r->at + 1) % r->n;
	return t;
}
