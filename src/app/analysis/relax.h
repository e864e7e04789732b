/* What would relax a constraint: features that are off whose µpaths break it, each with a witness, and what they would
 * do for the data. */
#ifndef APP_ANALYSIS_RELAX_H
#define APP_ANALYSIS_RELAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct analysis;
struct watch;
struct wire;

#define RELAX_NONE SIZE_MAX

/* A feature that is off, with what it requires; or several, where each of them does nothing alone. */
struct relaxer {
	struct fset added;    /* what would be switched on */
	bool legal;           /* false: it cannot be had as things stand; `words` says why, and the rest is empty */
	size_t signatures;    /* that break the constraint then; 0: it does not relax it */
	bool below, above;    /* … with Σ coef·signature < 0; > 0, of an equality */
	/* of the observations that break the constraint, those that no longer refute the model then */
	size_t alone;
	size_t together;      /* … and with all the others that break it too, as far as they may be on at once: */
	struct fset all;      /* … these added */
	size_t tie;           /* an earlier one frees exactly the same observations; RELAX_NONE */
	bool same_cone; /* … and makes the same cone over the counters of the data: nothing counted here tells the two
			   apart */
	/* the smallest signature that breaks it: one µpath, its decisions and its counters of the constraint; "" */
	char *words;
	char *steps;          /* … the same µpath step by step, a line each, with both kinds of edge; "" */
};

struct relaxers {
	/* those that relax it, the most useful first; then those that do nothing; then those that cannot be had */
	struct relaxer *one;
	size_t n;
	size_t asked;         /* observations that break the constraint */
	bool whole;           /* false: not all sets of several features were tried */
};

/* Verdicts and cones of choices that were tried already, for questions about several constraints. */
struct relax;

/* The observations that refute the choice `on`, which must have signatures, are judged once. NULL when stopped. */
struct relax *relax_new(struct analysis *, const struct fset *on, const struct watch *);
void relax_free(struct relax *);
bool relax_refuted(const struct relax *, size_t observation);

/* Does the whole region of a refuted observation lie beyond Σ coef·v ≥ 0 (of an equality: on the side, -1 or 1, or 0
 * for either)? */
bool relax_breaks(const struct relax *, size_t observation, const int64_t *coef, bool equality, int side);

/* `coef` over the model's counters; `side` of an equality: on which the data lie (below 0: -1), 0 both. `breaking`: per
 * observation. NULL when stopped. */
struct relaxers *relax_find(struct relax *, const int64_t *coef, bool equality, int side, const bool *breaking);
void relaxers_wire(struct wire *, struct relaxers **);
void relaxers_free(struct relaxers *);

#endif
