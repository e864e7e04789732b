/* Requests to a source (collect/source.h), and its reports on counters and on the end. Screens show these data, too. */
#ifndef CORE_OBS_SOURCE_DATA_H
#define CORE_OBS_SOURCE_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/obs/obs.h"

/* Something that already runs and is to be watched. */
struct source_target {
	enum source_target_kind {
		SOURCE_PROCESSES, /* `id` are processes: all their threads, and what they start from now on */
		SOURCE_THREADS,   /* `id` are threads: these alone */
		SOURCE_CPUS,      /* `id` are CPUs, with whatever runs there; n = 0: all online CPUs */
	} kind;
	const int *id;
	size_t n;
};

/* How events take turns when there are more events than counters. */
enum rotation_how {
	ROTATION_RANDOM, /* sets in random order, turns of random length */
	ROTATION_KERNEL, /* groups one after the other, at a fixed tick */
};

/* The meaning of a 0. */
enum source_zero {
	SOURCE_ZERO_HONEST,     /* 0 is 0: the kernel itself counts software events and tracepoints */
	SOURCE_ZERO_SUSPECT,    /* a hardware event: on some guests and chips, its counter runs but always reads 0 */
	SOURCE_ZERO_IMPOSSIBLE, /* every program raises it: cycles, instructions, clocks */
	SOURCE_ZERO_ALWAYS,     /* an event that by its nature counts nothing */
};

/* How opening one counter went. */
struct source_status {
	enum obs_health health; /* OBS_LIVE: open; OBS_UNSUPPORTED: refused */
	enum source_zero zero;  /* meaning of a 0 of the counter's least trustworthy event */
	bool by_cpu;            /* if whole CPUs are watched: it counts only on the CPUs of struct source_counter */
	bool user_only;         /* ":u" was added, because counting the kernel side is not permitted */
	/* after the end: share of time during which the event was on a hardware counter; below 1 it was multiplexed,
	 * and its count is not exact */
	double running;
	int error;              /* errno of the refusal, or 0 */
	char why[512];          /* "perf_event_paranoid is 2 and hecate has no CAP_PERFMON" */
	char remedy[256];       /* one command or step, "" when there is none */
};

/* How the command, or the watch, ended. */
struct source_end {
	bool exited, signalled;
	int code;           /* exit status, or signal number */
	double seconds;     /* wall time from execve(2) to exit, or of the watch */
	/* processor time of a command and of the descendants that were waited for; includes a fork of hecate; 0:
	 * unknown */
	double user, system;
	size_t left_behind; /* descendants that still ran at exit; totals are exact only if 0 */
	/* threads that appeared in watched processes while events were opened, and may be missing from the counts */
	size_t strangers;
	/* if CPUs were watched while a command ran: like source_row.tasks, for the totals; else 0 */
	double tasks;
	bool vanished;      /* the watched processes or threads have all ended */
	char lost_cpus[64]; /* CPUs that went offline and were lost (lose_cpus): "3, 5"; "": none */
};

#endif
