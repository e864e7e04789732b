/* Changes to session files without hecate's code: they are SQLite databases. */
#ifndef TESTS_LIB_SQL_H
#define TESTS_LIB_SQL_H

void run_sql(const char *path, const char *sql); /* if it fails, a check fails */

#endif
