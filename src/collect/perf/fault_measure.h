/* Measures what a page fault costs on this machine, with fresh pages of an own mapping. */
#ifndef COLLECT_PERF_FAULT_MEASURE_H
#define COLLECT_PERF_FAULT_MEASURE_H

#include <stdbool.h>

#include "core/tasktime/fault_cost.h"

struct perf_world;

/* Measures it in at most 20 ms on a CPU. Returns false if the kernel cannot populate pages (before Linux 5.14) or gives
 * no memory. */
bool fault_cost_measure(const struct perf_world *, struct fault_cost *);

/* Returns touch_ns alone, measured in less than 1 ms; NAN: there is no memory. */
double fault_cost_measure_briefly(void);

#endif
