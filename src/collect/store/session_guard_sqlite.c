#include "collect/store/session_guard.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/store/session_schema.h"
#include "collect/store/session_store.h"
#include "core/udd/model.h"

#define CHECK_EVERY 50000 /* steps of SQLite's virtual machine between two checks of the limit */
#define STEPS_AT_LEAST 100000000u /* about a second */
#define STEPS_A_BYTE 8 /* reading a row takes about thirty steps, and a row has more than twenty bytes */
#define NAME_SHOWN 60 /* columns that a message shows of an untrusted name */

/* Returns how many steps reading may take. The file may have grown since the last check: this process or another one
 * writes it. */
static uint64_t
steps_allowed(const struct session_file *f)
{
	struct stat st = {0};

	return STEPS_AT_LEAST + (stat(f->path, &st) == 0 ? STEPS_A_BYTE * (uint64_t)st.st_size : 0);
}

static int
is_too_long(void *ctx)
{
	struct session_file *f = ctx;

	f->steps += CHECK_EVERY;
	return f->steps > STEPS_AT_LEAST && f->steps > steps_allowed(f);
}

void
session_guard_begin(struct session_file *f)
{
	f->steps = 0;
}

void
session_guard_long_texts(struct session_file *f, bool on)
{
	sqlite3_limit(f->db, SQLITE_LIMIT_LENGTH, (int)(SESSION_LENGTH_MAX + (on ? UDD_FILE_MAX : 0)));
}

