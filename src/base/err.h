/* What went wrong with the input or the world: one sentence, where, and what to do about it.
 * Filled by functions that return false or NULL; holds its own text, so nothing is to be freed. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

struct err {
	char file[256]; /* "" when no file is to blame; a long path keeps its tail */
	int line, col;  /* 1-based; 0 when unknown */
	char what[768]; /* the sentence, without a final newline */
	char hint[512]; /* what to do; "" when the sentence says it */
};

struct str;

/* Set the sentence, clear place and hint. Always returns false, so `return err_set(…)` reads well. `e` may be NULL. */
bool err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool err_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool err_place(struct err *e, const char *file, int line, int col);

/* "FILE:LINE:COL: what; hint" with control characters made visible. */
void err_text(const struct err *e, struct str *out);

#endif
