/* The virtual PMU: a few counters between a core's exact counts and a user who wants many events. It multiplexes in
 * time slices, and errs in the ways that real PMUs do.
 *
 * With ROTATION_RANDOM, sets of events take turns; times and order are drawn (collect/rotation.h). With
 * ROTATION_KERNEL, events are scheduled like perf's flexible groups. At each tick of the rotation the first group goes
 * to the end. Then groups get counters in order until one does not fit; after that only software events are scheduled
 * (kernel/events/core.c: rotate_ctx(), merge_sched_in(), group_can_go_on()). Instructions and cycles have fixed
 * counters; further events of these kinds take a programmable one. A reading is count × enabled / running.
 *
 * Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter implementations",
 * ISPASS 2013: interrupts and page faults count as instructions of the interrupted program (iret); some events
 * overcount or undercount; some never count. */
#ifndef SIM_PMU_H
#define SIM_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/rotation.h"
#include "sim/event.h"
#include "sim/machine.h"

struct err;

#define SIM_LIE_ALSO 4

/* How an event is wrong. It reads factor · own count + Σ times · other event + what leaks in + what strings add. */
struct sim_lie {
	enum sim_event event;
	bool dead;         /* always reads 0 */
	double factor;     /* overcounts (above 1) or undercounts; 1: exact */
	/* counts added by each interrupt or fault; the fractional part is the probability of one more */
	double per_interrupt, per_fault;
	/* other events that it also counts: a class of instructions that counts twice (1) or is not counted (−1), or an
	 * event that it is confused with. The sum never falls */
	struct { enum sim_event event; double times; } also[SIM_LIE_ALSO];
	size_t n_also;
	/* one in `strings` of its counts is a string instruction with a rep prefix, of 1 to `longest` elements, which
	 * should count once and counts sim_string_loads() times; 0: none */
	uint64_t strings, longest;
};

/* How often the retired loads of a Pentium D count a rep movs of n elements: blocks of 64 count four times, the rest
 * one by one. Source: Weaver, Terpstra and Moore 2021, figure 1. */
uint64_t sim_string_loads(uint64_t n);

/* Parses "instructions=interrupt:1,fault:1", "cycles=factor:1.02,also:instructions:1",
 * "mem_uops_retired.all_loads=rep:200:50" (every 50th is a string of up to 200) or "page_walker_loads.dtlb_l3=dead".
 * False and *e when an event or word is unknown, or the number impossible. */
bool sim_lie_parse(const char *text, struct sim_lie *, struct err *e);

struct sim_pmu_spec {
	const struct sim_machine *machine;
	const enum sim_event *event;  /* events in the order in which they are scheduled */
	size_t n_events;
	/* group number of each event. Neighbours with one number get counters together or not at all; NULL: each event
	 * is alone */
	const unsigned *group;
	bool multiplex;               /* false: the PMU has as many counters as needed */
	uint64_t slice_ns;            /* time slice of the rotation, or mean of random turns; 0: SIM_SLICE_NS */
	enum rotation_how rotation;
	/* random turns without groups: the sets follow these constraints, whose units are events; NULL: in order */
	const struct set_constraints *constraints;
	const struct sim_lie *lie;    /* the last one for an event counts */
	size_t n_lies;
	uint64_t seed;                /* seed of the first tick's time, and of what leaks in */
};

#define SIM_SLICE_NS ROTATION_TURN_NS

struct sim_pmu;
/* False and *e when an event can never be scheduled: its group needs more counters than the PMU has. The spec is not
 * kept. */
bool sim_pmu_can(const struct sim_pmu_spec *, struct err *e);
struct sim_pmu *sim_pmu_new(const struct sim_pmu_spec *, struct err *e); /* NULL and *e if sim_pmu_can() is false */
void sim_pmu_free(struct sim_pmu *);

/* Starts counting, or starts again from 0. `truth`: the SIM_N_COUNTS running totals. */
void sim_pmu_start(struct sim_pmu *, uint64_t now_ns, const uint64_t *truth);

/* The caller runs the core up to sim_pmu_until_ns(), when a turn ends or the reference is sampled, and then reports the
 * exact totals with sim_pmu_advance(). UINT64_MAX: no limit. A longer step loses the ticks in between. */
uint64_t sim_pmu_until_ns(const struct sim_pmu *);
uint64_t sim_pmu_turn_ends_ns(const struct sim_pmu *); /* end of the current turn; UINT64_MAX: no turns */
void sim_pmu_advance(struct sim_pmu *, uint64_t now_ns, const uint64_t *truth);

/* The turns so far. With turns at a fixed tick and a fixed counter for instructions, that counter is sampled several
 * times per turn. It shows whether the program keeps step with the turns (core/series/rhythm.h). */
struct sim_turns {
	double rotation_ns;    /* mean time of a whole rotation; 0: no turns */
	double program_ns;     /* period of the program if it keeps step with the turns; else 0 */
	uint64_t seed;         /* seed of random turns; 0: the kernel's turns */
	size_t constraints, whole; /* as in struct obs_rotation */
};
struct sim_turns sim_pmu_turns(struct sim_pmu *);

/* Reads what perf would report since the last read: count × enabled / running, and the share of time in which the event
 * was counted. `counted` false: the event had no counter at all. */
struct sim_reading { int64_t count; double running; bool counted; };
void sim_pmu_read(struct sim_pmu *, struct sim_reading *out);

#endif
