#include "sql.h"

#include <sqlite3.h>
#include <stddef.h>

#include "test.h"

void
run_sql(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
	CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}
