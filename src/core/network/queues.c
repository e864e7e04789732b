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
delay_before(const struct delays *d, size_t module, size_t owner, size_t kind)
{
	const struct network *n = d->plan->net;
	struct net_range links = net_links_to(d->plan, module);
	double sum = 0, weight = 0, plain = 0;
	size_t found = 0;

	for (size_t l = 0; l < links.n; l++) {
		size_t from = n->link[links.at[l]].from;
		const double *loads = net_state_loads(d->s, links.at[l]);
		struct net_range owners = net_meets(d->plan, n->module[module].per, owner, n->module[from].per);

		if (n->module[from].cell[kind].state == NET_CELL_ABSENT)
			continue;
		for (size_t i = 0; i < owners.n; i++) {
			double delay = d->scratch->here[(d->plan->first[from] + owners.at[i]) * n->n_kinds + kind],
			       load = loads[owners.at[i] * n->n_kinds + kind];

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

/* True if delay_before() is the same for all owners of the module: then it is computed once. */
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
find_delays(const struct delays *d)
{
	const struct network *n = d->plan->net;

	for (size_t m = 0; m < n->n_modules; m++) {
		bool same = same_before(d->plan, m);
		const double *cell = net_state_cells(d->s, m);
		size_t first = d->plan->first[m] * n->n_kinds, cells = d->plan->first[m + 1] * n->n_kinds - first;

		for (size_t i = 0; i < cells; i++) {
			double reported = cell[i * NET_CELL_VALUES + 1 + NET_DELAY];

			d->scratch->before[first + i] = same && i >= n->n_kinds
				? d->scratch->before[first + i % n->n_kinds]
				: delay_before(d, m, i / n->n_kinds, i % n->n_kinds);
			d->scratch->here[first + i] = isnan(reported) ? d->scratch->before[first + i] : reported;
		}
	}
}

static struct net_queue
queue_at(const struct delays *d, size_t module, size_t owner, size_t kind)
{
	const struct net_module *m = &d->plan->net->module[module];
	size_t kinds = d->plan->net->n_kinds;
	const double *cell = net_state_cells(d->s, module) + (owner * kinds + kind) * NET_CELL_VALUES,
		     *field = cell + 1;
	double clock = net_state_clock(d->s, module, owner);
	struct net_queue q = {
		.module = module, .owner = owner, .kind = kind, .background = d->plan->net->kind[kind].background};

	q.arrivals = clock > 0 ? m->cell[kind].n_hits ? cell[0] / clock : 0 : NAN;
	q.before = d->scratch->before[(d->plan->first[module] + owner) * kinds + kind];
	q.wait = field[NET_DELAY] - q.before;
	q.faster = q.wait < 0;
	if (q.faster)
		q.wait = 0;
	switch (m->model) {
	case NET_QUEUE:
		break;
	case NET_CACHE:
		q.miss_wait = field[NET_TAG];
		break;
	case NET_HOME:
		q.miss_wait = field[NET_MISS_DELAY];
		break;
	}
	if (m->model != NET_QUEUE)
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
net_queues_new(const struct net_state *s)
{
	const struct net_plan *p = net_state_plan(s);
	const struct network *n = p->net;
	struct net_queues *q = mem_new(sizeof *q);
	struct net_queues_scratch *w = q->scratch = mem_new(sizeof *w);

	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t k = 0; k < n->n_kinds; k++)
			q->n += has_queue(n, m, k) ? net_state_owners(s, m) : 0;
	q->queue = mem_new_array(q->n, sizeof *q->queue);
	w->found = mem_new_array(q->n, sizeof *w->found);
	w->rank = mem_new_array(q->n, sizeof *w->rank);
	w->other = mem_new_array(q->n, sizeof *w->other);
	w->before = mem_new_array(p->first[n->n_modules] * n->n_kinds, sizeof *w->before);
	w->here = mem_new_array(p->first[n->n_modules] * n->n_kinds, sizeof *w->here);
	net_queues_update(q, s);
	return q;
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
net_queues_update(struct net_queues *q, const struct net_state *s)
{
	struct net_queues_scratch *w = q->scratch;
	struct delays d = {.s = s, .plan = net_state_plan(s), .scratch = w};
	const struct network *n = d.plan->net;
	const struct rank *rank;
	size_t i = 0;

	find_delays(&d);
	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(s, m); o++)
			for (size_t k = 0; k < n->n_kinds; k++)
				if (has_queue(n, m, k)) {
					w->found[i] = queue_at(&d, m, o, k);
					w->rank[i] = (struct rank){queues_key_of(w->found[i].length), i};
					i++;
				}
	rank = q->n ? sort_ranks(w->rank, w->other, q->n) : NULL;
	/* background kinds stand after the others, unknown lengths after both */
	q->awaited = queues_put(q, 0, rank, true, false);
	q->known = queues_put(q, q->awaited, rank, true, true);
	queues_put(q, queues_put(q, q->known, rank, false, false), rank, false, true);
	q->margin = q->awaited > 1 && q->queue[1].length > 0 ? q->queue[0].length / q->queue[1].length : NAN;
}

void
net_queues_free(struct net_queues *q)
{
	if (!q)
		return;
	free(q->scratch->before);
	free(q->scratch->here);
	free(q->scratch->found);
	free(q->scratch->rank);
	free(q->scratch->other);
	free(q->scratch);
	free(q->queue);
	free(q);
}
