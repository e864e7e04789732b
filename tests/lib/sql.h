/* Session files are SQLite databases: what tests do to them behind hecate's back. */
#ifndef TESTS_LIB_SQL_H
#define TESTS_LIB_SQL_H

void run_sql(const char *path, const char *sql); /* a failed check when it fails */

#endif
