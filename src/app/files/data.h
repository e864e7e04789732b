/* Recorded data by path. */
#ifndef APP_FILES_DATA_H
#define APP_FILES_DATA_H

#include <stdbool.h>

struct err;
struct obs_table;

/* Read and parse one file ("-": standard input), told apart by content. `exact`: rows are exact totals. NULL and *e. */
struct obs_table *data_read(const char *path, bool exact, struct err *e);

/* The same for who gets at cells by core/obs/rows.h: those of a long session file stay in it, unless it is to be exact. */
struct obs_table *data_open(const char *path, bool exact, struct err *e);

/* A copy of the whole table. */
struct obs_table *data_copy(const struct obs_table *);

/* Is an observation of this name asked for by a shell pattern (NULL: all are)? With `phases`, "NAME" asks for "NAME@2" too. */
bool data_wanted(const char *pattern, const char *name, bool phases);

#endif
