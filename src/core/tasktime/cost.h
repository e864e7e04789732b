/* A task's row against the scheduler's own books, and what these books say alone. Both are sums of whole nanoseconds
 * that add up to the elapsed time.
 *
 * The scheduler's run time (schedstat) begins where it chooses the task and ends where it chooses the next; records
 * stand where the switch is done. So it books more: the switch itself, and after idling the way to it. That is 8 to 16
 * µs for each time on a CPU on a virtual machine, and is a row of its own here. */
#ifndef CORE_TASKTIME_COST_H
#define CORE_TASKTIME_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tasktime/partition.h"

/* A row with the cost of switching taken out of where records have put it. The sum of ns[] and cost_ns is the row's
 * elapsed time. */
struct tasktime_costed {
	uint64_t ns[TASKTIME_CLASSES];
	uint64_t cost_ns;     /* the scheduler's run time less that of the records; 0 when that is not positive */
	/* the records' run time less the scheduler's; 0 when that is not positive. Left in the classes */
	uint64_t excess_ns;
	uint64_t unwoken_ns;  /* moved from the sleeps to TASKTIME_WOKEN, where wake-ups were not recorded */
	/* part of the scheduler's run time that finds no room in the waiting classes: a torn reading. Not in cost_ns */
	uint64_t unplaced_ns;
};

/* Of cost_ns, what the records' run-queue wait has above the scheduler's comes out of TASKTIME_WOKEN, then
 * TASKTIME_PREEMPTED. The rest comes out of the sleeping classes, by how often each was entered: an estimate, while
 * cost_ns itself is measured. Where sleeps ended without a wake-up record, what the scheduler's wait has above the
 * records' comes out of the sleeps in the same way, and is TASKTIME_WOKEN. */
void tasktime_cost(const struct tasktime_row *, uint64_t run_ns, uint64_t wait_ns, struct tasktime_costed *);

/* What the scheduler's counters alone tell, of any process, without records. The sum of the four is the elapsed time.
 */
struct tasktime_coarse {
	uint64_t run_ns;   /* on a CPU, the service of page faults included */
	uint64_t wait_ns;  /* able to run, waiting for a CPU */
	uint64_t io_ns;    /* blocked for I/O, where delay accounting says so */
	uint64_t sleep_ns; /* the rest, as one */
	/* run and wait were more than the elapsed time (read at different moments, or a clock of another task); the run
	 * was cut */
	bool torn;
	/* the delay told was more than the time there was for it: kernels start it from a stamp of 0 for tasks that
	 * slept when delay accounting was turned on */
	bool io_rejected;
};

/* io_ns: blkio_delay_total of the time, or UINT64_MAX when nothing tells. */
void tasktime_coarse(uint64_t elapsed_ns, uint64_t run_ns, uint64_t wait_ns, uint64_t io_ns, struct tasktime_coarse *);

#endif
