#include "core/network/breakdown.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/network/stalls.h"
#include "core/network/state.h"

static void
known_add(struct net_known *sum, double v)
{
	sum->sum += isnan(v) ? 0 : v;
	sum->unknown += isnan(v) ? 1 : 0;
	sum->known += isnan(v) ? 0 : 1;
}

/* Returns the core that the i-th owner of a scope is a part of; SIZE_MAX: of none. */
static size_t
core_of(const struct net_state *state, enum scope per, size_t i)
{
	return scope_within(per, SCOPE_CORE) ? net_owner_within(net_state_shape(state), per, i, SCOPE_CORE) : SIZE_MAX;
}

static bool
is_destination(const struct network *net, size_t module)
{
	bool reached = false;

	for (size_t i = 0; i < net->n_links; i++) {
		if (net->link[i].from == module)
			return false;
		reached |= net->link[i].to == module;
	}
	return reached;
}

bool
net_breakdown_has(const struct network *net, enum net_by by)
{
	bool some = by == NET_BY_KIND;

	for (size_t m = 0; m < net->n_modules && !some; m++)
		some = by == NET_BY_CORE ? scope_within(net->module[m].per, SCOPE_CORE) : is_destination(net, m);
	return some;
}

/* Makes empty rows; *row_of is the row of each item. */
static size_t *
breakdown_begin(struct net_breakdown *b, const struct net_state *state, enum net_by by)
{
	const struct network *net = net_state_network(state);
	size_t items = by == NET_BY_CORE ? net_state_shape(state)->n[SCOPE_CORE] : by == NET_BY_KIND ? net->n_kinds
		: net->n_modules;
	size_t *row_of = mem_new_array(items, sizeof *row_of);

	b->row = mem_new_array(items, sizeof *b->row);
	for (size_t i = 0; i < items; i++) {
		row_of[i] = SIZE_MAX;
		if (by == NET_BY_DESTINATION && !is_destination(net, i))
			continue;
		row_of[i] = b->n;
		b->row[b->n].part = mem_new_array(b->n_columns, sizeof *b->row->part);
		b->row[b->n++].item = i;
	}
	return row_of;
}

/* The number of the row that a module's owner and kind belong to, SIZE_MAX for none. */
static size_t
row_at(const struct net_state *state, enum net_by by, const size_t *row_of, size_t module, size_t owner, size_t kind)
{
	size_t core;

	switch (by) {
	case NET_BY_CORE:
		core = core_of(state, net_state_network(state)->module[module].per, owner);
		return core == SIZE_MAX ? SIZE_MAX : row_of[core];
	case NET_BY_KIND:
		return row_of[kind];
	case NET_BY_DESTINATION:
		return row_of[module];
	}
	return SIZE_MAX;
}

static void
add_requests(struct net_breakdown *b, const struct net_state *state, enum net_by by, const size_t *row_of)
{
	const struct network *net = net_state_network(state);

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			for (size_t o = 0; net->module[m].cell[k].state == NET_CELL_REPORTED &&
				net->module[m].cell[k].n_hits && o < net_state_owners(state, m); o++) {
				size_t row = row_at(state, by, row_of, m, o, k);

				if (row != SIZE_MAX)
					known_add(&b->row[row].requests, net_state_cell(state, m, o, k).hits);
			}
	for (size_t i = 0; by == NET_BY_CORE && i < net->n_links; i++) {
		const struct net_link *link = &net->link[i];

		if (scope_within(net->module[link->to].per, SCOPE_CORE))
			continue;
		for (size_t o = 0; o < net_state_owners(state, link->from); o++)
			for (size_t k = 0; k < net->n_kinds; k++) {
				size_t row = row_at(state, by, row_of, link->from, o, k);
				double load = net_state_load(state, i, o, k);

				/* a link says nothing of most kinds */
				if (row != SIZE_MAX && !(isnan(load) && link->load && !link->load[k]))
					known_add(&b->row[row].requests, load);
			}
	}
}

