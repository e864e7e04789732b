/* The insides of a flow program. Private to flow_*.c. */
#ifndef CORE_VERDICT_FLOW_PROGRAM_H
#define CORE_VERDICT_FLOW_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "core/verdict/certify.h"

struct lp_polytope;

#define FLOW_COST_BITS 30 /* costs are integers in units of 2^-30 */

struct flow_program {
	size_t n, m; /* counters, columns */
	int64_t *column;               /* m × n */
	struct certify_region shape;
	double *half, *price;          /* n: of the box; about the most that each counter can be in the region */
	double *zero;                  /* n zeros: with no weight on any counter */
	/* point, boxes: a linear program over the columns that the region allows */
	struct lp_polytope *lp;
	size_t n_rows, n_used, *used;  /* its rows, and the columns in it */
	double *row;                   /* n_rows × n: what a multiplier of a row weighs the counters by */
	double *size;                  /* n_used: a column's scale: x of the program is f times it */
	/* ellipsoid: a distance problem (flow_ellipsoid.c) */
	double *white;                 /* m × n: L⁻¹ column */
	/* the columns that carried the last solutions: the next one looks at these first */
	size_t n_likely, *likely;
	/* scratch of one question */
	double *cost, *x, *y, *weight;
	double *floor;                 /* n + 1: no more than each counter, and all µops, can be; NAN: not known yet */
};

/* What one question came to. */
struct flow_most {
	double bound;   /* no less than the most */
	double reached; /* cost of `flow`; −INFINITY: none was found */
};

/* The least bound that `weight` (n, any) gives for an objective, as doubles rounded up. */
double flow_bound(const struct flow_program *, const i128 *cost, const double *weight);

/* The most of Σ cost·f over the flows into an ellipsoid; flow (m) is one that reaches `reached`. weight: n, the dual
 * vector of the best bound. */
struct flow_most flow_ellipsoid_most(struct flow_program *, const i128 *cost, double *flow, double *weight);

#endif
