/* The confidence region by which CounterPoint judges (Lindsay and others, ASPLOS 2026, section 4 and appendix A), for
 * comparison with hecate's own:
 *
 *   | e_i·(v − Y) | ≤ sqrt(λ_i q) + t
 *
 * Y is the mean of the samples that have every counter; e_i, λ_i are eigenvectors and -values of their covariance
 * (divided by M − 1) over their number M; q is the quantile of χ² with as many degrees of freedom as there are
 * counters. The least number of samples and t are those of the authors' case study, MIN_SAMPLES and REL_ERR_TOL of
 * upath_expr.py and run_model_scaling.py in counterpoint-public. Where REL_ERR_TOL, "as fraction of max event count",
 * goes in is not published: it is taken here to lengthen each half axis. Nothing else that hecate takes into account
 * is: no floors, no memory of the noise, no small-sample widening, no extrapolation, no stated errors. */
#ifndef CORE_STATS_COUNTERPOINT_H
#define CORE_STATS_COUNTERPOINT_H

#include <stddef.h>

struct region;
struct samples;

#define COUNTERPOINT_CONFIDENCE 0.99
#define COUNTERPOINT_SAMPLES ((size_t)30)
#define COUNTERPOINT_TOLERANCE 2e-6 /* t over the largest of the means; where all are 0, t is a count */

/* Only its box means anything (`box_only`), at COUNTERPOINT_CONFIDENCE. From fewer than COUNTERPOINT_SAMPLES samples it
 * has no noise model. The caller frees. */
struct region *counterpoint_region(const struct samples *);

#endif
