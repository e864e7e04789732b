/* Kernel filters with constants that differ by kernel: `item == $PGFAULT`. */
#ifndef COLLECT_PERF_FILTER_H
#define COLLECT_PERF_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct perf_world;
struct source_status;

/* What a constant turned out to be. `known` false: not probed yet. `value` -1: cannot be probed, and `why` says why. */
struct filter_constant {
	bool known;
	int value;
	char why[256], remedy[256];
};

struct filter_constants {
	struct filter_constant pgfault; /* item of memcg:count_memcg_events that stands for a handled page fault */
};

/* Copy `filter` with every $NAME replaced; a constant is probed when it is met first. False and *why for an unknown
 * constant, one that cannot be probed here, or a result that does not fit. */
bool filter_expand(const char *filter, struct filter_constants *, const struct perf_world *, char *out, size_t size,
	struct source_status *why);

/* The item number that memcg:count_memcg_events uses for PGFAULT (enum vm_event_item, which moves with every kernel),
 * found by raising faults and looking which item follows. Fresh pages that are written count PGFAULT and, in a charged
 * cgroup, PGPGIN as well; fresh pages that are only read are mapped to the zero page, charge nothing and count PGFAULT
 * alone. So an item is PGFAULT when it follows both, exactly. Linux 6.18: 23. */
void filter_probe_pgfault(const struct perf_world *, struct filter_constant *);

#endif
