#include "collect/perf/flow_lane.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collect/perf/flow_tasks.h"
#include "collect/perf/record_bytes.h"

#define TAIL (2 * sizeof(uint64_t)) /* pid and tid, time: at the end of every record except samples */
#define UNKNOWN (-2)
#define NUMBERLESS (-1)
#define NOBODY 0

void
flow_lane_begin(struct flow_lane *l, size_t core, const struct flow_taker *to)
{
	l->core = core;
	l->to = to;
	l->value = mem_new_array(1 + to->group->n_members, sizeof *l->value);
	l->read.value = mem_new_array(1 + to->group->n_members, sizeof *l->read.value);
	l->total = mem_new_array(to->group->n_counters, sizeof *l->total);
	l->counted = mem_new_array(to->group->n_counters, sizeof *l->counted);
	l->running = l->put = l->leaving = UNKNOWN;
	l->since_ns = to->begin_ns;
}

void
flow_lane_end(struct flow_lane *l)
{
	free(l->value);
	free(l->read.value);
	free(l->total);
	free(l->counted);
}

/* --- from bytes to items ----------------------------------------------------------------------------------------- */

/* Reads the fields TID, TIME and READ: their number, the time enabled, the values. */
static bool
parse_sample(struct flow_lane *lane, struct bytes b)
{
	const size_t n = 1 + lane->to->group->n_members;
	uint64_t head[2];
	int32_t who[2];

	if (!bytes_take(&b, who, sizeof who) || !bytes_take(&b, &lane->item.ns, sizeof lane->item.ns) ||
		!bytes_take(&b, head, sizeof head) || head[0] != n ||
		!bytes_take(&b, lane->value, n * sizeof *lane->value))
		return false;
	lane->item.kind = FLOW_ITEM_SAMPLE;
	lane->item.pid = who[0];
	lane->item.tid = who[1];
	lane->item.n = lane->value[0];
	return true;
}

static bool
flow_lane_parse_switch(struct flow_item *i, struct bytes body, unsigned misc)
{
	int32_t other[2];

	i->kind = misc & PERF_RECORD_MISC_SWITCH_OUT ? FLOW_ITEM_OUT : FLOW_ITEM_COME;
	i->preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	if (!bytes_take(&body, other, sizeof other))
		return false;
	i->other = other[1];
	return true;
}

static bool
parse_task(struct flow_item *i, struct bytes body, unsigned type)
{
	int32_t v[4]; /* pid, ppid, tid, ptid */

	if (!bytes_take(&body, v, sizeof v))
		return false;
	i->kind = type == PERF_RECORD_FORK ? FLOW_ITEM_FORK : FLOW_ITEM_EXIT;
	i->pid = v[0];
	i->tid = v[2];
	i->other = v[3];
	return true;
}

static bool
parse_name(struct flow_item *i, struct bytes body)
{
	int32_t v[2];

	if (!bytes_take(&body, v, sizeof v))
		return false;
	i->kind = FLOW_ITEM_NAME;
	i->pid = v[0];
	i->tid = v[1];
	bytes_copy_name(body, i->name, sizeof i->name);
	return true;
}

static bool
parse_loss(struct flow_item *i, struct bytes body, unsigned type)
{
	uint64_t id;

	i->kind = FLOW_ITEM_LOST;
	return (type != PERF_RECORD_LOST || bytes_take(&body, &id, sizeof id)) && bytes_take(&body, &i->n, sizeof i->n);
}

/* Returns true when l->item is the record. */
static bool
parse(struct flow_lane *lane, const void *record, size_t size)
{
	struct bytes body = {(const unsigned char *)record, (const unsigned char *)record + size}, tail;
	struct perf_event_header h;
	int32_t who[2];

	lane->item = (struct flow_item){0};
	if (!bytes_take(&body, &h, sizeof h))
		return false;
	if (h.type == PERF_RECORD_SAMPLE)
		return parse_sample(lane, body);
	if (size < sizeof h + TAIL)
		return false;
	body.end -= TAIL;
	tail = (struct bytes){body.end, body.end + TAIL};
	bytes_take(&tail, who, sizeof who);
	bytes_take(&tail, &lane->item.ns, sizeof lane->item.ns);
	lane->item.pid = who[0];
	lane->item.tid = who[1];
	switch (h.type) {
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return flow_lane_parse_switch(&lane->item, body, h.misc);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return parse_task(&lane->item, body, h.type);
	case PERF_RECORD_COMM:
		return parse_name(&lane->item, body);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return parse_loss(&lane->item, body, h.type);
	}
	return false;
}

/* Does the caller's read come before the next record? It saw all switches up to its number, and their records are in
 * the ring. */
