/* Features that would relax a constraint: they are off, and their µpaths break it. Each has a witness, and the number
 * of observations that it would free. */
#ifndef WORK_ANALYSIS_RELAX_H
#define WORK_ANALYSIS_RELAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct analysis;
struct analysis_watch;
struct shape;

#define RELAX_NONE SIZE_MAX

/* A feature that is off, with the features it requires; or several features, each of which does nothing alone. */
struct relaxer {
	struct fset added;    /* the features to be switched on */
	bool legal;           /* can be switched on; if not, `words` says why, and the rest is empty */
	size_t signatures;    /* signatures that break the constraint then; 0: it does not relax it */
	bool below, above;    /* signatures with Σ coef·signature < 0 exist; with > 0, for an equality */
	/* observations that break the constraint now and would no longer refute the model */
	size_t alone;
	bool *frees;          /* per observation: it is one of `alone`; NULL while alone is 0 */
	size_t n_frees;
	/* observations freed together with the other relaxing features, as far as these can be on at once */
	size_t together;
	struct fset all;      /* the features added in that case */
	size_t tie;           /* an earlier one that frees exactly the same observations, or RELAX_NONE */
	/* equal cones over the counters of the data, so that these counters cannot tell the two apart */
	bool same_cone;
	/* the smallest signature that breaks the constraint: one µpath, its decisions and its counters of the
	 * constraint; "" without */
	char *words;
	char *steps;          /* the same µpath step by step, one line each, with both kinds of edge; "" without */
};

struct relaxers {
	/* those that relax it, most useful first; then those without effect; then those that cannot be switched on */
	struct relaxer *one;
	size_t n;
	size_t asked;         /* observations that break the constraint */
	bool whole;           /* false: not all sets of several features were tried */
};

/* struct relax keeps verdicts and cones of choices that were already tried, for questions about several constraints. */
struct relax;

/* Judges once which observations refute the choice `on`, which must have signatures. NULL when stopped. */
struct relax *relax_new(struct analysis *, const struct fset *on, const struct analysis_watch *);
void relax_free(struct relax *);
bool relax_refuted(const struct relax *, size_t observation);

/* Does the whole region of a refuted observation break Σ coef·v ≥ 0? For an equality, `side` is the side on which to
 * break it: -1 or 1, or 0 for either side. */
bool relax_breaks(const struct relax *, size_t observation, const int64_t *coef, bool equality, int side);

/* Finds the features that relax a constraint. `coef` is over the model's counters. `side` of an equality: the side on
 * which the data lie (-1: Σ coef·v < 0), or 0 for both. `breaking`: per observation, whether it breaks the constraint.
 * NULL when stopped. */
struct relaxers *relax_find(struct relax *, const int64_t *coef, bool equality, int side, const bool *breaking);
extern const struct shape relaxers_shape;

#endif
