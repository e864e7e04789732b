#include "work/timeline/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/methods.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/timeline_state.h"

struct timeline *
timeline_new(struct network *net, struct stack *stack)
{
	struct timeline *p = mem_new(sizeof *p);

	p->net = net;
	if (stack)
		timeline_add_stack(p, stack);
	else
		p->methods = methods_new(NULL, 0);
	return p;
}

static void
forget_tables(struct timeline *timeline)
{
	timeline_forget_history(timeline);
	timeline_forget_course(timeline);
	for (size_t i = 0; i < timeline->n_tables; i++) {
		network_data_free(timeline->table[i].data);
		for (size_t k = 0; timeline->table[i].columns && k < timeline->n_stacks; k++)
			stack_columns_free(timeline->table[i].columns[k]);
		free(timeline->table[i].columns);
		timeline_forget_phases(&timeline->table[i]);
		free(timeline->table[i].has_bar);
		free(timeline->table[i].rows);
		free(timeline->table[i].folded);
		free(timeline->table[i].ordered);
	}
	free(timeline->table);
	free(timeline->entry);
	timeline->generation++;
	timeline->table = NULL;
	timeline->entry = NULL;
	timeline->n_tables = timeline->n = timeline->cap = 0;
}

void
timeline_free(struct timeline *p)
{
	if (!p)
		return;
	forget_tables(p);
	network_free(p->net);
	methods_free(p->methods);
	for (size_t i = 0; i < p->n_stacks; i++)
		stack_free(p->stack[i]);
	free(p->stack);
	free(p);
}

const struct network *
timeline_network(const struct timeline *p)
{
	return p->net;
}

struct stack *
timeline_stack(const struct timeline *p)
{
	return p->n_stacks ? p->stack[p->chosen] : NULL;
}

struct stack *const *
timeline_stacks(const struct timeline *p, size_t *n)
{
	*n = p->n_stacks;
	return p->stack;
}

void
timeline_add_stack(struct timeline *p, struct stack *s)
{
	forget_tables(p);
	p->stack = mem_resize(p->stack, p->n_stacks + 1, sizeof *p->stack);
	p->stack[p->n_stacks++] = s;
	methods_free(p->methods);
	p->methods = methods_new(p->stack, p->n_stacks);
}

size_t
timeline_chosen(const struct timeline *p)
{
	return p->chosen;
}

void
timeline_choose(struct timeline *p, size_t stack)
{
	if (stack < p->n_stacks)
		p->chosen = stack;
}

const struct methods *
timeline_methods(const struct timeline *p)
{
	return p->methods;
}

/* Does the table still hold the rows that were taken before, possibly with more rows or observations after them? */
static bool
has_grown(const struct timeline_table *t, const struct obs_table *now)
{
	if (t->table != now || now->n_columns != t->n_columns || now->n < t->n_rows)
		return false;
	for (size_t i = 0; i < t->n_rows; i++)
		if (now->obs[i]->n_rows < t->rows[i] || now->obs[i]->folded != t->folded[i])
			return false;
	return true;
}

static void
timeline_begin_table(struct timeline *p, struct timeline_table *t, const struct obs_table *table)
{
	*t = (struct timeline_table){.table = table, .n_columns = table->n_columns};
	if (p->net) {
		t->data = network_data_new(p->net, table, NULL, true);
		if (!t->data->n_matched) {
			network_data_free(t->data);
			t->data = NULL;
		}
	}
	timeline_find_columns(p, t);
}

bool
timeline_same_run(const struct timeline *p, size_t a, size_t b)
{
	const struct timeline_entry *x = &p->entry[a], *y = &p->entry[b];

	if (x->table != y->table || (x->data_snapshot == SIZE_MAX) != (y->data_snapshot == SIZE_MAX))
		return false;
	return x->data_snapshot == SIZE_MAX ||
		p->table[x->table].data->snapshot[x->data_snapshot].obs ==
		p->table[y->table].data->snapshot[y->data_snapshot].obs;
}

void
timeline_number(struct timeline *p, size_t from)
{
	for (size_t i = from; i < p->n; i++)
		p->entry[i].number = i && timeline_same_run(p, i - 1, i) ? p->entry[i - 1].number + 1 : 1;
}

/* Returns the index after the last snapshot of the same observation, or the end where it has none. Searches run by run,
 * from the last. */
static size_t
place_after(const struct timeline *timeline, const struct timeline_entry *entry)
{
	size_t obs = timeline->table[entry->table].data->snapshot[entry->data_snapshot].obs;

	for (size_t end = timeline->n; end; end -= timeline->entry[end - 1].number) {
		const struct timeline_entry *last = &timeline->entry[end - 1];

		if (last->table == entry->table && last->data_snapshot != SIZE_MAX &&
			timeline->table[last->table].data->snapshot[last->data_snapshot].obs == obs)
			return end;
	}
	return timeline->n;
}

/* Inserts a snapshot after those of its observation. Observations that grow at the same time stay contiguous: the
 * snapshots of later ones move up. */
