/* What the workload counts, by inspection of its instructions. */
#ifndef COLLECT_WORKLOAD_EXPECTED_H
#define COLLECT_WORKLOAD_EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/workload/workload.h"

/* Returns what part `k` counts with this number of iterations, without the frame. */
struct workload_counts workload_expect_part(size_t k, uint32_t loops);
/* Returns what the whole program counts, with workload_n_parts numbers of iterations. WORKLOAD_FAULTS does not include
 * the pages of the program itself, whose number depends on the kernel. */
struct workload_counts workload_expect(const uint32_t *loops);

/* Finds the kind that an event counts, by the names of perf and of processors: "instructions:u",
 * "br_inst_retired.conditional", "page-faults". Returns false if none is known, so that there is nothing to expect. */
bool workload_kind_of_event(const char *event, enum workload_kind *);

#endif
