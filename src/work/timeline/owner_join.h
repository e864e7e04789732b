/* Observations that count parts of one machine at the same time, as one observation.
 *
 *     x:S0-D0-C0   cycles ─┐                      x   cycles@S0-C0
 *     x:S0-D0-C1   cycles ─┴─ rows of one time ─▶     cycles@S0-C1
 *
 * perf stat -A, --per-core, --per-socket and other tools count each CPU apart. Verdicts are about each of them; a
 * network needs them together. Other observations are copied as they are. */
#ifndef WORK_TIMELINE_OWNER_JOIN_H
#define WORK_TIMELINE_OWNER_JOIN_H

#include <stddef.h>

struct obs_table;

struct owner_join {
	struct obs_table *table;
	size_t *source;  /* per observation of `table`: the first one of the other table that it was made of */
};

/* Joins the observations whose names match the pattern (fnmatch(3); NULL: all), before or after they are joined.
 * Returns NULL if there is nothing to join. A row lacks the counts of owners that have no row of its time. Rows are
 * added up in groups of equal size if there were more than GATHER_NEAR_CELLS cells otherwise. */
struct owner_join *owner_join_new(const struct obs_table *, const char *pattern);
void owner_join_free(struct owner_join *);

#endif
