/* Is a counter alive? Some guests run a hardware event 100 % of the time and read 0 for ever; QEMU's RISC-V reads 0 for
 * the second event of a kind. */
#ifndef COLLECT_PERF_HEALTH_H
#define COLLECT_PERF_HEALTH_H

#include "collect/source.h"

struct event_code;
struct perf_reading;

/* The health of a counter after a command has ended, given that of its events before this one (the worst stands).
 * Software events and tracepoints are counted by the kernel itself, so their 0 is a 0; a hardware event's 0 is suspect,
 * and dead where no program can do without. */
enum obs_health perf_health(const struct event_code *, const struct perf_reading *, enum obs_health so_far);

/* What its 0 means in a row of a run. Page faults, which no program begins without, it may well do without later. */
enum source_zero perf_zero(const struct event_code *);

#endif
