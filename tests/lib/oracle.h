/* Independent answers for verdicts: GLPK's exact simplex on the linear program over flows as the paper prints it,
 * and a projection that tries every set of rays. */
#ifndef TESTS_LIB_ORACLE_H
#define TESTS_LIB_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if a flow f ≥ 0 exists with Σ f_j ray_j = v. */
bool oracle_point(size_t n, size_t m, const int64_t *ray, const double *v);

/* True if f ≥ 0 and v ≥ 0 exist with v = Σ f_j ray_j and |e_i·(v − Y)| ≤ half_i (CounterPoint's appendix A). `axis`
 * NULL: unit vectors. */
bool oracle_box(size_t n, size_t m, const int64_t *ray, const double *mean, const double *axis, const double *half);

/* min (v−Y)ᵀ Σ⁻¹ (v−Y) over the cone of at most 12 rays: the smallest distance to the spans of all sets of rays
 * whose multipliers are non-negative. */
double oracle_distance2(size_t n, size_t m, const int64_t *ray, const double *mean, const double *cov);

#endif
