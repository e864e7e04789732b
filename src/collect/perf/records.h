/* Records of what tasks do, from the kernel, in the order of their times: rings of perf_event_open(2).
 *
 * Switches are told by PERF_RECORD_SWITCH, never by sched:sched_switch: on some kernels tracepoints that fire in the
 * idle task are lost, without a word, so that a task that follows it on a CPU is never seen to come. The tracepoint
 * tells only why a task leaves. The beginning of a page fault is the software event page-faults, which unlike the
 * tracepoints exceptions:page_fault_* does not fire for accesses that the kernel makes with faults forbidden: these
 * have no outcome. */
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
	/* while no CPU switches more often than RECORDS_CAUSES_MOST times a second; wake-ups likewise */
	RECORDS_CAUSES_ADAPT,
	RECORDS_CAUSES_ALWAYS, /* … whatever the rate; wake-ups too */
	RECORDS_CAUSES_NEVER,  /* wake-ups as with ADAPT */
};

#define RECORDS_CAUSES_MOST 50000
#define RECORDS_RING_KB 8192

struct records_spec {
	/* of this task and all that it starts from now on, what an unprivileged user may see; 0: of all CPUs,
	 * everything */
	pid_t task;
	size_t ring_kb;      /* of each CPU, a power of two; 0: RECORDS_RING_KB */
	enum records_causes causes;
	bool no_faults;      /* page faults are not recorded, which saves two records for each */
};

/* What is recorded, and how much of it can be believed. */
struct records_health {
	bool switches_only;  /* no states, causes, wake-ups: what an unprivileged user gets */
	bool states, wakeups, faults, signals, causes; /* recorded at all */
	bool kernel_faults;  /* … those that the kernel takes, too */
	bool causes_now;     /* call chains are recorded at this moment */
	size_t ring_kb;      /* the smallest of the rings */
	size_t cpus, offline; /* that are recorded; and that have gone */
	size_t new_cpus;     /* that came later and are not recorded */
	uint64_t records;    /* read */
	uint64_t lost, throttled, late; /* lost in full rings; throttled events; events told after later ones */
	uint64_t stateless;  /* tasks that fell asleep without a sched_switch record */
	uint64_t stray;      /* sched_switch records without a switch */
	uint64_t foreign;    /* records that could not be read */
	uint64_t faults_seen; /* records of page faults: beginnings and outcomes */
	/* After records_stop(): events that the kernel counted, and neither recorded nor told as lost. Wake-ups by
	 * interrupts of an idle CPU are missing like that on some kernels, up to nearly all of them; the time from
	 * there to the CPU is then part of the sleep (`unwoken` of each row). */
	uint64_t missing_states, missing_wakeups, missing_faults;
	uint64_t toggles;    /* how often call chains and wake-ups were turned off or on */
	size_t waiting;      /* the most events that waited to be put in order */
	char note[256];      /* what is not recorded, and why; "" */
};

struct records;

/* Opens everything disabled. NULL and *why when switches cannot be recorded; what else cannot be is noted in the
 * health. */
struct records *records_open(const struct records_spec *, const struct perf_world *, struct source_status *why);
void records_free(struct records *);

/* Begin. *at_ns: from then on nothing is missing. Of a task: it begins with its next execve(2), and *at_ns is now. Each
 * CPU is visited once, so that who runs there is told by a record. */
bool records_start(struct records *, uint64_t *at_ns);

/* An epoll that is readable when a ring is half full, and when records_settle_ready(). */
int records_wait_fd(const struct records *);

/* CPUs are numbered below this. */
size_t records_cpus(const struct records *);

/* An event of the caller's own, put in order with the others. */
void records_add(struct records *, const struct tasktime_event *);

/* Tell the events that are there, in order of time, but for those of the last moment, without waiting. */
void records_drain(struct records *, void (*tell)(void *to, const struct tasktime_event *), void *to);

/* Tell all events up to a moment that is not before the call, and return it (CLOCK_MONOTONIC): a window may be closed
 * there. Waits 10 to 20 ms, asleep, until no CPU can have a record half written (merge.h). */
uint64_t records_settle(struct records *, void (*tell)(void *to, const struct tasktime_event *), void *to);

/* The same without waiting: begin, and when it is ready (10 to 20 ms later) take what has come. Meanwhile go on
 * draining. */
void records_settle_begin(struct records *);
bool records_settle_ready(const struct records *);
uint64_t records_settled(struct records *, void (*tell)(void *to, const struct tasktime_event *), void *to);

/* Stop recording; then drain with records_settle() for the last time, and `missing` is known. */
void records_stop(struct records *);

void records_health(struct records *, struct records_health *);

/* May what was recorded be shown? False and a sentence when not: records lost or missing, or contradictions. Wake-ups
 * may be missing. */
bool records_believe(const struct records_health *, const struct tasktime_trouble *, char *why, size_t size);

#endif
