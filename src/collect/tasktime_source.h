/* Finds where the wall time of a command, of running processes or of a whole machine goes, window by window. It sorts
 * the kernel's records (collect/perf/records.h) and partitions time by them (core/tasktime/partition.h). It also
 * reports the scheduler's own accounts for comparison; the partition never uses those.
 *
 *     tasktime_source_open, tasktime_source_start,
 *     { poll tasktime_source_wait_fd → tasktime_source_pump; at each tick tasktime_source_window } …,
 *     tasktime_source_window, tasktime_source_free */
#ifndef COLLECT_TASKTIME_SOURCE_H
#define COLLECT_TASKTIME_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/tasktime/amounts.h"
#include "core/tasktime/cost.h"
#include "core/tasktime/partition.h"

struct err;
struct spec_program;

enum tasktime_source_variant {
	TASKTIME_SOURCE_RECORDS, /* all classes; needs CAP_PERFMON, and tracefs for states and causes */
	/* for any user, only for a command that hecate starts: on-cpu, preempted, asleep, user-side faults. A wait for
	 * a CPU after a wake-up is part of `asleep`; only the scheduler's accounts show it (tasktime_cost) */
	TASKTIME_SOURCE_SWITCHES,
	/* for any user and any process: the scheduler's counters (struct tasktime_coarse), without classes */
	TASKTIME_SOURCE_COUNTERS,
};

struct tasktime_source_spec {
	char *const *argv;       /* the command; NULL: the processes of `pid` */
	/* processes to watch; if there is neither a command nor a process, everything that runs is watched */
	const pid_t *pid;
	size_t n_pids;           /* number of processes */
	bool only_threads;       /* watch the processes alone, without those that they start */
	bool from_exec; /* the processes have been forked and wait before their execve(2) (source_ops.pid). The caller
			   starts them; time counts from there on. Start this source first, and nothing is missed */
	/* tasktime_source_begins() says when each process starts; until then it is not followed */
	bool held;
	bool variant_given;      /* only `variant` is tried; otherwise the first variant that works is used */
	enum tasktime_source_variant variant;
	/* to save cost: record no call chains; record no page faults; do not read the scheduler's accounts */
	bool never_causes, no_faults, no_scheduler;
	size_t ring_kb;          /* KiB per CPU; 0: 8192 */
	int out_fd, err_fd;      /* output of the command, as in struct source_spec */
	const struct spec_program *setup; /* setup of the command, as in struct source_spec */
	bool no_input, own_group;
	/* an open source, of another run: what takes long to open, 0.3 s, is shared with it; or NULL */
	const struct tasktime_source *like;
	const bool *runs_on; /* as in struct source_spec */
};

/* One task's part of a window. */
struct tasktime_source_row {
	struct tasktime_row row;  /* name and times; no classes with TASKTIME_SOURCE_COUNTERS */
	bool books;               /* the members below are known */
	/* the scheduler's times in the same window; a live task's are off by up to a tick (4 ms at 250 Hz) */
	uint64_t run_ns, wait_ns, slices;
	uint64_t io_ns;           /* I/O time of a task that ended, by delay accounting; UINT64_MAX: unknown */
	/* with TASKTIME_SOURCE_RECORDS: cost of switches; what is left over is carried to the next window */
	struct tasktime_costed costed;
	struct tasktime_coarse coarse;
};

struct tasktime_source_window {
	uint64_t from_ns, to_ns;         /* beginning and end, CLOCK_MONOTONIC */
	/* tasks alive and those that ended in it; valid until the next window */
	const struct tasktime_source_row *row;
	size_t n;
	struct tasktime_row rest;        /* sum of ended tasks beyond the 4096 that are reported one by one */
	size_t n_rest;
	const struct tasktime_cpu_row *cpu; /* CPUs, with TASKTIME_SOURCE_RECORDS only */
	size_t n_cpus;
	uint64_t steal_ns;               /* time that the host took away, in steps of 10 ms; it belongs to no task */
	bool steal_known, books_of_ended; /* the scheduler's times of ended threads are known */
	struct tasktime_trouble trouble; /* since the start */
	bool believed;                   /* all records since the start add up; otherwise they should not be shown */
	char why[256];                   /* why the rows should not be shown */
	/* the records of this window add up: its rows are good, even if earlier ones are not */
	bool clean;
};

struct tasktime_source;

/* Opens the source. On failure returns NULL and sets *e, with a remedy. */
struct tasktime_source *tasktime_source_open(const struct tasktime_source_spec *, struct err *e);
void tasktime_source_free(struct tasktime_source *); /* ends the command if it runs */

enum tasktime_source_variant tasktime_source_variant(const struct tasktime_source *);
/* Returns what is not recorded, and why; "" if everything is. */
const char *tasktime_source_note(const struct tasktime_source *);
struct tasktime_coverage tasktime_source_coverage(const struct tasktime_source *);

bool tasktime_source_start(struct tasktime_source *, struct err *e);

/* Says that a held process starts now. */
void tasktime_source_begins(struct tasktime_source *, pid_t);

/* Returns a descriptor that is readable when records wait to be taken, or the command has ended. */
int tasktime_source_wait_fd(const struct tasktime_source *);
void tasktime_source_pump(struct tasktime_source *); /* takes the records so far, without waiting */
bool tasktime_source_sparse(const struct tasktime_source *); /* so few came that pumping may wait */

/* Sends the command SIGTERM, or SIGKILL (`hard`). Processes that this source did not start are left alone. */
void tasktime_source_stop(struct tasktime_source *, bool hard);

/* Returns true when the command has ended; *status is then as from wait(2). Without a command, returns true when all
 * processes have ended. */
bool tasktime_source_ended(struct tasktime_source *, int *status);

/* Closes the window at about now and begins the next one. With records it waits about 15 ms. `last`: ends the
 * recording. A caller that must not wait calls tasktime_source_window_begin() first, keeps pumping, and calls this
 * function when tasktime_source_window_ready() is true; tasktime_source_wait_fd() shows when to check. The window then
 * ends at about the time of tasktime_source_window_begin(), without a wait. */
void tasktime_source_window(struct tasktime_source *, bool last, struct tasktime_source_window *);

void tasktime_source_window_begin(struct tasktime_source *);
bool tasktime_source_window_ready(const struct tasktime_source *);

/* Sums the records of all tasks since the last window; those of the last 10 ms may not be in it yet. `settle`: waits
 * until all are, about 15 ms. Threads of the kernel are left out. */
void tasktime_source_sum(struct tasktime_source *, bool settle, struct tasktime_row *sum);

/* Statistics of the recording, since its start. */
struct tasktime_source_figures {
	uint64_t records, lost;                   /* records read; records lost in full rings */
	/* known after the last window: events that the kernel counted, but neither recorded nor reported as lost */
	uint64_t missing_wakeups, missing_faults;
	uint64_t toggles;                         /* times that call chains and wake-ups were turned off or on */
	/* most events waiting to be sorted; CPUs recorded, gone, and added later (not recorded) */
	size_t waiting, ring_kb, cpus, offline, new_cpus;
};
void tasktime_source_figures(struct tasktime_source *, struct tasktime_source_figures *);

#endif
