/* Which events are counted, and opening them on each CPU. */
#include "collect/perf/flow_records_state.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/filter.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/places.h"

/* Opens the leader, the switch itself: each one is sampled, with the group's totals and the outgoing and incoming task.
 */
static int
open_leader(int cpu)
{
	struct perf_event_attr a = {
		.size = sizeof a, .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED,
		.sample_id_all = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC, .disabled = 1, .watermark = 1,
		.context_switch = 1, .task = 1, .comm = 1,
	};

	return (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens a member. The whole group has one clock. */
static int
open_member(const struct event_code *c, int cpu, int leader)
{
	struct perf_event_attr a;

	perf_fill_attr(c, &a);
	a.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED;
	a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	return (int)syscall(SYS_perf_event_open, &a, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static bool
refuse_leader(int error, const struct perf_world *world, int cpu, struct err *e)
{
	if (error == EACCES || error == EPERM) {
		err_set(e, "flows: recording whole CPUs needs CAP_PERFMON; perf_event_paranoid is %d%s",
			world->paranoid, world->seccomp ? ", and a seccomp filter is in place" : "");
		return err_hint(e, "run it as root, or leave out --flows");
	}
	if (error == ENOMEM || error == EMFILE) {
		err_set(e,
			error == ENOMEM ? "flows: no memory may be locked for the ring of CPU %d"
					: "flows: no file descriptor is left for CPU %d",
			cpu);
		return err_hint(e, error == ENOMEM ? "sudo sysctl kernel.perf_event_mlock_kb=16384" : "ulimit -n 4096");
	}
	err_set(e, "flows: the kernel does not record the switches of CPU %d: %s", cpu, strerror(error));
	return err_hint(e, "leave out --flows");
}

/* True for counters that neither the idle task nor interrupts during it can raise: page faults and others that only
 * tasks have, and tracepoints, whose filter excludes the idle task. */
static bool
is_quiet(const struct event_code *c)
{
	if (c->kind == EVENT_SOFTWARE)
		return c->config == PERF_COUNT_SW_PAGE_FAULTS || c->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
			c->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ || c->config == PERF_COUNT_SW_ALIGNMENT_FAULTS ||
			c->config == PERF_COUNT_SW_EMULATION_FAULTS || c->config == PERF_COUNT_SW_CPU_MIGRATIONS;
	return c->kind == EVENT_TRACEPOINT;
}

static bool
is_clock(const struct event_code *c)
{
	return c->kind == EVENT_SOFTWARE && c->nature == EVENT_SIDE_BLIND;
}

static bool
set_filter(int fd, const struct event_code *c, const char *filter, struct source_status *s)
{
	char text[1200];

	if (c->kind != EVENT_TRACEPOINT)
		return !*filter || source_status_refuse(s, EINVAL, "drop the filter", "%s: a filter is for "
			"tracepoints only: %s", c->name, filter);
	snprintf(text, sizeof text, *filter ? "common_pid != 0 && (%s)" : "common_pid != 0", filter);
	return perf_set_filter(fd, text) || source_status_refuse(s, errno, NULL, "%s: the kernel does not take the "
		"filter \"%s\" (%s)", c->name, text, strerror(errno));
}

/* Opens a member on every CPU, or on none if one refuses. */
static bool
add_member(struct flow_records *r, size_t counter, const struct event_code *code, const char *filter,
	struct source_status *status)
{
	size_t m = r->group.n_members, opened = 0;
	bool good = true;

	for (size_t i = 0; i < r->n && good; i++) {
		int fd = open_member(code, r->at[i].cpu, r->at[i].leader);

		r->at[i].member = mem_resize(r->at[i].member, m + 1, sizeof *r->at[i].member);
		r->at[i].member[m] = fd;
		opened += fd >= 0;
		good = fd >= 0 ? set_filter(fd, code, filter, status)
			: source_status_refuse(status, errno, NULL,
				"%s: it cannot be read at switches together with the others on CPU %d: %s",
				code->name, r->at[i].cpu, strerror(errno));
	}
	if (!good) {
		for (size_t i = 0; i < opened; i++)
			close(r->at[i].member[m]);
		return false;
	}
	r->counter = mem_resize(r->counter, m + 1, sizeof *r->counter);
	r->counter[m] = counter;
	r->group.n_members++;
	return true;
}

static void
drop_members(struct flow_records *r, size_t from)
{
	for (size_t i = 0; i < r->n; i++)
		for (size_t m = from; m < r->group.n_members; m++)
			close(r->at[i].member[m]);
	r->group.n_members = from;
}

static bool
flow_records_open_open_event(struct flow_records *records, size_t counter, const struct event_item *event,
	struct filter_constants *constants, size_t n_events, struct source_status *status)
{
	struct event_code c;
	char filter[1024] = "";

	if (!event_by_name(event->name, &records->world, &c, status))
		return false;
	if (c.per_cpu)
		return source_status_refuse(
			status, EINVAL, NULL, "%s: it counts outside the cores, for no task", c.name);
	if (is_clock(&c)) {
		records->clock[counter] = n_events == 1;
		return n_events == 1 ||
			source_status_refuse(
				status, EINVAL, NULL, "%s: a clock cannot be added to other events", c.name);
	}
	if (event->filter && *event->filter &&
		!filter_expand(event->filter, constants, &records->world, filter, sizeof filter, status))
		return false;
	records->quiet[counter] &= is_quiet(&c);
	return add_member(records, counter, &c, filter, status);
}

static void
flow_records_open_open_counter(struct flow_records *records, size_t asked, const struct source_counter *counter,
	struct filter_constants *constants)
{
	struct source_status *status = &records->status[asked];
	size_t before = records->group.n_members, i = records->group.n_counters;
	bool good = counter->n_events > 0 ||
		source_status_refuse(status, EINVAL, NULL, "counter %s names no event", counter->name);

	records->quiet[i] = 1;
	records->clock[i] = 0;
	for (size_t k = 0; k < counter->n_events && good; k++)
		good = flow_records_open_open_event(
			records, i, &counter->event[k], constants, counter->n_events, status);
	if (!good)
		drop_members(records, before);
	records->asked[i] = asked;
	records->group.n_counters += good;
	status->health = good ? OBS_LIVE : OBS_UNSUPPORTED;
}

static bool
open_place(struct flow_records *records, size_t i, size_t ring_kb, struct err *e)
{
	struct epoll_event ready = {.events = EPOLLIN};
	struct flow_place *at = &records->at[i];

	at->leader = open_leader(at->cpu);
	if (at->leader < 0 || !ring_map(&records->lane[i].ring, at->leader, ring_kb) ||
		epoll_ctl(records->epoll, EPOLL_CTL_ADD, at->leader, &ready) != 0)
		return refuse_leader(errno, &records->world, at->cpu, e);
	if (records->lane[i].ring.size / 1024 < records->ring_kb)
		records->ring_kb = records->lane[i].ring.size / 1024;
	return true;
}

bool
flow_records_open_places(struct flow_records *records, const struct flow_records_spec *spec, struct err *e)
{
	struct filter_constants constants = {0};
	const int *cpu = spec->cpu;
	int *online = NULL;
	bool good = true;

	records->n = spec->n_cpus;
	if (!records->n) {
		records->n = places_online(&records->world, &online);
		cpu = online;
	}
	records->at = mem_new_array(records->n, sizeof *records->at);
	records->lane = mem_new_array(records->n, sizeof *records->lane);
	for (size_t i = 0; i < records->n; i++)
		records->at[i] = (struct flow_place){.cpu = cpu[i], .leader = -1};
	free(online);
	for (size_t i = 0; i < records->n && good; i++)
		good = open_place(records, i, spec->ring_kb ? spec->ring_kb : FLOW_RECORDS_RING_KB, e);
	for (size_t c = 0; c < spec->n_counters && good; c++)
		flow_records_open_open_counter(records, c, &spec->counter[c], &constants);
	return good && (records->n > 0 || err_set(e, "flows: no CPU is online"));
}
