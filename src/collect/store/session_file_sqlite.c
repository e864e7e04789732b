/* Opens, locks and closes a session file.
 *
 * A new file is made under another name next to its place, and linked into place when it is complete. So other
 * processes see a session file or none. The writer's lock is a flock(), because SQLite locks only for the time of a
 * transaction, and two recordings in one file would mix. */
#include "collect/store/session_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/held_file.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_schema.h"
#include "collect/store/session_store.h"

#define MAGIC "SQLite format 3" /* 16 bytes with the NUL */
#define ID_AT 68                /* application_id, big-endian (sqlite.org, "Database File Format", 1.3) */
#define BUSY_MS 5000
/* A row of a few hundred counters fits into a quarter of a page; longer rows get pages of their own (sqlite.org,
 * "Database File Format", 1.6) */
#define PAGE_BYTES "8192"

enum kind { NOTHING, SESSION, DATABASE, EMPTY, FOLDER, OTHER, UNREADABLE };

/* Returns the kind of the file, by its first bytes. Nothing is read from a pipe. */
static enum kind
session_file_sqlite_kind_of(const char *path)
{
	unsigned char head[ID_AT + 4];
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) != 0)
		return errno == ENOENT ? NOTHING : UNREADABLE;
	if (S_ISDIR(st.st_mode))
		return FOLDER;
	if (!S_ISREG(st.st_mode))
		return OTHER;
	if (held_file_is(st.st_dev, st.st_ino))
		return SESSION;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return UNREADABLE;
	n = pread(fd, head, sizeof head, 0);
	held_file_close(fd);
	if (n == 0)
		return EMPTY;
	if (n < 16 || memcmp(head, MAGIC, 16) != 0)
		return OTHER;
	if (n < (ssize_t)sizeof head)
		return DATABASE;
	return ((uint32_t)head[ID_AT] << 24 | (uint32_t)head[ID_AT + 1] << 16 | (uint32_t)head[ID_AT + 2] << 8 |
		head[ID_AT + 3]) == SESSION_APPLICATION_ID
		? SESSION
		: DATABASE;
}

bool
session_file_is(const char *path)
{
	return session_file_sqlite_kind_of(path) == SESSION;
}

static bool
refuse_kind(const char *path, enum kind kind, struct err *e)
{
	switch (kind) {
	case SESSION:
		return true;
	case NOTHING:
		err_set(e, "cannot open %s: there is no such file", path);
		return err_hint(e, "check the path; hecate record and hecate import make session files");
	case UNREADABLE:
		err_set(e, "cannot open %s: %s", path, strerror(errno));
		return err_hint(e, "check the path, and the right to read it");
	case FOLDER:
		err_set(e, "%s is a directory; a session file is needed", path);
		return err_hint(e, "name a file in that directory");
	case EMPTY:
		err_set(e, "%s is an empty file, not a session file", path);
		return err_hint(e, "remove it, or give another name with -o");
	case DATABASE:
		err_set(e, "%s is a database of another program, not a session file", path);
		return err_hint(e, "files are not overwritten: give another name with -o");
	case OTHER:
		err_set(e, "%s is not a session file", path);
		return shell_hint(e, "files are not overwritten: give another name with -o; hecate import -o NEW %s "
			"makes a session file of data", path);
	}
	return false;
}

static bool
read_version(struct session_file *f, int *version, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, "PRAGMA user_version", e);
	bool good = s && (sqlite3_step(s) == SQLITE_ROW || session_store_fail(f, e));

	if (good)
		*version = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	return good;
}

/* Brings a file of version `from` to the current one, in one transaction, so that it always has one version or the
 * other. */
static bool
migrate(struct session_file *f, int from, struct err *e)
{
	char *stamp = str_format(
		"PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT", SESSION_APPLICATION_ID, SESSION_VERSION);
	bool good = session_store_run(f, "BEGIN IMMEDIATE", e);

	for (; good && from < SESSION_VERSION; from++)
		good = session_store_run(f, session_schema_step(from), e);
	good = good && session_store_run(f, stamp, e);
	free(stamp);
	return good;
}

