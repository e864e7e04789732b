/* Is a point in the cone of some rays? Decided in exact arithmetic, without facets. */
#ifndef CORE_CONE_SEPARATE_H
#define CORE_CONE_SEPARATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

enum separate_answer {
	SEPARATE_INSIDE,
	SEPARATE_OUTSIDE,  /* and a is an integer vector with a·ray ≥ 0 for each ray and a·v < 0 */
	SEPARATE_TOO_LONG, /* outside, but such a vector does not fit 64 bits */
	SEPARATE_GAVE_UP,  /* time limit */
};

/* The point is v_i = sum_i / weight_i (weights > 0; a counter of weight 0 counts as 0). likely[j] marks rays that a
 * point inside is probably made of: good guesses make it fast, bad ones not wrong. */
enum separate_answer cone_separate(size_t n, size_t m, const int64_t *ray, const i128 *sum, const int64_t *weight,
	const bool *likely, double seconds, int64_t *a);

#endif
