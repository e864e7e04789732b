/* One cell of a sweep: the answer of `hecate check MODEL FILE` in short. */
#ifndef WORK_SWEEP_SWEEP_CELL_H
#define WORK_SWEEP_SWEEP_CELL_H

#include <stdbool.h>
#include <stddef.h>

struct result;
struct shape;

/* SWEEP_IN_DOUBT: refuted, but each refutation rests on a doubtful premise. SWEEP_UNDECIDED: nothing could be decided.
 * SWEEP_FAILED: no answer, for `reason`. */
enum sweep_answer { SWEEP_SURVIVES, SWEEP_REFUTED, SWEEP_IN_DOUBT, SWEEP_UNDECIDED, SWEEP_FAILED, SWEEP_ANSWERS };

const char *sweep_answer_word(enum sweep_answer);

struct sweep_refutation {
	char *observation;
	char *constraint; /* the one that it breaks worst, or the certificate */
	bool in_doubt;
};

struct sweep_cell {
	enum sweep_answer answer;
	size_t observations, infeasible, feasible, borderline, undecided, in_doubt;
	struct sweep_refutation *refuted; /* the first SWEEP_REFUTED_MOST observations that refute */
	size_t n_refuted;
	char *reason; /* NULL: none */
};

#define SWEEP_REFUTED_MOST 16

/* By which cells are sent, kept, freed and written as JSON; the keys "model" and "data" are the caller's. */
extern const struct shape sweep_cell_shape;

/* Fills an empty cell. */
void sweep_cell_take(struct sweep_cell *, const struct result *);
void sweep_cell_fail(struct sweep_cell *, const char *reason);

#endif