static void
timeline_insert(struct timeline *timeline, struct timeline_entry m)
{
	size_t at = place_after(timeline, &m);

	mem_grow(&timeline->entry, &timeline->cap, timeline->n + 1, sizeof *timeline->entry);
	memmove(&timeline->entry[at + 1], &timeline->entry[at], (timeline->n - at) * sizeof *timeline->entry);
	timeline->moved += at < timeline->n;
	timeline->n++;
	timeline->entry[at] = m;
	timeline->entry[at].number = at && timeline_same_run(timeline, at - 1, at) ? timeline->entry[at - 1].number + 1
										   : 1;
	if (at <= timeline->history.first && timeline->history.n && at < timeline->n - 1)
		timeline->history.first++;
}

static bool
take_snapshots(struct timeline *timeline, size_t table)
{
	struct timeline_table *timeline_table = &timeline->table[table];
	size_t before = timeline->n;

	network_data_follow(timeline_table->data);
	for (; timeline_table->n_snapshots < timeline_table->data->n; timeline_table->n_snapshots++) {
		const struct network_data_snapshot *snapshot =
			&timeline_table->data->snapshot[timeline_table->n_snapshots];
		const struct obs *obs = network_data_obs(timeline_table->data, timeline_table->n_snapshots);

		timeline_insert(timeline,
			(struct timeline_entry){
				.table = (uint32_t)table,
				.data_snapshot = timeline_table->n_snapshots,
				.end = obs->time ? obs->time[snapshot->first_row + snapshot->n_rows - 1] : NAN,
				.seconds = snapshot->seconds,
			});
	}
	return timeline->n > before;
}

bool
timeline_has_news(const struct timeline *p, const struct obs_table *const *table, size_t n)
{
	bool same = n == p->n_tables;

	for (size_t i = 0; same && i < n; i++)
		same = p->table[i].table == table[i] && p->table[i].changes == table[i]->changes;
	return !same;
}

bool
timeline_take(struct timeline *timeline, const struct obs_table *const *table, size_t n)
{
	bool same = n >= timeline->n_tables, some = false;

	for (size_t i = 0; same && i < timeline->n_tables; i++)
		same = has_grown(&timeline->table[i], table[i]);
	if (!same) {
		some = timeline->n > 0;
		forget_tables(timeline);
	}
	if (n > timeline->n_tables) {
		struct timeline_table *more = mem_new_array(n, sizeof *more);

		for (size_t i = 0; i < timeline->n_tables; i++)
			more[i] = timeline->table[i];
		free(timeline->table);
		timeline->table = more;
		for (; timeline->n_tables < n; timeline->n_tables++)
			timeline_begin_table(timeline, &timeline->table[timeline->n_tables], table[timeline->n_tables]);
	}
	for (size_t i = 0; i < n; i++)
		if (timeline->table[i].data)
			some |= take_snapshots(timeline, i);
	for (size_t i = 0; i < n; i++) {
		some |= timeline_take_bars(timeline, i);
		timeline->table[i].changes = table[i]->changes;
	}
	timeline_renew_course(timeline);
	return some;
}

size_t
timeline_generation(const struct timeline *p)
{
	return p->generation + p->moved;
}

size_t
timeline_snapshots(const struct timeline *p)
{
	return p->n;
}

const struct network_data_snapshot *
timeline_data_snapshot(const struct timeline *p, size_t snapshot)
{
	const struct timeline_entry *m = &p->entry[snapshot];

	return m->data_snapshot == SIZE_MAX ? NULL : &p->table[m->table].data->snapshot[m->data_snapshot];
}

/* Returns the index after the last snapshot of this one's run. Inside a run, number and index rise together; after it,
 * the number is smaller. So binary search works. */
static size_t
run_end(const struct timeline *timeline, size_t snapshot)
{
	size_t low = snapshot + 1, high = timeline->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (timeline->entry[middle].number > middle - snapshot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the name of the snapshot's observation. Until the next timeline_take(), the table may have dropped the
 * observation of a run that was refused. */
static const char *
snapshot_name(const struct timeline *timeline, size_t snapshot)
{
	const struct network_data_snapshot *of = timeline_data_snapshot(timeline, snapshot);
	const struct network_data *data = timeline->table[timeline->entry[snapshot].table].data;

	return of && of->obs < data->table->n ? data->table->obs[of->obs]->name : "";
}

struct timeline_snapshot
timeline_snapshot(const struct timeline *timeline, size_t snapshot)
{
	const struct timeline_entry *entry = &timeline->entry[snapshot];

	return (struct timeline_snapshot){
		.name = snapshot_name(timeline, snapshot),
		.number = entry->number,
		.of = run_end(timeline, snapshot) + entry->number - snapshot - 1,
		.end = entry->end,
		.seconds = entry->seconds,
		.network = timeline_data_snapshot(timeline, snapshot) != NULL,
		.bars = timeline->n_stacks > 0,
	};
}

size_t
timeline_find(const struct timeline *timeline, const char *name, double end)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < timeline->n; i++) {
		if (!str_eq(snapshot_name(timeline, i), name))
			continue;
		last = i;
		if (timeline->entry[i].end >= end)
			break;
	}
	return last;
}