static bool
read_is_next(const struct flow_lane *l)
{
	return l->read.due && (!l->has || (l->item.kind == FLOW_ITEM_SAMPLE && l->item.n > l->read.n));
}

uint64_t
flow_lane_next(struct flow_lane *l)
{
	const void *record;
	size_t size;

	while (!l->has && (record = ring_next(&l->ring, &size)) != NULL) {
		l->has = parse(l, record, size);
		l->health.foreign += !l->has;
	}
	return read_is_next(l) ? l->read.ns : l->has ? l->item.ns : UINT64_MAX;
}

/* --- from items to events of flows ------------------------------------------------------------------------------- */

static void
pass_time(struct flow_lane *l, uint64_t ns)
{
	if (ns > l->since_ns) {
		l->busy_ns += l->running > 0 ? ns - l->since_ns : 0;
		l->since_ns = ns;
	}
}

/* Writes the group's totals; for clocks, the time reported so far. */
static void
take_totals(struct flow_lane *l, const uint64_t *value)
{
	const struct flow_group *g = l->to->group;

	memset(l->total, 0, g->n_counters * sizeof *l->total);
	for (size_t i = 0; i < g->n_members; i++)
		l->total[g->counter[i]] += value[1 + i];
	l->seen = value[0];
}

enum counts { COUNTS_NONE, COUNTS_QUIET, COUNTS_ALL };

static void
deliver(struct flow_lane *lane, size_t core, enum flow_kind kind, int32_t task, uint64_t ns, enum counts counts)
{
	const struct flow_group *group = lane->to->group;
	struct flow_event e = {.kind = kind, .core = core, .task = task,
		.ns = ns > lane->to->delivered_ns[core] ? ns : lane->to->delivered_ns[core]};

	if (counts != COUNTS_NONE) {
		for (size_t i = 0; i < group->n_counters; i++) {
			lane->counted[i] = (counts == COUNTS_ALL || group->quiet[i]) &&
				!(group->clock[i] && lane->clock_lost);
			if (group->clock[i])
				lane->total[i] = lane->busy_ns;
		}
		e.count = lane->total;
		e.counted = lane->counted;
		lane->clock_lost = false;
	}
	lane->to->delivered_ns[core] = e.ns;
	lane->to->take(lane->to->ctx, &e);
}

static void
hand_over(struct flow_lane *l, enum flow_kind kind, int32_t task, uint64_t ns, enum counts counts)
{
	deliver(l, l->core, kind, task, ns, counts);
}

/* Handles a loss: the tasks on the CPU since the last event are unknown, and so is the current one. */
static void
lose_track(struct flow_lane *l)
{
	if (l->put != UNKNOWN || l->running != UNKNOWN)
		hand_over(l, FLOW_GAP, NOBODY, 0, COUNTS_NONE);
	l->running = l->put = l->leaving = UNKNOWN;
	l->unrecorded = false;
	l->begun = l->clock_lost = true;
}

/* Reports a switch if the outgoing or the incoming task is followed. */
static void
put_on(struct flow_lane *lane, int32_t tid, uint64_t ns, enum counts counts)
{
	struct flow_task *flow_task = tid > 0 ? flow_tasks_get(lane->to->tasks, tid, 0) : NULL;
	int32_t task = flow_task && flow_task->followed ? tid : NOBODY;

	if (task && flow_task->core != FLOW_TASK_NOWHERE && flow_task->core != lane->core)
		deliver(lane, flow_task->core, FLOW_MIGRATE, task, ns, COUNTS_NONE);
	if (flow_task)
		flow_task->core = lane->core;
	if (task || lane->put != NOBODY)
		hand_over(lane, FLOW_IN, task, ns, counts);
	lane->put = task;
	lane->running = tid;
}

/* Begins with this task on the CPU. All totals were 0 when the group was enabled. */
static void
begin_with(struct flow_lane *l, int32_t tid)
{
	l->begun = true;
	put_on(l, tid, l->to->begin_ns, COUNTS_ALL);
}

/* Have all switches up to this number been processed? */
static bool
follows_on(struct flow_lane *l, uint64_t n)
{
	uint64_t missing = n - l->seen, expected = l->unrecorded && missing > 0 ? 1 : 0;

	l->health.idle += l->from_idle ? expected : 0;
	l->health.lost += missing - (l->from_idle ? expected : 0);
	l->unrecorded &= !expected;
	return missing == expected;
}

static void
take_sample(struct flow_lane *lane, const struct flow_item *item)
{
	/* an exiting task may already have lost its number */
	int32_t tid = item->tid >= 0 ? item->tid : lane->running != UNKNOWN ? lane->running : NUMBERLESS;

	if (item->n <= lane->seen) {
		lane->health.foreign++;
		return;
	}
	lane->health.switches++;
	/* A different number than at its switch-in may still be the same task: a thread that called execve(2) has its
	 * leader's number. */
	if (!follows_on(lane, item->n - 1))
		lose_track(lane);
	else if (!lane->begun)
		begin_with(lane, tid);
	pass_time(lane, item->ns);
	take_totals(lane, lane->value);
	lane->unrecorded = false;
	lane->leaving = tid;
	lane->leaving_ns = item->ns;
}