static bool
check_version(struct session_file *file, bool writes, struct err *e)
{
	int version = 0;

	if (!read_version(file, &version, e))
		return false;
	if (version > SESSION_VERSION) {
		err_set(e, "%s was written by a newer hecate: its format is version %d, and this one knows up to %d",
			file->path, version, SESSION_VERSION);
		return err_hint(e, "use the newer hecate; its hecate export writes files that this one reads");
	}
	if (version < 1)
		return session_store_damaged(file, e, "it has no version");
	if (!session_guard_schema(file, version, e))
		return false;
	file->version = writes ? SESSION_VERSION : version;
	return version == SESSION_VERSION || !writes || migrate(file, version, e);
}

/* Keeps SQLite's locks on the file from being lost. */
static void
hold(struct session_file *file, const char *path)
{
	struct stat st;

	if (file->holds || stat(path, &st) != 0)
		return;
	file->holds = true;
	file->dev = st.st_dev;
	file->ino = st.st_ino;
	held_file_hold(file->dev, file->ino);
}

static void
disconnect(struct session_file *file)
{
	sqlite3_close(file->db);
	file->db = NULL;
	if (file->holds)
		held_file_release(file->dev, file->ino);
	file->holds = false;
}

static bool
connect_to(struct session_file *f, const char *path, int flags, struct err *e)
{
	hold(f, path);
	/* Only one thread uses the connection at a time. */
	if (sqlite3_open_v2(path, &f->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return f->db ? session_store_fail(f, e) : err_set(e, "no memory to open %s", path);
	sqlite3_extended_result_codes(f->db, 1);
	sqlite3_busy_timeout(f->db, f->patience_ms ? f->patience_ms : BUSY_MS);
	session_guard_connection(f);
	return session_store_run(f, "PRAGMA cell_size_check=ON", e);
}

/* Returns true and sets *e when a journal is left over from a killed writer whose file is gone. SQLite would take it
 * for the journal of a new file with the same name. */
static bool
has_left_overs(const char *path, struct err *e)
{
	static const char *const ending[] = {"-wal", "-journal"};
	bool found = false;

	for (size_t i = 0; i < sizeof ending / sizeof *ending && !found; i++) {
		char *left_over = str_format("%s%s", path, ending[i]);

		found = access(left_over, F_OK) == 0;
		if (found) {
			err_set(e, "cannot make %s: %s is left over from another file of that name, which is gone",
				path, left_over);
			err_hint(e, "put that file back, or remove %s", left_over);
		}
		free(left_over);
	}
	return found;
}

/* Makes an empty session file next to `path` and links it there. A link never replaces an existing file. */
static bool
make_file(const char *path, struct err *e)
{
	struct session_file f = {.path = str_format("%s.%ld.part", path, (long)getpid()), .lock = -1};
	char *journal = str_format("%s-journal", f.path);
	int fd = open(f.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool good = fd >= 0;

	if (fd >= 0)
		close(fd);
	else
		err_set(e, "cannot make %s: %s", path, strerror(errno)),
			err_hint(e, "its folder must exist, and you need the right to write there");
	good = good && connect_to(&f, f.path, SQLITE_OPEN_READWRITE, e) &&
		session_store_run(&f, "PRAGMA page_size=" PAGE_BYTES, e) && migrate(&f, 0, e);
	disconnect(&f);
	if (good && link(f.path, path) != 0 &&
		(errno != EPERM || renameat2(AT_FDCWD, f.path, AT_FDCWD, path, RENAME_NOREPLACE) != 0))
		good = err_set(e, "cannot make %s: %s", path, strerror(errno));
	if (fd >= 0) {
		unlink(f.path);
		unlink(journal);
	}
	free(journal);
	free(f.path);
	return good;
}

/* Sets the error for a file that another process is writing, with the id which that process noted in the file. Always
 * returns false. */
static bool
refuse_second_writer(struct session_file *file, struct err *e)
{
	sqlite3_stmt *s = NULL;
	char *who = NULL;

	if (connect_to(file, file->path, SQLITE_OPEN_READONLY, NULL) && check_version(file, false, NULL) &&
		(s = session_store_prepare(file, "SELECT value FROM value WHERE key='writer'", NULL)) &&
		sqlite3_step(s) == SQLITE_ROW)
		who = session_store_text(s, 0);
	sqlite3_finalize(s);
	err_set(e, "%s is being written by another hecate%s%s", file->path, who ? ", process " : "", who ? who : "");
	err_hint(e, "wait until it is done, or give another file with -o");
	free(who);
	return false;
}

static bool
lock_to_write(struct session_file *file, struct err *e)
{
	file->lock = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file->lock < 0)
		return err_set(e, "cannot open %s: %s", file->path, strerror(errno));
	if (access(file->path, W_OK) != 0) {
		err_set(e, "%s cannot be written: %s", file->path, strerror(errno));
		return err_hint(e, "give another file with -o, or make this one writable");
	}
	if (flock(file->lock, LOCK_EX | LOCK_NB) == 0)
		return true;
	return refuse_second_writer(file, e);
}

/* Turns on WAL: a commit is one write to a second file, and readers can continue. synchronous=NORMAL: a killed process
 * loses nothing; a power failure may lose the last commits, never the file (sqlite.org, "Write-Ahead Logging"). On
 * failure returns false and sets *e. */
static bool
prepare_to_write(struct session_file *f, struct err *e)
{
	char *writer = str_format("INSERT INTO value VALUES('writer','%ld') ON CONFLICT(key) DO UPDATE SET "
		"value=excluded.value", (long)getpid());
	bool good = connect_to(f, f->path, SQLITE_OPEN_READWRITE, e) && check_version(f, true, e) &&
		session_store_run(f, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON", e) &&
		session_store_run(f, writer, e);

	free(writer);
	return good;
}

static struct session_file *
new_file(const char *path)
{
	struct session_file *f = mem_new(sizeof *f);

	f->path = mem_str(path);
	f->lock = -1;
	return f;
}

struct session_file *
session_file_open(const char *path, struct err *e)
{
	return session_file_open_to_keep(path, BUSY_MS, e);
}

struct session_file *
session_file_open_to_keep(const char *path, int patience_ms, struct err *e)
{
	struct session_file *file = new_file(path);
	enum kind kind = session_file_sqlite_kind_of(path);
	bool good;

	file->patience_ms = patience_ms;
	if (kind == NOTHING)
		good = file->made = !has_left_overs(path, e) && make_file(path, e);
	else
		good = refuse_kind(path, kind, e);
	if (good && lock_to_write(file, e) && prepare_to_write(file, e))
		return file;
	session_file_close(file);
	return NULL;
}

bool
session_file_is_in_place(const struct session_file *file, struct err *e)
{
	struct stat here, named;

	if (fstat(file->lock, &here) == 0 && stat(file->path, &named) == 0) {
		if (here.st_dev == named.st_dev && here.st_ino == named.st_ino)
			return true;
	} else if (errno != ENOENT && errno != ENOTDIR) {
		err_set(e, "%s: %s", file->path, strerror(errno));
		return err_hint(e, "check its disk and folder, or save in another file");
	}
	err_set(e, "%s was moved, removed or replaced", file->path);
	return err_hint(e, "move it back, or save in another file");
}

/* Opens a file to read whose journal must be rolled back first, because a writer was killed while it changed the kind
 * of journal. A read-only connection may not do that, so this opens the file for writing, and then again to read. */
static bool
roll_back_and_read(struct session_file *file, struct err *e)
{
	if (sqlite3_extended_errcode(file->db) != SQLITE_READONLY_ROLLBACK &&
		sqlite3_extended_errcode(file->db) != SQLITE_READONLY_RECOVERY)
		return false;
	disconnect(file);
	if (!connect_to(file, file->path, SQLITE_OPEN_READWRITE, e) || !check_version(file, false, e))
		return false;
	disconnect(file);
	return connect_to(file, file->path, SQLITE_OPEN_READONLY, e) && check_version(file, false, e);
}

struct session_file *
session_file_open_to_read(const char *path, struct err *e)
{
	return session_file_open_to_look(path, BUSY_MS, e);
}

struct session_file *
session_file_open_to_look(const char *path, int patience_ms, struct err *e)
{
	struct session_file *f = new_file(path);

	f->patience_ms = patience_ms;
	if (refuse_kind(path, session_file_sqlite_kind_of(path), e) && connect_to(f, path, SQLITE_OPEN_READONLY, e) &&
		(check_version(f, false, e) || roll_back_and_read(f, e)))
		return f;
	session_file_close(f);
	return NULL;
}

static bool
holds_nothing(struct session_file *f)
{
	sqlite3_stmt *s = session_store_prepare(f, "SELECT 1 FROM observation UNION ALL SELECT 1 FROM note UNION ALL "
		"SELECT 1 FROM setting UNION ALL SELECT 1 FROM remark UNION ALL SELECT 1 FROM curve", NULL);
	bool nothing = s && sqlite3_step(s) == SQLITE_DONE;

	sqlite3_finalize(s);
	return nothing;
}

void
session_file_close(struct session_file *file)
{
	bool remove = false;

	if (!file)
		return;
	if (file->db && file->lock >= 0 && !sqlite3_get_autocommit(file->db))
		session_store_run(file, "ROLLBACK", NULL);
	/* Without a journal next to it, the file can also be read where nothing can be written. A process that is
	 * reading now prevents the change; that does no harm. */
	if (file->db && file->lock >= 0 && !sqlite3_db_readonly(file->db, "main")) {
		remove = file->made && holds_nothing(file);
		session_store_run(file, "DELETE FROM value WHERE key='writer'", NULL);
		session_store_run(file, "PRAGMA journal_mode=DELETE", NULL);
	}
	disconnect(file);
	if (remove)
		unlink(file->path);
	if (file->lock >= 0)
		held_file_close(file->lock);
	free(file->path);
	free(file);
}

bool
session_file_value(struct session_file *f, const char *key, char **text, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, "SELECT value FROM value WHERE key=?", e);
	int got = s ? sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC) : SQLITE_ERROR;

	*text = NULL;
	got = got == SQLITE_OK ? sqlite3_step(s) : SQLITE_ERROR;
	if (got == SQLITE_ROW)
		*text = session_store_text(s, 0);
	sqlite3_finalize(s);
	return got == SQLITE_ROW || got == SQLITE_DONE || (s && session_store_fail(f, e));
}

bool
session_file_set_value(struct session_file *f, const char *key, const char *text, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, text
		? "INSERT INTO value(value, key) VALUES(?2, ?1) ON CONFLICT(key) DO UPDATE SET value=excluded.value"
		: "DELETE FROM value WHERE key=?1", e);
	bool good = s && sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
		(!text || sqlite3_bind_text(s, 2, text, -1, SQLITE_STATIC) == SQLITE_OK) && session_store_step(f, s, e);

	sqlite3_finalize(s);
	return good;
}

bool
session_file_bulk(struct session_file *f, bool begins, struct err *e)
{
	return session_store_run(f,
		begins ? "PRAGMA foreign_keys=OFF; PRAGMA wal_autocheckpoint=8192; PRAGMA cache_size=-16384"
			: "PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=1000; PRAGMA cache_size=-2000",
		e);
}

bool
session_file_begin(struct session_file *f, struct err *e)
{
	return session_store_run(f, "BEGIN IMMEDIATE", e);
}

bool
session_file_commit(struct session_file *f, struct err *e)
{
	return session_store_run(f, "COMMIT", e);
}

void
session_file_rollback(struct session_file *f)
{
	if (!sqlite3_get_autocommit(f->db))
		session_store_run(f, "ROLLBACK", NULL);
}

void
session_file_limit(struct session_file *f, size_t pages)
{
	sqlite3_stmt *s = session_store_prepare(f, "PRAGMA page_count", NULL);
	char *sql;

	if (s && sqlite3_step(s) == SQLITE_ROW)
		pages += (size_t)sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	sql = str_format("PRAGMA max_page_count=%zu", pages);
	session_store_run(f, sql, NULL);
	free(sql);
}
