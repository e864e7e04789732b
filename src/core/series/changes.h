/* Does an observation do one thing, or several one after the other? */
#ifndef CORE_SERIES_CHANGES_H
#define CORE_SERIES_CHANGES_H

#include <stddef.h>

struct region;
struct samples;

#define CHANGES_SHORTEST 10 /* rows of a phase */

struct change {
	size_t row;           /* first row of the new phase */
	size_t counter;       /* the one that jumps farthest, in its own noise */
	double before, after; /* its mean per row in the phases on both sides, in counts */
};

struct changes {
	size_t n;
	struct change *change; /* by row */
};

/* Changes of level in the samples that the region was made of. Slow drift is none: where neighbours resemble each
 * other, steps must be larger to be seen as steps. Binary segmentation (Scott and Knott, Biometrics 30, 1974) on each
 * counter's cumulative sums finds candidates, which then have to stand against the noise and the correlation in time
 * that all of them together leave. Long recordings are looked at in CENTRED_BLOCKS blocks of rows. changes_free() what
 * comes back; it is never NULL. */
struct changes *changes_find(const struct samples *, const struct region *);
void changes_free(struct changes *);

#endif
