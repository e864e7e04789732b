/* Finds the item of memcg:count_memcg_events that counts page faults on this kernel, by raising some. */
#ifndef COLLECT_PERF_FAULT_PROBE_H
#define COLLECT_PERF_FAULT_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/perf/fault_item.h"

struct event_code;
struct perf_world;
struct source_status;

/* A probe of this kernel; `status` says why open() failed. */
struct fault_probe {
	const struct event_code *code; /* of memcg:count_memcg_events */
	const struct perf_world *world;
	struct source_status *status;
	int leader, faults;            /* descriptors: the group, the software event page-faults; -1: not open */
	int item[FAULT_BATCH];
};

/* The functions that count on this kernel. They enable and read the software event and a batch of items as one group,
 * so that a fault between two system calls is in all counts or in none. */
struct fault_kernel fault_probe_kernel(struct fault_probe *, const struct event_code *, const struct perf_world *,
	struct source_status *);

#endif
