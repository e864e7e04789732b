/* A task's part of a window as amounts by name: a live source gives them to a stack's counters (`source
 * "stall:on-cpu"`), and a recording has them in its columns.
 *
 * Names, in nanoseconds, without the prefix "stall:": every class of enum tasktime_class by tasktime_class_name(), and
 *
 *     elapsed      the time that passed: the sum of all classes, switch-cost, on-the-way and taken
 *     run          on a CPU, page faults and switches included: on-cpu + fault-service + exception + switch-cost
 *     exception    entry and exit of page faults, by their number and a cost that was measured; part of on-cpu if
 *                  that is not known
 *     wait         able to run, waiting for a CPU: preempted + woken
 *     on-the-way   chosen by the scheduler, and not yet running (core/tasktime/cost.h)
 *     taken        on a CPU by the records, but not by the scheduler: interrupts, and what the host took away
 *     off          asleep or blocked, for whatever reason: all other classes but unknown
 *     io           the part of off spent waiting for I/O: fault-io + block-io
 *     switch-cost  the scheduler's run time beyond that of the records (core/tasktime/cost.h)
 *     sched-run, sched-wait  the scheduler's own counts of the same time, for comparison; part of no sum
 *
 * Always, to the nanosecond: run + wait + on-the-way + taken + off + unknown = elapsed. If a recording covers all
 * classes of a sum, they add up to it. If tasktime_covers() is false for some classes, their time is only in the sum,
 * and the other classes add up to less. */
#ifndef CORE_TASKTIME_AMOUNTS_H
#define CORE_TASKTIME_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tasktime/cost.h"
#include "core/tasktime/partition.h"

enum tasktime_amount {
	TASKTIME_ELAPSED = TASKTIME_CLASSES, /* numbers below it are the classes */
	TASKTIME_RUN,
	TASKTIME_WAIT,
	TASKTIME_OFF,
	TASKTIME_IO,
	TASKTIME_SWITCH_COST,
	TASKTIME_WAY,
	TASKTIME_TAKEN,
	TASKTIME_EXCEPTION,
	TASKTIME_SCHED_RUN,
	TASKTIME_SCHED_WAIT,
	TASKTIME_AMOUNTS
};

#define TASKTIME_PREFIX "stall:"

const char *tasktime_amount_name(int amount); /* "on-cpu", "elapsed" …, without the prefix */
int tasktime_amount_find(const char *source); /* "stall:on-cpu"; -1: no such amount */

/* Which classes a recording distinguishes. Time of the other classes is in the classes of unrecorded cause, or only in
 * the sums. */
struct tasktime_coverage {
	bool classes;  /* any class at all; false: only run, wait and off */
	bool faults;   /* fault-service, and waits inside page faults */
	bool states;   /* kinds of sleep by the task's state */
	bool causes;   /* I/O, futexes and other causes of sleep */
	bool wakeups;  /* woken */
	bool io;       /* without `classes`: waits for I/O, from the kernel's delay accounting */
	bool exceptions; /* the cost of a page fault beyond fault-service */
	bool books;    /* the scheduler's own counts */
};
bool tasktime_covers(const struct tasktime_coverage *, int amount);

struct tasktime_amounts {
	int64_t ns[TASKTIME_AMOUNTS];
};

/* Makes amounts from a row that was made from records. `c` moves the cost of switches out of the classes; NULL: the
 * scheduler's counts are unknown. exception_ns: what each fault costs beyond fault-service, which is
 * taken out of on-cpu; 0 if that is not known. */
void tasktime_amounts_of_row(const struct tasktime_row *, const struct tasktime_costed *c, double exception_ns,
	struct tasktime_amounts *);

/* Makes amounts for elapsed_ns from the scheduler's counts alone; NULL: all of the time is unknown. */
void tasktime_amounts_coarse(uint64_t elapsed_ns, const struct tasktime_coarse *, struct tasktime_amounts *);

void tasktime_amounts_add(struct tasktime_amounts *sum, const struct tasktime_amounts *);

/* Returns true if run + wait + on-the-way + taken + off + unknown = elapsed, and no sum of classes exceeds the sum that
 * it is part of. */
bool tasktime_amounts_hold(const struct tasktime_amounts *);

#endif
