/* A certificate as a combination of the cone's constraints: what to tell people when no single constraint is violated.
 */
#ifndef APP_ANALYSIS_COMBINE_H
#define APP_ANALYSIS_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;

/* times · coef = Σ weight_k · row_k over the equalities (any sign), then the inequalities (≥ 0), in integers and
 * checked so. weight has room for all rows of the cone. False when no such combination with small weights is found; the
 * certificate holds all the same. */
bool combine_rows(const struct cone *, const int64_t *coef, int64_t *weight, int64_t *times);

#endif
