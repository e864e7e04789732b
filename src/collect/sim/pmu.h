/* The virtual PMU: a few counters between a core's true counts and who asks for many events. It multiplexes in time
 * slices, and lies in the ways that real ones do.
 *
 * By ROTATION_RANDOM events take turns in sets, for times and in an order that are drawn (collect/rotation.h). By
 * ROTATION_KERNEL they are scheduled like perf's flexible groups: at each tick of the rotation the first group goes to
 * the end, then groups are put on counters in order until one does not fit; behind it only software events go on
 * (kernel/events/core.c: rotate_ctx(), merge_sched_in(), group_can_go_on()). Instructions and cycles have fixed
 * counters, and take a programmable one where these are taken. What is read is count × enabled / running.
 *
 * Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter
 * implementations", ISPASS 2013: interrupts and page faults count as instructions of the interrupted program (iret),
 * some events count too much or too little, some not at all. */
#ifndef COLLECT_SIM_PMU_H
#define COLLECT_SIM_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/rotation.h"
#include "collect/sim/event.h"
#include "collect/sim/machine.h"

struct err;

struct sim_lie {
	enum sim_event event;
	bool dead;         /* reads 0 for ever */
	double factor;     /* overcounts (above 1) and undercounts; 1 */
	/* what each leaks into it while it counts; of a part of 1 it is drawn whether it does */
	double per_interrupt, per_fault;
};

/* "instructions=interrupt:1,fault:1", "mem_uops_retired.all_loads=factor:1.02", "page_walker_loads.dtlb_l3=dead". False
 * and *e: unknown event or word, or an impossible number. */
bool sim_lie_parse(const char *text, struct sim_lie *, struct err *e);

struct sim_pmu_spec {
	const struct sim_machine *machine;
	const enum sim_event *event;  /* wanted, in the order in which they are scheduled */
	size_t n_events;
	/* per event: those of one number, next to each other, are on counters together or not at all; NULL: each by
	 * itself */
	const unsigned *group;
	bool multiplex;               /* else there are as many counters as are wanted */
	uint64_t slice_ns;            /* of the rotation, the mean of random turns; 0: SIM_SLICE_NS */
	enum rotation_how rotation;
	const struct sim_lie *lie;    /* of an event the last one holds */
	size_t n_lies;
	uint64_t seed;                /* of the first tick's time, and of what leaks */
};

#define SIM_SLICE_NS ROTATION_TURN_NS

struct sim_pmu;
/* False and *e where an event can never be scheduled: a group that needs more counters than there are, no counter at
 * all. Nothing of the spec is kept. */
bool sim_pmu_can(const struct sim_pmu_spec *, struct err *e);
struct sim_pmu *sim_pmu_new(const struct sim_pmu_spec *, struct err *e); /* NULL likewise */
void sim_pmu_free(struct sim_pmu *);

/* Counting begins, or begins anew: nothing was counted before. Truth is the running totals (SIM_N_COUNTS). */
void sim_pmu_start(struct sim_pmu *, uint64_t now_ns, const uint64_t *truth);

/* Who runs the core asks until when it may run unseen (UINT64_MAX: for ever; else until a turn ends, or the
 * reference is looked at), runs it so far, and tells the true totals. Steps past that time lose the ticks between. */
uint64_t sim_pmu_until_ns(const struct sim_pmu *);
uint64_t sim_pmu_turn_ends_ns(const struct sim_pmu *); /* the turn that is now; UINT64_MAX: nothing takes turns */
void sim_pmu_advance(struct sim_pmu *, uint64_t now_ns, const uint64_t *truth);

/* What is known of the turns so far. Where events take turns at a fixed tick, and instructions have a fixed counter
 * of their own, that is looked at several times in a turn, and tells whether the program keeps step
 * (core/series/rhythm.h). */
struct sim_turns {
	double rotation_ns;    /* of a whole rotation, on average; 0: nothing takes turns */
	double program_ns;     /* the program's period, if it keeps step with them; else 0 */
	uint64_t seed;         /* of random turns; 0: they are the kernel's */
};
struct sim_turns sim_pmu_turns(struct sim_pmu *);

/* Since the last read: what perf would say, count × enabled / running, and the share of time that it counted. counted
 * false: it did not run at all. */
struct sim_reading { int64_t count; double running; bool counted; };
void sim_pmu_read(struct sim_pmu *, struct sim_reading *out);

#endif
