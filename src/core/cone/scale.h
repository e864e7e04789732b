/* What a model counts when one of its counters counts by a factor: the cone with one axis stretched. */
#ifndef CORE_CONE_SCALE_H
#define CORE_CONE_SCALE_H

#include <stddef.h>
#include <stdint.h>

struct cone;

/* { v with v_counter · times / of : v in the cone }, times and of > 0. Rays and constraints are those of the cone,
 * stretched, in their order, divided by their greatest common divisor. NULL where an entry does not fit. cone_free()
 * it. */
struct cone *cone_scale(const struct cone *, size_t counter, int64_t times, int64_t of);

#endif
