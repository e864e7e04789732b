/* Is a counter alive? On some guests a hardware event runs 100 % of the time and always reads 0; QEMU's RISC-V reads 0
 * for the second event of a kind. */
#ifndef COLLECT_PERF_HEALTH_H
#define COLLECT_PERF_HEALTH_H

#include "collect/source.h"

struct event_code;
struct perf_reading;

/* The health of a counter after a command has ended, given that of its earlier events: the worse of the two. The kernel
 * itself counts software events and tracepoints, so their 0 is a measured 0. A hardware event's 0 is suspect, or dead
 * if no program runs without the event. */
enum obs_health perf_health(const struct event_code *, const struct perf_reading *, enum obs_health so_far);

/* The meaning of its 0 in a row of a run. No program starts without page faults, but a later interval may have none. */
enum source_zero perf_zero(const struct event_code *);

#endif
