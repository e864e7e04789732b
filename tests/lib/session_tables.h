/* Writes tables into session files, and reads them back. */
#ifndef TESTS_LIB_SESSION_TABLES_H
#define TESTS_LIB_SESSION_TABLES_H

#include <stdbool.h>

struct err;
struct obs_table;

/* The content of the file, which the caller frees; NULL: see *e. */
struct obs_table *session_read_back(const char *path, struct err *e);
/* A table of one row, 3 and 4, in these columns. The caller frees. */
struct obs_table *session_small_table(const char *a, const char *b);
/* Appends the table to the file. False: see *e. */
bool session_append(const char *path, const struct obs_table *t, struct err *e);

#endif
