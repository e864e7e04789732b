/* Damaged input: a good text with a few small changes. */
#ifndef TESTS_LIB_MUTATE_H
#define TESTS_LIB_MUTATE_H

#include <stddef.h>
#include <stdint.h>

struct diags;
struct udd_model;

/* A copy of `text` with one to four changes: a byte replaced, one of the pieces inserted, a stretch of up to
 * `stretch` bytes removed or doubled, or the end cut off. *out_n is its size; a NUL follows. The caller frees. */
char *mutate(const char *text, size_t n, const char *const *piece, size_t n_pieces, size_t stretch, uint64_t *seed,
	size_t *out_n);

/* How the text of a model is mutated, loaded, and used if it is still a model. */
struct model_mutation {
	const char *const *piece;
	size_t n_pieces, stretch;
	struct udd_model *(*load)(const char *text, size_t n, struct diags *);
	void (*use)(const struct udd_model *);
};

/* Loads `rounds` mutations of a file below $HECATE_TESTS. Each must give either a model or errors, and a bounded number
 * of messages, which can be printed. Returns the number of models. */
unsigned long mutate_model(const char *path, const struct model_mutation *, unsigned long rounds, uint64_t *seed);

#endif
