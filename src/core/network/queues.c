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

/* The numbers of one module and kind: a column of owners each. */
struct columns {
	const double *clock, *before, *hits, *delay, *misses, *miss_wait, *occupancy;
	enum net_model model;
	bool served; /* some of its requests are served there */
};

static struct columns
queue_columns(const struct net_state *state, const struct net_delays *delays, size_t module, size_t kind)
{
	const struct net_plan *plan = net_state_plan(state);
	const struct net_module *net_module = &plan->net->module[module];

	return (struct columns){
		.clock = net_state_clocks(state, module),
		.before = delays->before + net_delays_at(plan, module, 0, kind),
		.hits = net_state_hits(state, module, kind),
		.delay = net_state_field(state, module, kind, NET_DELAY),
		.misses = net_state_field(state, module, kind, NET_MISS),
		.miss_wait = net_state_field(
			state, module, kind, net_module->model == NET_CACHE ? NET_TAG : NET_MISS_DELAY),
		.occupancy = net_state_field(state, module, kind, NET_OCCUPANCY),
		.model = net_module->model,
		.served = net_module->cell[kind].n_hits > 0,
	};
}

/* Sets the numbers of one owner's queue. */
static void
measure_queue(struct net_queue *q, const struct columns *columns, size_t owner)
{
	double clock = columns->clock[owner] > 0 ? columns->clock[owner] : NAN;

	q->arrivals = (columns->served ? columns->hits[owner] : 0) / clock;
	q->before = columns->before[owner];
	q->wait = columns->delay[owner] - q->before;
	q->faster = q->wait < 0;
	if (q->faster)
		q->wait = 0;
	q->missing = q->miss_wait = 0;
	switch (columns->model) {
	case NET_QUEUE:
		break;
	case NET_CACHE:
	case NET_HOME:
		q->miss_wait = columns->miss_wait[owner];
		q->missing = columns->misses[owner] / clock;
		break;
	}
	q->length = q->arrivals * q->wait + q->missing * q->miss_wait;
	q->occupied = columns->occupancy[owner] / clock;
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

/* Radix sort by the digits from a bit on, from the lowest. Equal keys keep the network's order. A digit that is the
 * same in all keys is skipped. Returns the sorted one of the two arrays. */
static struct rank *
sort_digits(struct rank *a, struct rank *b, size_t n, unsigned from)
{
	for (unsigned shift = from; shift < 64; shift += DIGIT_BITS) {
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

/* The upper half of the keys nearly always decides. */
static struct rank *
sort_ranks(struct rank *a, struct rank *b, size_t n)
{
	struct rank *sorted = sort_digits(a, b, n, 32);
	bool done = true;

	for (size_t i = 1; i < n; i++)
		done &= sorted[i - 1].key <= sorted[i].key;
	return done ? sorted : sort_digits(sorted, sorted == a ? b : a, n, 0);
}

static bool
has_queue(const struct network *n, size_t module, size_t kind)
{
	const struct net_cell *c = &n->module[module].cell[kind];

	return c->state == NET_CELL_REPORTED && c->field[NET_DELAY];
}

/* Returns the number of kinds with a queue at a module. */
static size_t
kinds_of(const struct network *n, size_t module)
{
	size_t kinds = 0;

	for (size_t k = 0; k < n->n_kinds; k++)
		kinds += has_queue(n, module, k);
	return kinds;
}

/* Measures the queues of all owners of one module and kind; the first stands at `at` in the network's order, which has
 * all kinds of an owner together. */
static void
measure_queues(struct net_queues_scratch *scratch, const struct net_state *state, size_t module, size_t kind, size_t at)
{
	const struct network *network = net_state_network(state);
	struct columns columns = queue_columns(state, net_state_delays(state), module, kind);
	size_t step = kinds_of(network, module);

	for (size_t o = 0; o < net_state_owners(state, module); o++, at += step) {
		struct net_queue *q = &scratch->found[at];

		q->module = module;
		q->owner = o;
		q->kind = kind;
		q->background = network->kind[kind].background;
		measure_queue(q, &columns, o);
		scratch->rank[at] = (struct rank){queues_key_of(q->length), at};
	}
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
	const struct rank *rank;

	for (size_t m = 0, first = 0; m < network->n_modules;
		first += kinds_of(network, m) * net_state_owners(state, m), m++)
		for (size_t k = 0, at = first; k < network->n_kinds; k++)
			if (has_queue(network, m, k))
				measure_queues(scratch, state, m, k, at++);
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
