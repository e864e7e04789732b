/* What a page fault costs on a machine. On a virtual machine a fault may cost several times what its handler takes,
 * because the exception itself is expensive there; no record and no counter shows that part. It is measured with fresh
 * pages (collect/perf/fault_measure.h), and recorded data have it as a note. */
#ifndef CORE_TASKTIME_FAULT_COST_H
#define CORE_TASKTIME_FAULT_COST_H

#include <stdbool.h>
#include <stddef.h>

struct str;

/* ns for a page, lower quartiles over batches of pages that were touched in turn in each way. Time on a CPU, so that
 * other programs do not count. */
struct fault_cost {
	double touch_ns;      /* the first write to an anonymous page less the second one: the whole fault */
	double spread_ns;     /* half the distance of its quartiles */
	double service_ns;    /* the handler's part, without the exception (madvise(2), MADV_POPULATE_WRITE) */
	/* what is beyond the service: while the fault is recorded, so that it is in no record; while faults and
	 * exceptions are counted. Where that is not permitted, without it. */
	double unrecorded_ns, exception_ns;
	size_t pages;         /* pages that were touched to find out; 0: nothing is known */
};

/* Are these times that a fault can take? */
bool fault_cost_is_sound(const struct fault_cost *);

/* Is a cost still that of the machine, on which a touch takes touch_ns now? A virtual CPU's speed varies: next to a
 * busy core pages took 1.3 to 1.6 times as long. */
bool fault_cost_holds(const struct fault_cost *, double touch_ns);

/* Reads "TOUCH SPREAD SERVICE UNRECORDED EXCEPTION", in ns. Returns false if the text is not that. */
bool fault_cost_read_given(const char *text, struct fault_cost *);

/* Append the cost as a note, or that it is missing; `tried`: it could not be measured. */
void fault_cost_write(const struct fault_cost *, struct str *out);
void fault_cost_write_missing(bool tried, struct str *out);
/* Reads such a note of a cost, wherever it begins in the text. Returns false if there is none. */
bool fault_cost_read(const char *text, struct fault_cost *);

#endif
