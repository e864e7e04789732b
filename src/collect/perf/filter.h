/* Kernel filters with constants that differ by kernel: `item == $PGFAULT`. */
#ifndef COLLECT_PERF_FILTER_H
#define COLLECT_PERF_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct fault_item;
struct perf_world;
struct source_status;

/* A probed constant. `known` false: not probed yet. `value` -1: cannot be probed, for the reason in `why`. */
struct filter_constant {
	bool known;
	int value;
	char why[512], remedy[256];
};

struct filter_constants {
	struct filter_constant pgfault; /* item of memcg:count_memcg_events for a handled page fault */
};

/* Copies `filter` with every $NAME replaced, probing each constant at its first use. Returns false and sets *why if a
 * constant is unknown or cannot be probed here, or if the result does not fit. */
bool filter_expand(const char *filter, struct filter_constants *, const struct perf_world *, char *out, size_t size,
	struct source_status *why);

/* Finds the item number that memcg:count_memcg_events uses for PGFAULT (enum vm_event_item, which differs between
 * kernels), by raising faults and observing which item rises (fault_item.h). Linux 6.18: 23. */
void filter_probe_pgfault(const struct perf_world *, struct filter_constant *);

/* Sets the constant to the value that a probe found, or sets the reason why it found none. `refused` says why the probe
 * could not begin. A disturbed probe leaves the constant unknown: the next run tries again. */
void filter_take_pgfault(struct filter_constant *, const struct fault_item *, const struct source_status *refused);

#endif
