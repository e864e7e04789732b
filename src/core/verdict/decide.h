/* Private to this room: what verdict.c, regions.c, cone_test.c and violation.c work on while one observation is
 * judged. */
#ifndef CORE_VERDICT_DECIDE_H
#define CORE_VERDICT_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/certify.h"
#include "core/verdict/projection.h"
#include "core/verdict/verdict.h"

#define MARGIN 1e-6 /* |d²/threshold − 1| up to which a verdict is borderline */

/* What one region came to. */
struct decision_answer {
	enum verdict_kind verdict;
	const char *reason;
	int64_t *certificate;
	double *inside; /* feasible: a point of the cone in the region */
};

struct decision {
	const struct cone *cone;
	const struct region *region;
	double confidence;
	double q;               /* the ellipsoid's threshold */
	/* of the region that rows are held against: q, or the smaller threshold of the test of the cone */
	double reach2;
	const double *cov;      /* n × n, of that region: Σ, or the proportions' of a bursty one */
	struct projection near; /* in the metric of Σ */
	struct projection
		scaled; /* … of the proportions, for the test of the cone; its v is NULL while that is `near` */
	double *half;           /* n: of the box at hand */
	struct decision_answer answer[REGION_KINDS];
	struct cone_test test;
	/* what slow noise makes of the ellipsoid's refutation, and of the cone's; p is NAN where it was not asked */
	struct noise_answer slow[2];
	char *doubt[2];                  /* … in a sentence, where the refutation does not stand */
};

/* row·mean, and in *size Σ |row_i| mean_i. */
double row_at_mean(const struct region *, const int64_t *row, double *size);

/* Every row of the cone that the whole region violates, worst first. The caller frees. */
struct violation *violations_find(const struct decision *, enum region_kind, size_t *n);

/* Each way to decide. Certificate and point of what they return belong to the caller. */
struct decision_answer decide_ellipsoid(struct decision *);
struct decision_answer decide_box(struct decision *);
struct decision_answer decide_independent(struct decision *);
struct decision_answer decide_cone(struct decision *); /* after decide_ellipsoid() */

/* An ellipsoid misses the cone: the certificate that says most, with what makes it the answer. */
struct decision_answer decide_certified(
	const struct decision *, const struct projection *, const struct certify_region *);

/* Why a refutation does not stand against slow noise, and how many rows would tell. The caller frees. */
char *decide_doubt(const struct region *, const struct noise_answer *);

/* The squared distance is the threshold, within MARGIN. */
extern const char DECIDE_AT_THRESHOLD[];

#endif
