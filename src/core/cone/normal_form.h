/* One form for each facet where equalities leave many. */
#ifndef CORE_CONE_NORMAL_FORM_H
#define CORE_CONE_NORMAL_FORM_H

#include <stddef.h>
#include <stdint.h>

/* Replace each of the m facets (row major, n columns) by its representative modulo the equalities with the fewest
 * counters, then the smallest Σ|coef|, then the first list of counters in counter order; gcd 1. Exact. Equalities that
 * are tangled so badly that the search passes its budget leave a facet's part in them as it came; it stays valid; so
 * does what is not done by the deadline (on the clock of clock_seconds()). Returns how many facets are left out of the
 * array's front because a coefficient of theirs does not fit 64 bits: the first m − result remain. */
size_t normal_form(size_t n, size_t n_equalities, const int64_t *equality, size_t m, int64_t *facet, double deadline);

#endif
