/* One bar: the values of a stack's whole and parts, from the counters of one owner. */
#ifndef CORE_STACK_ACCOUNT_H
#define CORE_STACK_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

struct aexpr;
struct stack;

/* NAN: unknown, because a counter is missing or a divisor was zero. */
struct stack_amount {
	/* value of the expression or, for a remainder, what the other parts leave of the parent; may be below 0 */
	double value;
	double share;  /* value / whole; NAN if the whole is 0 or unknown */
	double figure; /* share × figure of the stack */
	/* the value as written in hecate.stack/1 (docs/json.md), never below 0; see stack_fit.lifted_over */
	double lifted;
	bool negative; /* value is below 0: an error of the method or of the counters, never time that passed */
	bool flagged;  /* a tree's node: worth a look */
	/* worth a look by its own limit and those of its parents; the flags of its parts depend on this */
	bool chained;
};

/* How the parts of one parent fit into it. */
struct stack_fit {
	double parent;      /* value of the parent */
	double known;       /* sum of the known parts, without the remainder */
	double over;        /* excess of `known` over the parent; 0 if none; NAN if the parent is unknown */
	double under;       /* for a level without a remainder that should add up: what its parts leave of the parent */
	double lifted_over; /* `over`, computed after values below 0 were set to 0 */
	size_t n_unknown;   /* number of parts without a value, which the remainder therefore includes */
};

/* The two sides of an expectation. `broken`: `low` exceeds `high` by more than is explained by reading the counters one
 * after the other. */
struct stack_order {
	double low, high;
	bool broken;
};

/* A remainder is parent − known, which is below zero if the parts add up to more than their parent. So the parts and
 * the remainder of a level add up to the parent if n_unknown is 0. */
struct stack_account {
	double whole, figure;        /* figure: NAN if the stack has none */
	bool whole_negative;         /* the whole is below zero: all shares are NAN */
	struct stack_amount *amount; /* per part */
	/* per part that has parts, and at index n_parts for the whole; zero for other parts */
	struct stack_fit *fit;
	size_t n_parts;
	struct stack_order *order;   /* per expectation of the stack */
};

/* Compute the bar. counter[i]: count of the i-th counter in its base unit; NAN: not counted. Differences below 1e-9 of
 * the largest value of a level are rounding errors and count as 0. The account keeps no reference to the stack. Free
 * with stack_account_free(). */
struct stack_account *stack_account_new(const struct stack *, const double *counter);
void stack_account_free(struct stack_account *);

/* Returns the values of counters, constants, the whole, the parts with an expression and the value items, by their
 * numbers. If `needed` is given, the whole, parts and items are computed only where needed[number] is true; the others
 * are 0. The caller frees the array. */
double *stack_values_new(const struct stack *, const double *counter, const bool *needed);

/* Returns the divisor that is 0 in the part (n_parts: the whole; n_parts + 1: the figure) or in a part that it uses;
 * NULL: none. `counter` is as above. */
const struct aexpr *stack_zero_divisor(const struct stack *, const double *counter, size_t part);

#endif
