/* gem5's stats.txt (docs/data.md): each dump of the simulator's statistics becomes a row. */
#ifndef COLLECT_IMPORT_GEM5_STATS_H
#define COLLECT_IMPORT_GEM5_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;

/* Returns true when this line begins a dump. */
bool gem5_stats_begins(const char *line);

/* Arguments and failure as csv_read(). A single dump is exact totals; several are samples, unless `exact`. */
struct obs_table *gem5_stats_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

#endif
