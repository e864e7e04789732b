/* What a page fault costs on this machine, measured with fresh pages of an own mapping. On a virtual machine a fault may
 * cost several times what its handler takes, because the exception itself is expensive there; no record and no counter
 * shows that part. */
#ifndef COLLECT_PERF_FAULT_COST_H
#define COLLECT_PERF_FAULT_COST_H

#include <stdbool.h>
#include <stddef.h>

struct perf_world;

/* ns for a page, medians over batches of pages that were touched in turn in each way. Time on a CPU, so that other
 * programs do not count. */
struct fault_cost {
	double touch_ns;      /* the first write to an anonymous page less the second one: the whole fault */
	double spread_ns;     /* half the distance of its quartiles */
	double service_ns;    /* the handler's part, without the exception (madvise(2), MADV_POPULATE_WRITE) */
	/* what is beyond the service: while the fault is recorded, so that it is in no record; while faults and
	 * exceptions are counted. Where that is not permitted, without it. */
	double unrecorded_ns, exception_ns;
	size_t pages;         /* pages that were touched to find out */
	bool kept;            /* measured earlier since the machine's start (collect/host/fault_keep.h) */
};

/* Measures it in at most 20 ms on a CPU. Returns false if the kernel cannot populate pages (before Linux 5.14) or gives
 * no memory. */
bool fault_cost_measure(const struct perf_world *, struct fault_cost *);

#endif
