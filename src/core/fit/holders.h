/* Which events can be on the counters of a PMU at once, by the counters that each can use: a bipartite matching.
 *
 * Vendors write the counters of an event as "0,1,2,3", "Fixed counter 0" or, in older lists, "32" for fixed counter 0.
 * An event of a fixed counter has that one only. Sources: the Counter field of intel/perfmon; Intel SDM volume 3B,
 * 20.2. */
#ifndef CORE_FIT_HOLDERS_H
#define CORE_FIT_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOLDERS_FIXED 32 /* bit of fixed counter 0 */

struct holder_event {
	uint64_t counters;  /* bits: programmable counters below HOLDERS_FIXED, fixed counters from it on */
	bool alone;         /* no other event of its PMU that is to be alone may be in its set (TakenAlone) */
	unsigned pmu;       /* number of the PMU that has the counters: each kind of cores has one */
};

/* Reads the counters of an event. Returns false if the text names none. */
bool holders_read(const char *text, uint64_t *counters);

/* Can the events `which` (n numbers) be counted at once? A PMU has at most 64 counters. */
bool holders_fit(const struct holder_event *, const size_t *which, size_t n);

#endif
