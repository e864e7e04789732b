/* Linear programs: finds an x within bounds such that A x is within bounds, or multipliers that prove that there is
 * none. */
#ifndef CORE_VERDICT_LP_H
#define CORE_VERDICT_LP_H

#include <stdbool.h>
#include <stddef.h>

struct lp {
	size_t n_rows, n_cols;
	const double *a;               /* n_rows × n_cols; rows and columns of a size near 1 */
	const double *row_lo, *row_hi; /* infinite if there is no bound */
	double col_lo, col_hi;         /* bounds of every column */
};

enum lp_answer {
	LP_FEASIBLE,   /* x has n_cols values */
	/* y has n_rows multipliers: for all x within bounds, y·A x is below what the rows' bounds require */
	LP_INFEASIBLE,
	LP_FAILED,     /* the library gave up, or its answer did not pass a check */
};

/* Solves the program. Several threads may call it at the same time. */
enum lp_answer lp_solve(const struct lp *, double *x, double *y);

/* Frees what the library keeps for this thread. A thread that called lp_solve() must call it before it ends. */
void lp_leave_thread(void);

/* One linear program for many objectives: a feasible basis is found once, and each solution starts from the last
 * one. */
struct lp_polytope;

/* row_lo ≤ A x ≤ row_hi, x ≥ 0. A is n_rows × n_cols, row major; rows and columns have sizes near 1, and there is at
 * least one of each. Only one polytope may exist at a time, because all problems are lost if the library aborts. Free
 * with lp_polytope_free(). */
struct lp_polytope *lp_polytope_new(
	size_t n_rows, size_t n_cols, const double *a, const double *row_lo, const double *row_hi);
void lp_polytope_free(struct lp_polytope *);

/* Find x with the largest Σ cost·x, and multipliers y of the rows with y·A ≥ cost on every column, up to rounding.
 * Returns false if the library finds none. Neither property is guaranteed: a caller that needs certainty must check.
 * `cold`: do not start from the last solution. */
bool lp_polytope_maximise(struct lp_polytope *, const double *cost, bool cold, double *x, double *y);

#endif
