/* Windows of the time of tasks, in two files: stalls.c, opening, starting and the end; stalls_window.c, rows and the
 * scheduler's books beside them. */
#ifndef COLLECT_PERF_STALLS_STATE_H
#define COLLECT_PERF_STALLS_STATE_H

#include "collect/perf/child.h"
#include "collect/perf/records.h"
#include "collect/perf/schedstat.h"
#include "collect/perf/taskstats.h"
#include "collect/perf/world.h"
#include "collect/stalls.h"

#define STALLS_MOST_ENDED 4096

struct stalls {
	struct stalls_spec spec;
	pid_t *pid;
	bool *held;                      /* … of each: it has not been let go */
	struct perf_world world;
	enum stalls_variant variant;
	char note[512];
	struct child *child;
	struct child_end end;
	bool ended;
	struct records *records;
	struct stall_partition *partition;
	struct task_ends *task_ends;
	struct sched_book *books, *ends; /* by tid: what was read last; what the ended have had */
	struct stalls_row *row;
	size_t n, cap, n_ended;
	struct stall_row rest;
	size_t n_rest;
	struct stall_cpu_row *cpu;
	struct records_health health;    /* at the last window */
	struct stall_trouble trouble;
	uint64_t from_ns, to_ns, steal_ns; /* to_ns: of the window that is being made without records */
	bool steal_known, handed_out;
	bool closing;                    /* stalls_window_begin() was called */
	bool delays;                     /* without records: the kernel accounts for delays of I/O, from the start on */
	int epoll;
};

/* of all that is watched and there now; without records */
void stalls_each_thread(struct stalls *, void (*tell)(struct stalls *, pid_t pid, pid_t tid));
void stalls_take_row(void *stalls, const struct stall_row *);             /* as struct stall_options.row */
void stalls_take_event(void *partition, const struct stall_event *);      /* as records_drain() tells */
/* the books of a task that is there: what follows is counted from here on */
void stalls_remember(struct stalls *, pid_t pid, pid_t tid);
void stalls_take_ends(struct stalls *);                                   /* … of those that have ended */

#endif
