/* A program or a trace on a simulated pipeline, together with reference runs that say where its cycles really go.
 *
 * Each reference run takes the same µops through a core whose structures are partly perfect. In the order of Eyerman et
 * al. (ASPLOS 2006, section 5.2) everything is perfect at first; then L1D, the branch predictor, L1I, the deeper levels
 * for instructions, the ITLB, the deeper levels for data, and the DTLB become real, one after the other. The cycles
 * that a step costs are that component. The inverse order has data before instructions. */
#ifndef SIM_PIPE_RUN_H
#define SIM_PIPE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/machine.h"
#include "sim/op.h"
#include "sim/pipeline/pipe.h"

struct err;
struct sim_pipe_run;

/* Makes a run that owns the stream. With `references`, the counts of truth.* and inverse.* are those of the reference
 * runs; without it they stay 0. */
struct sim_pipe_run *sim_pipe_run_new(
	const struct sim_machine *, sim_plants, sim_perfect, struct sim_stream *, bool references);
void sim_pipe_run_free(struct sim_pipe_run *);

/* From now on spreads the run and its reference runs over all processors. Counts stay the same, because each run has
 * its own core and they share only the µops. For a run that is alone on the machine. */
void sim_pipe_run_spread(struct sim_pipe_run *);

/* Takes up to n µops of the stream. Returns their number, 0 at its end, or SIZE_MAX and *e. */
size_t sim_pipe_run_step(struct sim_pipe_run *, size_t n, struct err *e);
/* Runs until all µops have committed, at the end of the stream. */
void sim_pipe_run_drain(struct sim_pipe_run *);

/* Returns SIM_N_COUNTS running totals. */
const uint64_t *sim_pipe_run_counts(struct sim_pipe_run *);
struct sim_pipe *sim_pipe_run_pipe(const struct sim_pipe_run *);

#endif
