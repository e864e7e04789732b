#include "collect/perf/rotator.h"

#include <stdlib.h>

#include "base/mem.h"

struct rotator {
	struct rotator_spec how;
	struct rotation *rotation;
	unsigned char *on; /* per unit: it is enabled, as far as known */
	uint64_t until_ns;
	size_t turns;
};

struct rotator *
rotator_new(const struct rotator_spec *s)
{
	struct rotator *r = mem_new(sizeof *r);

	*r = (struct rotator){.how = *s, .rotation = rotation_new(s->sets.n, s->mean_ns, s->seed),
		.on = mem_new_array(s->sets.n_units, 1)};
	return r;
}

void
rotator_free(struct rotator *r)
{
	if (!r)
		return;
	rotation_free(r->rotation);
	rotation_sets_free(&r->how.sets);
	free(r->on);
	free(r);
}

uint64_t
rotator_step(struct rotator *rotator, uint64_t now_ns)
{
	const unsigned char *has;
	struct rotation_turn t;
	bool all = rotator->turns % ROTATOR_SETTLES == 0;

	if (rotator->turns && now_ns < rotator->until_ns)
		return rotator->until_ns;
	t = rotation_next(rotator->rotation);
	has = rotator->how.sets.has + t.set * rotator->how.sets.n_units;
	for (int on = 0; on < 2; on++) /* counters are freed before others need them */
		for (size_t i = 0; i < rotator->how.sets.n_units; i++)
			if (has[i] == on && (all || rotator->on[i] != on)) {
				rotator->how.enable(rotator->how.ctx, i, on);
				rotator->on[i] = (unsigned char)on;
			}
	rotator->turns++;
	return rotator->until_ns = now_ns + t.ns;
}

double
rotator_period_ns(const struct rotator *r)
{
	return (double)r->how.sets.n * (double)r->how.mean_ns;
}

uint64_t
rotator_seed(const struct rotator *r)
{
	return r->how.seed;
}
