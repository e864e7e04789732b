/* Predicts branches that go one way a fixed number of times and then once the other way: loops (Seznec, "The L-TAGE
 * branch predictor", JILP 2007).
 *
 * An entry counts twice: iterations that were predicted, and iterations that committed. Each branch in flight that an
 * entry counted keeps a struct sim_loop_past; the first count is restored from these, from the newest to the oldest. */
#ifndef SIM_PIPELINE_LOOP_H
#define SIM_PIPELINE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct sim_loops;

struct sim_loop_past {
	int16_t entry;  /* that counted the branch; −1: none */
	uint16_t count; /* its iterations before */
	bool known;     /* it predicted, and said `taken` */
	bool taken;
};

struct sim_loops *sim_loops_new(unsigned kib); /* like sim_tage_new() */
void sim_loops_free(struct sim_loops *);

/* Finds the entry of a conditional branch, and what it predicts. Changes nothing. */
struct sim_loop_past sim_loops_read(const struct sim_loops *, uint64_t pc);
/* Counts a branch with its predicted outcome. */
void sim_loops_push(struct sim_loops *, const struct sim_loop_past *, bool taken);
/* Restores the count from before the newest branch. */
void sim_loops_undo(struct sim_loops *, const struct sim_loop_past *);
/* Trains with a branch that committed. `needed`: the other predictors are wrong or unsure of it. */
void sim_loops_train(struct sim_loops *, const struct sim_loop_past *, bool taken, bool needed);
/* Perhaps gives a mispredicted branch without an entry one, and returns its number, or −1. If branches in flight have a
 * past with this number, the caller changes it to −1. */
int sim_loops_add(struct sim_loops *, uint64_t pc, bool taken, uint64_t random);

uint64_t sim_loops_bits(const struct sim_loops *);

#endif