void
session_guard_connection(struct session_file *file)
{
	static const int off[] = {
		SQLITE_DBCONFIG_ENABLE_TRIGGER,
		SQLITE_DBCONFIG_ENABLE_VIEW,
		SQLITE_DBCONFIG_TRUSTED_SCHEMA,
		SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
		SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
		SQLITE_DBCONFIG_WRITABLE_SCHEMA,
	};
	static const struct {
		int what, most;
	} limit[] = {
		{SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_SQL_LENGTH, 100000},
		{SQLITE_LIMIT_EXPR_DEPTH, 100},
		{SQLITE_LIMIT_COLUMN, 100},
		{SQLITE_LIMIT_COMPOUND_SELECT, 10},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	sqlite3_db_config(file->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	for (size_t i = 0; i < sizeof off / sizeof *off; i++)
		sqlite3_db_config(file->db, off[i], 0, NULL);
	for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
		sqlite3_limit(file->db, limit[i].what, limit[i].most);
	session_guard_long_texts(file, false);
	file->steps = 0;
	sqlite3_progress_handler(file->db, CHECK_EVERY, is_too_long, file);
}

/* An object of a database: its type, its name, its table, its SQL. */
static const char things[] = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name";

#define COLUMNS 4

struct own_objects {
	char *(*text)[COLUMNS];
	size_t n;
	bool made;
};

static const char *
column(sqlite3_stmt *s, int i)
{
	const char *text = (const char *)sqlite3_column_text(s, i);

	return text ? text : "";
}

static void
list_objects(sqlite3 *db, struct own_objects *out)
{
	sqlite3_stmt *s = NULL;
	size_t cap = 0;
	int step = SQLITE_ERROR;

	if (sqlite3_prepare_v2(db, things, -1, &s, NULL) == SQLITE_OK)
		while ((step = sqlite3_step(s)) == SQLITE_ROW) {
			mem_grow(&out->text, &cap, out->n + 1, sizeof *out->text);
			for (int i = 0; i < COLUMNS; i++)
				out->text[out->n][i] = mem_str(column(s, i));
			out->n++;
		}
	sqlite3_finalize(s);
	out->made = step == SQLITE_DONE;
}

/* Makes the tables of a version in memory, to compare with. */
static struct own_objects
make_own(int version)
{
	struct own_objects own = {0};
	sqlite3 *db = NULL;
	bool good = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK;

	for (int i = 0; good && i < version; i++)
		good = sqlite3_exec(db, session_schema_step(i), NULL, NULL, NULL) == SQLITE_OK;
	if (good)
		list_objects(db, &own);
	sqlite3_close(db);
	return own;
}

static void
free_own(struct own_objects *own)
{
	for (size_t i = 0; i < own->n; i++)
		for (int k = 0; k < COLUMNS; k++)
			free(own->text[i][k]);
	free(own->text);
}

/* The tables of the newest version: a file is opened several times before the first frame, from several threads. */
static struct own_objects newest;

static void
make_newest(void)
{
	newest = make_own(SESSION_VERSION);
}

/* Compares the objects that both are at. Below 0: the file's comes first, and hecate has no such object. Above 0: the
 * file lacks one of hecate's. */
static int
order_of(sqlite3_stmt *theirs, char *const ours[COLUMNS])
{
	int order = strcmp(column(theirs, 0), ours[0]);

	return order ? order : strcmp(column(theirs, 1), ours[1]);
}

static bool
session_guard_sqlite_refuse(const struct session_file *f, sqlite3_stmt *s, const char *how, struct err *e)
{
	const char *name = column(s, 1);
	struct str shown = {0};

	str_addf(&shown, "%s ", column(s, 0));
	utf8_add_visible(&shown, name, utf8_fit(name, NAME_SHOWN));
	err_set(e, "%s is not a session file of hecate: %s %s", f->path, str_text(&shown), how);
	str_free(&shown);
	return err_hint(e, "if somebody else gave it to you, ask for the CSV that hecate export writes");
}

static bool
session_guard_sqlite_compare(
	struct session_file *file, sqlite3_stmt *theirs, const struct own_objects *ours, struct err *e)
{
	int other = sqlite3_step(theirs);
	size_t mine = 0;

	/* A missing object does no harm here: a statement that needs it will report that the file is damaged. */
	while (other == SQLITE_ROW) {
		int order = mine < ours->n ? order_of(theirs, ours->text[mine]) : -1;

		if (order < 0)
			return session_guard_sqlite_refuse(file, theirs, "is not one of hecate's", e);
		if (order == 0 &&
			(!str_eq(column(theirs, 2), ours->text[mine][2]) ||
				!str_eq(column(theirs, 3), ours->text[mine][3])))
			return session_guard_sqlite_refuse(file, theirs, "is not as hecate makes it", e);
		mine++;
		if (order == 0)
			other = sqlite3_step(theirs);
	}
	return other == SQLITE_DONE || session_store_fail(file, e);
}

bool
session_guard_schema(struct session_file *file, int version, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct own_objects older = {0}, *own = &older;
	sqlite3_stmt *theirs = session_store_prepare(file, things, e);
	bool good = theirs != NULL;

	if (version == SESSION_VERSION) {
		pthread_once(&once, make_newest);
		own = &newest;
	} else {
		older = make_own(version);
	}
	if (good && !own->made)
		good = err_set(e, "no memory to read %s", file->path);
	good = good && session_guard_sqlite_compare(file, theirs, own, e);
	sqlite3_finalize(theirs);
	free_own(&older);
	return good;
}

bool
session_guard_too_many(const struct session_file *f, const char *what, size_t most, struct err *e)
{
	err_set(e, "%s has more %s than one session file may hold: %zu", f->path, what, most);
	return err_hint(e, "record into several files");
}

bool
session_guard_size(const struct session_file *f, size_t observations, size_t counters, struct err *e)
{
	if (counters > SESSION_COUNTERS_MAX)
		return session_guard_too_many(f, "counters", SESSION_COUNTERS_MAX, e);
	if (observations > SESSION_OBSERVATIONS_MAX)
		return session_guard_too_many(f, "observations", SESSION_OBSERVATIONS_MAX, e);
	if (observations * counters > SESSION_PLACES_MAX)
		return session_guard_too_many(f, "observations times counters", SESSION_PLACES_MAX, e);
	return true;
}
