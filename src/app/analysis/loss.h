/* What the cone would be without one counter: which constraints go, which stay, and which refutations go with them. */
#ifndef APP_ANALYSIS_LOSS_H
#define APP_ANALYSIS_LOSS_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct constraint;
struct fset;
struct prepared;
struct analysis_table;
struct watch;
struct wire;

struct loss {
	size_t counter;
	bool failed;              /* there is no answer: it was stopped, or the engine died on it */
	struct constraint *gone;  /* of the whole cone, and not of the smaller one */
	size_t n_gone;
	/* of the smaller cone only: what is left of those that went, told without the counter */
	struct constraint *come;
	size_t n_come;
	size_t equalities, inequalities; /* of the smaller cone */
	bool complete;            /* both cones have all their facets */
	size_t asked;             /* refutations that were looked at */
	size_t *lost;             /* findings that would not be refuted any more */
	size_t n_lost;
};

/* `refuted` says per finding of the result of that choice whether it is refuted now: only those are judged again. NULL
 * when the watch stopped it, or when the choice makes an error. */
struct loss *analysis_loss(
	struct analysis *, const struct fset *, size_t counter, const bool *refuted, size_t n, const struct watch *);

/* Do the other counters of one observation, which stands in that table, still refute the choice? It must have
 * signatures. */
bool loss_refuted_without(
	struct analysis *, const struct fset *, const struct analysis_table *, const struct prepared *, size_t counter);

void loss_wire(struct wire *, struct loss *);
void loss_free(struct loss *);

#endif
