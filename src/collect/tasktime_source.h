/* Where the wall time of a command, of running processes or of a whole machine goes, in windows: records of the kernel
 * put in order (collect/perf/records.h), the partition of them (core/tasktime/partition.h), and the scheduler's own
 * books beside it, which the partition never uses.
 *
 *     tasktime_source_open, tasktime_source_start, { poll tasktime_source_wait_fd → tasktime_source_pump; at each tick
 * tasktime_source_window } …, tasktime_source_window, tasktime_source_free */
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
	/* a command of one's own: on-cpu, preempted, asleep, user side faults; any user. A wait for a CPU after a
	   wake-up is part of `asleep`, but for what the scheduler's books say (tasktime_cost) */
	TASKTIME_SOURCE_SWITCHES,
	/* the scheduler's counters of any process: struct tasktime_coarse, and no classes; any user */
	TASKTIME_SOURCE_COUNTERS,
};

struct tasktime_source_spec {
	char *const *argv;       /* the command; NULL: */
	const pid_t *pid;        /* … processes; NULL: */
	size_t n_pids;           /* … everything that runs */
	bool only_threads;       /* of the processes: not what they start */
	bool from_exec; /* the processes have been forked and wait before their execve(2) (source_ops.pid): commands
			   that somebody else starts, and that count from there on. Start before one is let go, and
			   nothing is missed */
	bool held;      /* … and tasktime_source_begins() tells when that is, of each: until then they are nobody */
	bool variant_given;      /* `variant` or nothing; otherwise the first that can be had */
	enum tasktime_source_variant variant;
	/* cheaper: no call chains; no page faults; no reading of the scheduler's books */
	bool never_causes, no_faults, no_scheduler;
	size_t ring_kb;          /* 0: 8192 for each CPU */
	int out_fd, err_fd;      /* of the command, as in struct source_spec */
	const struct spec_program *setup; /* likewise */
	bool no_input, own_group;
};

/* One task's part of a window. */
struct tasktime_source_row {
	struct tasktime_row row;     /* TASKTIME_SOURCE_COUNTERS: who and when, and no classes */
	bool books;               /* what follows is known */
	/* the scheduler's, of the same window; a live task's are torn by up to a tick (4 ms at 250 Hz) */
	uint64_t run_ns, wait_ns, slices;
	uint64_t io_ns;           /* delay accounting's, of a task that ended; UINT64_MAX: not told */
	struct tasktime_costed costed; /* with records; the tear is carried over to the next window */
	struct tasktime_coarse coarse;
};

struct tasktime_source_window {
	uint64_t from_ns, to_ns;         /* CLOCK_MONOTONIC */
	/* of tasks that ended in it and those alive; valid until the next window */
	const struct tasktime_source_row *row;
	size_t n;
	struct tasktime_row rest;           /* sum of tasks that ended beyond the 4096 that are told one by one */
	size_t n_rest;
	const struct tasktime_cpu_row *cpu; /* TASKTIME_SOURCE_RECORDS only */
	size_t n_cpus;
	uint64_t steal_ns;               /* the machine's, in ticks of 10 ms; of no task */
	bool steal_known, books_of_ended; /* the scheduler's times of ended threads are told */
	struct tasktime_trouble trouble;    /* since the start */
	bool believed;                   /* of all since the start; false: not to be shown, and … */
	char why[256];                   /* … why not */
	/* nothing of that kind came to light in this window: its own rows are good though earlier ones may not be */
	bool clean;
};

struct tasktime_source;

/* NULL and *e with what to do. */
struct tasktime_source *tasktime_source_open(const struct tasktime_source_spec *, struct err *e);
void tasktime_source_free(struct tasktime_source *); /* ends the command if it runs */

enum tasktime_source_variant tasktime_source_variant(const struct tasktime_source *);
/* What is not recorded, and why; "" when all is. */
const char *tasktime_source_note(const struct tasktime_source *);
struct tasktime_coverage tasktime_source_telling(const struct tasktime_source *);

bool tasktime_source_start(struct tasktime_source *, struct err *e);

/* This process, of those that were held, is let go now. */
void tasktime_source_begins(struct tasktime_source *, pid_t);

/* Readable when records wait to be taken, or the command has ended. */
int tasktime_source_wait_fd(const struct tasktime_source *);
void tasktime_source_pump(struct tasktime_source *); /* without waiting */

/* The command is told to end: SIGTERM, or SIGKILL (`hard`). What is not this one's own is left alone. */
void tasktime_source_stop(struct tasktime_source *, bool hard);

/* Has the command ended (then *status is as wait(2) gives it)? Processes: have all gone? */
bool tasktime_source_ended(struct tasktime_source *, int *status);

/* Closes the window at about now and begins the next; waits some 15 ms with records. `last`: nothing is recorded any
 * more. Who must not wait begins, goes on pumping, and calls it when it is ready, which tasktime_source_wait_fd() tells
 * too: then it closes the window at about the time of the beginning, at once. */
void tasktime_source_window(struct tasktime_source *, bool last, struct tasktime_source_window *);

void tasktime_source_window_begin(struct tasktime_source *);
bool tasktime_source_window_ready(const struct tasktime_source *);

/* Of the recording, since its start. */
struct tasktime_source_figures {
	uint64_t records, lost;                   /* read; lost in full rings */
	/* after the last window: counted by the kernel, and neither recorded nor told as lost */
	uint64_t missing_wakeups, missing_faults;
	uint64_t toggles;                         /* how often call chains and wake-ups were turned off or on */
	/* events that waited for their turn at most; CPUs recorded, gone, and come later (not recorded) */
	size_t waiting, ring_kb, cpus, offline, new_cpus;
};
void tasktime_source_figures(struct tasktime_source *, struct tasktime_source_figures *);

#endif
