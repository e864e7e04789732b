/* Follows links from the right to the left, once per network. */
#include "core/network/stall_parts.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/plan.h"

#define WORD_BITS 64

static void
set_add(uint64_t *set, size_t module)
{
	set[module / WORD_BITS] |= UINT64_C(1) << module % WORD_BITS;
}

static bool
set_has(const uint64_t *set, size_t module)
{
	return set[module / WORD_BITS] >> module % WORD_BITS & 1;
}

static uint64_t *
arising_at(const struct stall_sets *sets, size_t module, size_t kind)
{
	return sets->arising + (module * sets->kinds + kind) * sets->words;
}

static uint64_t *
leading_to(const struct stall_sets *sets, size_t d, size_t kind)
{
	return sets->leading + (d * sets->kinds + kind) * sets->words;
}

/* Adds what a module can get or reach over one link. */
static void
add_link(struct stall_sets *sets, size_t module, size_t to, size_t kind, size_t n)
{
	for (size_t word = 0; word < sets->words; word++)
		arising_at(sets, module, kind)[word] |= arising_at(sets, to, kind)[word];
	for (size_t d = 0; d < n; d++)
		if (set_has(leading_to(sets, d, kind), to))
			set_add(leading_to(sets, d, kind), module);
}

/* Lists the modules that are in both sets. */
static void
list_origins(struct stall_sets *sets, size_t n)
{
	size_t cap = 0, found = 0, cell = 0;

	sets->first = mem_new_array(n * sets->modules * sets->kinds + 1, sizeof *sets->first);
	for (size_t d = 0; d < n; d++)
		for (size_t m = 0; m < sets->modules; m++)
			for (size_t k = 0; k < sets->kinds; k++) {
				for (size_t word = 0; word < sets->words; word++) {
					uint64_t both = arising_at(sets, m, k)[word] & leading_to(sets, d, k)[word];

					for (; both; both &= both - 1) {
						mem_grow(&sets->origin, &cap, found + 1, sizeof *sets->origin);
						sets->origin[found++] =
							word * WORD_BITS + (size_t)__builtin_ctzll(both);
					}
				}
				sets->first[++cell] = found;
			}
}

struct stall_sets *
stall_sets_new(const struct net_plan *plan, const size_t *destination, size_t n)
{
	const struct network *network = plan->net;
	struct stall_sets *sets = mem_new(sizeof *sets);

	sets->modules = network->n_modules;
	sets->kinds = network->n_kinds;
	sets->words = (network->n_modules + WORD_BITS - 1) / WORD_BITS;
	sets->arising = mem_new_array(network->n_modules * sets->kinds * sets->words, sizeof *sets->arising);
	sets->leading = mem_new_array(n * sets->kinds * sets->words, sizeof *sets->leading);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++) {
			struct net_range links = net_links_from(plan, m);

			if (network->module[m].cell[k].field[NET_STALL])
				set_add(arising_at(sets, m, k), m);
			for (size_t d = 0; d < n; d++)
				if (destination[d] == m)
					set_add(leading_to(sets, d, k), m);
			for (size_t i = 0; i < links.n; i++)
				if (net_load_reported(plan, links.at[i], k))
					add_link(sets, m, network->link[links.at[i]].to, k, n);
		}
	list_origins(sets, n);
	return sets;
}

void
stall_sets_free(struct stall_sets *sets)
{
	if (!sets)
		return;
	free(sets->arising);
	free(sets->leading);
	free(sets->first);
	free(sets->origin);
	free(sets);
}
