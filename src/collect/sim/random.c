#include "collect/sim/random.h"

struct sim_order
sim_order_of(uint64_t n, uint64_t seed)
{
	struct sim_order o = {.n = n};
	unsigned bits = 1;

	while (bits < 63 && (uint64_t)1 << bits < n)
		bits++;
	o.mask = ((uint64_t)1 << bits) - 1;
	o.shift = (bits + 1) / 2;
	o.add = sim_random(&seed);
	for (int i = 0; i < 2; i++)
		o.times[i] = sim_random(&seed) | 1;
	return o;
}
