/* Session files are SQLite databases: changes that tests make to them without hecate. */
#ifndef TESTS_LIB_SQL_H
#define TESTS_LIB_SQL_H

void run_sql(const char *path, const char *sql); /* a failed check when it fails */

#endif
