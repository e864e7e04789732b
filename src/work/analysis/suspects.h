/* Tests whether one counter is wrong rather than the model. A counter that counts by the same factor in all
 * observations can refute every true model, and so can one that counts interrupts or page faults, too. A counter is
 * suspected where one factor, or one leak per event of a cause (leaks.h), frees every observation. */
#ifndef WORK_ANALYSIS_SUSPECTS_H
#define WORK_ANALYSIS_SUSPECTS_H

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
	/* cause that leaks into it, a column's name or LEAK_SECONDS, and the range of counts per event of that cause;
	 * NULL: a factor. For a leak, least and most are the factors that it makes in the refuted observations */
	char *leak;
	double rate[2];
	size_t refuted;     /* observations that refute the choice now */
};

struct suspects {
	struct suspect *one; /* sorted: leaks of whole numbers, then factors, then other leaks; nearest to 1 first */
	size_t n;
};

/* Returns the counters for which a common factor or leak frees all refuted observations of the choice, while the others
 * stay unrefuted. Empty where the choice makes an error or the watch stopped it. */
struct suspects suspects_find(struct analysis *, const struct fset *, const struct analysis_watch *);
void suspects_clear(struct suspects *);

#define SUSPECTS_SAID 3 /* suspects named in a sentence */

/* Returns "perhaps A counts …; or B counts …: that alone would explain all 7 that refute ", to be completed by a choice
 * of features. NULL without suspects. The caller frees. */
char *suspects_sentence(const struct udd_model *, const struct suspects *);
/* Appends a line to follow proposed signatures: a wrong counter explains as much. Appends nothing without suspects. */
void suspects_caution(const struct udd_model *, const struct suspects *, struct str *out);

#endif
