/* Tests whether one counter is wrong rather than the model. A counter that counts by the same factor in all
 * observations can refute every true model. A counter is suspected where one factor frees every observation. */
#ifndef APP_ANALYSIS_SUSPECTS_H
#define APP_ANALYSIS_SUSPECTS_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct fset;
struct str;
struct udd_model;
struct analysis_watch;

#define SUSPECTS_FEWEST 2 /* observations that must be refuted; a single one is freed by many factors */
#define SUSPECTS_FACTOR 10.0 /* largest factor searched for; its inverse is the smallest */

struct suspect {
	size_t counter;
	/* Factors, from the true count to the reported one, that free all observations: all above 1, or all below 1. */
	double least, most;
	size_t refuted;     /* observations that refute the choice now */
};

struct suspects {
	struct suspect *one; /* sorted: the factor nearest to 1 first */
	size_t n;
};

/* Returns the counters for which a common factor frees all refuted observations of the choice, while the others stay
 * unrefuted. Empty where the choice makes an error or the watch stopped it. */
struct suspects suspects_find(struct analysis *, const struct fset *, const struct analysis_watch *);
void suspects_clear(struct suspects *);

/* Appends "load.walk_done counts 1.21 to 1.25 times what it should, the same in all observations". */
void suspect_words(const struct udd_model *, const struct suspect *, struct str *out);

#endif
