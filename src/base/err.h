/* A failure of the input or the world: a sentence, the place, and what to do about it. Functions that return
 * false or NULL fill it in. It holds its own text, so there is nothing to free. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

struct err {
	char file[256]; /* "" when no file is to blame; only the end of a long path */
	int line, col;  /* 1-based; 0 when unknown */
	char what[768]; /* the sentence, without a final newline */
	char hint[512]; /* what to do; "" when the sentence says it already */
	/* the line at the place, as shown, or the wrong text; "" when there is no line */
	char source[656];
	int caret, span; /* start of the place in `source`, in columns from 0, and its length, at least 1 */
};

struct str;

/* Sets the sentence and clears place and hint. Always returns false, so that `return err_set(…)` works. `e` may be
 * NULL. */
bool err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool err_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool err_place(struct err *e, const char *file, int line, int col);

/* "FILE:LINE:COL: what; hint" with control characters made visible. */
void err_text(const struct err *e, struct str *out);

#endif
