/* Is there an x within bounds with A x within bounds? And if not, why not. */
#ifndef CORE_VERDICT_LP_H
#define CORE_VERDICT_LP_H

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

#endif
