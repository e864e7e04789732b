/* One bar: what the counters of one owner say of a stack's whole and its parts. */
#ifndef CORE_STACK_ACCOUNT_H
#define CORE_STACK_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

struct stack;

/* NAN: not known, for a counter is lacking or a divisor was zero. */
struct stack_amount {
	double raw;    /* what the expression says */
	double value;  /* what is shown: 0 where the expression says less */
	double share;  /* of the whole; NAN when that is 0 or unknown */
	double figure; /* share × figure */
	bool negative; /* less than nothing was said */
};

/* How the parts of one parent fit into it. */
struct stack_fit {
	double parent;    /* shown value of what they are parts of */
	double told;      /* what the known ones have together, the remainder apart */
	double over;      /* what they have more than the parent; 0; NAN when the parent is unknown */
	double lifted;    /* by how much parts below zero were lifted: a reason to be over */
	size_t n_unknown; /* parts that have no value: they are in the remainder */
};

/* A remainder is parent − told, never below 0: with n_unknown 0 the parts and the remainder, less `over`, are the
 * parent. */
struct stack_account {
	double whole, figure;        /* figure: NAN where the stack has none */
	bool whole_negative;         /* the whole is below zero: no share has a sense, all are NAN */
	struct stack_amount *amount; /* per part */
	struct stack_fit *fit;       /* per part that has parts; the last, n_parts: of the whole. Others are all zero */
	size_t n_parts;
};

/* counter[i]: the i-th counter's count in its base unit; NAN: not counted. Differences below 1e-9 of the parent are
 * rounding and count as none. The account keeps no reference to the stack. Free with stack_account_free(). */
struct stack_account *stack_account_new(const struct stack *, const double *counter);
void stack_account_free(struct stack_account *);

#endif
