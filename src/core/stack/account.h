/* One bar: the values of a stack's whole and parts, from the counters of one owner. */
#ifndef CORE_STACK_ACCOUNT_H
#define CORE_STACK_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

struct aexpr;
struct stack;

/* NAN: unknown, because a counter is missing or a divisor was zero. */
struct stack_amount {
	double value;  /* value of the expression, or what the other parts leave of the parent; below zero too */
	double share;  /* value / whole; NAN if the whole is 0 or unknown */
	double figure; /* share × figure */
	double lifted; /* the value as hecate.stack/1 has it (docs/json.md): never below 0, see stack_fit.lifted_over */
	bool negative; /* value is below 0: an error of the method or of the counters, never time that passed */
	bool flagged;  /* a tree's node: worth a look */
	bool chained;  /* so by its own limit and its parents', which its parts depend on */
};

/* How the parts of one parent fit into it. */
struct stack_fit {
	double parent;      /* value of the parent */
	double known;       /* sum of the known parts, without the remainder */
	double over;        /* excess of `known` over the parent; 0 if none; NAN if the parent is unknown */
	double under;       /* what a level that should add up, and has no remainder, leaves of the parent */
	double lifted_over; /* `over` from values lifted to 0 */
	size_t n_unknown;   /* number of parts without a value: they are in the remainder */
};

/* The two sides of an expectation. `broken`: the lower one is more by more than reading them one after the other
 * explains. */
struct stack_order {
	double low, high;
	bool broken;
};

/* A remainder is parent − known, below zero if the parts have more than their parent. So the parts and the remainder
 * of a level add up to the parent, if n_unknown is 0. */
struct stack_account {
	double whole, figure;        /* figure: NAN if the stack has none */
	bool whole_negative;         /* the whole is below zero: all shares are NAN */
	struct stack_amount *amount; /* per part */
	struct stack_fit *fit;       /* per part that has parts; index n_parts: the whole. Zero for other parts. */
	size_t n_parts;
	struct stack_order *order;   /* per expectation of the stack */
};

/* Compute the bar. counter[i]: count of the i-th counter in its base unit; NAN: not counted. Differences below 1e-9
 * of the largest value of a level are rounding and count as none. The account keeps no reference to the stack. Free
 * with stack_account_free(). */
struct stack_account *stack_account_new(const struct stack *, const double *counter);
void stack_account_free(struct stack_account *);

/* The values of counters, constants, the whole, the parts with an expression and the value items, by their numbers;
 * with `needed`, of the last three only those that it has, and of the others 0. The caller frees. */
double *stack_values_new(const struct stack *, const double *counter, const bool *needed);

/* The divisor that is 0, of the part (n_parts: the whole; n_parts + 1: the figure), or of a part that it uses; NULL:
 * none. `counter` as above. */
const struct aexpr *stack_zero_divisor(const struct stack *, const double *counter, size_t part);

#endif
