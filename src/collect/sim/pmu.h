/* The virtual PMU: a few counters between a core's true counts and who asks for many events. It multiplexes in time slices like Linux, and lies in the ways that real ones do.
 *
 * Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter implementations", ISPASS 2013: interrupts and page faults count as instructions of the
 * interrupted program (iret), some events count too much or too little, some not at all. */
#ifndef COLLECT_SIM_PMU_H
#define COLLECT_SIM_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/event.h"
#include "collect/sim/machine.h"

struct err;

struct sim_lie {
	enum sim_event event;
	bool dead;         /* reads 0 for ever */
	double factor;     /* overcounts (above 1) and undercounts; 1 */
	double per_interrupt, per_fault; /* what each leaks into it */
};

struct sim_pmu_spec {
	const struct sim_machine *machine;
	const enum sim_event *event;  /* wanted, in the order in which they are scheduled */
	size_t n_events;
	bool multiplex;               /* else there are as many counters as are wanted */
	uint64_t slice_ns;            /* of the rotation; 0: 4 ms */
	const struct sim_lie *lie;
	size_t n_lies;
	uint64_t seed;
};

struct sim_pmu;
/* False and *e where an event can never be scheduled: more fixed ones than there are in one group, no counter at all. */
struct sim_pmu *sim_pmu_new(const struct sim_pmu_spec *, struct err *e);
void sim_pmu_free(struct sim_pmu *);

/* Who runs the core asks how long the events that count now go on counting, runs it so far, and tells the true totals (SIM_N_COUNTS). */
uint64_t sim_pmu_until_ns(const struct sim_pmu *, uint64_t now_ns);
void sim_pmu_advance(struct sim_pmu *, uint64_t now_ns, const uint64_t *truth);

/* Since the last read: what Linux would say, count × enabled / running, and the share of time that it counted. counted false: it did not run at all. */
struct sim_reading { int64_t count; double running; bool counted; };
void sim_pmu_read(struct sim_pmu *, struct sim_reading *out);

#endif
