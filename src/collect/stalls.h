/* Where the wall time of a command, of running processes or of a whole machine goes, in windows: records of the kernel
 * put in order (collect/perf/records.h), the partition of them (core/stall/partition.h), and the scheduler's own books
 * beside it, which the partition never uses.
 *
 *     stalls_open, stalls_start, { poll stalls_wait_fd → stalls_pump; at each tick stalls_window } …, stalls_window,
 * stalls_free */
#ifndef COLLECT_STALLS_H
#define COLLECT_STALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/stall/amounts.h"
#include "core/stall/cost.h"
#include "core/stall/partition.h"

struct err;
struct spec_program;

enum stalls_variant {
	STALLS_RECORDS, /* all classes; needs CAP_PERFMON, and tracefs for states and causes */
	/* a command of one's own: on-cpu, preempted, asleep, user side faults; any user. A wait for a CPU after a
	   wake-up is part of `asleep`, but for what the scheduler's books say (stall_cost) */
	STALLS_SWITCHES,
	STALLS_COUNTERS, /* the scheduler's counters of any process: struct stall_coarse, and no classes; any user */
};

struct stalls_spec {
	char *const *argv;       /* the command; NULL: */
	const pid_t *pid;        /* … processes; NULL: */
	size_t n_pids;           /* … everything that runs */
	bool only_threads;       /* of the processes: not what they start */
	bool from_exec; /* the processes have been forked and wait before their execve(2) (source_ops.pid): commands
			   that somebody else starts, and that count from there on. Start before one is let go, and
			   nothing is missed */
	bool held;               /* … and stalls_begins() tells when that is, of each: until then they are nobody */
	bool variant_given;      /* `variant` or nothing; otherwise the first that can be had */
	enum stalls_variant variant;
	/* cheaper: no call chains; no page faults; no reading of the scheduler's books */
	bool never_causes, no_faults, no_scheduler;
	size_t ring_kb;          /* 0: 8192 for each CPU */
	int out_fd, err_fd;      /* of the command, as in struct source_spec */
	const struct spec_program *setup; /* likewise */
	bool no_input, own_group;
};

/* One task's part of a window. */
struct stalls_row {
	struct stall_row row;     /* STALLS_COUNTERS: who and when, and no classes */
	bool books;               /* what follows is known */
	/* the scheduler's, of the same window; a live task's are torn by up to a tick (4 ms at 250 Hz) */
	uint64_t run_ns, wait_ns, slices;
	uint64_t io_ns;           /* delay accounting's, of a task that ended; UINT64_MAX: not told */
	struct stall_costed costed; /* with records; the tear is carried over to the next window */
	struct stall_coarse coarse;
};

struct stalls_window {
	uint64_t from_ns, to_ns;         /* CLOCK_MONOTONIC */
	const struct stalls_row *row;    /* of tasks that ended in it and those alive; valid until the next window */
	size_t n;
	struct stall_row rest;           /* sum of tasks that ended beyond the 4096 that are told one by one */
	size_t n_rest;
	const struct stall_cpu_row *cpu; /* STALLS_RECORDS only */
	size_t n_cpus;
	uint64_t steal_ns;               /* the machine's, in ticks of 10 ms; of no task */
	bool steal_known, books_of_ended; /* the scheduler's times of ended threads are told */
	struct stall_trouble trouble;    /* since the start */
	bool believed;                   /* of all since the start; false: not to be shown, and … */
	char why[256];                   /* … why not */
	/* nothing of that kind came to light in this window: its own rows are good though earlier ones may not be */
	bool clean;
};

struct stalls;

/* NULL and *e with what to do. */
struct stalls *stalls_open(const struct stalls_spec *, struct err *e);
void stalls_free(struct stalls *); /* ends the command if it runs */

enum stalls_variant stalls_variant(const struct stalls *);
/* What is not recorded, and why; "" when all is. */
const char *stalls_note(const struct stalls *);
struct stall_telling stalls_telling(const struct stalls *);

bool stalls_start(struct stalls *, struct err *e);

/* This process, of those that were held, is let go now. */
void stalls_begins(struct stalls *, pid_t);

/* Readable when records wait to be taken, or the command has ended. */
int stalls_wait_fd(const struct stalls *);
void stalls_pump(struct stalls *); /* without waiting */

/* The command is told to end: SIGTERM, or SIGKILL (`hard`). What is not this one's own is left alone. */
void stalls_stop(struct stalls *, bool hard);

/* Has the command ended (then *status is as wait(2) gives it)? Processes: have all gone? */
bool stalls_ended(struct stalls *, int *status);

/* Closes the window at about now and begins the next; waits some 15 ms with records. `last`: nothing is recorded any
 * more. Who must not wait begins, goes on pumping, and calls it when it is ready, which stalls_wait_fd() tells too:
 * then it closes the window at about the time of the beginning, at once. */
void stalls_window(struct stalls *, bool last, struct stalls_window *);

void stalls_window_begin(struct stalls *);
bool stalls_window_ready(const struct stalls *);

/* Of the recording, since its start. */
struct stalls_figures {
	uint64_t records, lost;                   /* read; lost in full rings */
	/* after the last window: counted by the kernel, and neither recorded nor told as lost */
	uint64_t missing_wakeups, missing_faults;
	uint64_t toggles;                         /* how often call chains and wake-ups were turned off or on */
	/* events that waited for their turn at most; CPUs recorded, gone, and come later (not recorded) */
	size_t waiting, ring_kb, cpus, offline, new_cpus;
};
void stalls_figures(struct stalls *, struct stalls_figures *);

#endif
