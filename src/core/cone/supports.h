/* The fewest columns that can carry a linear form, modulo equalities: for blocks of equalities too large to try all
 * bases. */
#ifndef CORE_CONE_SUPPORTS_H
#define CORE_CONE_SUPPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct supports {
	size_t size, n;
	size_t *column; /* n sets of `size` columns, ascending, in lexicographic order; the caller frees */
};

/* All sets T of columns, as small as there are, such that x + c·e vanishes outside T for some c. e is k × n in reduced
 * row echelon form; x has n numbers, 0 where a row of e leads. Searched in arithmetic modulo 2^61 − 1: what is found is
 * to be confirmed exactly, and a set is missed only by a coincidence of one in 2^60. *budget counts steps down; false
 * when it ran out. */
bool supports_find(size_t n, size_t k, const int64_t *e, const int64_t *x, size_t *budget, struct supports *out);

#endif
