/* Names of owners: the parts of a machine that a column or an observation counts for.
 *
 *     NAME@S0-C3                        as hecate writes it (work/timeline/column_owners.h)
 *     EVENT.core3, EVENT.socket0.cha7   as scripts write it
 *     EVENT [uncore_cha_7]              one box of a PMU, as perf writes it
 *     uncore_imc_2/EVENT/
 *     FILE:S0-D0-C3, FILE:CPU3          an observation of perf stat --per-core, -A, and of other tools */
#ifndef WORK_TIMELINE_OWNER_NAME_H
#define WORK_TIMELINE_OWNER_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct obs_table;

/* Splits a column's name. `owner` stays empty if the name has none; a box that is neither a slice nor a channel has
 * none. The strings are replaced. Returns true if the column counts for one box of several of its PMU, whose counts add
 * up at their owner. */
bool owner_name_split(const char *column, struct str *base, struct str *owner);

/* Splits an observation's name: "x:CPU0:/system#2" is the owner CPU0 of "x:/system#2". The strings are replaced.
 * Returns false if no part of the name is an owner. */
bool owner_name_of_observation(const char *name, struct str *rest, struct str *owner);

/* Writes the name of the column with which an observation of this owner counts `column`: NAME@OWNER. An event outside
 * the cores counts for the owner's socket, and for the whole machine if that is not known. */
void owner_name_join(const char *column, const char *owner, struct str *out);

/* Observations that count parts of one machine at the same time, as one observation.
 *
 *     x:S0-D0-C0   cycles ─┐                      x   cycles@S0-C0
 *     x:S0-D0-C1   cycles ─┴─ rows of one time ─▶     cycles@S0-C1
 *
 * perf stat -A, --per-core, --per-socket and other tools count each CPU apart. Verdicts are about each of them; a
 * network needs them together. Other observations are copied as they are. */
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
