/* A run of a simulated machine: a workload on a core behind a PMU, sample by sample. Warm up, drain, reset, measure:
 * what is counted belongs to whole µops, the first and the last too.
 *
 * Each sample is read as by an interrupt: what is in flight ends first. So samples of counters that do not take turns
 * are exact, each by itself. All times are simulated; the same spec gives the same numbers. */
#ifndef COLLECT_SIM_RUN_H
#define COLLECT_SIM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/event.h"
#include "collect/sim/machine.h"
#include "collect/sim/pmu.h"

struct err;

#define SIM_ACCESSES 50000u  /* of a sample, unless something else is asked for */
#define SIM_WARM_UP 500000u  /* accesses */
#define SIM_SAMPLES 60u
/* of the rotation in a sample: 400 ms are 100 slices of 4 ms on Linux, so that dozens of events have their turns */
#define SIM_SLICES 100u

struct sim_run_spec {
	const struct sim_machine *machine;
	sim_plants plants;
	const char *workload;        /* "linear:footprint=1G,stride=64"; of a trace its parameters, or NULL */
	int trace;                   /* descriptor that a memory trace is read from; −1: none */
	uint64_t seed;
	const enum sim_event *event; /* what is counted */
	size_t n_events;
	const unsigned *group;       /* as of struct sim_pmu_spec */
	bool multiplex;              /* else there are as many counters as are wanted */
	const struct sim_lie *lie;
	size_t n_lies;
	uint64_t warm_up;            /* accesses before anything is counted */
	/* of each sample: loads and stores of the right path; 0: sample_ns says how long it is */
	uint64_t accesses;
	uint64_t sample_ns;
	uint64_t slice_ns;           /* of the PMU's rotation; 0: SIM_SLICES in a sample, by the pace of the warm-up */
	enum rotation_how rotation;
};

/* One sample; the arrays are the run's, valid until its next call. */
struct sim_row {
	double seconds;                     /* since the reset, at the row's end */
	const struct sim_reading *reading;  /* n_events: what the PMU says */
	const uint64_t *truth;              /* SIM_N_COUNTS: what was */
	struct sim_turns turns;             /* of the PMU, so far */
};

enum sim_news { SIM_NO_ROW, SIM_ROW, SIM_FAILED };

struct sim_run;

/* Of the spec nothing but machine and trace must outlive it. NULL and *e: an unknown workload, or what it can never be;
 * events that can never be counted; a sample of no length. */
struct sim_run *sim_run_new(const struct sim_run_spec *, struct err *e);
void sim_run_free(struct sim_run *);

/* The next sample; the first call warms up before. The last one of a trace may be short; then there are none, nor
 * behind sim_run_cancel(). SIM_FAILED and *e: a trace that is none. */
enum sim_news sim_run_row(struct sim_run *, struct sim_row *, struct err *e);

/* From any thread: the row that is simulated ends at once and is none, and so are all behind it. */
void sim_run_cancel(struct sim_run *);

/* True totals of all rows so far, SIM_N_COUNTS. */
const uint64_t *sim_run_truth(const struct sim_run *);
double sim_run_seconds(const struct sim_run *);    /* simulated, since the reset */
uint64_t sim_run_accesses(const struct sim_run *); /* … and accesses; those of the warm-up are not among them */
const char *sim_run_workload(const struct sim_run *); /* in full: name and all parameters */

#endif
