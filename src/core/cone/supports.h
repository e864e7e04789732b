/* The smallest sets of columns that can carry a linear form, modulo equalities. This is used for blocks of equalities
 * that have too many bases to try them all. Private to core/cone. */
#ifndef CORE_CONE_SUPPORTS_H
#define CORE_CONE_SUPPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct supports {
	size_t size, n;
	size_t *column; /* n sets of `size` columns, ascending, in lexicographic order; the caller frees */
};

/* Finds all smallest sets T of columns such that x + c·e vanishes outside T for some c. e is k × n in reduced row
 * echelon form; x has n numbers, 0 in the columns in which a row of e leads.
 *
 * The search calculates modulo 2^61 − 1, so the caller must confirm each set exactly. It misses a set with a
 * probability of about 2^-60. Each step lowers *budget; returns false if it runs out. */
bool supports_find(size_t n, size_t k, const int64_t *e, const int64_t *x, size_t *budget, struct supports *out);

#endif
