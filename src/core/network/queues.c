/* Computes the queues of a snapshot in three steps, all in memory that is allocated once:
 *
 *     delays           per owner and kind: the delay of the hop before, weighted by loads, and that of the module
 *     queues           L, λ and W of each cell with a delay, in the network's order
 *     sort_ranks()     a radix sort by length; then background kinds and unknown lengths move to the end */
#include "core/network/queues.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/delays.h"
#include "core/network/plan.h"

#define LENGTH_LEAST 0.01
#define FACTOR_MOST 2
#define DIGIT_BITS 8
#define DIGITS ((size_t)1 << DIGIT_BITS)

/* The place of a queue in the order: longer queues have smaller keys. */
struct rank {
	uint64_t key;
	size_t cell;
};

struct net_queues_scratch {
	struct net_queue *found; /* in the network's order */
	struct rank *rank, *other;
};

static struct net_queue
queue_at(const struct net_state *state, const struct net_delays *delays, size_t module, size_t owner, size_t kind)
{
	const struct net_plan *plan = net_state_plan(state);
	const struct net_module *net_module = &plan->net->module[module];
	const struct net_cell_values cell = net_state_cell(state, module, owner, kind);
	const double *field = cell.field;
	double clock = net_state_clock(state, module, owner);
	struct net_queue q = {
		.module = module, .owner = owner, .kind = kind, .background = plan->net->kind[kind].background};

	q.arrivals = clock > 0 ? net_module->cell[kind].n_hits ? cell.hits / clock : 0 : NAN;
	q.before = delays->before[(plan->first[module] + owner) * plan->net->n_kinds + kind];
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
	const struct network *network = net_state_network(state);
	struct net_queues *queues = mem_new(sizeof *queues);
	struct net_queues_scratch *scratch = queues->scratch = mem_new(sizeof *scratch);

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t k = 0; k < network->n_kinds; k++)
			queues->n += has_queue(network, m, k) ? net_state_owners(state, m) : 0;
	queues->queue = mem_new_array(queues->n, sizeof *queues->queue);
	scratch->found = mem_new_array(queues->n, sizeof *scratch->found);
	scratch->rank = mem_new_array(queues->n, sizeof *scratch->rank);
	scratch->other = mem_new_array(queues->n, sizeof *scratch->other);
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
	const struct network *network = net_state_network(state);
	const struct net_delays *delays = net_state_delays(state);
	const struct rank *rank;
	size_t i = 0;

	for (size_t m = 0; m < network->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(state, m); o++)
			for (size_t k = 0; k < network->n_kinds; k++)
				if (has_queue(network, m, k)) {
					scratch->found[i] = queue_at(state, delays, m, o, k);
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

bool
net_queue_differs(const struct net_queue *q)
{
	double longer = fmax(q->length, q->occupied), shorter = fmin(q->length, q->occupied);

	return !isnan(q->length) && !isnan(q->occupied) && longer >= LENGTH_LEAST && longer > FACTOR_MOST * shorter;
}

const struct net_queue *
net_queues_find(const struct net_queues *queues, size_t module, size_t owner, size_t kind)
{
	for (size_t i = 0; i < queues->known; i++)
		if (queues->queue[i].module == module && queues->queue[i].owner == owner &&
			queues->queue[i].kind == kind)
			return &queues->queue[i];
	return NULL;
}

void
net_queues_free(struct net_queues *queues)
{
	if (!queues)
		return;
	free(queues->scratch->found);
	free(queues->scratch->rank);
	free(queues->scratch->other);
	free(queues->scratch);
	free(queues->queue);
	free(queues);
}
