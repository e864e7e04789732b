/* The kernel's records of what tasks do, in the order of time: rings of perf_event_open(2).
 *
 * Switches come from PERF_RECORD_SWITCH, never from sched:sched_switch. Some kernels silently lose tracepoints that
 * fire in the idle task, so that the switch from it to the next task would be missed. The tracepoint is used only to
 * learn why a task leaves. The beginning of a page fault is the software event page-faults. Unlike the tracepoints
 * exceptions:page_fault_*, it does not fire for kernel accesses with faults disabled, which have no outcome. */
#ifndef COLLECT_PERF_RECORDS_H
#define COLLECT_PERF_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/perf/record_reader.h"

struct perf_world;
struct source_status;

enum records_causes {
	/* causes and wake-ups while every CPU switches at most RECORDS_CAUSES_MOST times a second */
	RECORDS_CAUSES_ADAPT,
	RECORDS_CAUSES_ALWAYS, /* causes and wake-ups at any rate */
	RECORDS_CAUSES_NEVER,  /* no causes; wake-ups as with ADAPT */
};

#define RECORDS_CAUSES_MOST 50000
#define RECORDS_RING_KB 8192

struct records_spec {
	/* follow this task and all that it starts from now on, as far as an unprivileged user may see; 0: everything on
	 * all CPUs */
	pid_t task;
	size_t ring_kb;      /* each CPU's ring, KiB, a power of two; 0: RECORDS_RING_KB */
	enum records_causes causes;
	bool no_faults;      /* no records of page faults, which saves two records for each fault */
	const struct records *like; /* open records whose table of kernel functions serves here, too; or NULL */
};

/* What is recorded, and how far it can be trusted. */
struct records_health {
	bool switches_only;  /* no states, causes or wake-ups: all that an unprivileged user gets */
	bool states, wakeups, faults, signals, causes; /* what is recorded at all */
	bool kernel_faults;  /* faults include those that the kernel takes */
	bool causes_now;     /* causes are being recorded now */
	size_t ring_kb;      /* KiB of the smallest ring */
	size_t cpus, offline; /* CPUs recorded; those of them that went offline */
	size_t new_cpus;     /* CPUs that came online later and are not recorded */
	uint64_t records;    /* records read */
	uint64_t lost, throttled, late; /* lost in full rings; throttled events; events reported after later ones */
	uint64_t stateless;  /* tasks that fell asleep without a sched_switch record */
	uint64_t stray;      /* sched_switch records without a switch */
	uint64_t foreign;    /* records that could not be read */
	uint64_t faults_seen; /* records of page faults: beginnings and outcomes */
	/* After records_stop(): events that the kernel counted but neither recorded nor reported as lost. Some kernels
	 * lose wake-ups by interrupts of an idle CPU in this way, up to nearly all of them. The time from such a
	 * wake-up to the CPU is then part of the sleep (`unwoken` of each row). */
	uint64_t missing_states, missing_wakeups, missing_faults;
	uint64_t toggles;    /* times that call chains and wake-ups were turned off or on */
	size_t waiting;      /* most events waiting to be sorted */
	char note[256];      /* what is not recorded, and why; "": nothing */
};

struct records;

/* Opens everything, disabled. Returns NULL and sets *why when switches cannot be recorded. The health notes which other
 * records are not available. */
struct records *records_open(const struct records_spec *, const struct perf_world *, struct source_status *why);
void records_free(struct records *);

/* Begins recording. The records are complete from *at_ns on. For a task, recording begins with its next execve(2), and
 * *at_ns is now. Each CPU is visited once, so that a record shows the task there. */
bool records_start(struct records *, uint64_t *at_ns);

/* Returns an epoll that is readable when a ring is half full, and when records_settle_ready(). */
int records_wait_fd(const struct records *);

/* Returns a number greater than the number of every CPU. */
size_t records_cpus(const struct records *);

/* Adds an event of the caller, which is sorted in among the others. */
void records_add(struct records *, const struct tasktime_event *);

/* Reports the events so far in order of time, except the most recent ones. Does not wait. */
void records_drain(struct records *, void (*take)(void *to, const struct tasktime_event *), void *to);
bool records_sparse(const struct records *); /* so few came since the drain before that the next one may wait */

/* Reports all events up to a time that is not before the call, and returns that time (CLOCK_MONOTONIC): a window may
 * end there. Sleeps 10 to 20 ms, until no CPU can have a half-written record (merge.h). */
uint64_t records_settle(struct records *, void (*take)(void *to, const struct tasktime_event *), void *to);

/* The same without waiting: call records_settle_begin(), go on draining, and call records_settled() when
 * records_settle_ready(), 10 to 20 ms later. */
void records_settle_begin(struct records *);
bool records_settle_ready(const struct records *);
uint64_t records_settled(struct records *, void (*take)(void *to, const struct tasktime_event *), void *to);

/* Stops recording. Then call records_settle() once more, after which `missing` is known. */
void records_stop(struct records *);

void records_health(struct records *, struct records_health *);

/* Returns true if the recording may be shown. Returns false and writes a sentence if records were lost, are missing, or
 * contradict each other. Missing wake-ups are tolerated. */
bool records_believe(const struct records_health *, const struct tasktime_trouble *, char *why, size_t size);

#endif
