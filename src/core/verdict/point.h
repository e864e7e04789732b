/* Decides whether an exact total is in the cone. */
#ifndef CORE_VERDICT_POINT_H
#define CORE_VERDICT_POINT_H

#include <stdint.h>

#include "core/verdict/verdict.h"

struct cone;
struct region;

struct point_answer {
	enum verdict_kind verdict;
	const char *reason;   /* reason if borderline, a literal; else NULL */
	int64_t *certificate; /* if infeasible; the caller frees */
};

/* Returns the exact answer: by the facets or, without facets, by an exact linear program over the rays. */
struct point_answer point_decide(const struct cone *, const struct region *);

/* Returns the Cholesky factor (n × n) of a diagonal metric in which differences of counts are relative to the counts.
 * It replaces the covariance that a point does not have. The caller frees. */
double *point_metric(const struct region *);

#endif
