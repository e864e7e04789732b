/* Damaged input: a good text with a few small changes. */
#ifndef TESTS_LIB_MUTATE_H
#define TESTS_LIB_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A copy of `text` with one to four changes: a byte replaced, one of the pieces inserted, a stretch of up to
 * `stretch` bytes removed or doubled, or the end cut off. *out_n is its size; a NUL follows. The caller frees. */
char *mutate(const char *text, size_t n, const char *const *piece, size_t n_pieces, size_t stretch, uint64_t *seed,
	size_t *out_n);

#endif
