/* One bar: the values of a stack's whole and parts, from the counters of one owner. */
#ifndef CORE_STACK_ACCOUNT_H
#define CORE_STACK_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

struct stack;

/* NAN: unknown, because a counter is missing or a divisor was zero. */
struct stack_amount {
	double raw;    /* value of the expression */
	double value;  /* shown value: 0 if `raw` is below 0 */
	double share;  /* value / whole; NAN if the whole is 0 or unknown */
	double figure; /* share × figure */
	bool negative; /* raw is below 0 */
};

/* How the parts of one parent fit into it. */
struct stack_fit {
	double parent;    /* shown value of the parent */
	double known;     /* sum of the known parts, without the remainder */
	double over;      /* excess of `known` over the parent; 0 if none; NAN if the parent is unknown */
	double lifted;    /* sum by which parts below zero were raised to 0: may explain `over` */
	size_t n_unknown; /* number of parts without a value: they are in the remainder */
};

/* A remainder is parent − known, never below 0. If n_unknown is 0, the parts and the remainder, minus `over`, add up
 * to the parent. */
struct stack_account {
	double whole, figure;        /* figure: NAN if the stack has none */
	bool whole_negative;         /* the whole is below zero: all shares are NAN */
	struct stack_amount *amount; /* per part */
	struct stack_fit *fit;       /* per part that has parts; index n_parts: the whole. Zero for other parts. */
	size_t n_parts;
};

/* Compute the bar. counter[i]: count of the i-th counter in its base unit; NAN: not counted. Differences below 1e-9
 * of the parent are rounding and count as none. The account keeps no reference to the stack. Free with
 * stack_account_free(). */
struct stack_account *stack_account_new(const struct stack *, const double *counter);
void stack_account_free(struct stack_account *);

#endif
