#include "sql.h"

#include <sqlite3.h>
#include <stddef.h>

#include "base/mem.h"
#include "test.h"

void
run_sql(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
	CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

char *
sql_text(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	char *text = NULL;

	CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
	if (CHECK_INT(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK) && sqlite3_step(st) == SQLITE_ROW)
		text = mem_str(sqlite3_column_text(st, 0) ? (const char *)sqlite3_column_text(st, 0) : "");
	sqlite3_finalize(st);
	sqlite3_close(db);
	return text ? text : mem_str("");
}
