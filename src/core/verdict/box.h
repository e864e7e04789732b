/* Decides whether a box meets the cone. */
#ifndef CORE_VERDICT_BOX_H
#define CORE_VERDICT_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/certify.h"
#include "core/verdict/verdict.h"

struct cone;
struct projection;

struct box_answer {
	enum verdict_kind verdict;
	const char *reason;   /* reason if borderline, a literal; else NULL */
	int64_t *certificate; /* if infeasible; the caller frees */
	/* if feasible: a point of the cone in the box (n values), NULL if none was computed; the caller frees */
	double *inside;
};

/* Decide whether the box of `shape` (CERTIFY_BOX) meets the cone. `near` is the projection of its mean onto the cone
 * in any metric. Its nearest point and its direction are tried before any linear program. */
struct box_answer box_decide(const struct cone *, const struct certify_region *shape, const struct projection *near);

#endif
