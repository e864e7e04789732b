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
follow_processes(struct flow_records *r, const struct flow_records_spec *spec, struct err *e)
{
	r->tasks = flow_tasks_new(spec->n_pids == 0);
	for (size_t i = 0; i < spec->n_pids; i++) {
		pid_t *tid = NULL;
		size_t n = process_threads(spec->pid[i], &tid);

		for (size_t k = 0; k < n; k++)
			flow_tasks_get(r->tasks, tid[k], 0)->followed = true;
		free(tid);
		if (!n)
			return err_set(e, "flows: there is no process %d", (int)spec->pid[i]);
	}
	return true;
}

struct flow_records *
flow_records_open(const struct flow_records_spec *spec, struct err *e)
{
	struct flow_records *r = mem_new(sizeof *r);

	perf_world_probe(&r->world);
	r->status = mem_new_array(spec->n_counters, sizeof *r->status);
	r->quiet = mem_new_array(spec->n_counters, 1);
	r->clock = mem_new_array(spec->n_counters, 1);
	r->asked = mem_new_array(spec->n_counters, sizeof *r->asked);
	r->ring_kb = spec->ring_kb ? spec->ring_kb : FLOW_RECORDS_RING_KB;
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r->epoll < 0)
		err_set(e, "flows: epoll: %s", strerror(errno));
	if (r->epoll < 0 || !flow_records_open_places(r, spec, e) || !follow_processes(r, spec, e)) {
		flow_records_free(r);
		return NULL;
	}
	r->group.counter = r->counter;
	r->group.quiet = r->quiet;
	r->group.clock = r->clock;
	r->value = mem_new_array(1 + r->group.n_members, sizeof *r->value);
	r->again = mem_new_array(1 + r->group.n_members, sizeof *r->again);
	r->taker = (struct flow_taker){.take = spec->take, .ctx = spec->ctx,
		.delivered_ns = mem_new_array(r->n, sizeof *r->taker.delivered_ns), .tasks = r->tasks,
		.group = &r->group};
	return r;
}

