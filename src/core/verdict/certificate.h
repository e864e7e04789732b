/* Turns a solver's numbers into an integer vector that passes certify.h's check, if possible. All functions return
 * NULL if the vector does not pass; the caller frees the result. */
#ifndef CORE_VERDICT_CERTIFICATE_H
#define CORE_VERDICT_CERTIFICATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/verdict/certify.h"

struct cone;

/* ± one row of the cone. Rows are numbered: equalities, then inequalities. */
int64_t *certificate_from_row(const struct cone *, const struct certify_region *, size_t row, int sign);

/* Σ weight_k · row_k, with weights rounded to integers. Coarse roundings are tried first. */
int64_t *certificate_from_weights(const struct cone *, const struct certify_region *, const double *weight);

/* A direction a with a·ray ≥ 0 up to rounding. It is rounded to integers (fine roundings last) and repaired by a
 * multiple of (1, …, 1), on which every signature is positive. */
int64_t *certificate_from_direction(const struct cone *, const struct certify_region *, const double *a);

/* From the weights of rows if there are any (not NULL), else from the direction. */
int64_t *certificate_from(const struct cone *, const struct certify_region *, const double *weight,
	const double *direction);

#endif