static void
add_queues(struct net_breakdown *b, const struct net_state *state, enum net_by by, const size_t *row_of)
{
	struct net_queues *queues = net_queues_new(state);

	for (size_t i = 0; i < queues->n; i++) {
		const struct net_queue *queue = &queues->queue[i];
		size_t row = row_at(state, by, row_of, queue->module, queue->owner, queue->kind);

		if (row != SIZE_MAX)
			known_add(&b->row[row].queue, queue->length);
	}
	net_queues_free(queues);
}

/* Returns ns for what the rows of one destination count; 1 if they are in ns, or all rows are as the stalls are. */
static double
unit_of_rows(const struct net_breakdown *b, const struct net_stall_rows *rows, const struct net_stalls *stalls)
{
	double ns = NAN;

	if (!b->in_ns || rows->in_ns)
		return 1;
	for (size_t at = 0; at < stalls->n_owners * stalls->n_kinds && isnan(ns); at++)
		ns = net_stalls_ns(stalls, at, 1);
	return isnan(ns) ? 1 : ns;
}

static void
add_stalls(struct net_breakdown *b, const struct net_state *state, enum net_by by, const size_t *row_of,
	struct net_stalls *const *stalls, size_t n)
{
	struct net_stall_rows *all = net_stall_rows_new(state, stalls, n, true);

	b->in_ns = all->in_ns;
	net_stall_rows_free(all);
	for (size_t d = 0; d < n; d++) {
		struct net_stall_rows *rows = net_stall_rows_new(state, &stalls[d], 1, false);
		double unit = unit_of_rows(b, rows, stalls[d]);

		for (size_t i = 0; i < rows->n; i++) {
			const struct net_stall_row *from = &rows->row[i];
			size_t core = by != NET_BY_CORE ? SIZE_MAX : core_of(state, from->per, from->owner);
			size_t row = by == NET_BY_KIND ? row_of[from->kind]
				: by == NET_BY_DESTINATION ? row_of[stalls[d]->destination]
				: core == SIZE_MAX ? SIZE_MAX : row_of[core];

			if (row == SIZE_MAX) {
				b->elsewhere += unit * from->stall;
				continue;
			}
			b->row[row].part[by == NET_BY_DESTINATION ? from->kind : d] += unit * from->stall;
			b->row[row].stall += unit * from->stall;
			b->stall += unit * from->stall;
		}
		net_stall_rows_free(rows);
	}
}

static int
net_breakdown_compare(const void *a, const void *b)
{
	const struct net_breakdown_row *x = a, *y = b;

	if (x->stall > y->stall || x->stall < y->stall)
		return x->stall > y->stall ? -1 : 1;
	if (x->queue.sum > y->queue.sum || x->queue.sum < y->queue.sum)
		return x->queue.sum > y->queue.sum ? -1 : 1;
	if (x->requests.sum > y->requests.sum || x->requests.sum < y->requests.sum)
		return x->requests.sum > y->requests.sum ? -1 : 1;
	return x->item < y->item ? -1 : 1;
}

struct net_breakdown *
net_breakdown_new(const struct net_state *state, enum net_weight weight, enum net_by by)
{
	const struct network *net = net_state_network(state);
	struct net_breakdown *b = mem_new(sizeof *b);
	size_t n, *row_of;
	struct net_stalls **stalls = net_stalls_all(state, weight, &n);

	b->n_columns = by == NET_BY_DESTINATION ? net->n_kinds : n;
	b->column = mem_new_array(b->n_columns, sizeof *b->column);
	for (size_t i = 0; i < b->n_columns; i++)
		b->column[i] = by == NET_BY_DESTINATION ? i : stalls[i]->destination;
	row_of = breakdown_begin(b, state, by);
	add_requests(b, state, by, row_of);
	add_queues(b, state, by, row_of);
	add_stalls(b, state, by, row_of, stalls, n);
	if (b->n)
		qsort(b->row, b->n, sizeof *b->row, net_breakdown_compare);
	net_stalls_all_free(stalls, n);
	free(row_of);
	return b;
}

void
net_breakdown_free(struct net_breakdown *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n; i++)
		free(b->row[i].part);
	free(b->row);
	free(b->column);
	free(b);
}
