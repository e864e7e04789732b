/* Writes a certificate as a combination of the cone's constraints, for refutations that violate no single
 * constraint. */
#ifndef APP_ANALYSIS_COMBINE_H
#define APP_ANALYSIS_COMBINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cone;

/* Finds integers with times · coef = Σ weight_k · row_k, over the equalities (weights of any sign) and then the
 * inequalities (weights ≥ 0), and checks them exactly. `weight` has room for all rows of the cone. False when no
 * combination with small weights is found; the certificate is valid nevertheless. */
bool combine_rows(const struct cone *, const int64_t *coef, int64_t *weight, int64_t *times);

#endif
