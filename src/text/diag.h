/* Diagnostics of a text format: place, caret, what was expected, the nearest name. At most DIAGS_MAX errors are kept
 * and as many warnings; the rest are counted. */
#ifndef TEXT_DIAG_H
#define TEXT_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIAGS_MAX 20

enum diag_level { DIAG_ERROR, DIAG_WARNING };

struct diag {
	enum diag_level level;
	char *file;       /* as shown to the user */
	/* 1-based; col counts columns of the line as shown (tab stops every 8 columns); both are 0 when no place is to
	 * blame */
	int line, col;
	uint32_t at; /* the place in the text, in bytes */
	/* the place within `source`: first column, from 0, and length in columns (at least 1) */
	int caret, span;
	/* the line as shown: with tabs and control characters made visible, and cut if it is long; "" when there is no
	 * line */
	char *source;
	char *text;       /* the sentence */
	/* what may help: "nearest: early_psc", "it is defined at f.udd:3:1"; NULL when there is none */
	char *hint;
};

struct diags {
	struct diag *item; /* in order of discovery */
	size_t n, cap;
	bool closed;                      /* whatever else is found is only counted: it follows from the last error */
	size_t errors, warnings, dropped; /* numbers of errors and warnings found; `dropped` of them were not kept */
};

void diags_free(struct diags *); /* leaves an empty list */

/* Adds a diagnostic; `hint` may be NULL. The line at the place is copied. A second diagnostic with the same text and
 * place is ignored. */
struct place;
void diag_add(struct diags *, enum diag_level, const struct place *, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* For callers that show one line: sets the failure to the first error and returns false. Returns true if there are no
 * errors. */
struct err;
bool diags_good(const struct diags *, struct err *);
/* Adds the place to a failure, with its line and caret. Always returns false. */
bool err_at(struct err *, const struct place *);
/* The same for a stretch of a text that comes from no file, such as the value of an option. If the failure shows a text
 * already, that text is the stretch, and the caret keeps its position within it. A failure that blames a file is not
 * changed. */
bool err_within(struct err *, const char *text, size_t at, size_t len);
/* Returns true if further diagnostics of this level will be dropped, so that the caller can skip a costly hint. */
bool diags_full(const struct diags *, enum diag_level);

/* Writes "FILE:LINE:COL: text; hint", the line, and a line with the caret; each ends with a newline. `prefix` comes
 * before the first line ("hecate: "). A warning has "warning: " before its text. */
struct str;
/* The same for a failure: the line of err_text(), and, if the place is known, the other two lines. */
void err_print(const struct err *, const char *prefix, struct str *out);
void diag_print(const struct diag *, const char *prefix, struct str *out);
void diags_print(const struct diags *, const char *prefix, struct str *out);

#endif
