/* The partition, in two files: partition.c, tasks and windows; partition_cpus.c, CPUs. */
#ifndef CORE_TASKTIME_PARTITION_STATE_H
#define CORE_TASKTIME_PARTITION_STATE_H

#include "base/tid_table.h"
#include "core/tasktime/partition.h"
#include "core/tasktime/tasks.h"

enum { NOBODY_KNOWS = -1, SWITCHING = -2, NAMELESS = -3 }; /* in place of a CPU's current task */

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

/* Its records contradict each other: since the last one it was in an unknown class. */
void tasktime_contradict(struct tasktime_partition *, struct tasktime_task *, uint64_t ns);
void tasktime_end_task(struct tasktime_partition *, struct tasktime_task *, uint64_t ns);

/* NULL: of none that is known */
struct tasktime_cpu *tasktime_cpu_of(struct tasktime_partition *, const struct tasktime_event *);
/* the time up to `ns` was its current task's */
void tasktime_cpu_account(const struct tasktime_partition *, struct tasktime_cpu *, uint64_t ns);
/* TASKTIME_IN, TASKTIME_OUT */
void tasktime_cpu_take(struct tasktime_partition *, const struct tasktime_event *);
/* what only a running task does was done here */
void tasktime_cpu_see(struct tasktime_partition *, const struct tasktime_event *);

#endif
