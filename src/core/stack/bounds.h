/* Bounds of a stack's parts, as shares of the whole, from intervals of its counters. */
#ifndef CORE_STACK_BOUNDS_H
#define CORE_STACK_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

struct metric_value;
struct stack;

struct stack_bounds {
	double low, high; /* share of the whole; NAN: not known, or a divisor may be 0 */
	bool enclosure;   /* narrower bounds may exist */
	size_t widest;    /* the counter that widens them most; n_counters: all are exact */
};

/* Returns the bounds of each part, as metrics have them (core/metric/metric.h); counter[i] is the interval of the i-th
 * counter in its base unit. The caller frees. */
struct stack_bounds *stack_bounds_new(const struct stack *, const struct metric_value *counter);

#endif
