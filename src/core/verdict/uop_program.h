/* The state of a program over flows of µops. Private to core/verdict/uop_*.c. */
#ifndef CORE_VERDICT_UOP_PROGRAM_H
#define CORE_VERDICT_UOP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "core/verdict/certify.h"

struct lp_polytope;

#define UOP_COST_BITS 30 /* costs are integers in units of 2^-30 */

struct uop_program {
	size_t n, m;                   /* numbers of counters and columns */
	int64_t *column;               /* m × n */
	struct certify_region shape;
	double *half, *price;          /* n: half-widths of the box; about the largest possible count of each counter */
	double *zero;                  /* n zeros: weights of nothing */
	/* for a point or a box: a linear program over the columns that the region allows */
	struct lp_polytope *lp;
	size_t n_rows, n_used, *used;  /* number of rows; the columns in the program */
	double *row;                   /* n_rows × n: weights of counters that a multiplier of the row gives */
	double *size;                  /* n_used scales of columns: x of the program is f times the scale */
	/* for an ellipsoid, a distance problem (uop_ellipsoid.c): */
	double *white;                 /* m × n: L⁻¹ column */
	/* columns that carried the last solutions; the next search begins with them */
	size_t n_likely, *likely;
	/* scratch */
	double *cost, *x, *y, *weight;
	double *floor;                 /* n + 1: lower bound of each counter and of all µops; NAN: not computed yet */
};

/* Answer to one question. */
struct uop_most {
	double bound;   /* upper bound of the largest cost */
	double reached; /* cost of the best `flow` found; −INFINITY: none */
};

/* Returns the upper bound of Σ cost·f that follows from a weight (n, any values), rounded up. */
double uop_bound(const struct uop_program *, const i128 *cost, const double *weight);

/* Finds the largest Σ cost·f over flows into an ellipsoid. flow (m) reaches `reached`; weight (n) is the dual vector of
 * the best bound. */
struct uop_most uop_ellipsoid_most(struct uop_program *, const i128 *cost, double *flow, double *weight);

#endif
