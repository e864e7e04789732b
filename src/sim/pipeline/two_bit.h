/* Predictors of two-bit counters: bimodal, gshare, and a hybrid of both. */
#ifndef SIM_PIPELINE_TWO_BIT_H
#define SIM_PIPELINE_TWO_BIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pipeline/predict.h"

struct sim_two_bit;

/* `kind` is bimodal, gshare or hybrid. `entries` of each table are rounded down to a power of two; `history` is at most
 * 64 branches, and a longer one counts as 64. */
struct sim_two_bit *sim_two_bit_new(enum sim_predictor_kind kind, unsigned entries, unsigned history);
void sim_two_bit_free(struct sim_two_bit *);

/* Predicts a conditional branch. `outcomes`: of the conditional branches before it, the newest in bit 0. */
bool sim_two_bit_read(const struct sim_two_bit *, uint64_t pc, uint64_t outcomes);
/* Trains with a branch that committed; `outcomes` are those of its prediction. */
void sim_two_bit_train(struct sim_two_bit *, uint64_t pc, uint64_t outcomes, bool taken);

uint64_t sim_two_bit_bits(const struct sim_two_bit *);

#endif
