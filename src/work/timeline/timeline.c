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
forget_tables(struct timeline *p)
{
	timeline_forget_history(p);
	for (size_t i = 0; i < p->n_tables; i++) {
		network_data_free(p->table[i].data);
		for (size_t k = 0; p->table[i].columns && k < p->n_stacks; k++)
			stack_columns_free(p->table[i].columns[k]);
		free(p->table[i].columns);
		timeline_forget_phases(&p->table[i]);
		free(p->table[i].has_bar);
		free(p->table[i].rows);
		free(p->table[i].folded);
		free(p->table[i].ordered);
	}
	free(p->table);
	free(p->entry);
	p->generation++;
	p->table = NULL;
	p->entry = NULL;
	p->n_tables = p->n = p->cap = 0;
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
place_after(const struct timeline *p, const struct timeline_entry *m)
{
	size_t obs = p->table[m->table].data->snapshot[m->data_snapshot].obs;

	for (size_t end = p->n; end; end -= p->entry[end - 1].number) {
		const struct timeline_entry *last = &p->entry[end - 1];

		if (last->table == m->table && last->data_snapshot != SIZE_MAX &&
			p->table[last->table].data->snapshot[last->data_snapshot].obs == obs)
			return end;
	}
	return p->n;
}

/* Inserts a snapshot after those of its observation. Observations that grow at the same time stay contiguous: the
 * snapshots of later ones move up. */
static void
timeline_insert(struct timeline *p, struct timeline_entry m)
{
	size_t at = place_after(p, &m);

	mem_grow(&p->entry, &p->cap, p->n + 1, sizeof *p->entry);
	memmove(&p->entry[at + 1], &p->entry[at], (p->n - at) * sizeof *p->entry);
	p->moved += at < p->n;
	p->n++;
	p->entry[at] = m;
	p->entry[at].number = at && timeline_same_run(p, at - 1, at) ? p->entry[at - 1].number + 1 : 1;
	if (at <= p->history.first && p->history.n && at < p->n - 1)
		p->history.first++;
}

static bool
take_snapshots(struct timeline *p, size_t table)
{
	struct timeline_table *t = &p->table[table];
	size_t before = p->n;

	network_data_follow(t->data);
	for (; t->n_snapshots < t->data->n; t->n_snapshots++) {
		const struct network_data_snapshot *s = &t->data->snapshot[t->n_snapshots];
		const struct obs *o = t->table->obs[s->obs];

		timeline_insert(p, (struct timeline_entry){
			.table = (uint32_t)table, .data_snapshot = t->n_snapshots,
			.end = o->time ? o->time[s->first_row + s->n_rows - 1] : NAN, .seconds = s->seconds,
		});
	}
	return p->n > before;
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
timeline_take(struct timeline *p, const struct obs_table *const *table, size_t n)
{
	bool same = n >= p->n_tables, some = false;

	for (size_t i = 0; same && i < p->n_tables; i++)
		same = has_grown(&p->table[i], table[i]);
	if (!same) {
		some = p->n > 0;
		forget_tables(p);
	}
	if (n > p->n_tables) {
		struct timeline_table *more = mem_new_array(n, sizeof *more);

		for (size_t i = 0; i < p->n_tables; i++)
			more[i] = p->table[i];
		free(p->table);
		p->table = more;
		for (; p->n_tables < n; p->n_tables++)
			timeline_begin_table(p, &p->table[p->n_tables], table[p->n_tables]);
	}
	for (size_t i = 0; i < n; i++)
		if (p->table[i].data)
			some |= take_snapshots(p, i);
	for (size_t i = 0; i < n; i++) {
		some |= timeline_take_bars(p, i);
		p->table[i].changes = table[i]->changes;
	}
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
run_end(const struct timeline *p, size_t snapshot)
{
	size_t low = snapshot + 1, high = p->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->entry[middle].number > middle - snapshot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct timeline_snapshot
timeline_snapshot(const struct timeline *p, size_t snapshot)
{
	const struct timeline_entry *m = &p->entry[snapshot];
	const struct network_data_snapshot *s = timeline_data_snapshot(p, snapshot);
	const struct obs_table *t = p->table[m->table].table;

	/* until the next timeline_take(), the table may have dropped the observation of a run that was refused */
	return (struct timeline_snapshot){
		.name = s && s->obs < t->n ? t->obs[s->obs]->name : "", .number = m->number,
		.of = run_end(p, snapshot) + m->number - snapshot - 1, .end = m->end, .seconds = m->seconds,
		.network = s != NULL, .bars = p->n_stacks > 0,
	};
}

size_t
timeline_find(const struct timeline *p, const char *name, double end)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < p->n; i++) {
		const struct network_data_snapshot *s = timeline_data_snapshot(p, i);

		if (!str_eq(s ? p->table[p->entry[i].table].table->obs[s->obs]->name : "", name))
			continue;
		last = i;
		if (p->entry[i].end >= end)
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
begin_analysis(const struct timeline *p, size_t table)
{
	struct network_data *r = p->table[table].data;
	struct timeline_analysis *l = mem_new(sizeof *l);

	l->table = table;
	l->generation = p->generation;
	l->state = net_state_new(p->net, &r->owners->shape);
	l->map = net_path_map_new(l->state);
	l->queues = net_queues_new(l->state);
	l->counter = mem_new_array(p->net->n_counters, sizeof *l->counter);
	l->first = mem_copy(r->first_place, (p->net->n_counters + 1) * sizeof *l->first);
	l->count = mem_new_array(r->first_place[p->net->n_counters], sizeof *l->count);
	return l;
}

struct timeline_analysis *
timeline_analysis(const struct timeline *p, size_t snapshot, struct timeline_analysis *l)
{
	struct network_data *r;

	if (snapshot >= p->n || !timeline_data_snapshot(p, snapshot)) {
		timeline_analysis_free(l);
		return NULL;
	}
	if (l && (l->generation != p->generation || l->table != p->entry[snapshot].table)) {
		timeline_analysis_free(l);
		l = NULL;
	}
	if (!l)
		l = begin_analysis(p, p->entry[snapshot].table);
	r = p->table[l->table].data;
	l->snapshot = snapshot;
	network_data_take(r, p->entry[snapshot].data_snapshot, l->state);
	memcpy(l->counter, r->counter, p->net->n_counters * sizeof *l->counter);
	memcpy(l->count, r->count, r->first_place[p->net->n_counters] * sizeof *l->count);
	net_path_map_update(l->map, l->state);
	net_queues_update(l->queues, l->state);
	l->stalls_due = true;
	l->culprit = timeline_longest(l->queues);
	l->broken_laws = 0;
	for (size_t i = 0; i < p->net->n_laws; i++) {
		double left, right;

		net_state_law(l->state, i, &left, &right);
		l->broken_laws += !isnan(left) && !isnan(right) && !net_state_law_holds(l->state, i);
	}
	return l;
}

void
timeline_analysis_stalls(struct timeline_analysis *l)
{
	if (l->stalls_due && l->stalls)
		net_stalls_update(l->stalls, l->n_stalls, l->state);
	else if (l->stalls_due)
		l->stalls = net_stalls_all(l->state, &l->n_stalls);
	l->stalls_due = false;
}

void
timeline_analysis_free(struct timeline_analysis *l)
{
	if (!l)
		return;
	net_stalls_all_free(l->stalls, l->n_stalls);
	net_queues_free(l->queues);
	net_path_map_free(l->map);
	net_state_free(l->state);
	free(l->counter);
	free(l->first);
	free(l->count);
	free(l);
}

const char *
timeline_owner(const struct timeline *p, enum scope s, size_t owner)
{
	for (size_t i = 0; i < p->n_tables; i++) {
		const struct network_data *r = p->table[i].data;

		if (r && r->owners->name[s] && owner < r->owners->shape.n[s])
			return r->owners->name[s][owner];
	}
	return "";
}
