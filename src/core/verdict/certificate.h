/* From a solver's numbers to an integer vector that certify.h accepts, or to nothing. */
#ifndef CORE_VERDICT_CERTIFICATE_H
#define CORE_VERDICT_CERTIFICATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/verdict/certify.h"

struct cone;

/* ± one row of the cone: the equalities, then the inequalities. The caller frees; NULL when it does not hold. */
int64_t *certificate_from_row(const struct cone *, const struct certify_region *, size_t row, int sign);

/* Σ weight_k · row_k with the weights rounded to integers, coarse ones first. */
int64_t *certificate_from_weights(const struct cone *, const struct certify_region *, const double *weight);

/* A direction a with a·ray ≥ 0 up to rounding: rounded to integers, fine ones last, and repaired by a multiple of
 * (1, …, 1), on which every signature is positive. */
int64_t *certificate_from_direction(const struct cone *, const struct certify_region *, const double *a);

#endif
