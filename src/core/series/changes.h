/* Finds out whether an observation does one thing, or several one after the other. */
#ifndef CORE_SERIES_CHANGES_H
#define CORE_SERIES_CHANGES_H

#include <stddef.h>

struct region;
struct samples;

#define CHANGES_SHORTEST 10 /* the fewest rows of a phase */

struct change {
	size_t row;           /* first row of the new phase */
	size_t counter;       /* the counter that jumps farthest, relative to its own noise */
	double before, after; /* the counter's mean per row in the phases before and after, in counts */
};

struct changes {
	size_t n;
	struct change *change; /* ascending by row */
};

/* Finds changes of level in the samples that the region was made of. Never NULL; free the result with changes_free().
 *
 * Candidates come from binary segmentation of each counter's cumulative sums (Scott and Knott, Biometrics 30, 1974). A
 * candidate must then be significant against the noise, and its correlation in time, that remain when all candidates
 * are taken out. So slow drift is no change: if neighbouring rows resemble each other, a step must be larger. Long
 * recordings are treated as CENTRED_BLOCKS blocks of rows. */
struct changes *changes_find(const struct samples *, const struct region *);
void changes_free(struct changes *);

#endif
