/* The tasks that switch records name: who is followed, what they are called, where they ran last. */
#ifndef COLLECT_PERF_FLOW_TASKS_H
#define COLLECT_PERF_FLOW_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_TASK_NOWHERE ((size_t)-1)
#define FLOW_TASKS_ENDED 16384 /* of so many that have ended the names are kept, at least */

struct flow_task {
	int32_t tid, pid;
	size_t core;     /* where it ran last; FLOW_TASK_NOWHERE: not seen yet */
	bool followed;
	bool ending;     /* it ends when it leaves its CPU for good */
	bool ended;
	char name[16];
};

struct flow_tasks;

/* `all`: everybody is followed but the idle tasks. */
struct flow_tasks *flow_tasks_new(bool all);
void flow_tasks_free(struct flow_tasks *);

/* Valid until another one is added. NULL: it is not known. */
struct flow_task *flow_tasks_find(const struct flow_tasks *, int32_t tid);
/* … then it is added; its name is looked up where `pid` is 0, and is its process's number then. */
struct flow_task *flow_tasks_get(struct flow_tasks *, int32_t tid, int32_t pid);

/* As records say. A child of who is followed is followed, and called as its parent. */
void flow_tasks_fork(struct flow_tasks *, int32_t tid, int32_t pid, int32_t parent);
void flow_tasks_name(struct flow_tasks *, int32_t tid, int32_t pid, const char *name);
void flow_tasks_end(struct flow_tasks *, int32_t tid);

#endif
