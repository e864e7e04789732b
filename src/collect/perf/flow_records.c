#include "collect/flow_records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/flow_records_state.h"
#include "collect/perf/flow_tasks.h"
#include "collect/perf/open.h"
#include "collect/perf/places.h"
#include "collect/process/processes.h"
#include "core/network/flow.h"

#define LAG_NS 10000000u /* age beyond which a CPU with an empty ring will have no record */
#define TRIES 8          /* attempts to read a CPU between two switches */

/* --- open and close ---------------------------------------------------------------------------------------------- */

static bool
follow_processes(struct flow_records *records, const struct flow_records_spec *spec, struct err *e)
{
	records->tasks = flow_tasks_new(spec->n_pids == 0);
	for (size_t i = 0; i < spec->n_pids; i++) {
		pid_t *tid = NULL;
		size_t n = process_threads(spec->pid[i], &tid);

		for (size_t k = 0; k < n; k++)
			flow_tasks_get(records->tasks, tid[k], 0)->followed = true;
		free(tid);
		if (!n)
			return err_set(e, "flows: there is no process %d", (int)spec->pid[i]);
	}
	return true;
}

struct flow_records *
flow_records_open(const struct flow_records_spec *spec, struct err *e)
{
	struct flow_records *records = mem_new(sizeof *records);

	perf_world_probe(&records->world);
	records->status = mem_new_array(spec->n_counters, sizeof *records->status);
	records->quiet = mem_new_array(spec->n_counters, 1);
	records->clock = mem_new_array(spec->n_counters, 1);
	records->asked = mem_new_array(spec->n_counters, sizeof *records->asked);
	records->ring_kb = spec->ring_kb ? spec->ring_kb : FLOW_RECORDS_RING_KB;
	records->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (records->epoll < 0)
		err_set(e, "flows: epoll: %s", strerror(errno));
	if (records->epoll < 0 || !flow_records_open_places(records, spec, e) || !follow_processes(records, spec, e)) {
		flow_records_free(records);
		return NULL;
	}
	records->group.counter = records->counter;
	records->group.quiet = records->quiet;
	records->group.clock = records->clock;
	records->value = mem_new_array(1 + records->group.n_members, sizeof *records->value);
	records->again = mem_new_array(1 + records->group.n_members, sizeof *records->again);
	records->taker = (struct flow_taker){.take = spec->take, .ctx = spec->ctx,
		.delivered_ns = mem_new_array(records->n, sizeof *records->taker.delivered_ns), .tasks = records->tasks,
		.group = &records->group};
	return records;
}

void
flow_records_free(struct flow_records *records)
{
	if (!records)
		return;
	for (size_t i = 0; i < records->n && records->at; i++) {
		if (records->started)
			flow_lane_end(&records->lane[i]);
		ring_unmap(&records->lane[i].ring);
		for (size_t m = 0; m < records->group.n_members; m++)
			close(records->at[i].member[m]);
		if (records->at[i].leader >= 0)
			close(records->at[i].leader);
		free(records->at[i].member);
		free(records->at[i].last);
	}
	if (records->epoll >= 0)
		close(records->epoll);
	flow_tasks_free(records->tasks);
	str_free(&records->name);
	free(records->at);
	free(records->lane);
	free(records->status);
	free(records->counter);
	free(records->quiet);
	free(records->clock);
	free(records->asked);
	free(records->value);
	free(records->again);
	free(records->taker.delivered_ns);
	free(records);
}

const struct source_status *
flow_records_status(const struct flow_records *r)
{
	return r->status;
}

size_t
flow_records_counters(const struct flow_records *r)
{
	return r->group.n_counters;
}

size_t
flow_records_counter(const struct flow_records *r, size_t i)
{
	return r->asked[i];
}

size_t
flow_records_cpus(const struct flow_records *r)
{
	return r->n;
}

int
flow_records_cpu(const struct flow_records *r, size_t core)
{
	return r->at[core].cpu;
}

void
flow_records_start(struct flow_records *records)
{
	int *cpu = mem_new_array(records->n, sizeof *cpu);

	records->started = true;
	records->taker.begin_ns = clock_ns();
	for (size_t i = 0; i < records->n; i++) {
		cpu[i] = records->at[i].cpu;
		records->taker.delivered_ns[i] = records->taker.begin_ns;
		flow_lane_begin(&records->lane[i], i, &records->taker);
	}
	for (size_t i = 0; i < records->n; i++)
		perf_enable(records->at[i].leader, true);
	places_visit(cpu, records->n);
	free(cpu);
}

