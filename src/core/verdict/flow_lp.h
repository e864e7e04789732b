/* One linear program, asked with many objectives: where its rows can be kept is found once, and each answer starts from
 * the last. */
#ifndef CORE_VERDICT_FLOW_LP_H
#define CORE_VERDICT_FLOW_LP_H

#include <stdbool.h>
#include <stddef.h>

struct flow_lp;

/* One at a time: when the library aborts, all its problems go. row_lo ≤ A x ≤ row_hi, x ≥ 0. A is n_rows × n_cols, row
 * major, rows and columns of a size near 1; neither number is 0. */
struct flow_lp *flow_lp_new(size_t n_rows, size_t n_cols, const double *a, const double *row_lo, const double *row_hi);
void flow_lp_free(struct flow_lp *);

/* Find x with the most Σ cost·x, and the rows' multipliers y: y·A ≥ cost on every column, up to rounding. False when
 * the library finds none. Nothing is promised of either: who needs to be sure checks. `cold`: do not start from the
 * last answer. */
bool flow_lp_most(struct flow_lp *, const double *cost, bool cold, double *x, double *y);

#endif
