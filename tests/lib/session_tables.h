/* Tables into session files and out again. */
#ifndef TESTS_LIB_SESSION_TABLES_H
#define TESTS_LIB_SESSION_TABLES_H

#include <stdbool.h>

struct err;
struct obs_table;

/* What the file holds; the caller frees. NULL and *e. */
struct obs_table *session_read_back(const char *path, struct err *e);
/* One row of 3 and 4 under these columns; the caller frees. */
struct obs_table *session_small_table(const char *a, const char *b);
/* False and *e. */
bool session_append(const char *path, const struct obs_table *t, struct err *e);

#endif
