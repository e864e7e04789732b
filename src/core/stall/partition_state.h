/* The partition, in two files: partition.c, tasks and windows; partition_cpus.c, CPUs. */
#ifndef CORE_STALL_PARTITION_STATE_H
#define CORE_STALL_PARTITION_STATE_H

#include "core/stall/partition.h"
#include "core/stall/tasks.h"

enum { NOBODY_KNOWS = -1, SWITCHING = -2, NAMELESS = -3 }; /* in place of a CPU's current task */

struct stall_cpu {
	struct stall_cpu_row row;
	uint64_t since;
	int32_t current; /* 0: idle */
};

struct stall_partition {
	struct stall_options options;
	struct stall_tasks tasks;
	struct stall_cpu *cpu;
	size_t n_cpus;
	uint64_t from, latest;
	struct stall_trouble trouble;
};

/* Its records contradict each other: since the last one it was in an unknown class. */
void stall_contradict(struct stall_partition *, struct stall_task *, uint64_t ns);
void stall_end_task(struct stall_partition *, struct stall_task *, uint64_t ns);

/* NULL: of none that is known */
struct stall_cpu *stall_cpu_of(struct stall_partition *, const struct stall_event *);
/* the time up to `ns` was its current task's */
void stall_cpu_account(const struct stall_partition *, struct stall_cpu *, uint64_t ns);
void stall_cpu_take(struct stall_partition *, const struct stall_event *);               /* STALL_IN, STALL_OUT */
/* what only a running task does was done here */
void stall_cpu_see(struct stall_partition *, const struct stall_event *);

#endif
