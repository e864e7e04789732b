/* The predictors that predict.h puts together. */
#ifndef SIM_PIPELINE_PREDICTORS_H
#define SIM_PIPELINE_PREDICTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/op.h"
#include "sim/pipeline/predict.h"
#include "sim/pipeline/tage.h"

struct sim_corrector;
struct sim_loops;
struct sim_tage_sc_l;
struct sim_targets;
struct sim_two_bit;

/* Predictors of two-bit counters: bimodal, gshare, and a hybrid of both. */

/* `kind` is bimodal, gshare or hybrid. `entries` of each table are rounded down to a power of two; `history` is at most
 * 64 branches, and a longer one counts as 64. */
struct sim_two_bit *sim_two_bit_new(enum sim_predictor_kind kind, unsigned entries, unsigned history);
void sim_two_bit_free(struct sim_two_bit *);

/* Predicts a conditional branch. `outcomes`: those of the conditional branches before it, the newest in bit 0. */
bool sim_two_bit_read(const struct sim_two_bit *, uint64_t pc, uint64_t outcomes);
/* Trains with a branch that committed; `outcomes` are those of its prediction. */
void sim_two_bit_train(struct sim_two_bit *, uint64_t pc, uint64_t outcomes, bool taken);

uint64_t sim_two_bit_bits(const struct sim_two_bit *);

/* Predicted targets: a table of direct branches (BTB), a predictor of indirect ones, a stack of return addresses.
 *
 * The table and the predictor are trained at commit. The stack and the path change at prediction. For each branch the
 * caller keeps their state before it in a struct sim_targets_past, and restores from the newest branch to the
 * oldest. */

struct sim_targets_past {
	uint64_t path;
	uint64_t overwritten; /* entry of the stack that a call overwrote */
	uint32_t top, depth;  /* top and depth of the stack */
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

/* Predicts branches that go one way a fixed number of times and then once the other way: loops (Seznec, "The L-TAGE
 * branch predictor", JILP 2007).
 *
 * An entry counts twice: iterations that were predicted, and iterations that committed. Each branch in flight that an
 * entry counted keeps a struct sim_loop_past; the first count is restored from these, from the newest to the oldest. */

struct sim_loop_past {
	int16_t entry;  /* entry that counted the branch; −1: none */
	uint16_t count; /* the entry's iterations before the branch */
	bool known;     /* the entry made a prediction: `taken` */
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
/* Trains with a branch that committed. `needed`: the other predictors were wrong or unsure about it. */
void sim_loops_train(struct sim_loops *, const struct sim_loop_past *, bool taken, bool needed);
/* Perhaps gives an entry to a mispredicted branch that has none, and returns the entry's number, or −1. If branches in
 * flight have a past with this number, the caller changes it to −1. */
int sim_loops_add(struct sim_loops *, uint64_t pc, bool taken, uint64_t random);

uint64_t sim_loops_bits(const struct sim_loops *);

/* The statistical corrector: a sum of counters that reverts TAGE's predictions where they are wrong more often than
 * right (Seznec, "A new case for the TAGE branch predictor", MICRO 2011; "TAGE-SC-L branch predictors", CBP 2014;
 * "TAGE-SC-L branch predictors again", CBP 2016). It also sees histories that TAGE does not: outcomes of the branch
 * itself, the path, and the iterations of the innermost loop (Seznec, San Miguel and Albericio, "The inner most loop
 * iteration counter", MICRO 2015). */

#define SIM_CORRECTOR_LOCALS 2  /* tables of histories of single branches */
#define SIM_CORRECTOR_TABLES 13 /* tables of counters that see a history */
#define SIM_CORRECTOR_BIASES 3  /* tables of counters that see what TAGE says */

/* What the corrector saw before a branch. */
struct sim_corrector_past {
	uint64_t outcomes; /* outcomes of conditional branches, newest in bit 0 */
	uint64_t path;
	uint16_t local[SIM_CORRECTOR_LOCALS];
	uint16_t iteration;
};

struct sim_corrector_reading {
	uint32_t place[SIM_CORRECTOR_BIASES + SIM_CORRECTOR_TABLES];
	int sum;       /* at least 0: taken */
	int threshold; /* below it, the sum is unsure */
	bool taken;    /* the prediction of both together */
};

/* `kib`: like sim_tage_new(). */
struct sim_corrector *sim_corrector_new(unsigned kib, unsigned history);
void sim_corrector_free(struct sim_corrector *);

/* Copies the histories that a conditional branch sees. */
void sim_corrector_look(const struct sim_corrector *, uint64_t pc, struct sim_corrector_past *);
/* Reads the tables. */
void sim_corrector_read(const struct sim_corrector *, const struct sim_corrector_past *, uint64_t pc,
	const struct sim_tage_reading *, struct sim_corrector_reading *);
/* Trains with the outcome of a branch, and with what the tables now say for the histories of its prediction. */
void sim_corrector_train(struct sim_corrector *, uint64_t pc, const struct sim_tage_reading *,
	const struct sim_corrector_reading *, bool taken, uint64_t next);

/* Adds a branch to the histories. */
void sim_corrector_push(struct sim_corrector *, uint64_t pc, bool conditional, bool taken);
/* Restores the histories from before the newest branch. */
void sim_corrector_undo(struct sim_corrector *, uint64_t pc, bool conditional, const struct sim_corrector_past *);

uint64_t sim_corrector_bits(const struct sim_corrector *);

/* TAGE with a statistical corrector and a loop predictor, and the histories of all branches in flight. */

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
