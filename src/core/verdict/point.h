/* Is an exact total in the cone? */
#ifndef CORE_VERDICT_POINT_H
#define CORE_VERDICT_POINT_H

#include <stdint.h>

#include "core/verdict/verdict.h"

struct cone;
struct region;

struct point_answer {
	enum verdict_kind verdict;
	const char *reason;   /* borderline: a literal; else NULL */
	int64_t *certificate; /* infeasible; the caller frees */
};

/* Exact: by the facets, or without them by an exact linear program over the rays. */
struct point_answer point_decide(const struct cone *, const struct region *);

/* The Cholesky factor of a diagonal metric in which differences of counts are taken relative to the counts; n × n, the
 * caller frees. For where a point needs a metric but has no covariance. */
double *point_metric(const struct region *);

#endif
