/* Diagnostics of a text format: place, caret, what was expected, the nearest name.
 * At most DIAGS_MAX errors are kept (the rest is counted); warnings are kept to the same number. */
#ifndef CORE_LANG_DIAG_H
#define CORE_LANG_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#define DIAGS_MAX 20

enum diag_level { DIAG_ERROR, DIAG_WARNING };

struct diag {
	enum diag_level level;
	char *file;       /* as shown to the user */
	/* 1-based, col in columns of the line as shown (tab stops every 8); 0 when no place is to blame */
	int line, col;
	int caret, span;  /* where the place stands in `source`: columns from 0, and how many (at least 1) */
	/* the line, tabs and control characters made visible, a long one cut; "" when there is none */
	char *source;
	char *text;       /* the sentence */
	char *hint;       /* "nearest: early_psc", "it is defined at f.udd:3:1"; NULL when there is none */
};

struct diags {
	struct diag *item; /* in order of discovery */
	size_t n, cap;
	size_t errors, warnings, dropped; /* found; dropped of them not kept */
};

void diags_free(struct diags *); /* leaves an empty list */

/* Add one; `hint` may be NULL. The place's line is copied. The same text about the same place is kept once. */
struct place;
void diag_add(struct diags *, enum diag_level, const struct place *, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* No more of this level will be kept: a costly hint need not be looked for. */
bool diags_full(const struct diags *, enum diag_level);

/* "FILE:LINE:COL: text; hint", the line, the caret line; each followed by a newline. `prefix` stands before
 * the first line ("hecate: "). Warnings say "warning: " before the text. */
struct str;
void diag_print(const struct diag *, const char *prefix, struct str *out);
void diags_print(const struct diags *, const char *prefix, struct str *out);

#endif
