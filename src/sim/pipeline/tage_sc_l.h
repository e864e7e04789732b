/* TAGE with a statistical corrector and a loop predictor, and the histories of all branches in flight. */
#ifndef SIM_PIPELINE_TAGE_SC_L_H
#define SIM_PIPELINE_TAGE_SC_L_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/op.h"

struct sim_tage_sc_l;

/* `in_flight` (a power of two): the most branches between the oldest ticket and the newest. */
struct sim_tage_sc_l *sim_tage_sc_l_new(unsigned kib, unsigned history, unsigned in_flight);
void sim_tage_sc_l_free(struct sim_tage_sc_l *);

/* Begins with a branch of any kind, and predicts whether it is taken. Tickets count from 0, and are used again when
 * they were undone. */
bool sim_tage_sc_l_ask(struct sim_tage_sc_l *, uint64_t ticket, const struct sim_op *o);
/* Adds this newest branch to the histories: it goes to `next` (0: unknown). */
void sim_tage_sc_l_push(struct sim_tage_sc_l *, uint64_t ticket, const struct sim_op *o, bool taken, uint64_t next);
/* Restores the histories from before the newest branch. */
void sim_tage_sc_l_undo(struct sim_tage_sc_l *, uint64_t ticket);
/* Trains with the oldest branch in flight; `newest` is the last ticket. */
void sim_tage_sc_l_train(struct sim_tage_sc_l *, uint64_t ticket, uint64_t newest, const struct sim_op *o);

uint64_t sim_tage_sc_l_bits(const struct sim_tage_sc_l *);

#endif
