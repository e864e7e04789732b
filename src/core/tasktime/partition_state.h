/* The state of a partition. Private to core/tasktime: partition.c has tasks and windows, partition_cpus.c CPUs. */
#ifndef CORE_TASKTIME_PARTITION_STATE_H
#define CORE_TASKTIME_PARTITION_STATE_H

#include "base/tid_table.h"
#include "core/tasktime/partition.h"
#include "core/tasktime/task.h"

/* values of a CPU's current task that are no task */
enum { TASKTIME_CPU_UNKNOWN = -1, TASKTIME_CPU_SWITCHING = -2, TASKTIME_CPU_NAMELESS = -3 };

struct tasktime_cpu {
	struct tasktime_cpu_row row;
	uint64_t since;
	int32_t current; /* 0: idle */
};

struct tasktime_partition {
	struct tasktime_options options;
	struct tid_table tasks; /* of struct tasktime_task */
	struct tasktime_cpu *cpu;
	size_t n_cpus;
	uint64_t from, latest;
	struct tasktime_trouble trouble;
};

/* A contradiction in the task's records: the time since the last one becomes unknown. */
void tasktime_contradict(struct tasktime_partition *, struct tasktime_task *, uint64_t ns);
void tasktime_end_task(struct tasktime_partition *, struct tasktime_task *, uint64_t ns);

/* NULL if the event's CPU number is too large */
struct tasktime_cpu *tasktime_cpu_of(struct tasktime_partition *, const struct tasktime_event *);
/* Add the time up to `ns` to the CPU's current task. */
void tasktime_cpu_account(const struct tasktime_partition *, struct tasktime_cpu *, uint64_t ns);
/* Take TASKTIME_IN or TASKTIME_OUT. */
void tasktime_cpu_take(struct tasktime_partition *, const struct tasktime_event *);
/* Take an event that only a running task has. */
void tasktime_cpu_see(struct tasktime_partition *, const struct tasktime_event *);
/* Take TASKTIME_OFFLINE. */
void tasktime_cpu_offline(struct tasktime_partition *, const struct tasktime_event *);

#endif
