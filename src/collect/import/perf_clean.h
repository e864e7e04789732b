/* Output of perf stat that came through a terminal, a log or a mail: colours, and a prefix before each line. */
#ifndef COLLECT_IMPORT_PERF_CLEAN_H
#define COLLECT_IMPORT_PERF_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define PERF_PREFIX_MOST 120 /* bytes of a prefix that all lines share */

struct perf_clean {
	bool quoted;                   /* "> " of mail */
	bool commented;                /* "# " or "## " */
	bool stamped;                  /* a time stamp of a log: "2024-03-13T10:00:00.000Z ", "[12.345] " */
	char same[PERF_PREFIX_MOST + 1]; /* a text that precedes every line: "build | "; empty: none */
	size_t clock, clock_end;       /* digits of a time in `same`, which may differ: "[ci 12:00:01] "; equal: none */
};

bool perf_clean_needed(const struct perf_clean *); /* lines have a prefix */

/* Appends the line without its prefix, colours and carriage return. A line without the prefix stays as it is. */
void perf_clean_line(const struct perf_clean *, const char *line, size_t n, struct str *out);

/* Returns the whole text, cleaned line by line; the caller frees. Returns NULL when it is clean already. */
char *perf_clean_text(const char *text, size_t n, struct perf_clean *, size_t *cleaned);

#endif
