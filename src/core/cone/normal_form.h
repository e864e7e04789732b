/* Chooses one form for each facet if the equalities allow many. */
#ifndef CORE_CONE_NORMAL_FORM_H
#define CORE_CONE_NORMAL_FORM_H

#include <stddef.h>
#include <stdint.h>

/* Replaces each of the m facets (row major, n columns) by an equivalent one modulo the equalities: the form with the
 * fewest counters, then the smallest Σ|coef|, then the first list of counters in counter order; greatest common divisor
 * 1. The result is exact.
 *
 * If the search exceeds its budget or the deadline (a time of clock_seconds()), a facet keeps some or all of its old
 * form, which is also valid. Returns how many facets had to be left out because a coefficient does not fit into 64
 * bits. The first m − result facets of the array remain. */
size_t normal_form_choose(
	size_t n, size_t n_equalities, const int64_t *equality, size_t m, int64_t *facet, double deadline);

#endif
