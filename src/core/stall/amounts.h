/* A task's part of a window as amounts by name: what a live source can give to a stack's counters (`source
 * "stall:on-cpu"`) and what a recording holds in its columns.
 *
 * Names, in nanoseconds, without the "stall:" in front: every class of enum stall_class by stall_class_name(), and
 *
 *     elapsed      the time that passed: the sum of all classes and switch-cost
 *     run          on a CPU, page faults and switches included: on-cpu + fault-service + switch-cost
 *     wait         able to run, waiting for a CPU: preempted + woken
 *     off          asleep or blocked, for whatever reason: all other classes but unknown
 *     io           … of it for I/O: fault-io + block-io
 *     switch-cost  the scheduler's run time beyond that of records (core/stall/cost.h)
 *     sched-run, sched-wait  the scheduler's own books of the same time; no part of anything, to compare with
 *
 * Always, to the nanosecond: run + wait + off + unknown = elapsed. The classes of each add up to it where all of them
 * are reported. Where stall_tells() says that some are not, their time is in the sum alone: the others add up to less.
 */
#ifndef CORE_STALL_AMOUNTS_H
#define CORE_STALL_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/stall/cost.h"
#include "core/stall/partition.h"

enum stall_amount {
	STALL_ELAPSED = STALL_CLASSES, /* below it: the classes */
	STALL_RUN,
	STALL_WAIT,
	STALL_OFF,
	STALL_IO,
	STALL_SWITCH_COST,
	STALL_SCHED_RUN,
	STALL_SCHED_WAIT,
	STALL_AMOUNTS
};

#define STALL_PREFIX "stall:"

const char *stall_amount_name(int amount); /* "on-cpu", "elapsed" …, without the prefix */
const char *stall_amount_text(int amount); /* what it is, a short phrase */
int stall_amount_find(const char *source); /* "stall:on-cpu"; -1: there is no such class */

/* Which classes a recording can tell apart; what it cannot is in the classes that say so ("untold"), or only in the
 * sums. */
struct stall_telling {
	bool classes;  /* any at all; false: run, wait and off alone */
	bool faults;   /* fault-service; a page fault's waits apart from others */
	bool states;   /* what a task that sleeps waits for, as far as its state says it */
	bool causes;   /* I/O, futex and the rest of the sleeps apart */
	bool wakeups;  /* woken */
	bool io;       /* without classes: waits for I/O, by the kernel's accounts of delays */
	bool books;    /* the scheduler's */
};
bool stall_tells(const struct stall_telling *, int amount);

struct stall_amounts {
	int64_t ns[STALL_AMOUNTS];
};

/* A row divided by records. `c` (may be NULL: the books are not known) takes the cost of switches out of the classes.
 */
void stall_amounts_of_row(const struct stall_row *, const struct stall_costed *c, struct stall_amounts *);

/* A row of elapsed_ns by the scheduler's books alone; NULL: nobody knows, all of it is unknown. */
void stall_amounts_coarse(uint64_t elapsed_ns, const struct stall_coarse *, struct stall_amounts *);

void stall_amounts_add(struct stall_amounts *sum, const struct stall_amounts *);

/* run + wait + off + unknown = elapsed, and no class sum is more than what it is a part of. */
bool stall_amounts_hold(const struct stall_amounts *);

#endif
