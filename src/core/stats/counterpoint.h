/* The confidence region by which CounterPoint judges (Lindsay and others, ASPLOS 2026, section 4 and appendix A), for
 * comparison with hecate's own:
 *
 *   | e_i·(v − Y) | ≤ sqrt(λ_i q) + t
 *
 * Y is the mean of the M samples that have every counter. e_i and λ_i are eigenvectors and eigenvalues of their
 * covariance (divided by M − 1) over M. q is the quantile of χ² with as many degrees of freedom as there are counters.
 *
 * The least number of samples and t are those of the authors' case study: MIN_SAMPLES and REL_ERR_TOL of upath_expr.py
 * and run_model_scaling.py in counterpoint-public. REL_ERR_TOL is a "fraction of max event count"; how it is used is
 * not published. Here it lengthens each half axis. Nothing else that hecate's own region takes into account is used: no
 * floors, no noise in time, no small-sample widening, no extrapolation, no stated errors. */
#ifndef CORE_STATS_COUNTERPOINT_H
#define CORE_STATS_COUNTERPOINT_H

#include <stddef.h>

struct region;
struct samples;

#define COUNTERPOINT_CONFIDENCE 0.99
#define COUNTERPOINT_SAMPLES ((size_t)30)
#define COUNTERPOINT_TOLERANCE 2e-6 /* t over the largest of the means; if all means are 0, t is one count */

/* Only the rotated box of the region is meaningful (`box_only`), and only at COUNTERPOINT_CONFIDENCE. With fewer than
 * COUNTERPOINT_SAMPLES samples the region has no noise model. The caller frees. */
struct region *counterpoint_region(const struct samples *);

#endif
