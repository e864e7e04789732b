/* The tasks that a partition follows, by their number. */
#ifndef CORE_STALL_TASKS_H
#define CORE_STALL_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/stall/partition.h"

struct stall_task {
	struct stall_row row;      /* of the window so far */
	uint64_t since;            /* what is behind it has been accounted */
	uint64_t fault_ns;         /* time of STALL_FAULT_* that the open fault has held */
	enum stall_class class;
	int cpu;                   /* where it runs; -1 */
	bool in_fault, exiting;
	bool dormant;              /* watched, and not begun yet: no time of it counts */
	bool unsure;               /* records were lost since its last one */
};

/* task.c */
bool stall_task_runs(const struct stall_task *);
bool stall_task_waits(const struct stall_task *);                                   /* for a CPU */
/* the time up to `ns`, not before `since`, was of this class */
void stall_task_account(struct stall_task *, uint64_t ns, enum stall_class);
void stall_task_enter(struct stall_task *, enum stall_class, int cpu);
/* the open fault is over without an outcome */
void stall_task_fail_fault(struct stall_task *, uint64_t ns);
/* of a task that leaves its CPU, not preempted */
enum stall_class stall_class_asleep(const struct stall_event *, bool in_fault);

struct stall_tasks {
	struct stall_task **slot;  /* open addressing; NULL: free */
	size_t cap, n;
};

struct stall_task *stall_tasks_get(const struct stall_tasks *, int32_t tid); /* NULL: not followed */
struct stall_task *stall_tasks_add(struct stall_tasks *, int32_t tid);       /* zeroed; tid must not be there */
void stall_tasks_remove(struct stall_tasks *, int32_t tid);                  /* frees it */
void stall_tasks_free(struct stall_tasks *);

#endif
