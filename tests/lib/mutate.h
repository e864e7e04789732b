/* Damaged input: a good text with a few small changes. */
#ifndef TESTS_LIB_MUTATE_H
#define TESTS_LIB_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A copy of `text` with one to four changes: a byte that is another, one of the pieces put in, a stretch of up to
 * `stretch` bytes gone or there twice, or the end gone. The caller frees; *out_n is its size, a NUL follows. */
char *mutate(const char *text, size_t n, const char *const *piece, size_t n_pieces, size_t stretch, uint64_t *seed,
	size_t *out_n);

#endif
