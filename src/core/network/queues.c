/* Computes the queues of a snapshot in three steps, all in memory that is allocated once:
 *
 *     find_delays()    per owner and kind: the delay of the hop before, weighted by loads, and that of the module
 *     queues           L, λ and W of each cell with a delay, in the network's order
 *     sort_ranks()     a radix sort by length; then background kinds and unknown lengths move to the end */
#include "core/network/queues.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/plan.h"

#define DIGIT_BITS 8
#define DIGITS ((size_t)1 << DIGIT_BITS)

/* The place of a queue in the order: longer queues have smaller keys. */
struct rank {
	uint64_t key;
	size_t cell;
};

/* Reported delays. A module that reports none gets the delay of the modules before it, so that the next hop can be
 * compared with it. */
struct net_queues_scratch {
	double *before;          /* owners × kinds: delay of the hop before */
	double *here;            /* owners × kinds: delay of the module itself */
	struct net_queue *found; /* in the network's order */
	struct rank *rank, *other;
};

struct delays {
	const struct net_state *s;
	const struct net_plan *plan;
	const struct net_queues_scratch *scratch;
};

/* The mean delay of the modules before this one, weighted by the loads that come from them. */
static double
delay_before(const struct delays *delays, size_t module, size_t owner, size_t kind)
{
	const struct network *network = delays->plan->net;
	struct net_range links = net_links_to(delays->plan, module);
	double sum = 0, weight = 0, plain = 0;
	size_t found = 0;

	for (size_t l = 0; l < links.n; l++) {
		size_t from = network->link[links.at[l]].from;
		const double *loads = net_state_loads(delays->s, links.at[l]);
		struct net_range owners = net_meets(
			delays->plan, network->module[module].per, owner, network->module[from].per);

		if (network->module[from].cell[kind].state == NET_CELL_ABSENT)
			continue;
		for (size_t i = 0; i < owners.n; i++) {
			double delay = delays->scratch
					       ->here[(delays->plan->first[from] + owners.at[i]) * network->n_kinds +
						       kind],
			       load = loads[owners.at[i] * network->n_kinds + kind];

			if (isnan(delay))
				continue;
			plain += delay;
			found++;
			if (load > 0) {
				sum += load * delay;
				weight += load;
			}
		}
	}
	if (weight > 0)
		return sum / weight;
	return found ? plain / (double)found : 0;
}

/* Returns true if delay_before() is the same for all owners of the module: then it is computed once. */
static bool
same_before(const struct net_plan *p, size_t module)
{
	struct net_range links = net_links_to(p, module);
	bool same = true;

	for (size_t l = 0; l < links.n; l++)
		same &= net_meets_all(p->net->module[p->net->link[links.at[l]].from].per, p->net->module[module].per);
	return same;
}

/* Links go to the right only, so the delays before a module are known when the loop gets to it. */
static void
find_delays(const struct delays *delays)
{
	const struct network *network = delays->plan->net;

	for (size_t m = 0; m < network->n_modules; m++) {
		bool same = same_before(delays->plan, m);
		const double *cell = net_state_cells(delays->s, m);
		size_t first = delays->plan->first[m] * network->n_kinds,
		       cells = delays->plan->first[m + 1] * network->n_kinds - first;

		for (size_t i = 0; i < cells; i++) {
			double reported = cell[i * NET_CELL_VALUES + 1 + NET_DELAY];

			delays->scratch->before[first + i] = same && i >= network->n_kinds
				? delays->scratch->before[first + i % network->n_kinds]
				: delay_before(delays, m, i / network->n_kinds, i % network->n_kinds);
			delays->scratch->here[first + i] = isnan(reported) ? delays->scratch->before[first + i]
									   : reported;
		}
	}
}

static struct net_queue
queue_at(const struct delays *delays, size_t module, size_t owner, size_t kind)
{
	const struct net_module *net_module = &delays->plan->net->module[module];
	size_t kinds = delays->plan->net->n_kinds;
	const double *cell = net_state_cells(delays->s, module) + (owner * kinds + kind) * NET_CELL_VALUES,
		     *field = cell + 1;
	double clock = net_state_clock(delays->s, module, owner);
	struct net_queue q = {
		.module = module, .owner = owner, .kind = kind, .background = delays->plan->net->kind[kind].background};

	q.arrivals = clock > 0 ? net_module->cell[kind].n_hits ? cell[0] / clock : 0 : NAN;
	q.before = delays->scratch->before[(delays->plan->first[module] + owner) * kinds + kind];
	q.wait = field[NET_DELAY] - q.before;
	q.faster = q.wait < 0;
	if (q.faster)
		q.wait = 0;
	switch (net_module->model) {
	case NET_QUEUE:
		break;
	case NET_CACHE:
		q.miss_wait = field[NET_TAG];
		break;
	case NET_HOME:
		q.miss_wait = field[NET_MISS_DELAY];
		break;
	}
	if (net_module->model != NET_QUEUE)
		q.missing = clock > 0 ? field[NET_MISS] / clock : NAN;
	q.length = q.arrivals * q.wait + q.missing * q.miss_wait;
	q.occupied = clock > 0 ? field[NET_OCCUPANCY] / clock : NAN;
	return q;
}

