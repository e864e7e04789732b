#include "core/network/queues.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/meet.h"
#include "core/network/state.h"

/* Delays as told, and where a module tells none, those of the modules before it: what the next hop is compared with. */
struct delays {
	const struct net_state *s;
	size_t *first;  /* per module: its first owner among all */
	double *before; /* owners × kinds */
	double *here;   /* … */
};

static bool
meets_all(const struct net_state *s, size_t from, size_t to)
{
	const struct network *n = net_state_network(s);

	return !scope_within(n->module[from].per, n->module[to].per) && !scope_within(n->module[to].per, n->module[from].per);
}

/* The mean over the modules before this one, weighed by the load that comes from them. */
static double
delay_before(const struct delays *d, size_t module, size_t owner, size_t kind)
{
	const struct network *n = net_state_network(d->s);
	double sum = 0, weight = 0, plain = 0;
	size_t found = 0;

	for (size_t l = 0; l < n->n_links; l++) {
		size_t from = n->link[l].from;

		if (n->link[l].to != module || n->module[from].cell[kind].state == NET_ABSENT)
			continue;
		for (size_t a = 0; a < net_state_owners(d->s, from); a++) {
			double delay = d->here[(d->first[from] + a) * n->n_kinds + kind], load = net_state_load(d->s, l, a, kind);

			if (isnan(delay) || !net_may_meet(d->s, from, a, module, owner))
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

/* Is it the same for all owners? Then it is worked out once. */
static bool
same_before(const struct net_state *s, size_t module)
{
	const struct network *n = net_state_network(s);
	bool same = true;

	for (size_t l = 0; l < n->n_links; l++)
		same &= n->link[l].to != module || meets_all(s, n->link[l].from, module);
	return same;
}

/* Links go to the right only: what is before a module is known when it is looked at. */
static void
find_delays(struct delays *d)
{
	const struct network *n = net_state_network(d->s);

	for (size_t m = 0; m < n->n_modules; m++) {
		bool same = same_before(d->s, m);

		for (size_t o = 0; o < net_state_owners(d->s, m); o++)
			for (size_t k = 0; k < n->n_kinds; k++) {
				size_t at = (d->first[m] + o) * n->n_kinds + k;
				double told = net_state_cell(d->s, m, o, k).field[NET_DELAY];

				d->before[at] = same && o ? d->before[d->first[m] * n->n_kinds + k] : delay_before(d, m, o, k);
				d->here[at] = isnan(told) ? d->before[at] : told;
			}
	}
}

static struct net_queue
queue_at(const struct delays *d, size_t module, size_t owner, size_t kind)
{
	const struct net_state *s = d->s;
	const struct net_module *m = &net_state_network(s)->module[module];
	const struct net_told t = net_state_cell(s, module, owner, kind);
	double clock = net_state_clock(s, module, owner);
	struct net_queue q = {.module = module, .owner = owner, .kind = kind, .background = net_state_network(s)->kind[kind].background};

	q.arrivals = clock > 0 ? m->cell[kind].n_hits ? t.hits / clock : 0 : NAN;
	q.before = d->before[(d->first[module] + owner) * net_state_network(s)->n_kinds + kind];
	q.wait = t.field[NET_DELAY] - q.before;
	q.faster = q.wait < 0;
	if (q.faster)
		q.wait = 0;
	switch (m->model) {
	case NET_QUEUE:
		break;
	case NET_CACHE:
		q.miss_wait = t.field[NET_TAG];
		break;
	case NET_HOME:
		q.miss_wait = t.field[NET_MISS_DELAY];
		break;
	}
	if (m->model != NET_QUEUE)
		q.missing = clock > 0 ? t.misses / clock : NAN;
	q.length = q.arrivals * q.wait + q.missing * q.miss_wait;
	q.occupied = clock > 0 ? t.field[NET_OCCUPANCY] / clock : NAN;
	return q;
}

static int
longer(const void *va, const void *vb)
{
	const struct net_queue *a = va, *b = vb;

	if (isnan(a->length) != isnan(b->length))
		return isnan(a->length) ? 1 : -1;
	if (a->background != b->background)
		return a->background ? 1 : -1;
	if (a->length > b->length || a->length < b->length)
		return a->length > b->length ? -1 : 1;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

struct net_queues *
net_queues_new(const struct net_state *s)
{
	const struct network *n = net_state_network(s);
	struct net_queues *q = mem_new(sizeof *q);
	struct delays d = {.s = s, .first = mem_new_array(n->n_modules + 1, sizeof *d.first)};
	size_t cap = 0;

	for (size_t m = 0; m < n->n_modules; m++)
		d.first[m + 1] = d.first[m] + net_state_owners(s, m);
	d.before = mem_new_array(d.first[n->n_modules] * n->n_kinds, sizeof *d.before);
	d.here = mem_new_array(d.first[n->n_modules] * n->n_kinds, sizeof *d.here);
	find_delays(&d);
	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(s, m); o++)
			for (size_t k = 0; k < n->n_kinds; k++) {
				if (n->module[m].cell[k].state != NET_TOLD || !n->module[m].cell[k].field[NET_DELAY])
					continue;
				mem_grow(&q->queue, &cap, q->n + 1, sizeof *q->queue);
				q->queue[q->n++] = queue_at(&d, m, o, k);
			}
	free(d.first);
	free(d.before);
	free(d.here);
	if (q->n)
		qsort(q->queue, q->n, sizeof *q->queue, longer);
	while (q->known < q->n && !isnan(q->queue[q->known].length))
		q->awaited += !q->queue[q->known++].background;
	q->margin = q->awaited > 1 && q->queue[1].length > 0 ? q->queue[0].length / q->queue[1].length : NAN;
	return q;
}

void
net_queues_free(struct net_queues *q)
{
	if (!q)
		return;
	free(q->queue);
	free(q);
}
