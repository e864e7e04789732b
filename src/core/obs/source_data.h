/* What a source (collect/source.h) is asked to watch, and what it reports of its counters and of the end: data that
 * screens show, too. */
#ifndef CORE_OBS_SOURCE_DATA_H
#define CORE_OBS_SOURCE_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/obs/obs.h"

/* What runs already and is to be watched. */
struct source_target {
	enum source_target_kind {
		SOURCE_PROCESSES, /* `id` are processes: all their threads, and what they start from now on */
		SOURCE_THREADS,   /* `id` are threads: these alone */
		SOURCE_CPUS,      /* `id` are CPUs, whatever runs there; none: all that are online */
	} kind;
	const int *id;
	size_t n;
};

/* What it means when a counter reads 0. */
enum source_zero {
	SOURCE_ZERO_HONEST,     /* 0 is 0: the kernel itself counts software events and tracepoints */
	SOURCE_ZERO_SUSPECT,    /* a hardware event: some guests' and some chips' run and read 0 for ever */
	SOURCE_ZERO_IMPOSSIBLE, /* no program runs without it: cycles, instructions, clocks */
	SOURCE_ZERO_ALWAYS,     /* counts nothing by its nature */
};

/* How opening one counter went. */
struct source_status {
	enum obs_health health; /* OBS_LIVE: open; OBS_UNSUPPORTED: refused */
	enum source_zero zero;  /* of its events the one that can be trusted least */
	bool by_cpu;            /* where whole CPUs are watched: it counts on those of struct source_counter alone */
	bool user_only;         /* ":u" was added, because kernel side counting is not permitted */
	/* after the end: share of the time that it was on a counter; below 1 it was multiplexed, and is not counted */
	double running;
	int error;              /* errno of the refusal, 0 */
	char why[256];          /* "perf_event_paranoid is 2 and hecate has no CAP_PERFMON" */
	char remedy[256];       /* one command or step, "" when there is none */
};

/* What happened to the command, or to the target. */
struct source_end {
	bool exited, signalled;
	int code;           /* exit status, or signal number */
	double seconds;     /* wall time from exec to exit, or of the watching */
	size_t left_behind; /* descendants still running at exit: totals are not exact then */
	/* threads of the watched processes that appeared while their events were opened: perhaps not counted */
	size_t strangers;
	/* of CPUs while a command ran: as in struct source_row, of the totals; else these are whole */
	double tasks;
	bool vanished;      /* the watched processes or threads have all ended */
	char lost_cpus[64]; /* numbers of CPUs that went offline and were lost (struct source_spec): "3, 5"; "" none */
};

#endif
