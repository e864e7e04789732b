/* Repeated lines of perf stat -x -I, read fast.
 *
 *      0.100239848,CPU0,3,,page-faults,100471784,100.00,29.861,/sec
 *     |- time ----|before|value|  between  |- run --|- % -|- figure -- |
 *
 * Every interval prints the same lines in the same order; only the numbers differ. perf_stat_csv.c parses a line when
 * it first occurs. Afterwards the line is expected after the line that it followed, and only its numbers are read.
 * Anything unexpected goes through perf_stat_csv.c. Both must give the same result; tests/unit/perf_repeat.c compares
 * them. */
#ifndef COLLECT_IMPORT_PERF_REPEAT_H
#define COLLECT_IMPORT_PERF_REPEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "collect/import/perf_sheet.h"

struct perf_known;

struct perf_repeat {
	char separator;
	struct names texts;       /* texts of each known line, without its numbers */
	struct perf_known *known;
	size_t cap, last;         /* last: the line before this one, or NAMES_NONE */
	size_t longest;           /* bytes of the longest line's texts */
};

/* Returns false when lines with this separator are always read by perf_stat_csv.c. */
bool perf_repeat_begin(struct perf_repeat *, const char *separator);
void perf_repeat_free(struct perf_repeat *);

/* Remembers a record that perf_stat_csv.c parsed, and where its numbers stand. */
void perf_repeat_learn(
	struct perf_repeat *, const char *line, size_t n, const struct perf_places *, const struct perf_count *);
/* Forgets the groups to which lines belong, because groups have other numbers in another run. */
void perf_repeat_forget(struct perf_repeat *);

/* Reads the line at p if it is whole and the expected one: fills in *count and returns the text after the line. Returns
 * NULL if perf_stat_csv.c must read it. */
const char *perf_repeat_read(struct perf_repeat *, const char *p, const char *end, struct perf_count *);

#endif
