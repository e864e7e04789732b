/* Recorded data of A and B while they are read, until they are joined into one table. */
#ifndef WORK_DIFF_SIDES_H
#define WORK_DIFF_SIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "core/diff/diff.h"

struct err;
struct recorded_diff;

/* One quantity of one side. */
struct part {
	const char *unit;
	double *value; /* n: runs */
	size_t n;
	struct diff_stated stated; /* instead of runs, if is_stated */
	bool is_stated;
};
struct side {
	char *name;
	struct names names; /* of the n parts */
	struct part *part;
	size_t n, first; /* first: the part of A that comes first in the table */
};

struct part *side_part(struct side *, const char *name, const char *unit); /* a new one if there is none yet */
struct part *side_find(const struct side *, const char *name);             /* NULL: there is none */
void side_add_stated(struct side *, const char *name, const char *unit, const struct diff_stated *);
void part_add(struct part *, double value);
/* Runs as a mean with its standard error. */
void part_summarise(struct part *);
void side_clear(struct side *);
void recorded_diff_note(struct recorded_diff *, char *text); /* takes the text over */

/* Takes a table of means with their spread, two a line, as the kernel's test robot and commit messages have them. The
 * commits' names, if there are any, are those of the sides. False: the text has none, or *e. */
bool
published_take(const char *path, const char *text, struct side side[2], struct recorded_diff *notes, struct err *e);

#endif