const struct net_queue *
timeline_longest(const struct net_queues *q)
{
	return q->awaited && q->queue[0].length >= TIMELINE_CULPRIT_LEAST ? &q->queue[0] : NULL;
}

static struct timeline_analysis *
begin_analysis(const struct timeline *timeline, size_t table)
{
	struct network_data *data = timeline->table[table].data;
	struct timeline_analysis *analysis = mem_new(sizeof *analysis);

	analysis->table = table;
	analysis->generation = timeline->generation;
	analysis->state = net_state_new(timeline->net, &data->owners->shape);
	analysis->map = net_path_map_new(analysis->state);
	analysis->queues = net_queues_new(analysis->state);
	analysis->counter = mem_new_array(timeline->net->n_counters, sizeof *analysis->counter);
	analysis->first = mem_copy(data->first_place, (timeline->net->n_counters + 1) * sizeof *analysis->first);
	analysis->count = mem_new_array(data->first_place[timeline->net->n_counters], sizeof *analysis->count);
	return analysis;
}

/* `seconds`: of the run up to this snapshot; 0: the snapshot alone. */
static struct timeline_analysis *
analyse(const struct timeline *timeline, size_t snapshot, double seconds, struct timeline_analysis *analysis)
{
	struct network_data *data;

	if (snapshot >= timeline->n || !timeline_data_snapshot(timeline, snapshot)) {
		timeline_analysis_free(analysis);
		return NULL;
	}
	if (analysis &&
		(analysis->generation != timeline->generation || analysis->table != timeline->entry[snapshot].table)) {
		timeline_analysis_free(analysis);
		analysis = NULL;
	}
	if (!analysis)
		analysis = begin_analysis(timeline, timeline->entry[snapshot].table);
	data = timeline->table[analysis->table].data;
	analysis->snapshot = snapshot;
	analysis->run = seconds > 0;
	if (analysis->run)
		network_data_take_run(data, timeline->entry[snapshot].data_snapshot, seconds, analysis->state);
	else
		network_data_take(data, timeline->entry[snapshot].data_snapshot, analysis->state);
	memcpy(analysis->counter, data->counter, timeline->net->n_counters * sizeof *analysis->counter);
	memcpy(analysis->count, data->count, data->first_place[timeline->net->n_counters] * sizeof *analysis->count);
	net_path_map_update(analysis->map, analysis->state);
	net_queues_update(analysis->queues, analysis->state);
	analysis->stalls_due = true;
	analysis->culprit = timeline_longest(analysis->queues);
	analysis->broken_laws = 0;
	for (size_t i = 0; i < timeline->net->n_laws; i++) {
		double left, right;

		net_state_law(analysis->state, i, &left, &right);
		analysis->broken_laws += !isnan(left) && !isnan(right) && !net_state_law_holds(analysis->state, i);
	}
	return analysis;
}

struct timeline_analysis *
timeline_analysis(const struct timeline *timeline, size_t snapshot, struct timeline_analysis *old)
{
	return analyse(timeline, snapshot, 0, old);
}

struct timeline_analysis *
timeline_analysis_run(const struct timeline *timeline, size_t last, struct timeline_analysis *old)
{
	return analyse(timeline, last, INFINITY, old);
}

struct timeline_analysis *
timeline_analysis_last(
	const struct timeline *timeline, size_t last, double seconds, struct timeline_analysis *old)
{
	return analyse(timeline, last, seconds, old);
}

void
timeline_analysis_stalls(struct timeline_analysis *l)
{
	if (l->stalls_due && l->stalls)
		net_stalls_update(l->stalls, l->n_stalls, l->state);
	else if (l->stalls_due)
		l->stalls = net_stalls_all(l->state, NET_BY_DELAY, &l->n_stalls);
	l->stalls_due = false;
}

void
timeline_analysis_free(struct timeline_analysis *analysis)
{
	if (!analysis)
		return;
	net_stalls_all_free(analysis->stalls, analysis->n_stalls);
	net_queues_free(analysis->queues);
	net_path_map_free(analysis->map);
	net_state_free(analysis->state);
	free(analysis->counter);
	free(analysis->first);
	free(analysis->count);
	free(analysis);
}

const struct column_owners *
timeline_owners(const struct timeline *p, enum scope s)
{
	for (size_t i = 0; i < p->n_tables; i++)
		if (p->table[i].data && p->table[i].data->owners->name[s])
			return p->table[i].data->owners;
	return NULL;
}

const char *
timeline_owner(const struct timeline *p, enum scope s, size_t owner)
{
	for (size_t i = 0; i < p->n_tables; i++) {
		const struct network_data *r = p->table[i].data;
		const char *name = r ? column_owners_name(r->owners, s, owner) : NULL;

		if (name)
			return name;
	}
	return "";
}
