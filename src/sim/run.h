/* A run of a simulated machine: a workload on a core with a PMU, sample by sample.
 *
 *     warm-up │ drain │ reset │ sample │ drain │ sample │ drain │ …
 *     µops run│ end in flight, so that counts belong to whole µops
 *
 * A machine with a pipeline takes programs or traces of whole instructions instead. Its samples end when a number of
 * µops was fetched; µops in flight count in the next sample.
 *
 * On other machines, each sample is read as by an interrupt: µops in flight end first. Each sample of counters that do
 * not take turns is therefore exact by itself. All times are simulated, and the same spec always gives the same
 * numbers. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/machine.h"
#include "sim/pipeline/pipe.h"
#include "sim/pmu.h"

struct err;

#define SIM_ACCESSES 50000u  /* per sample, unless the user asks for another number */
#define SIM_WARM_UP 500000u  /* accesses of the warm-up */
#define SIM_SAMPLES 60u
/* slices of the rotation per sample. On Linux 400 ms are 100 slices of 4 ms, so that dozens of events get their turn */
#define SIM_SLICES 100u

struct sim_run_spec {
	const struct sim_machine *machine;
	sim_plants plants;
	/* "linear:footprint=1G,stride=64"; for a pipeline "mcf-like"; for a trace its parameters, or NULL */
	const char *workload;
	int trace;                   /* descriptor of a trace; −1: none */
	/* enum sim_trace_format of a pipeline's trace; −1: recognise it by content */
	int trace_format;
	sim_perfect perfect;         /* perfect structures of a pipeline */
	bool references;             /* reference runs go next to a pipeline's run (sim/pipe_run.h) */
	bool alone;                  /* no other run is simulated at the time, so reference runs use all processors */
	uint64_t seed;
	const enum sim_event *event; /* events to count */
	size_t n_events;
	const unsigned *group;       /* groups as in struct sim_pmu_spec */
	bool multiplex;              /* false: the PMU has as many counters as needed */
	const struct sim_lie *lie;
	size_t n_lies;
	uint64_t warm_up;            /* accesses before counting begins */
	/* length of a sample in loads and stores of the right path, or in a pipeline's µops; 0: sample_ns is used */
	uint64_t accesses;
	uint64_t sample_ns;
	uint64_t slice_ns;           /* slice of the rotation; 0: SIM_SLICES per sample, at the pace of the warm-up */
	enum rotation_how rotation;
	const struct set_constraints *constraints; /* as in struct sim_pmu_spec */
	/* NULL, or called every few thousand µops on the run's thread; true ends the run as sim_run_cancel() does */
	bool (*stop)(void *ctx);
	void *stop_ctx;
};

/* One sample; the arrays belong to the run and are valid until its next call. */
struct sim_row {
	double seconds;                     /* since the reset, at the end of the sample */
	const struct sim_reading *reading;  /* n_events: what the PMU reports */
	const uint64_t *truth;              /* SIM_N_COUNTS: the exact counts */
	struct sim_turns turns;             /* turns of the PMU so far */
};

enum sim_news { SIM_NO_ROW, SIM_ROW, SIM_FAILED };

struct sim_run;

/* Makes a run. The machine, the trace and the constraints must outlive it; the rest of the spec is not kept. Returns
 * NULL and sets *e on an unknown or impossible workload, events that can never be counted, or a sample without length.
 */
struct sim_run *sim_run_new(const struct sim_run_spec *, struct err *e);
void sim_run_free(struct sim_run *);

/* Simulates the next sample; the first call warms up first. The last sample of a trace may be short. After it, or after
 * sim_run_cancel(), no more come. Returns SIM_FAILED and sets *e if the text is no trace. */
enum sim_news sim_run_row(struct sim_run *, struct sim_row *, struct err *e);

/* Ends the current sample at once, and with it the run; the sample is discarded. May be called from any thread. */
void sim_run_cancel(struct sim_run *);
bool sim_run_is_cancelled(const struct sim_run *);

/* Returns the exact totals of all samples so far, SIM_N_COUNTS of them. */
const uint64_t *sim_run_truth(const struct sim_run *);
uint64_t sim_run_accesses(const struct sim_run *); /* since the reset, without the warm-up */
const char *sim_run_workload(const struct sim_run *); /* in full: name and all parameters */

#endif