void
flow_records_free(struct flow_records *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n && r->at; i++) {
		if (r->started)
			flow_lane_end(&r->lane[i]);
		ring_unmap(&r->lane[i].ring);
		for (size_t m = 0; m < r->group.n_members; m++)
			close(r->at[i].member[m]);
		if (r->at[i].leader >= 0)
			close(r->at[i].leader);
		free(r->at[i].member);
		free(r->at[i].last);
	}
	if (r->epoll >= 0)
		close(r->epoll);
	flow_tasks_free(r->tasks);
	str_free(&r->name);
	free(r->at);
	free(r->lane);
	free(r->status);
	free(r->counter);
	free(r->quiet);
	free(r->clock);
	free(r->asked);
	free(r->value);
	free(r->again);
	free(r->taker.delivered_ns);
	free(r);
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
flow_records_start(struct flow_records *r)
{
	int *cpu = mem_new_array(r->n, sizeof *cpu);

	r->started = true;
	r->taker.begin_ns = clock_ns();
	for (size_t i = 0; i < r->n; i++) {
		cpu[i] = r->at[i].cpu;
		r->taker.delivered_ns[i] = r->taker.begin_ns;
		flow_lane_begin(&r->lane[i], i, &r->taker);
	}
	for (size_t i = 0; i < r->n; i++)
		perf_enable(r->at[i].leader, true);
	places_visit(cpu, r->n);
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
earliest(struct flow_records *r, uint64_t *at, uint64_t *others)
{
	struct flow_lane *first = NULL;

	*at = *others = UINT64_MAX;
	for (size_t i = 0; i < r->n; i++) {
		uint64_t ns = flow_lane_next(&r->lane[i]);

		if (ns < *at) {
			*others = *at;
			*at = ns;
			first = &r->lane[i];
		} else if (ns < *others) {
			*others = ns;
		}
	}
	return first;
}

/* Takes all records up to this time, which must be in the rings already. */
static void
deliver_up_to(struct flow_records *r, uint64_t limit)
{
	struct flow_lane *l;
	uint64_t at, others;
	size_t turns = 0;

	while ((l = earliest(r, &at, &others)) != NULL && at <= limit)
		for (; at <= limit && at <= others && at != UINT64_MAX; at = flow_lane_next(l)) {
			flow_lane_take(l);
			if (++turns % 4096 == 0)
				ring_release(&l->ring); /* makes room for a faster writer */
		}
	for (size_t i = 0; i < r->n; i++)
		ring_release(&r->lane[i].ring);
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
read_between_switches(struct flow_records *r, size_t i, uint64_t *ns)
{
	size_t size = (1 + r->group.n_members) * sizeof *r->value;
	uint64_t next;

	*ns = clock_ns();
	if (!flow_records_read_group(&r->at[i], r->group.n_members, r->value))
		return false;
	for (int k = 0; k < TRIES; k++) {
		next = clock_ns();
		if (!flow_records_read_group(&r->at[i], r->group.n_members, r->again))
			return false;
		if (r->again[0] == r->value[0])
			return true;
		memcpy(r->value, r->again, size);
		*ns = next;
	}
	return false;
}

static void
find_offline(struct flow_records *r)
{
	int *cpu;
	size_t n = places_online(&r->world, &cpu);

	for (size_t i = 0; i < r->n; i++) {
		bool there = false;

		for (size_t k = 0; k < n; k++)
			there |= cpu[k] == r->at[i].cpu;
		if (!there && !r->at[i].gone) {
			struct flow_event e = {.kind = FLOW_OFFLINE, .core = i, .ns = clock_ns()};

			r->at[i].gone = true;
			r->taker.take(r->taker.ctx, &e);
			r->taker.delivered_ns[i] = e.ns;
		}
	}
	free(cpu);
}

/* Reads interrupt the CPUs, so everything recorded before them is in the rings. */
void
flow_records_read(struct flow_records *r)
{
	uint64_t ns;

	if (r->stopped)
		return;
	for (size_t i = 0; i < r->n; i++) {
		bool good = !r->at[i].gone && read_between_switches(r, i, &ns);

		ring_poll(&r->lane[i].ring);
		if (good)
			flow_lane_read(&r->lane[i], ns, r->value);
		else
			r->unread += !r->at[i].gone;
	}
	ns = clock_ns();
	for (size_t i = 0; i < r->n; i++)
		flow_records_read_group(&r->at[i], r->group.n_members, r->again);
	poll_rings(r);
	deliver_up_to(r, ns);
	find_offline(r);
}

void
flow_records_stop(struct flow_records *r)
{
	uint64_t ns;

	if (r->stopped || !r->started)
		return;
	for (size_t i = 0; i < r->n; i++)
		perf_enable(r->at[i].leader, false);
	r->stopped = true;
	ns = clock_ns();
	poll_rings(r);
	for (size_t i = 0; i < r->n; i++) {
		r->at[i].last = mem_new_array(1 + r->group.n_members, sizeof *r->at[i].last);
		r->at[i].read = flow_records_read_group(&r->at[i], r->group.n_members, r->at[i].last);
		if (r->at[i].read && !r->at[i].gone)
			flow_lane_read(&r->lane[i], ns, r->at[i].last);
	}
	deliver_up_to(r, UINT64_MAX);
	if (r->n)
		flow_lanes_finish(r->lane, ns);
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
flow_records_health(const struct flow_records *r, struct flow_records_health *h)
{
	*h = (struct flow_records_health){.cpus = r->n, .ring_kb = r->ring_kb, .unread = r->unread};
	for (size_t i = 0; i < r->n; i++) {
		const struct flow_lane_health *l = &r->lane[i].health;

		h->switches += l->switches;
		h->idle += l->idle;
		h->lost += l->lost;
		h->dropped += l->dropped;
		h->foreign += l->foreign;
		h->offline += r->at[i].gone;
	}
}