/* Reports the end of a task if it is exiting. */
static void
end_if_exiting(struct flow_lane *l, struct flow_task *k, uint64_t ns, enum counts counts)
{
	if (!k || !k->ending || k->ended)
		return;
	if (k->followed)
		hand_over(l, FLOW_EXIT, k->tid, ns, counts);
	flow_tasks_end(l->to->tasks, k->tid);
}

static void
flow_lane_take_out(struct flow_lane *lane, const struct flow_item *item)
{
	struct flow_task *task = lane->leaving > 0 ? flow_tasks_find(lane->to->tasks, lane->leaving) : NULL;

	if (lane->leaving == UNKNOWN) { /* its sample was lost, as its number will show */
		lose_track(lane);
		if (!item->preempted && item->tid > 0)
			end_if_exiting(lane, flow_tasks_find(lane->to->tasks, item->tid), item->ns, COUNTS_NONE);
		put_on(lane, item->other, item->ns, COUNTS_NONE);
		return;
	}
	if (!item->preempted)
		end_if_exiting(lane, task, lane->leaving_ns, task && lane->put == task->tid ? COUNTS_ALL : COUNTS_NONE);
	put_on(lane, item->other, lane->leaving_ns, COUNTS_ALL);
	lane->leaving = UNKNOWN;
}

/* Handles a switch-in record, which names the incoming task. If the switch-out before it was not recorded, time is
 * still exact, and so are counts after the idle task; other counts belong to both tasks together. */
static void
flow_lane_take_in(struct flow_lane *l, const struct flow_item *i)
{
	if (i->tid == l->running)
		return;
	if (!l->begun)
		begin_with(l, NOBODY);
	pass_time(l, i->ns);
	l->unrecorded = l->running != UNKNOWN;
	l->from_idle = l->running == NOBODY;
	put_on(l, i->tid, i->ns, l->from_idle ? COUNTS_QUIET : COUNTS_NONE);
}

static void
take_item(struct flow_lane *lane)
{
	const struct flow_item *item = &lane->item;
	struct flow_task *task;

	switch (item->kind) {
	case FLOW_ITEM_SAMPLE:
		take_sample(lane, item);
		break;
	case FLOW_ITEM_OUT:
		flow_lane_take_out(lane, item);
		break;
	case FLOW_ITEM_COME:
		flow_lane_take_in(lane, item);
		break;
	case FLOW_ITEM_FORK:
		flow_tasks_fork(lane->to->tasks, item->tid, item->pid, item->other);
		break;
	case FLOW_ITEM_EXIT:
		task = flow_tasks_find(lane->to->tasks, item->tid);
		if (task)
			task->ending = true;
		break;
	case FLOW_ITEM_NAME:
		flow_tasks_name(lane->to->tasks, item->tid, item->pid, item->name);
		break;
	case FLOW_ITEM_LOST:
		lane->health.dropped += item->n;
		lose_track(lane);
		break;
	}
}

/* Reports the caller's read. Before the first switch the task is unknown. */
static void
take_read(struct flow_lane *l)
{
	l->read.due = false;
	if (!follows_on(l, l->read.n) || l->running == UNKNOWN)
		lose_track(l);
	pass_time(l, l->read.ns);
	take_totals(l, l->read.value);
	hand_over(l, FLOW_READ, NOBODY, l->read.ns, COUNTS_ALL);
}

void
flow_lane_take(struct flow_lane *l)
{
	if (read_is_next(l)) {
		take_read(l);
		return;
	}
	if (!l->has)
		return;
	take_item(l);
	l->has = false;
}

void
flow_lanes_finish(struct flow_lane *lanes, uint64_t ns)
{
	struct flow_tasks *tasks = lanes[0].to->tasks;

	for (struct flow_task *k; (k = flow_tasks_ending(tasks)) != NULL;) {
		if (k->core == FLOW_TASK_NOWHERE)
			flow_tasks_end(tasks, k->tid);
		else
			end_if_exiting(&lanes[k->core], k, ns, COUNTS_NONE);
	}
}

void
flow_lane_read(struct flow_lane *l, uint64_t ns, const uint64_t *value)
{
	l->read.due = true; /* a previous read that is not sorted in yet is replaced: this one includes it */
	l->read.ns = ns;
	l->read.n = value[0];
	memcpy(l->read.value, value, (1 + l->to->group->n_members) * sizeof *value);
}
