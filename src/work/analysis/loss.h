/* What a model loses without one counter: constraints, of which weaker ones may remain, and the refutations that rest
 * on them. */
#ifndef WORK_ANALYSIS_LOSS_H
#define WORK_ANALYSIS_LOSS_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct constraint;
struct fset;
struct prepared;
struct analysis_table;
struct analysis_watch;
struct wire;

struct counter_loss {
	size_t counter;
	bool failed;              /* no answer: the computation was stopped, or the engine died */
	struct constraint *gone;  /* constraints of the whole cone that the smaller cone lacks */
	size_t n_gone;
	/* constraints of only the smaller cone: what remains of `gone` without the counter */
	struct constraint *come;
	size_t n_come;
	size_t equalities, inequalities; /* constraints of the smaller cone */
	bool complete;            /* all facets of both cones are known */
	size_t asked;             /* number of refutations that were tested */
	size_t *lost;             /* findings that would no longer be refuted */
	size_t n_lost;
};

/* Computes the loss. `refuted`: per finding of the result of that choice, whether it is refuted now; only those are
 * judged again. NULL when the watch stopped it, or when the choice makes an error. */
struct counter_loss *analysis_loss(struct analysis *, const struct fset *, size_t counter, const bool *refuted,
	size_t n, const struct analysis_watch *);

/* Do the other counters of one observation in that table still refute the choice at that confidence? The choice must
 * have signatures. */
bool loss_refuted_without(struct analysis *, const struct fset *, const struct analysis_table *,
	const struct prepared *, size_t counter, double confidence);

void loss_wire(struct wire *, struct counter_loss *);
void loss_free(struct counter_loss *);

#endif
