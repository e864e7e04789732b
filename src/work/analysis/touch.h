/* One constraint in detail: the µpaths from which it follows, and the features that would relax it. */
#ifndef WORK_ANALYSIS_TOUCH_H
#define WORK_ANALYSIS_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis;
struct fset;
struct miscount;
struct relaxers;
struct analysis_watch;
struct wire;

#define TOUCH_PATHS 24 /* most µpaths of each kind */

/* A signature that raises a counter of the constraint. */
struct touch_path {
	int64_t slack; /* Σ coef·signature: 0 makes it tight; saturated */
	char *paths;   /* number of µpaths with this signature, decimal */
	char *words;   /* one of these µpaths: its path, decisions, and counters of the constraint */
};

struct constraint_detail {
	size_t constraint;     /* number of the question that this answers */
	bool failed;           /* no answer: the computation was stopped, or the engine died */
	size_t raising, tight; /* signatures that raise one of its counters; those of them with slack 0 */
	struct touch_path *path; /* tight signatures first, those with the fewest counts ahead; then others by slack */
	size_t n_paths;
	struct relaxers *relax; /* features, and their effect on the observations that break it; NULL: failed */
	/* counters that would explain these observations if they were wrong, instead of a feature */
	struct miscount *miscount;
	size_t n_miscounts;
};

/* Answers the question. `coef` is over the model's counters. NULL when the watch stopped it, or when the choice makes
 * an error. */
struct constraint_detail *analysis_touch(struct analysis *, const struct fset *, size_t constraint, const int64_t *coef,
	bool equality, const struct analysis_watch *);

/* The same for observations that were already judged: `side` and `breaking` as for relax_find(). */
struct relax;
struct constraint_detail *touch_new(struct relax *, struct analysis *, const struct fset *on, const int64_t *coef,
	bool equality, int side, const bool *breaking);

void touch_wire(struct wire *, struct constraint_detail *);
void touch_free(struct constraint_detail *);

#endif
