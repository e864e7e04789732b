/* A task that a partition follows. */
#ifndef CORE_TASKTIME_TASKS_H
#define CORE_TASKTIME_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tasktime/partition.h"

struct tasktime_task {
	struct tasktime_row row;      /* of the window so far */
	uint64_t since;            /* what is behind it has been accounted */
	uint64_t fault_ns;         /* time of STALL_FAULT_* that the open fault has held */
	enum tasktime_class class;
	int cpu;                   /* where it runs; -1 */
	bool in_fault, exiting;
	bool dormant;              /* watched, and not begun yet: no time of it counts */
	bool unsure;               /* records were lost since its last one */
};

/* task.c */
bool tasktime_task_runs(const struct tasktime_task *);
bool tasktime_task_waits(const struct tasktime_task *);                                   /* for a CPU */
/* the time up to `ns`, not before `since`, was of this class */
void tasktime_task_account(struct tasktime_task *, uint64_t ns, enum tasktime_class);
void tasktime_task_enter(struct tasktime_task *, enum tasktime_class, int cpu);
/* the open fault is over without an outcome */
void tasktime_task_fail_fault(struct tasktime_task *, uint64_t ns);
/* of a task that leaves its CPU, not preempted */
enum tasktime_class tasktime_class_asleep(const struct tasktime_event *, bool in_fault);

#endif
