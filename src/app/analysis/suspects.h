/* Is it one counter rather than the model? A counter that counts by a factor, in all observations the same, can refute
 * every model that is true. It is suspected where one factor frees every observation. */
#ifndef APP_ANALYSIS_SUSPECTS_H
#define APP_ANALYSIS_SUSPECTS_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct fset;
struct str;
struct udd_model;
struct watch;

#define SUSPECTS_FEWEST 2 /* observations that must be refuted: one alone is freed by many a factor */
#define SUSPECTS_FACTOR 10.0 /* that is looked for at most, and its inverse at least */

struct suspect {
	size_t counter;
	/* Factors, of what it counts to what it should, that free all observations: all above 1 or all below. */
	double least, most;
	size_t refuted;     /* observations that refute the choice now */
};

struct suspects {
	struct suspect *one; /* those first whose factor is nearest to 1 */
	size_t n;
};

/* For a choice of features that some observations refute, all of which a common factor must free, while the others stay
 * unrefuted. Empty where the choice makes an error or the watch stopped it. */
struct suspects suspects_find(struct analysis *, const struct fset *, const struct watch *);
void suspects_clear(struct suspects *);

/* "load.walk_done counts 1.21 to 1.25 times what it should, the same in all observations" */
void suspect_words(const struct udd_model *, const struct suspect *, struct str *out);

#endif
