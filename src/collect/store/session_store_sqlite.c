#include "collect/store/session_store.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "collect/store/session_guard.h"

#define WHAT_SHOWN 200 /* columns that are shown of a reason */

bool
session_store_damaged(const struct session_file *f, struct err *e, const char *what)
{
	/* the reason may quote the file's contents, so it is shortened */
	err_set(e, "%s is damaged: %.*s", f->path, (int)utf8_fit(what, WHAT_SHOWN), what);
	return shell_hint(e, "to save what is readable: sqlite3 %s .recover | sqlite3 NEW", f->path);
}

bool
session_store_fail(const struct session_file *file, struct err *e)
{
	int code = sqlite3_errcode(file->db) & 0xff;

	switch (code) {
	case SQLITE_FULL:
		err_set(e, "no room left on the disk for %s: it holds everything that was written before", file->path);
		return err_hint(e, "make room, or give another place with -o");
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return session_store_damaged(file, e, sqlite3_errmsg(file->db));
	case SQLITE_READONLY:
		err_set(e, "%s cannot be written: it, its folder or its disk is read-only", file->path);
		return err_hint(
			e, "copy it, with %s-wal if that exists, to a folder that you may write to", file->path);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		err_set(e, "%s is in use by another program", file->path);
		return shell_hint(e, "wait until that program is done; fuser %s shows which it is", file->path);
	case SQLITE_CANTOPEN:
		err_set(e, "cannot open %s, or the files %s-wal and %s-shm that belong to it", file->path, file->path,
			file->path);
		return err_hint(e, "you need the right to write in its folder; else copy all three files to a folder "
			"where you have it");
	case SQLITE_IOERR:
		err_set(e, "reading or writing %s failed: %s", file->path,
			strerror(sqlite3_system_errno(file->db) ? sqlite3_system_errno(file->db) : EIO));
		return err_hint(e, "is the disk in order, and is there a limit on the size of files (ulimit -f)?");
	case SQLITE_TOOBIG:
		return session_store_damaged(
			file, e, "it has a text or a value that is longer than any that hecate writes");
	case SQLITE_INTERRUPT:
		return session_store_damaged(file, e, "reading it takes longer than its size explains");
	case SQLITE_NOMEM:
		err_set(e, "no memory to read %s", file->path);
		return err_hint(e, "close other programs");
	}
	/* A table is missing, or is not as hecate makes it. */
	return session_store_damaged(file, e, sqlite3_errmsg(file->db));
}

bool
session_store_run(struct session_file *f, const char *sql, struct err *e)
{
	session_guard_begin(f);
	return sqlite3_exec(f->db, sql, NULL, NULL, NULL) == SQLITE_OK || session_store_fail(f, e);
}

sqlite3_stmt *
session_store_prepare(struct session_file *f, const char *sql, struct err *e)
{
	sqlite3_stmt *s = NULL;

	session_guard_begin(f);
	if (sqlite3_prepare_v2(f->db, sql, -1, &s, NULL) != SQLITE_OK)
		session_store_fail(f, e);
	return s;
}

bool
session_store_step(struct session_file *f, sqlite3_stmt *s, struct err *e)
{
	bool good;

	session_guard_begin(f);
	good = sqlite3_step(s) == SQLITE_DONE || session_store_fail(f, e);
	sqlite3_reset(s);
	return good;
}

char *
session_store_text(sqlite3_stmt *s, int column)
{
	const unsigned char *text = sqlite3_column_text(s, column);

	return mem_str(text ? (const char *)text : "");
}

void
session_store_now(char out[SESSION_TIME_TEXT])
{
	time_t now = time(NULL);
	struct tm tm;

	strftime(out, SESSION_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}
