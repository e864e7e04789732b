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
timeline_forget_history(struct timeline *timeline)
{
	net_queues_free(timeline->queues);
	net_state_free(timeline->state);
	free(timeline->module_first);
	free(timeline->culprit);
	free(timeline->length);
	timeline->queues = NULL;
	timeline->state = NULL;
	timeline->module_first = timeline->culprit = NULL;
	timeline->length = NULL;
	timeline->history = (struct timeline_history){0};
}

/* Allocates the history for the owners of a table. */
static void
begin_history(struct timeline *timeline, size_t table)
{
	struct timeline_history *history = &timeline->history;
	size_t n = 0;

	timeline_forget_history(timeline);
	timeline->state = net_state_new(timeline->net, &timeline->table[table].data->owners->shape);
	timeline->queues = net_queues_new(timeline->state);
	timeline->state_table = table;
	timeline->module_first = mem_new_array(timeline->net->n_modules + 1, sizeof *timeline->module_first);
	for (size_t m = 0; m < timeline->net->n_modules; m++)
		timeline->module_first[m + 1] = n += net_state_owners(timeline->state, m);
	history->n_kinds = timeline->net->n_kinds;
	history->n_cells = n * history->n_kinds;
	history->module_first = timeline->module_first;
	history->length = timeline->length = mem_new_array(
		TIMELINE_HISTORY * history->n_cells, sizeof *timeline->length);
	history->culprit = timeline->culprit = mem_new_array(TIMELINE_HISTORY, sizeof *timeline->culprit);
}

static void
timeline_history_remember(struct timeline *timeline, size_t snapshot)
{
	struct timeline_history *history = &timeline->history;
	float *length = timeline->length + (snapshot - history->first) * history->n_cells;
	struct net_queues *queues = timeline->queues;

	network_data_take(
		timeline->table[timeline->state_table].data, timeline->entry[snapshot].data_snapshot, timeline->state);
	net_queues_update(queues, timeline->state);
	for (size_t i = 0; i < history->n_cells; i++)
		length[i] = NAN;
	for (size_t i = 0; i < queues->n; i++)
		length[timeline_cell(history, queues->queue[i].module, queues->queue[i].owner, queues->queue[i].kind)] =
			(float)queues->queue[i].length;
	timeline->culprit[snapshot - history->first] = timeline_longest(queues)
		? timeline_cell(history, queues->queue[0].module, queues->queue[0].owner, queues->queue[0].kind)
		: SIZE_MAX;
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
timeline_history(struct timeline *timeline, size_t upto)
{
	struct timeline_history *history = &timeline->history;
	size_t first, from, to;

	if (upto >= timeline->n || !timeline_data_snapshot(timeline, upto))
		return NULL;
	first = upto + 1 -
		(timeline->entry[upto].number < TIMELINE_HISTORY ? timeline->entry[upto].number : TIMELINE_HISTORY);
	if (!timeline->state || timeline->state_table != timeline->entry[upto].table)
		begin_history(timeline, timeline->entry[upto].table);
	from = first > history->first ? first : history->first;
	to = upto + 1 < history->first + history->n ? upto + 1 : history->first + history->n;
	if (from < to)
		move_history(timeline, first, from, to);
	else
		from = to = first; /* nothing of the range is in the history */
	history->first = first;
	history->n = upto - first + 1;
	for (size_t m = first; m <= upto; m++)
		if (m < from || m >= to)
			timeline_history_remember(timeline, m);
	return history;
}
