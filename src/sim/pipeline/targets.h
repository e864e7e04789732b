/* Predicted targets: a table of direct branches (BTB), a predictor of indirect ones, a stack of return addresses.
 *
 * The table and the predictor are trained at commit. The stack and the path change at prediction. The caller keeps
 * what they were in a struct sim_targets_past for each branch, and restores it from the newest branch to the oldest. */
#ifndef SIM_PIPELINE_TARGETS_H
#define SIM_PIPELINE_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pipeline/predict.h"

struct sim_targets;

struct sim_targets_past {
	uint64_t path;
	uint64_t overwritten; /* entry of the stack that a call overwrote */
	uint32_t top, depth;  /* of the stack */
	bool called;          /* a call overwrote an entry */
};

/* Takes btb, btb_ways, indirect and returns from the size. */
struct sim_targets *sim_targets_new(const struct sim_predictor_size *);
void sim_targets_free(struct sim_targets *);

/* Returns the address after branch `o` if it is taken; 0: unknown. Changes nothing. */
uint64_t sim_targets_read(const struct sim_targets *, const struct sim_op *o);
/* Branch `o` goes to `next` (0: unknown): moves path and stack, and keeps in *past what they were. */
void sim_targets_push(
	struct sim_targets *, const struct sim_op *o, bool taken, uint64_t next, struct sim_targets_past *past);
/* Restores path and stack from before the newest branch. */
void sim_targets_undo(struct sim_targets *, const struct sim_targets_past *);
/* Trains with a branch that committed, and the path of its prediction. */
void sim_targets_train(struct sim_targets *, const struct sim_op *o, const struct sim_targets_past *);

uint64_t sim_targets_bits(const struct sim_targets *);

#endif
