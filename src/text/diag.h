/* Diagnostics of a text format: place, caret, what was expected, the nearest name. At most DIAGS_MAX errors are kept
 * and as many warnings; the rest are counted. */
#ifndef TEXT_DIAG_H
#define TEXT_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#define DIAGS_MAX 20

enum diag_level { DIAG_ERROR, DIAG_WARNING };

struct diag {
	enum diag_level level;
	char *file;       /* as shown to the user */
	/* 1-based; col counts columns of the line as shown (tab stops every 8); 0 when no place is to blame */
	int line, col;
	/* the place within `source`: its first column from 0, and its length in columns (at least 1) */
	int caret, span;
	/* the line as shown: tabs and control characters made visible, a long one cut; "" when there is none */
	char *source;
	char *text;       /* the sentence */
	/* what may help: "nearest: early_psc", "it is defined at f.udd:3:1"; NULL when there is none */
	char *hint;
};

struct diags {
	struct diag *item; /* in order of discovery */
	size_t n, cap;
	size_t errors, warnings, dropped; /* numbers found; `dropped` of them are not kept */
};

void diags_free(struct diags *); /* leaves an empty list */

/* Adds a diagnostic; `hint` may be NULL. The line of the place is copied. The same text for the same place is kept
 * once. */
struct place;
void diag_add(struct diags *, enum diag_level, const struct place *, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* The first error as a failure, for callers that show one line; false. True when there is none. */
struct err;
bool diags_good(const struct diags *, struct err *);
/* Adds the place to a failure, with its line and caret; false. */
bool err_at(struct err *, const struct place *);
/* The same for a stretch of a text without a name, such as what an option was given. If the failure shows a text
 * already, that one is the stretch, and the caret stays where it is in it. Nothing is changed where a file is to
 * blame. */
bool err_within(struct err *, const char *text, size_t at, size_t len);
/* Whether no more of this level will be kept, so that a costly hint is not needed. */
bool diags_full(const struct diags *, enum diag_level);

/* Writes "FILE:LINE:COL: text; hint", the line, and a line with the caret; each ends with a newline. `prefix` comes
 * before the first line ("hecate: "). A warning has "warning: " before its text. */
struct str;
/* The same for a failure: the line of err_text(), and where the place is known the two others. */
void err_print(const struct err *, const char *prefix, struct str *out);
void diag_print(const struct diag *, const char *prefix, struct str *out);
void diags_print(const struct diags *, const char *prefix, struct str *out);

#endif
