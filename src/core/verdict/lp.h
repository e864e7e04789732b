/* Is there an x within bounds with A x within bounds? And if not, why not. */
#ifndef CORE_VERDICT_LP_H
#define CORE_VERDICT_LP_H

#include <stdbool.h>
#include <stddef.h>

struct lp {
	size_t n_rows, n_cols;
	const double *a;               /* n_rows × n_cols; rows and columns of a size near 1 */
	const double *row_lo, *row_hi; /* infinite where there is no bound */
	double col_lo, col_hi;         /* of every column */
};

enum lp_answer {
	LP_FEASIBLE,   /* x has n_cols values */
	/* y has n_rows multipliers: y·A x stays below what the rows' bounds leave of y·A x; the rest of y is 0 */
	LP_INFEASIBLE,
	LP_FAILED,     /* the library gave up, or its answer did not stand a check */
};

/* May be called on several threads. */
enum lp_answer lp_solve(const struct lp *, double *x, double *y);

/* Give back what the library keeps for this thread: to be called before a thread ends that called lp_solve(). */
void lp_leave_thread(void);

/* One linear program, asked with many objectives: where its rows can be kept is found once, and each answer starts from
 * the last. */
struct lp_polytope;

/* One at a time: when the library aborts, all its problems go. row_lo ≤ A x ≤ row_hi, x ≥ 0. A is n_rows × n_cols, row
 * major, rows and columns of a size near 1; neither number is 0. */
struct lp_polytope *lp_polytope_new(
	size_t n_rows, size_t n_cols, const double *a, const double *row_lo, const double *row_hi);
void lp_polytope_free(struct lp_polytope *);

/* Find x with the most Σ cost·x, and the rows' multipliers y: y·A ≥ cost on every column, up to rounding. False when
 * the library finds none. Nothing is promised of either: who needs to be sure checks. `cold`: do not start from the
 * last answer. */
bool lp_polytope_maximise(struct lp_polytope *, const double *cost, bool cold, double *x, double *y);

#endif
