/* Interval diagrams: what a pipeline does in the cycles around an event, as in figures 2 to 5 of Eyerman, Eeckhout,
 * Karkhanis and Smith, "A Performance Counter Architecture for Computing Accurate CPI Components" (ASPLOS 2006),
 * section 3, and what each method of accounting counts for the event.
 *
 * A lesson (program/lessons.c) runs in steady state except for its event. Here all structures are perfect except those
 * that cause the event. Series are means over many occurrences, aligned at the event. */
#ifndef SIM_INTERVALS_H
#define SIM_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/account/account.h"
#include "sim/machine.h"

struct err;

/* What happens in cycle 0: the fetch stage begins to wait for a line of instructions; the mispredicted branch is
 * dispatched; the first load that memory serves is issued. */
enum sim_interval_kind { SIM_INTERVAL_FETCH, SIM_INTERVAL_BRANCH, SIM_INTERVAL_LOAD };

/* X(id, name, text): cycles worth a mark */
#define SIM_INTERVAL_MARKS(X) \
	X(EVENT, "event", "the event") \
	X(FULL, "rob_full", "the reorder buffer is full") \
	X(RESOLVED, "resolved", "the branch is resolved") \
	X(EMPTY, "rob_empty", "the reorder buffer is empty") \
	X(RETURNS, "data_returns", "the data return") \
	X(SECOND, "second_load", "the second load is issued") \
	X(SECOND_RETURNS, "second_returns", "the data of the second load return") \
	X(REFILLED, "refilled", "the front end is refilled")

enum sim_interval_mark {
#define X(id, name, text) SIM_MARK_##id,
	SIM_INTERVAL_MARKS(X)
#undef X
	SIM_N_MARKS
};
const char *sim_interval_mark_name(enum sim_interval_mark);
const char *sim_interval_mark_text(enum sim_interval_mark);

struct sim_interval {
	enum sim_interval_kind kind;
	size_t events;      /* number of occurrences that the series are means of */
	int first;          /* number of the first cycle, below 0 */
	size_t n;           /* number of cycles */
	/* per cycle. The first three: µops of the right path. rob, wrong: µops in the reorder buffer, and how many of
	 * them are of a wrong path */
	double *dispatched, *issued, *committed, *rob, *wrong;
	/* per cycle: share of the occurrences in which the method charges it to the event. FMT and sFMT agree here. */
	double *fmt, *power5;
	double mark[SIM_N_MARKS]; /* cycle of each mark; NAN: it does not occur */
	unsigned width, entries, front_end; /* the machine's µops per cycle, reorder buffer, front end's cycles */
	double loads;       /* loads per event that memory serves */
	double steady;      /* µops per cycle without the event */
	/* cycles per event. truth: saved by a run without the event. lost: missing dispatched µops ÷ steady. method:
	 * as each method counts. naive: misses or branches times their latency or the length of the front end */
	double truth, lost, method[SIM_N_METHODS], naive;
};

/* Simulates a lesson on a machine with a pipeline: its name, perhaps with parameters. NULL and *e: it is no lesson, or
 * its event does not occur on this machine. Free it with sim_interval_free(). */
struct sim_interval *sim_interval_new(
	const struct sim_machine *, sim_plants, const char *lesson, size_t events, uint64_t seed, struct err *e);
void sim_interval_free(struct sim_interval *);

/* Returns the name of the i-th lesson; NULL beyond the last. */
const char *sim_interval_lesson(size_t i);

#endif
