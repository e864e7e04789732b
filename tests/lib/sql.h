/* Changes to session files without hecate's code: they are SQLite databases. */
#ifndef TESTS_LIB_SQL_H
#define TESTS_LIB_SQL_H

/* Removes what version 11 added to a file of version 10. */
#define SQL_WITHOUT_RECORDS \
	"DROP VIEW edge_bandwidth; DROP VIEW edge; DROP VIEW vertex; DROP VIEW stall; DROP VIEW flow; DROP VIEW path;" \
	"DROP TABLE edge_record; DROP TABLE vertex_record; DROP TABLE stall_record; DROP TABLE flow_record;" \
	"DROP TABLE path_record; DROP TABLE record_thing; DROP TABLE record_flow; DROP TABLE record_snapshot;" \
	"ALTER TABLE observation DROP COLUMN elapsed;"

void run_sql(const char *path, const char *sql); /* if it fails, a check fails */
/* Returns the first cell as text, "" for none; the caller frees it. If the statement fails, a check fails. */
char *sql_text(const char *path, const char *sql);

#endif
