/* Lines of perf stat -x -I that are like earlier ones, read fast.
 *
 *      0.100239848,CPU0,3,,page-faults,100471784,100.00,29.861,/sec
 *     |- time ----|before|value|  between  |- run --|- % -|- what else -|
 *
 * Each interval has the same lines in the same order, but for their numbers. What a line says without them was found
 * out when it came first (perf_stat_csv.c); it is expected again behind the line that it followed. Whatever is not
 * exactly as expected goes the long way, so that both read the same, which is a test's (tests/unit/perf_repeat.c). */
#ifndef COLLECT_IMPORT_PERF_REPEAT_H
#define COLLECT_IMPORT_PERF_REPEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "collect/import/perf_sheet.h"

struct perf_known;

struct perf_repeat {
	char separator;
	struct names texts;       /* of each known line, without its numbers */
	struct perf_known *known;
	size_t cap, last;         /* last: the line before this one; NAMES_NONE */
	size_t longest;           /* bytes of the longest one's texts */
};

/* False where lines with that separator are not looked for. */
bool perf_repeat_begin(struct perf_repeat *, const char *separator);
void perf_repeat_free(struct perf_repeat *);

/* A record that was read the long way, and where its numbers stand. */
void perf_repeat_learn(
	struct perf_repeat *, const char *line, size_t n, const struct perf_places *, const struct perf_count *);
/* Another run: groups have other numbers. */
void perf_repeat_forget(struct perf_repeat *);

/* The line at p, if it is the one that is expected and whole: what stands behind it, and what it counts. NULL: it goes
 * the long way. */
const char *perf_repeat_read(struct perf_repeat *, const char *p, const char *end, struct perf_count *);

#endif
