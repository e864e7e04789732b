/* Compares a task's row with the scheduler's own counts (schedstat), and makes a coarse row from these alone. Both
 * results are sums of whole nanoseconds that add up to the elapsed time.
 *
 * The scheduler's run time begins when it chooses the task and ends when it chooses the next one. Records are written
 * when the switch is done. So the scheduler also counts the switch itself and, after idling, the way to it. On a
 * virtual machine that is 8 to 16 µs for each time on a CPU. Here this cost is separate from the classes.
 *
 *     scheduler  ──────── wait ────────▶│◀───────────── run ──────────────▶│
 *     records    ── preempted, woken ───────────── … ──▶│◀─ on-cpu, fault-service ─▶│
 *                                       │ cost │ on the way │
 *
 * The wait is the scheduler's. What the records have beyond it pays for the cost, which is measured too. If more is
 * left, the scheduler had chosen the task, but the task did not run yet: it was on the way to the CPU. The run time is
 * the scheduler's, too. It leaves out interrupts, and time that the host took away (steal); records do not. What they
 * have beyond it was taken from the task. */
#ifndef CORE_TASKTIME_COST_H
#define CORE_TASKTIME_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tasktime/partition.h"

/* A row with the cost of switching, the way to the CPU, and what was taken moved out of the classes that contain them.
 * The sum of ns[], cost_ns, way_ns and taken_ns is the row's elapsed time. */
struct tasktime_costed {
	uint64_t ns[TASKTIME_CLASSES];
	uint64_t cost_ns;     /* the scheduler's run time minus the records'; 0 if not positive */
	uint64_t way_ns;      /* the records' wait for a CPU minus the scheduler's and the cost; 0 if not positive */
	uint64_t taken_ns;    /* the records' run time minus the scheduler's; 0 if not positive */
	uint64_t unwoken_ns;  /* time moved to TASKTIME_WOKEN, mostly because wake-ups were not recorded */
	/* parts of the scheduler's run time and wait for which the classes have no room, because of a torn read. Not
	 * part of cost_ns and ns[]. */
	uint64_t unplaced_ns, unwaited_ns;
};

/* Fills the costed row. run_ns and wait_ns are the scheduler's counts for the same time.
 *
 *     1. cost_ns first comes out of TASKTIME_WOKEN, then out of TASKTIME_PREEMPTED: at most the part of the records'
 *        wait that exceeds the scheduler's. What exceeds it then is way_ns.
 *     2. The rest of cost_ns comes out of the sleeping classes, in proportion to how often each was entered. That is
 *        an estimate.
 *     3. taken_ns comes out of TASKTIME_ON_CPU, then out of TASKTIME_FAULT_CPU.
 *     4. The part of the scheduler's wait that exceeds the records' moves to TASKTIME_WOKEN. It comes out of the
 *        sleeps, in the same proportion, if some of them ended without a wake-up record. What is left comes out of
 *        taken_ns: the host took the CPU away while the task was switched out, after the scheduler's reading of the
 *        clock and before the record. If the task has ended, so that both counts are complete, it then comes out of any
 *        sleep. */
void tasktime_cost(const struct tasktime_row *, uint64_t run_ns, uint64_t wait_ns, struct tasktime_costed *);

/* Returns the run time that the scheduler has not counted yet: what it lacks of the records', and its wait does not
 * have beyond theirs (4 above); at most `tick_ns`, and the task's last turn. run_ns and wait_ns may be below 0, with
 * what earlier windows owe. */
uint64_t tasktime_lag(const struct tasktime_row *, int64_t run_ns, int64_t wait_ns, uint64_t tick_ns);

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
