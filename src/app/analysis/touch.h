/* One constraint looked at closely: the µpaths that make it what it is, and the features that would relax it. */
#ifndef APP_ANALYSIS_TOUCH_H
#define APP_ANALYSIS_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis;
struct fset;
struct miscount;
struct relaxers;
struct watch;
struct wire;

#define TOUCH_PATHS 24 /* that are told of each kind */

/* A signature that raises a counter of the constraint. */
struct touch_path {
	int64_t slack; /* Σ coef·signature: 0 makes it tight; saturated */
	char *paths;   /* µpaths that share the signature, decimal */
	char *words;   /* one of them: its path, its decisions, its counters of the constraint */
};

struct touch {
	size_t constraint;     /* the number that it was asked about with */
	bool failed;           /* there is no answer: it was stopped, or the engine died on it */
	size_t raising, tight; /* signatures that raise one of its counters; … with slack 0 */
	struct touch_path *path; /* the tight ones with the fewest counts first, then the others by slack */
	size_t n_paths;
	struct relaxers *relax; /* features, and what they do for the observations that break it; NULL: failed */
	struct miscount *miscount; /* counters whose being wrong would explain those, in place of a feature */
	size_t n_miscounts;
};

/* `coef` over the model's counters. NULL when the watch stopped it, or when the choice makes an error. */
struct touch *analysis_touch(struct analysis *, const struct fset *, size_t constraint, const int64_t *coef,
	bool equality, const struct watch *);

/* The same for observations that were judged already: `side` and `breaking` as for relax_find(). */
struct relax;
struct touch *touch_new(struct relax *, struct analysis *, const struct fset *on, const int64_t *coef, bool equality,
	int side, const bool *breaking);

void touch_wire(struct wire *, struct touch *);
void touch_free(struct touch *);

#endif
