/* Detects damaged data: rows that occur twice, counters that wrapped around, and running totals in the place of
 * increments. No verdict may rest on these. */
#ifndef CORE_OBS_DAMAGE_H
#define CORE_OBS_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs;
struct obs_table;

/* Keeps one copy of rows that were appended to themselves, and empties cells in which a 48-bit counter wrapped around.
 * Each repair adds a note, which names `file`. Not for observations whose rows are far (rows.h). */
void obs_table_mend(struct obs_table *, const char *file);

/* Returns true when every column only rises, which increments do by chance in less than one of 10^9 files. */
bool obs_is_running_total(const struct obs *);

/* Adds notes that say which observations are running totals. */
void obs_table_note_totals(struct obs_table *, const char *file);

/* Turns running totals into increments: each row becomes its difference to the previous row, and the first row is
 * dropped. If a total falls, returns false and sets *e, which names row and column. Not for gathered observations. */
bool obs_table_take_differences(struct obs_table *, const char *file, struct err *e);

#endif
