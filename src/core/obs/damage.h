/* Damaged data that show it: rows that stand twice, counters that wrapped, and running totals in the place of
 * increments. No verdict may rest on these. */
#ifndef CORE_OBS_DAMAGE_H
#define CORE_OBS_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs;
struct obs_table;

/* Counts rows that were appended to themselves once, and leaves out cells in which a counter of 48 bits wrapped, both
 * with a note. `file` is named in the notes. Not for observations whose rows are far (rows.h). */
void obs_table_mend(struct obs_table *, const char *file);

/* Returns true when every column only rises, in a way that increments do by chance less than once in 10^9 files. */
bool obs_is_running_total(const struct obs *);

/* Notes which observations are running totals. */
void obs_table_note_totals(struct obs_table *, const char *file);

/* Turns running totals into increments: each row becomes its difference to the row before, and the first row is
 * dropped. False and *e, which names row and column, when a total falls. Not for gathered observations. */
bool obs_table_take_differences(struct obs_table *, const char *file, struct err *e);

#endif
