/* State of the decision on one observation. Private to core/verdict: shared by verdict.c, regions.c, cone_test.c and
 * violation.c. */
#ifndef CORE_VERDICT_DECIDE_H
#define CORE_VERDICT_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/certify.h"
#include "core/verdict/projection.h"
#include "core/verdict/verdict.h"

#define DECIDE_MARGIN 1e-6 /* relative difference of d² and the threshold up to which a verdict is borderline */

/* Result for one region. */
struct decision_answer {
	enum verdict_kind verdict;
	const char *reason;
	int64_t *certificate;
	double *inside; /* if feasible: a point of the cone in the region */
};

struct decision {
	const struct cone *cone;
	const struct region *region;
	double confidence;
	double q;               /* threshold of the ellipsoid */
	/* squared radius of the region to which rows are compared: q, or the smaller threshold of the cone test */
	double reach2;
	/* covariance of that region: Σ, or that of the proportions if the region is bursty */
	const struct region_spread *spread;
	struct projection near; /* projection in the metric of Σ */
	struct projection
		/* projection in the metric of the proportions, for the cone test; v is NULL if it is the same as
		 * `near` */
		scaled;
	double *half;           /* n half-widths of the current box */
	struct decision_answer answer[REGION_KINDS];
	struct cone_test test;
	/* p-values with slow noise: of the ellipsoid's and of the cone test's refutation; p is NAN if not computed */
	struct noise_answer slow[2];
	char *doubt[2];         /* per entry of `slow`: a sentence if that refutation does not stand; else NULL */
};

/* Returns row·mean, and sets *size to Σ |row_i| mean_i. */
double decide_row_at_mean(const struct region *, const int64_t *row, double *size);

/* Returns all rows of the cone that the whole region violates, worst first. The caller frees. */
struct violation *decide_violations(const struct decision *, enum region_kind, size_t *n);
/* Returns the constraint that the mean violates most, measured in units of the region's reach across it; NULL if the
 * mean satisfies all. The caller frees it. */
struct violation *decide_most_violated(const struct decision *, enum region_kind);

/* Decide by one kind of region. The caller owns certificate and point of the result. */
struct decision_answer decide_ellipsoid(struct decision *);
struct decision_answer decide_box(struct decision *);
struct decision_answer decide_independent(struct decision *);
struct decision_answer decide_cone(struct decision *); /* must come after decide_ellipsoid() */

/* Returns "infeasible" if a certificate passes the exact check, else "borderline". The single constraint with the
 * largest margin is tried before the separating direction. */
struct decision_answer decide_certified(
	const struct decision *, const struct projection *, const struct certify_region *);

/* Returns the answer for too few rows to test for noise in time; p is that of independent rows. */
struct noise_answer decide_few_rows(double p);

/* Returns a sentence that says why a refutation does not stand against slow noise, and how many rows would decide it.
 * The caller frees. */
char *decide_doubt(const struct region *, const struct noise_answer *);

/* Reason of a borderline verdict: the squared distance equals the threshold within DECIDE_MARGIN. */
extern const char DECIDE_AT_THRESHOLD[];

#endif
