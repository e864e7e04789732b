/* Keeps the matrices of all links in one array. */
#include "core/network/increments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/plan.h"

static size_t
senders_of(const struct net_plan *plan, size_t link)
{
	return plan->shape->n[plan->net->module[plan->net->link[link].from].per];
}

static size_t
receivers_of(const struct net_plan *plan, size_t link)
{
	return plan->shape->n[plan->net->module[plan->net->link[link].to].per];
}

struct net_pairs *
net_pairs_new(const struct net_plan *plan)
{
	const struct network *network = plan->net;
	struct net_pairs *pairs = mem_new(sizeof *pairs);
	size_t values = 0;

	pairs->plan = plan;
	pairs->first = mem_new_array(network->n_links * network->n_kinds, sizeof *pairs->first);
	pairs->known = mem_new_array(network->n_links * network->n_kinds, sizeof *pairs->known);
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			pairs->first[l * network->n_kinds + k] = values;
			if (network->link[l].pairs[k] == NET_NO_PAIRS)
				continue;
			values += senders_of(plan, l) * receivers_of(plan, l);
			pairs->n++;
		}
	pairs->value = mem_new_array(values, sizeof *pairs->value);
	return pairs;
}

void
net_pairs_free(struct net_pairs *pairs)
{
	if (!pairs)
		return;
	free(pairs->first);
	free(pairs->known);
	free(pairs->value);
	free(pairs);
}

/* Copies one matrix. Returns false if a pair of a sender with a load is unknown. */
static bool
take_matrix(double *to, const double *from, const struct net_increments *increments, size_t counter, const double *load,
	size_t senders, size_t receivers)
{
	double factor = increments->net->counter[counter].factor;
	bool known = true, whole = net_increments_whole(increments, counter);

	for (size_t a = 0; a < senders; a++) {
		bool silent = isnan(load[a]);
		size_t counted = 0;

		for (size_t b = 0; b < receivers && whole && !silent; b++) {
			to[a * receivers + b] = from[a * receivers + b] * factor;
			counted += from[a * receivers + b] >= 0;
		}
		if (counted == receivers)
			continue;
		for (size_t b = 0; b < receivers; b++) {
			double count = net_increments_count(increments, counter, from[a * receivers + b]);

			known &= silent || !isnan(count);
			to[a * receivers + b] = silent || isnan(count) ? 0 : count * factor;
		}
	}
	return known;
}

void
net_pairs_take(struct net_pairs *pairs, const struct net_state *state, const struct net_snapshot *snapshot,
	const struct net_increments *increments)
{
	const struct network *network = pairs->plan->net;

	for (size_t l = 0; l < network->n_links && pairs->n; l++)
		for (size_t k = 0; k < network->n_kinds; k++) {
			size_t counter = network->link[l].pairs[k], at = l * network->n_kinds + k;
			const double *from = counter == NET_NO_PAIRS ? NULL : snapshot->count[counter];

			pairs->known[at] = from && senders_of(pairs->plan, l) && receivers_of(pairs->plan, l) &&
				take_matrix(pairs->value + pairs->first[at], from, increments, counter,
					net_state_loads(state, l, k), senders_of(pairs->plan, l),
					receivers_of(pairs->plan, l));
		}
}

void
net_pairs_drop(struct net_pairs *pairs, size_t link, size_t kind)
{
	pairs->known[link * pairs->plan->net->n_kinds + kind] = false;
}

const double *
net_pairs_at(const struct net_pairs *pairs, size_t link, size_t kind)
{
	size_t at = link * pairs->plan->net->n_kinds + kind;

	return pairs->known[at] ? pairs->value + pairs->first[at] : NULL;
}
