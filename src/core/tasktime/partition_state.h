/* The state of a partition. Private to core/tasktime: partition.c has windows, task.c tasks, partition_cpus.c CPUs. */
#ifndef CORE_TASKTIME_PARTITION_STATE_H
#define CORE_TASKTIME_PARTITION_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tid_table.h"
#include "core/tasktime/partition.h"

/* A task that a partition follows (task.c). */
struct tasktime_task {
	struct tasktime_row row;   /* sums of the window so far */
	uint64_t since;            /* end of the time that is accounted */
	uint64_t turn_since;       /* beginning of its turn on a CPU, or of its wait for one */
	uint64_t fault_ns;         /* time in TASKTIME_FAULT_* of the open fault */
	enum tasktime_class class;
	int cpu;                   /* CPU on which it runs; -1: none */
	bool in_fault, exiting;
	bool dormant;              /* watched, but not begun, so its time does not count yet */
	bool unsure;               /* records were lost since its last one */
};

bool tasktime_task_runs(const struct tasktime_task *);
bool tasktime_task_waits(const struct tasktime_task *);                                   /* waits for a CPU */
/* Add the time up to `ns`, not before `since`, to this class. */
void tasktime_task_account(struct tasktime_task *, uint64_t ns, enum tasktime_class);
void tasktime_task_enter(struct tasktime_task *, enum tasktime_class, int cpu);
/* End the open fault without an outcome. */
void tasktime_task_fail_fault(struct tasktime_task *, uint64_t ns);
/* Returns the class of a task that leaves its CPU without being preempted. */
enum tasktime_class tasktime_class_asleep(const struct tasktime_event *, bool in_fault);
/* Returns true if only a running task can cause an event of this kind. */
bool tasktime_kind_is_of_runner(enum tasktime_kind);
/* Returns true if the task, which may be NULL, has begun and belongs to the process. */
bool tasktime_task_is_of(const struct tasktime_task *, int32_t pid);

/* values of tasktime_cpu.current that stand for no task */
enum { TASKTIME_CPU_UNKNOWN = -1, TASKTIME_CPU_SWITCHING = -2, TASKTIME_CPU_NAMELESS = -3 };

struct tasktime_cpu {
	struct tasktime_cpu_row row;
	uint64_t since;
	int32_t current; /* 0: idle */
};

struct tasktime_partition {
	struct tasktime_options options;
	struct tid_table tasks; /* values are struct tasktime_task */
	struct tasktime_cpu *cpu;
	size_t n_cpus;
	uint64_t from, latest;
	struct tasktime_trouble trouble;
};

/* Note a contradiction in the task's records: the time since its last record becomes unknown. */
void tasktime_contradict(struct tasktime_partition *, struct tasktime_task *, uint64_t ns);
void tasktime_end_task(struct tasktime_partition *, struct tasktime_task *, uint64_t ns);

/* Returns Returns the event's CPU; NULL if its number is too large. */
struct tasktime_cpu *tasktime_cpu_of(struct tasktime_partition *, const struct tasktime_event *);
/* Add the time up to `ns` to the CPU's current task. */
void tasktime_cpu_account(const struct tasktime_partition *, struct tasktime_cpu *, uint64_t ns);
/* Take TASKTIME_IN or TASKTIME_OUT. */
void tasktime_cpu_take(struct tasktime_partition *, const struct tasktime_event *);
/* Take an event that only a running task can cause. */
void tasktime_cpu_see(struct tasktime_partition *, const struct tasktime_event *);
/* Take TASKTIME_OFFLINE. */
void tasktime_cpu_offline(struct tasktime_partition *, const struct tasktime_event *);

#endif
