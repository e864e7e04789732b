/* The code that a pipeline has seen, and can fetch on a wrong path.
 *
 * For each instruction the table keeps its µops, where its loads and stores have been, and where its branch went when
 * it was last taken. The addresses of a wrong path follow the instruction's stride if it has one; otherwise they are
 * drawn from the page of its last access. */
#ifndef SIM_PIPELINE_SEEN_CODE_H
#define SIM_PIPELINE_SEEN_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/op.h"

struct pipe_code;

struct pipe_code *pipe_code_new(void);
void pipe_code_free(struct pipe_code *);

/* Remembers a µop of the right path. `nth`: its place in its instruction, from 0. */
void pipe_code_learn(struct pipe_code *, const struct sim_op *, unsigned nth);
/* Sets *out to the nth µop of the instruction at pc, with an address of data. False: the µop is unknown. */
bool pipe_code_find(struct pipe_code *, uint64_t pc, unsigned nth, struct sim_op *out);
/* Returns where the branch that is the nth µop of the instruction at pc went when it was last taken. 0: it is unknown,
 * or was never taken. */
uint64_t pipe_code_target(const struct pipe_code *, uint64_t pc, unsigned nth);

#endif
