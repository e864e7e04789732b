/* The wide CSV of docs/data.md: a header of counter names, one row per sample interval. */
#ifndef COLLECT_IMPORT_CSV_H
#define COLLECT_IMPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct feed;
struct import_how;
struct obs_table;

/* Reads a wide CSV of n bytes. `name` is the file as shown to the user; without its folders and ending, it is the name
 * of the observation if there is no `observation` column. `exact`: rows are exact totals. The caller frees the table.
 * On bad input returns NULL and sets *e, with line and column. */
struct obs_table *csv_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* The same for a text that arrives in pieces. */
struct obs_table *csv_read_feed(struct feed *, const struct import_how *, struct err *e);

#endif
