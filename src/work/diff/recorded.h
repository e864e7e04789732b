/* Recorded runs of two commands, to be compared: results of hyperfine (--export-json) and google/benchmark
 * (--benchmark_out), and all data that hecate reads, where each observation is a run, or, in a file with one
 * observation, each row. */
#ifndef WORK_DIFF_RECORDED_H
#define WORK_DIFF_RECORDED_H

#include <stdbool.h>
#include <stddef.h>

#include "work/diff/measure.h"

struct err;

struct recorded_diff {
	struct measured_diff measured; /* `table` and `report` only */
	char *side[2];                 /* what A and B are: a command, a file, a column */
	char **text;                   /* names that the table uses */
	size_t n_texts;
};

/* Does this name a file of results? A command that is a file's name is one only if it cannot be executed. */
bool recorded_diff_is(const char *word);

/* Reads A and B from two files; or from one, which has results of two commands, or columns with these two names
 * (`column` NULL: it has just two). False and *e: they cannot be read or have nothing in common. */
bool recorded_diff_read(char *const *path, size_t n, char *const *column, struct recorded_diff *, struct err *e);
void recorded_diff_judge(struct recorded_diff *, const struct diff_rule *);
void recorded_diff_clear(struct recorded_diff *);

#endif