int
flow_records_wait_fd(const struct flow_records *r)
{
	return r->epoll;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* Returns the lane with the earliest record, and the time up to which no other lane has one. */
static struct flow_lane *
earliest(struct flow_records *records, uint64_t *at, uint64_t *others)
{
	struct flow_lane *first = NULL;

	*at = *others = UINT64_MAX;
	for (size_t i = 0; i < records->n; i++) {
		uint64_t ns = flow_lane_next(&records->lane[i]);

		if (ns < *at) {
			*others = *at;
			*at = ns;
			first = &records->lane[i];
		} else if (ns < *others) {
			*others = ns;
		}
	}
	return first;
}

/* Takes all records up to this time, which must be in the rings already. */
static void
deliver_up_to(struct flow_records *records, uint64_t limit)
{
	struct flow_lane *lane;
	uint64_t at, others;
	size_t turns = 0;

	while ((lane = earliest(records, &at, &others)) != NULL && at <= limit)
		for (; at <= limit && at <= others && at != UINT64_MAX; at = flow_lane_next(lane)) {
			flow_lane_take(lane);
			if (++turns % 4096 == 0)
				ring_release(&lane->ring); /* makes room for a faster writer */
		}
	for (size_t i = 0; i < records->n; i++)
		ring_release(&records->lane[i].ring);
}

static void
poll_rings(struct flow_records *r)
{
	for (size_t i = 0; i < r->n; i++)
		ring_poll(&r->lane[i].ring);
}

void
flow_records_drain(struct flow_records *r)
{
	uint64_t now = clock_ns();

	poll_rings(r);
	deliver_up_to(r, now - LAG_NS);
}

static bool
flow_records_read_group(const struct flow_place *at, size_t n_members, uint64_t *value)
{
	uint64_t v[2 + 1 + PERF_GROUP_MOST];
	size_t size = (3 + n_members) * sizeof *v;

	if (n_members > PERF_GROUP_MOST || read(at->leader, v, size) != (ssize_t)size || v[0] != 1 + n_members)
		return false;
	memcpy(value, v + 2, (1 + n_members) * sizeof *value);
	return true;
}

/* Reads the group of one place. The kernel reads one counter after the other while the CPU goes on. The leader is read
 * first; if its number differs at the next read, a switch happened in between and some counts may be the next task's.
 */
static bool
read_between_switches(struct flow_records *records, size_t i, uint64_t *ns)
{
	size_t size = (1 + records->group.n_members) * sizeof *records->value;
	uint64_t next;

	*ns = clock_ns();
	if (!flow_records_read_group(&records->at[i], records->group.n_members, records->value))
		return false;
	for (int k = 0; k < TRIES; k++) {
		next = clock_ns();
		if (!flow_records_read_group(&records->at[i], records->group.n_members, records->again))
			return false;
		if (records->again[0] == records->value[0])
			return true;
		memcpy(records->value, records->again, size);
		*ns = next;
	}
	return false;
}

static void
find_offline(struct flow_records *records)
{
	int *cpu;
	size_t n = places_online(&records->world, &cpu);

	for (size_t i = 0; i < records->n; i++) {
		bool there = false;

		for (size_t k = 0; k < n; k++)
			there |= cpu[k] == records->at[i].cpu;
		if (!there && !records->at[i].gone) {
			struct flow_event e = {.kind = FLOW_OFFLINE, .core = i, .ns = clock_ns()};

			records->at[i].gone = true;
			records->taker.take(records->taker.ctx, &e);
			records->taker.delivered_ns[i] = e.ns;
		}
	}
	free(cpu);
}

/* Reads interrupt the CPUs, so everything recorded before them is in the rings. */
void
flow_records_read(struct flow_records *records)
{
	uint64_t ns;

	if (records->stopped)
		return;
	for (size_t i = 0; i < records->n; i++) {
		bool good = !records->at[i].gone && read_between_switches(records, i, &ns);

		ring_poll(&records->lane[i].ring);
		if (good)
			flow_lane_read(&records->lane[i], ns, records->value);
		else
			records->unread += !records->at[i].gone;
	}
	ns = clock_ns();
	for (size_t i = 0; i < records->n; i++)
		flow_records_read_group(&records->at[i], records->group.n_members, records->again);
	poll_rings(records);
	deliver_up_to(records, ns);
	find_offline(records);
}

void
flow_records_stop(struct flow_records *records)
{
	uint64_t ns;

	if (records->stopped || !records->started)
		return;
	for (size_t i = 0; i < records->n; i++)
		perf_enable(records->at[i].leader, false);
	records->stopped = true;
	ns = clock_ns();
	poll_rings(records);
	for (size_t i = 0; i < records->n; i++) {
		records->at[i].last = mem_new_array(1 + records->group.n_members, sizeof *records->at[i].last);
		records->at[i].read = flow_records_read_group(
			&records->at[i], records->group.n_members, records->at[i].last);
		if (records->at[i].read && !records->at[i].gone)
			flow_lane_read(&records->lane[i], ns, records->at[i].last);
	}
	deliver_up_to(records, UINT64_MAX);
	if (records->n)
		flow_lanes_finish(records->lane, ns);
}

bool
flow_records_total(const struct flow_records *r, size_t core, size_t counter, uint64_t *total)
{
	*total = 0;
	if (!r->at[core].read || r->clock[counter])
		return false;
	for (size_t m = 0; m < r->group.n_members; m++)
		if (r->counter[m] == counter)
			*total += r->at[core].last[1 + m];
	return true;
}

const char *
flow_records_name(struct flow_records *r, int32_t task)
{
	const struct flow_task *k = flow_tasks_find(r->tasks, task);

	str_clear(&r->name);
	str_addf(&r->name, "%s-%d", k && *k->name ? k->name : "task", (int)task);
	return str_text(&r->name);
}

void
flow_records_health(const struct flow_records *records, struct flow_records_health *health)
{
	*health = (struct flow_records_health){
		.cpus = records->n, .ring_kb = records->ring_kb, .unread = records->unread};
	for (size_t i = 0; i < records->n; i++) {
		const struct flow_lane_health *flow_lane_health = &records->lane[i].health;

		health->switches += flow_lane_health->switches;
		health->idle += flow_lane_health->idle;
		health->lost += flow_lane_health->lost;
		health->dropped += flow_lane_health->dropped;
		health->foreign += flow_lane_health->foreign;
		health->offline += records->at[i].gone;
	}
}
