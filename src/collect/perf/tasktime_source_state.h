/* Windows of tasks' time, in two files: tasktime_source.c opens, starts and ends; tasktime_source_window.c makes rows
 * and adds the scheduler's accounts. */
#ifndef COLLECT_PERF_TASKTIME_SOURCE_STATE_H
#define COLLECT_PERF_TASKTIME_SOURCE_STATE_H

#include "collect/perf/records.h"
#include "collect/perf/world.h"
#include "collect/proc/schedstat.h"
#include "collect/proc/taskstats.h"
#include "collect/process/child.h"
#include "collect/tasktime_source.h"

#define TASKTIME_SOURCE_MOST_ENDED 4096

struct tasktime_source {
	struct tasktime_source_spec spec;
	pid_t *pid;
	bool *held;                      /* per held process: it has not been started */
	struct perf_world world;
	enum tasktime_source_variant variant;
	char note[512];
	struct child *child;
	struct child_end end;
	bool ended;
	struct records *records;
	struct tasktime_partition *partition;
	struct task_ends *task_ends;
	/* the last reading of each thread; readings for the window that is being closed; the final values of ended
	 * threads */
	struct sched_accounts *books, *early, *ends;
	struct tasktime_source_row *row;
	size_t n, cap, n_ended;
	struct tasktime_row rest;
	size_t n_rest;
	struct tasktime_cpu_row *cpu;
	struct records_health health;    /* health as of the last window */
	struct tasktime_trouble trouble;
	uint64_t from_ns, to_ns, steal_ns; /* to_ns: end of the window that is being made without records */
	bool steal_known, handed_out;
	bool closing;                    /* tasktime_source_window_begin() was called */
	bool delays;                     /* without records: the kernel has accounted for I/O delays since the start */
	int epoll;
};

/* for sources without records: calls `each` for the watched tasks that exist now */
void tasktime_source_each_thread(
	struct tasktime_source *, void (*each)(struct tasktime_source *, pid_t pid, pid_t tid));
/* adds a row: struct tasktime_options.row */
void tasktime_source_take_row(void *stalls, const struct tasktime_row *);
/* takes an event from records_drain() */
void tasktime_source_take_event(void *partition, const struct tasktime_event *);
/* reads the accounts of an existing task, as the baseline */
void tasktime_source_remember(struct tasktime_source *, pid_t pid, pid_t tid);
void tasktime_source_take_ends(struct tasktime_source *); /* reads the accounts of ended tasks */

#endif
