/* Decides in exact arithmetic whether a point lies in the cone of some rays, without facets. */
#ifndef CORE_CONE_SEPARATE_H
#define CORE_CONE_SEPARATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

enum separate_answer {
	SEPARATE_INSIDE,
	SEPARATE_OUTSIDE,  /* outside; `a` is an integer vector with a·ray ≥ 0 for each ray and a·v < 0 */
	SEPARATE_TOO_LONG, /* outside, but such a vector does not fit into 64 bits */
	SEPARATE_GAVE_UP,  /* the time limit passed */
};

/* The point is v_i = sum_i / weight_i (weights > 0; a counter of weight 0 counts as 0). likely[j] marks the rays that
 * probably make up a point inside. Good guesses make the answer faster; bad ones do not make it wrong. */
enum separate_answer cone_separate(size_t n, size_t m, const int64_t *ray, const i128 *sum, const int64_t *weight,
	const bool *likely, double seconds, int64_t *a);

#endif
