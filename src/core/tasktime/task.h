/* A task that a partition follows. */
#ifndef CORE_TASKTIME_TASK_H
#define CORE_TASKTIME_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tasktime/partition.h"

struct tasktime_task {
	struct tasktime_row row;   /* sums of the window so far */
	uint64_t since;            /* end of the time that is accounted */
	uint64_t fault_ns;         /* time in TASKTIME_FAULT_* of the open fault */
	enum tasktime_class class;
	int cpu;                   /* where it runs; -1 */
	bool in_fault, exiting;
	bool dormant;              /* watched, but not begun: its time does not count yet */
	bool unsure;               /* records were lost since its last one */
};

bool tasktime_task_runs(const struct tasktime_task *);
bool tasktime_task_waits(const struct tasktime_task *);                                   /* waits for a CPU */
/* Add the time up to `ns`, not before `since`, to this class. */
void tasktime_task_account(struct tasktime_task *, uint64_t ns, enum tasktime_class);
void tasktime_task_enter(struct tasktime_task *, enum tasktime_class, int cpu);
/* End the open fault without an outcome. */
void tasktime_task_fail_fault(struct tasktime_task *, uint64_t ns);
/* The class of a task that leaves its CPU, not preempted. */
enum tasktime_class tasktime_class_asleep(const struct tasktime_event *, bool in_fault);
/* True if the event is one that only a running task has. */
bool tasktime_kind_is_of_runner(enum tasktime_kind);
/* True if the task, which may be NULL, has begun and belongs to the process. */
bool tasktime_task_is_of(const struct tasktime_task *, int32_t pid);

#endif