/* A sort key: longer queues have smaller keys, NAN has the largest. */
static uint64_t
queues_key_of(double length)
{
	const uint64_t sign = UINT64_C(1) << 63;
	double plain = length + 0.0; /* -0.0 becomes 0.0 */
	uint64_t bits;

	if (isnan(length))
		return UINT64_MAX;
	memcpy(&bits, &plain, sizeof bits);
	return bits & sign ? bits : ~(bits | sign);
}

/* Radix sort from the lowest digit: equal keys keep the network's order. A digit that is the same in all keys is
 * skipped. */
static struct rank *
sort_ranks(struct rank *a, struct rank *b, size_t n)
{
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		size_t start[DIGITS + 1] = {0};
		struct rank *swap = a;

		for (size_t i = 0; i < n; i++)
			start[(a[i].key >> shift & (DIGITS - 1)) + 1]++;
		if (start[(a[0].key >> shift & (DIGITS - 1)) + 1] == n)
			continue;
		for (size_t k = 0; k < DIGITS; k++)
			start[k + 1] += start[k];
		for (size_t i = 0; i < n; i++)
			b[start[a[i].key >> shift & (DIGITS - 1)]++] = a[i];
		a = b;
		b = swap;
	}
	return a;
}

static bool
has_queue(const struct network *n, size_t module, size_t kind)
{
	const struct net_cell *c = &n->module[module].cell[kind];

	return c->state == NET_CELL_REPORTED && c->field[NET_DELAY];
}

struct net_queues *
net_queues_new(const struct net_state *state)
{
	const struct net_plan *plan = net_state_plan(state);
	const struct network *network = plan->net;
	struct net_queues *queues = mem_new(sizeof *queues);
	struct net_queues_scratch *scratch = queues->scratch = mem_new(sizeof *scratch);

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++)
			queues->n += has_queue(network, m, k) ? net_state_owners(state, m) : 0;
	queues->queue = mem_new_array(queues->n, sizeof *queues->queue);
	scratch->found = mem_new_array(queues->n, sizeof *scratch->found);
	scratch->rank = mem_new_array(queues->n, sizeof *scratch->rank);
	scratch->other = mem_new_array(queues->n, sizeof *scratch->other);
	scratch->before = mem_new_array(plan->first[network->n_modules] * network->n_kinds, sizeof *scratch->before);
	scratch->here = mem_new_array(plan->first[network->n_modules] * network->n_kinds, sizeof *scratch->here);
	net_queues_update(queues, state);
	return queues;
}

/* Copy the queues of one group in sorted order to index `at` and on. Returns the index after the group. */
static size_t
queues_put(struct net_queues *q, size_t at, const struct rank *rank, bool known, bool background)
{
	for (size_t i = 0; i < q->n; i++) {
		const struct net_queue *from = &q->scratch->found[rank[i].cell];

		if (!isnan(from->length) == known && from->background == background)
			q->queue[at++] = *from;
	}
	return at;
}

void
net_queues_update(struct net_queues *queues, const struct net_state *state)
{
	struct net_queues_scratch *scratch = queues->scratch;
	struct delays d = {.s = state, .plan = net_state_plan(state), .scratch = scratch};
	const struct network *network = d.plan->net;
	const struct rank *rank;
	size_t i = 0;

	find_delays(&d);
	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(state, m); o++)
			for (size_t k = 0; k < network->n_kinds; k++)
				if (has_queue(network, m, k)) {
					scratch->found[i] = queue_at(&d, m, o, k);
					scratch->rank[i] = (struct rank){queues_key_of(scratch->found[i].length), i};
					i++;
				}
	rank = queues->n ? sort_ranks(scratch->rank, scratch->other, queues->n) : NULL;
	/* background kinds stand after the others, unknown lengths after both */
	queues->awaited = queues_put(queues, 0, rank, true, false);
	queues->known = queues_put(queues, queues->awaited, rank, true, true);
	queues_put(queues, queues_put(queues, queues->known, rank, false, false), rank, false, true);
	queues->margin = queues->awaited > 1 && queues->queue[1].length > 0
		? queues->queue[0].length / queues->queue[1].length
		: NAN;
}

void
net_queues_free(struct net_queues *queues)
{
	if (!queues)
		return;
	free(queues->scratch->before);
	free(queues->scratch->here);
	free(queues->scratch->found);
	free(queues->scratch->rank);
	free(queues->scratch->other);
	free(queues->scratch);
	free(queues->queue);
	free(queues);
}
