/* Recording: on, off, and reading. */
#include "collect/perf/records.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/perf/barrier.h"
#include "collect/perf/merge.h"
#include "collect/perf/places.h"
#include "collect/perf/records_state.h"
#include "collect/perf/world.h"

#define LAG_NS 10000000u  /* age beyond which a quiet CPU has no record; one that arrives is counted as late */
#define BARRIER_MS 20     /* time between two polls of a barrier whose descriptor is silent */
#define RATE_NS 10000000u /* least time between two checks of the rate of switches */
#define SPARSE_MOST 20000u /* records a second */
#define CALM_CHECKS 10    /* checks in a row with a low rate before causes are recorded again */

/* --- on and off -------------------------------------------------------------------------------------------------- */

static void
switch_event(const struct records *r, enum record_what what, bool on)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].fd[what] >= 0)
			ioctl(r->at[i].fd[what], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* Sets whether a task without a state may be in interruptible sleep: while the event that omits those sleeps is on, and
 * until all records of that time have been read. */
static void
take_rest_as_sleep(struct records *r, bool on)
{
	for (size_t i = 0; i < r->n; i++)
		r->merge->lane[i].reader.rest_sleeps = on && r->health.states;
}

bool
records_start(struct records *records, uint64_t *at_ns)
{
	records->started = true;
	records->causes_now = records->causes != NULL;
	records->barrier = barrier_new();
	if (records->barrier)
		epoll_ctl(records->epoll, EPOLL_CTL_ADD, barrier_fd(records->barrier),
			&(struct epoll_event){.events = EPOLLIN, .data.fd = barrier_fd(records->barrier)});
	if (!records->spec.task) {
		/* Switches are enabled last, so that none lacks its state. */
		for (int what = RECORD_WHATS - 1; what >= 0; what--)
			if (what != RECORD_SWITCH || !records->causes_now)
				switch_event(records, (enum record_what)what, true);
	}
	take_rest_as_sleep(records, !records->causes_now);
	*at_ns = clock_ns();
	merge_begin(records->merge, *at_ns);
	records->rate_at = *at_ns;
	if (!records->spec.task) {
		int *cpu = mem_new_array(records->n, sizeof *cpu);

		for (size_t i = 0; i < records->n; i++)
			cpu[i] = records->at[i].cpu;
		places_visit(cpu, records->n); /* a record names the task that is switched out */
		free(cpu);
	}
	return true;
}

int
records_wait_fd(const struct records *r)
{
	return r->epoll;
}

size_t
records_cpus(const struct records *r)
{
	return r->n_cpus;
}

void
records_add(struct records *r, const struct tasktime_event *e)
{
	merge_add(r->merge, e);
}

/* Returns the switches per second of the busiest CPU since the last check. */
static uint64_t
rate_of_switches(struct records *records, uint64_t now)
{
	uint64_t most = 0;

	for (size_t i = 0; i < records->n; i++) {
		uint64_t n = records->merge->lane[i].reader.seen[RECORD_TASKS],
			rate = (n - records->switches_at[i]) * 1000000000u / (now - records->rate_at);

		most = rate > most ? rate : most;
		records->switches_at[i] = n;
	}
	records->rate_at = now;
	return most;
}

/* Enables one of the two events of switches before it disables the other, so that no switch lacks its state. */
static void
record_causes(struct records *r, bool on)
{
	if (!r->causes || r->causes_now == on)
		return;
	switch_event(r, on ? RECORD_SWITCH_CAUSE : RECORD_SWITCH, true);
	switch_event(r, on ? RECORD_SWITCH : RECORD_SWITCH_CAUSE, false);
	r->causes_now = on;
	take_rest_as_sleep(r, true);
}

/* Turns call chains and wake-ups off while some CPU is busy. A call chain doubles the cost of a switch. A wake-up costs
 * a quarter of a switch without one, and the scheduler's wait can replace it. A busy CPU is noticed at once; it counts
 * as calm only after a while. */
static void
adapt(struct records *records)
{
	uint64_t now = clock_ns(), rate;

	if (records->spec.causes == RECORDS_CAUSES_ALWAYS || records->spec.task || now - records->rate_at < RATE_NS ||
		records->stopped)
		return;
	rate = rate_of_switches(records, now);
	take_rest_as_sleep(records, !records->causes_now);
	records->calm = rate < RECORDS_CAUSES_MOST / 2 ? records->calm + 1 : 0;
	if (records->busy ? records->calm < CALM_CHECKS : rate <= RECORDS_CAUSES_MOST)
		return;
	records->busy = !records->busy;
	records->health.toggles++;
	record_causes(records, !records->busy);
	switch_event(records, RECORD_WAKEUP, !records->busy);
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* Removes events whose tasks have all ended from the epoll, because they are always ready. */
static void
remove_ended(struct records *r)
{
	struct epoll_event ready[16];
	int n = epoll_wait(r->epoll, ready, 16, 0);

	for (int i = 0; i < n; i++)
		if (ready[i].events & (EPOLLHUP | EPOLLERR))
			epoll_ctl(r->epoll, EPOLL_CTL_DEL, ready[i].data.fd, NULL);
}

void
records_drain(struct records *r, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	uint64_t now = clock_ns(), before = r->merge->order;

	remove_ended(r);
	merge_drain(r->merge, now - LAG_NS, take, to);
	adapt(r);
	r->sparse = !r->busy && (r->merge->order - before) * 1000000000 <= (now - r->drained_ns) * SPARSE_MOST;
	r->drained_ns = now;
}

bool
records_sparse(const struct records *r)
{
	return r->sparse;
}

static bool
is_online(const int *cpu, size_t n, int which)
{
	for (size_t i = 0; i < n; i++)
		if (cpu[i] == which)
			return true;
	return false;
}

static void
find_new_cpus(struct records *r)
{
	struct perf_world w;
	int *cpu;
	size_t n, ours = 0;

	snprintf(w.sysfs, sizeof w.sysfs, "%s", r->sysfs);
	n = places_online(&w, &cpu);
	for (size_t i = 0; i < r->n; i++) {
		bool online = is_online(cpu, n, r->at[i].cpu);

		ours += online;
		if (!online && !r->at[i].gone) {
			struct tasktime_event e = {
				.ns = clock_ns(), .kind = TASKTIME_OFFLINE, .cpu = (uint16_t)r->at[i].cpu};

			r->at[i].gone = true;
			r->health.offline++;
			records_add(r, &e);
		}
	}
	r->health.new_cpus = n - ours;
	free(cpu);
}

/* Reports losses after the last record, from the events themselves: the kernel writes a notice of loss only with the
 * next record that has room. */
static void
note_last_losses(struct records *records, uint64_t ns)
{
	for (size_t i = 0; i < records->n; i++) {
		struct record_reader *reader = &records->merge->lane[i].reader;
		uint64_t all = 0, count, lost;

		for (int what = 0; what < RECORD_WHATS; what++)
			if (records->at[i].fd[what] >= 0 && records_read_counts(records->at[i].fd[what], &count, &lost))
				all += lost;
		if (all > reader->lost) {
			struct tasktime_event e = {.ns = ns, .kind = TASKTIME_LOST, .cpu = (uint16_t)records->at[i].cpu,
				.n = (uint32_t)(all - reader->lost)};

			reader->lost = all;
			merge_add(records->merge, &e);
		}
	}
}

void
records_settle_begin(struct records *r)
{
	find_new_cpus(r);
	r->settle_ns = clock_ns();
	merge_hold(r->merge, r->settle_ns);
	r->settling = true;
	if (r->barrier)
		barrier_begin(r->barrier);
}

bool
records_settle_ready(const struct records *r)
{
	if (!r->settling || !r->barrier)
		return !r->settling || clock_ns() >= r->settle_ns + LAG_NS;
	return barrier_over(r->barrier);
}

/* Waits until every record of the time before is in the rings. The kernel refuses the barrier if CPUs are isolated with
 * nohz_full. Then this waits as long as a record may take. */
static void
wait_until_settled(struct records *records, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	uint64_t until = records->settle_ns + LAG_NS;

	/* Reads the rings while it waits, so that they do not overflow. */
	if (records->barrier) {
		struct pollfd ready[] = {
			{.fd = barrier_fd(records->barrier), .events = POLLIN}, {.fd = records->epoll, .events = POLLIN}
		};

		while (!barrier_over(records->barrier)) {
			poll(ready, 2, BARRIER_MS);
			records_drain(records, take, to);
		}
		if (barrier_done(records->barrier))
			return;
		barrier_free(records->barrier);
		records->barrier = NULL;
	}
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME,
		&(struct timespec){.tv_sec = (time_t)(until / 1000000000u), .tv_nsec = (long)(until % 1000000000u)},
		NULL);
}

uint64_t
records_settled(struct records *records, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	uint64_t now;

	wait_until_settled(records, take, to);
	records->settling = false;
	now = merge_drain(records->merge, records->settle_ns, take, to);
	merge_hold(records->merge, 0);
	if (records->stopped) {
		note_last_losses(records, now);
		now = merge_drain(records->merge, clock_ns(), take, to);
	}
	return now;
}

uint64_t
records_settle(struct records *r, void (*take)(void *to, const struct tasktime_event *), void *to)
{
	if (r->settling) /* the barrier was for an earlier time */
		wait_until_settled(r, take, to);
	records_settle_begin(r);
	return records_settled(r, take, to);
}

void
records_stop(struct records *r)
{
	if (r->stopped)
		return;
	for (int what = 0; what < RECORD_WHATS; what++)
		switch_event(r, (enum record_what)what, false);
	r->stopped = true;
}
