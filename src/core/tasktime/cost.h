/* Compares a task's row with the scheduler's own counts (schedstat), and makes a coarse row from these alone. Both
 * results are sums of whole nanoseconds that add up to the elapsed time.
 *
 * The scheduler's run time begins when it chooses the task and ends when it chooses the next one. Records are written
 * when the switch is done. So the scheduler also counts the switch itself and, after idling, the way to it. On a
 * virtual machine that is 8 to 16 µs for each time on a CPU. Here this cost is separate from the classes. */
#ifndef CORE_TASKTIME_COST_H
#define CORE_TASKTIME_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tasktime/partition.h"

/* A row with the cost of switching taken out of the classes that contain it. The sum of ns[] and cost_ns is the
 * row's elapsed time. */
struct tasktime_costed {
	uint64_t ns[TASKTIME_CLASSES];
	uint64_t cost_ns;     /* the scheduler's run time minus the records'; 0 if not positive */
	/* the records' run time minus the scheduler's; 0 if not positive. It stays in the classes. */
	uint64_t excess_ns;
	uint64_t unwoken_ns;  /* time moved from the sleeps to TASKTIME_WOKEN because wake-ups were not recorded */
	/* part of the scheduler's run time for which the waiting classes have no room, because of a torn read. Not part
	 * of cost_ns. */
	uint64_t unplaced_ns;
};

/* Fill the costed row. run_ns and wait_ns are the scheduler's counts for the same time.
 *
 *     1. cost_ns, which is measured, first comes out of TASKTIME_WOKEN, then out of TASKTIME_PREEMPTED: at most the
 *        part of the records' run-queue wait that exceeds the scheduler's.
 *     2. The rest of cost_ns comes out of the sleeping classes, in proportion to how often each was entered. That is
 *        an estimate. What finds no room there comes out of the two run-queue classes; the last rest is unplaced_ns.
 *     3. If sleeps ended without a wake-up record, the part of the scheduler's wait that exceeds the records' moves
 *        from the sleeps to TASKTIME_WOKEN, in the same proportion. */
void tasktime_cost(const struct tasktime_row *, uint64_t run_ns, uint64_t wait_ns, struct tasktime_costed *);

/* The time of a process, by the scheduler's counters alone, without records. The four times add up to the elapsed time.
 */
struct tasktime_coarse {
	uint64_t run_ns;   /* on a CPU, page faults included */
	uint64_t wait_ns;  /* able to run, waiting for a CPU */
	uint64_t io_ns;    /* blocked for I/O, if delay accounting is on */
	uint64_t sleep_ns; /* all other time */
	/* run and wait exceeded the elapsed time, because they were read at different times or belong to another
	 * task's clock; run was cut */
	bool torn;
	/* the reported I/O delay exceeded the time left for it. Kernels count from a stamp of 0 for tasks that were
	 * asleep when delay accounting was turned on. */
	bool io_rejected;
};

/* Fill the coarse row. io_ns is the increment of blkio_delay_total; UINT64_MAX if not known. */
void tasktime_coarse(uint64_t elapsed_ns, uint64_t run_ns, uint64_t wait_ns, uint64_t io_ns, struct tasktime_coarse *);

#endif
