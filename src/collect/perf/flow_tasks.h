/* The tasks in switch records: which are followed, their names, and the CPU that each ran on last. */
#ifndef COLLECT_PERF_FLOW_TASKS_H
#define COLLECT_PERF_FLOW_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_TASK_NOWHERE ((size_t)-1)
#define FLOW_TASKS_ENDED 16384 /* names of at least this many ended tasks are kept */

struct flow_task {
	int32_t tid, pid;
	size_t core;     /* CPU that it ran on last; FLOW_TASK_NOWHERE: not seen yet */
	bool followed;
	bool ending;     /* exiting: the next switch from it is its end */
	bool ended;
	char name[16];
};

struct flow_tasks;

/* Makes an empty list of tasks. `all`: every task except the idle tasks is followed. */
struct flow_tasks *flow_tasks_new(bool all);
void flow_tasks_free(struct flow_tasks *);

/* Returns the task's row, valid until another one is added. NULL: unknown. */
struct flow_task *flow_tasks_find(const struct flow_tasks *, int32_t tid);
/* Returns the task's row, and adds the task if it is unknown. If `pid` is 0, its process and name are looked up. */
struct flow_task *flow_tasks_get(struct flow_tasks *, int32_t tid, int32_t pid);

/* Takes a record of fork, exec or exit. The child of a followed task is followed and has its parent's name. */
void flow_tasks_fork(struct flow_tasks *, int32_t tid, int32_t pid, int32_t parent);
void flow_tasks_name(struct flow_tasks *, int32_t tid, int32_t pid, const char *name);
void flow_tasks_end(struct flow_tasks *, int32_t tid);

/* Returns a task that is exiting and has not ended. NULL: there is none. */
struct flow_task *flow_tasks_ending(const struct flow_tasks *);

#endif
