/* Branch prediction: the direction of conditional branches, targets of indirect ones, return addresses.
 *
 * A prediction is made at fetch, with the history at that time, wrong paths included. After a misprediction the history
 * is that of the branch again, with its true outcome. Tables are trained when a branch commits. */
#ifndef SIM_PIPELINE_PREDICT_H
#define SIM_PIPELINE_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/op.h"

enum sim_predictor_kind {
	SIM_PREDICT_PERFECT,
	SIM_PREDICT_BIMODAL, /* Smith, ISCA 1981: two-bit counters by address */
	SIM_PREDICT_GSHARE,  /* McFarling, DEC WRL TN-36, 1993, section 7 */
	SIM_PREDICT_HYBRID,  /* the same, section 8: both, and a table that chooses */
	SIM_PREDICT_TAGE,    /* Seznec, Michaud, JILP 2006; loop predictor and corrector: Seznec, CBP 2016 */
};

struct sim_predictor_size {
	enum sim_predictor_kind kind;
	/* bimodal, gshare, hybrid: entries of each table. tage: KiB in all, at least 8. Rounded down to a power of 2 */
	unsigned entries;
	/* branches in the longest history. gshare, hybrid: conditional ones, up to 64. tage: all, up to 3000 */
	unsigned history;
	unsigned btb;      /* entries of the table of targets; 0: all targets of direct branches are known */
	unsigned btb_ways;
	unsigned indirect; /* entries of the predictor of indirect targets; 0: perfect */
	unsigned returns;  /* entries of the return-address stack; 0: perfect */
};

/* The most branches in flight, that is, asked for, and neither committed nor forgotten. */
#define SIM_PREDICTOR_FLIGHTS 4096u

struct sim_predictor;

struct sim_predictor *sim_predictor_new(const struct sim_predictor_size *);
void sim_predictor_free(struct sim_predictor *);

/* A branch in flight: what was predicted, and what training and recovery need. The predictor keeps the rest itself, by
 * `ticket`, until the branch commits or is squashed. */
struct sim_prediction {
	uint64_t target;  /* address of the next instruction as predicted; 0: unknown */
	uint64_t ticket;
	bool taken;
};

/* Predicts the branch `o`, the last µop of its instruction. Reads its pc, length, branch and next, and for perfect
 * predictions its flags. `next` is the true target only on the right path. Afterwards the history includes the
 * predicted outcome. Tickets begin with 0 and rise by 1; after a recovery they continue from its ticket.
 *
 * With btb 0, a branch that is taken only in the prediction gets target 0, because nothing says where it goes. */
struct sim_prediction sim_predictor_ask(struct sim_predictor *, const struct sim_op *o);
/* The branch with this ticket was mispredicted: forgets all later tickets, and continues with its true outcome.
 * Restores all histories and the stack exactly. A second call for the same branch forgets what was asked since the
 * first. */
void sim_predictor_recover(struct sim_predictor *, uint64_t ticket, const struct sim_op *o);
/* Forgets this ticket and all later ones, for branches that will be fetched again. */
void sim_predictor_forget(struct sim_predictor *, uint64_t ticket);
/* The oldest branch in flight commits: trains with its true outcome, and forgets its ticket. */
void sim_predictor_commit(struct sim_predictor *, uint64_t ticket, const struct sim_op *o);

/* Returns the bits of all tables, as pipeline/{two_bit,tage,corrector,loop,targets}.c list them. The state of branches
 * in flight does not count. */
uint64_t sim_predictor_bits(const struct sim_predictor *);

#endif
