/* A task's part of a window as amounts by name: what a live source can give to a stack's counters (`source
 * "stall:on-cpu"`) and what a recording holds in its columns.
 *
 * Names, in nanoseconds, without the "stall:" in front: every class of enum tasktime_class by tasktime_class_name(),
 * and
 *
 *     elapsed      the time that passed: the sum of all classes and switch-cost
 *     run          on a CPU, page faults and switches included: on-cpu + fault-service + switch-cost
 *     wait         able to run, waiting for a CPU: preempted + woken
 *     off          asleep or blocked, for whatever reason: all other classes but unknown
 *     io           … of it for I/O: fault-io + block-io
 *     switch-cost  the scheduler's run time beyond that of records (core/tasktime/cost.h)
 *     sched-run, sched-wait  the scheduler's own books of the same time; no part of anything, to compare with
 *
 * Always, to the nanosecond: run + wait + off + unknown = elapsed. The classes of each add up to it where all of them
 * are reported. Where tasktime_covers() says that some are not, their time is in the sum alone: the others add up to
 * less.
 */
#ifndef CORE_TASKTIME_AMOUNTS_H
#define CORE_TASKTIME_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tasktime/cost.h"
#include "core/tasktime/partition.h"

enum tasktime_amount {
	TASKTIME_ELAPSED = TASKTIME_CLASSES, /* below it: the classes */
	TASKTIME_RUN,
	TASKTIME_WAIT,
	TASKTIME_OFF,
	TASKTIME_IO,
	TASKTIME_SWITCH_COST,
	TASKTIME_SCHED_RUN,
	TASKTIME_SCHED_WAIT,
	TASKTIME_AMOUNTS
};

#define TASKTIME_PREFIX "stall:"

const char *tasktime_amount_name(int amount); /* "on-cpu", "elapsed" …, without the prefix */
const char *tasktime_amount_text(int amount); /* what it is, a short phrase */
int tasktime_amount_find(const char *source); /* "stall:on-cpu"; -1: there is no such class */

/* Which classes a recording can tell apart; what it cannot is in the classes that say so ("untold"), or only in the
 * sums. */
struct tasktime_coverage {
	bool classes;  /* any at all; false: run, wait and off alone */
	bool faults;   /* fault-service; a page fault's waits apart from others */
	bool states;   /* what a task that sleeps waits for, as far as its state says it */
	bool causes;   /* I/O, futex and the rest of the sleeps apart */
	bool wakeups;  /* woken */
	bool io;       /* without classes: waits for I/O, by the kernel's accounts of delays */
	bool books;    /* the scheduler's */
};
bool tasktime_covers(const struct tasktime_coverage *, int amount);

struct tasktime_amounts {
	int64_t ns[TASKTIME_AMOUNTS];
};

/* A row divided by records. `c` (may be NULL: the books are not known) takes the cost of switches out of the classes.
 */
void tasktime_amounts_of_row(const struct tasktime_row *, const struct tasktime_costed *c, struct tasktime_amounts *);

/* A row of elapsed_ns by the scheduler's books alone; NULL: nobody knows, all of it is unknown. */
void tasktime_amounts_coarse(uint64_t elapsed_ns, const struct tasktime_coarse *, struct tasktime_amounts *);

void tasktime_amounts_add(struct tasktime_amounts *sum, const struct tasktime_amounts *);

/* run + wait + off + unknown = elapsed, and no class sum is more than what it is a part of. */
bool tasktime_amounts_hold(const struct tasktime_amounts *);

#endif
