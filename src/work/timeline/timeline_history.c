/* The lengths of all queues in the snapshots up to one, as view 7 draws them. The arrays are a window of at most
 * TIMELINE_HISTORY snapshots that moves with the question: what both windows share is kept, the rest is computed.
 *
 *     snapshots   … 37 38 39 40 41 42 43 …
 *     history          ├──────────┤              asked up to 41
 *                         ├──────────┤           asked up to 42: 39 … 41 are moved, 42 is added */
#include "work/timeline/timeline_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/queues.h"
#include "work/timeline/column_owners.h"

void
timeline_forget_history(struct timeline *p)
{
	net_queues_free(p->queues);
	net_state_free(p->state);
	free(p->module_first);
	free(p->culprit);
	free(p->length);
	p->queues = NULL;
	p->state = NULL;
	p->module_first = p->culprit = NULL;
	p->length = NULL;
	p->history = (struct timeline_history){0};
}

/* Allocates the history for the owners of a table. */
static void
begin_history(struct timeline *p, size_t table)
{
	struct timeline_history *h = &p->history;
	size_t n = 0;

	timeline_forget_history(p);
	p->state = net_state_new(p->net, &p->table[table].data->owners->shape);
	p->queues = net_queues_new(p->state);
	p->state_table = table;
	p->module_first = mem_new_array(p->net->n_modules + 1, sizeof *p->module_first);
	for (size_t m = 0; m < p->net->n_modules; m++)
		p->module_first[m + 1] = n += net_state_owners(p->state, m);
	h->n_kinds = p->net->n_kinds;
	h->n_cells = n * h->n_kinds;
	h->module_first = p->module_first;
	h->length = p->length = mem_new_array(TIMELINE_HISTORY * h->n_cells, sizeof *p->length);
	h->culprit = p->culprit = mem_new_array(TIMELINE_HISTORY, sizeof *p->culprit);
}

static void
timeline_history_remember(struct timeline *p, size_t snapshot)
{
	struct timeline_history *h = &p->history;
	float *length = p->length + (snapshot - h->first) * h->n_cells;
	struct net_queues *q = p->queues;

	network_data_take(p->table[p->state_table].data, p->entry[snapshot].data_snapshot, p->state);
	net_queues_update(q, p->state);
	for (size_t i = 0; i < h->n_cells; i++)
		length[i] = NAN;
	for (size_t i = 0; i < q->n; i++)
		length[timeline_cell(h, q->queue[i].module, q->queue[i].owner, q->queue[i].kind)] =
			(float)q->queue[i].length;
	p->culprit[snapshot - h->first] = timeline_longest(q)
		? timeline_cell(h, q->queue[0].module, q->queue[0].owner, q->queue[0].kind) : SIZE_MAX;
}

/* Moves the history of snapshots from … to - 1 to its place in a history that begins at `first`. */
static void
move_history(struct timeline *p, size_t first, size_t from, size_t to)
{
	size_t cells = p->history.n_cells, was = from - p->history.first, now = from - first;

	memmove(p->length + now * cells, p->length + was * cells, (to - from) * cells * sizeof *p->length);
	memmove(p->culprit + now, p->culprit + was, (to - from) * sizeof *p->culprit);
}

const struct timeline_history *
timeline_history(struct timeline *p, size_t upto)
{
	struct timeline_history *h = &p->history;
	size_t first, from, to;

	if (upto >= p->n || !timeline_data_snapshot(p, upto))
		return NULL;
	first = upto + 1 - (p->entry[upto].number < TIMELINE_HISTORY ? p->entry[upto].number : TIMELINE_HISTORY);
	if (!p->state || p->state_table != p->entry[upto].table)
		begin_history(p, p->entry[upto].table);
	from = first > h->first ? first : h->first;
	to = upto + 1 < h->first + h->n ? upto + 1 : h->first + h->n;
	if (from < to)
		move_history(p, first, from, to);
	else
		from = to = first; /* nothing of the range is in the history */
	h->first = first;
	h->n = upto - first + 1;
	for (size_t m = first; m <= upto; m++)
		if (m < from || m >= to)
			timeline_history_remember(p, m);
	return h;
}
