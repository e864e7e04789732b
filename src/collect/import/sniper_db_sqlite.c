/* Sniper's database, sim.stats.sqlite3, as its tools read it (tools/sniper_stats_sqlite.py and sniper_lib.py):
 *
 *	names(nameid, objectname, metricname)         rob_timer, cpiBase
 *	prefixes(prefixid, prefixname)                points in time: start, roi-begin, roi-end, stop
 *	values(prefixid, nameid, core, value)         counts so far; those of 0 are not there
 *	topology(componentname, coreid, masterid)     which core stands for a cache that several share
 *
 * A count is what was added from roi-begin to roi-end, or else from start to stop. A shared component counts under the
 * core that stands for it; for the others its counts are unknown, not 0.
 *
 * SQLite gets a copy of the bytes, so nothing ever touches the file: no lock, no journal, no shared memory. The price
 * is that a database in use must be noticed by its locks.
 *
 * Source: github.com/snipersim/snipersim (MIT licence), commit 900a80c; common/misc/stats.cc for what is written. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/sniper.h"
#include "collect/import/sniper_snapshots.h"

#define LOCKS_FROM 0x40000000 /* where SQLite locks a file ("File Locking And Concurrency", os_unix.c) */
#define LOCKS 512
#define WAL_AT 18             /* bytes 18 and 19: versions of the format, for writing and reading ("Database Header") */
#define WAL 2
#define STEPS_BETWEEN 100000  /* steps of SQLite's virtual machine between two checks */
#define STEPS_A_BYTE 100      /* reading a value takes some hundred, and it has some ten bytes */

#define DUMP "or import what tools/dumpstats.py prints"

struct sniper_db {
	struct sniper_text *t;
	struct sniper_snapshots s;
	sqlite3 *db;
	uint64_t steps, most;
};

/* Returns whether a file of unfinished writes lies next to the database. */
static bool
is_unfinished(const char *name, struct err *e)
{
	static const char *const ending[] = {"-journal", "-wal"};
	bool is = false;

	for (size_t i = 0; i < sizeof ending / sizeof *ending && !is; i++) {
		char *beside = str_format("%s%s", name, ending[i]);
		struct stat st;

		is = stat(beside, &st) == 0 && st.st_size > 0;
		if (is) {
			err_set(e, "this database was left in the middle of a write: %s belongs to it", beside);
			err_hint(e, "wait until its simulation has ended; or finish the write: sqlite3 FILE .tables");
			err_place(e, name, 0, 0);
		}
		free(beside);
	}
	return is;
}

bool
sniper_db_is_used(int fd, const char *name, struct err *e)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = LOCKS_FROM, .l_len = LOCKS};

	if (fd < 0 || fcntl(fd, F_GETLK, &lock) < 0)
		return false;
	if (lock.l_type == F_UNLCK)
		return is_unfinished(name, e);
	err_set(e, "this database is locked: process %ld is writing to it", (long)lock.l_pid);
	err_hint(e, "wait until that process has ended, and try again");
	err_place(e, name, 0, 0);
	return true;
}

static bool
sniper_db_sqlite_fail(struct sniper_db *d, const char *what, const char *hint)
{
	d->t->line = 0;
	return sniper_text_fail(d->t, SIZE_MAX, what, hint);
}

static bool
fail_sql(struct sniper_db *d)
{
	err_set(d->t->e, "this database cannot be read: %s", sqlite3_errmsg(d->db));
	err_hint(d->t->e, "it is damaged, or was copied while it was written to: copy it again after the simulation, "
		DUMP);
	return err_place(d->t->e, d->t->name, 0, 0);
}

static int
is_too_long(void *ctx)
{
	struct sniper_db *d = ctx;

	d->steps += STEPS_BETWEEN;
	return d->steps > d->most;
}

/* Opens the bytes as a database that cannot be written: a database in memory becomes these bytes. */
static bool
open_bytes(struct sniper_db *db, const char *text, size_t n)
{
	unsigned char *copy;

	if (sqlite3_open_v2(":memory:", &db->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		return fail_sql(db);
	copy = sqlite3_malloc64(n);
	if (!copy)
		return sniper_db_sqlite_fail(
			db, "this database does not fit into memory", "import it where more memory is free, " DUMP);
	memcpy(copy, text, n);
	/* a database that was last written with a log beside it can only be in memory as one without */
	if (n > WAL_AT + 1 && copy[WAL_AT] == WAL && copy[WAL_AT + 1] == WAL)
		copy[WAL_AT] = copy[WAL_AT + 1] = WAL - 1;
	if (sqlite3_deserialize(db->db, "main", copy, (sqlite3_int64)n, (sqlite3_int64)n,
		SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
		return fail_sql(db);
	db->most = (uint64_t)n * STEPS_A_BYTE + 100 * (uint64_t)STEPS_BETWEEN;
	sqlite3_db_config(db->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(db->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_limit(db->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_progress_handler(db->db, STEPS_BETWEEN, is_too_long, db);
	return true;
}

static bool
sniper_db_sqlite_prepare(struct sniper_db *d, const char *sql, sqlite3_stmt **s)
{
	return sqlite3_prepare_v2(d->db, sql, -1, s, NULL) == SQLITE_OK || fail_sql(d);
}

/* Returns whether SQLite finds the file undamaged. */
static bool
check_whole(struct sniper_db *db)
{
	sqlite3_stmt *s = NULL;
	bool good = sniper_db_sqlite_prepare(db, "PRAGMA quick_check(1)", &s);

	if (good) {
		const char *text = sqlite3_step(s) == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;

		good = (text && str_eq(text, "ok")) || sniper_db_sqlite_fail(db, "this database is damaged",
			"was it copied while it was written to? Copy it again after the simulation, " DUMP);
	}
	sqlite3_finalize(s);
	return good;
}

/* Returns whether the database has Sniper's tables. */
static bool
check_tables(struct sniper_db *db, bool *topology)
{
	sqlite3_stmt *s = NULL;
	int n = 0;
	bool good = sniper_db_sqlite_prepare(db,
		"SELECT count(*) FILTER (WHERE name IN ('names', 'prefixes', 'values')), "
		"count(*) FILTER (WHERE name = 'topology') FROM sqlite_master WHERE type = 'table'",
		&s);

	if (good && sqlite3_step(s) == SQLITE_ROW) {
		n = sqlite3_column_int(s, 0);
		*topology = sqlite3_column_int(s, 1) > 0;
	} else if (good) {
		good = fail_sql(db);
	}
	sqlite3_finalize(s);
	return good &&
		(n == 3 ||
			sniper_db_sqlite_fail(db,
				"this is a database, but neither a session file nor statistics of Sniper",
				"give a session file by its path, not through a pipe; from another database, export a "
				"wide CSV; of "
				"Sniper, sim.stats.sqlite3 is meant, " DUMP));
}

static size_t
number_core(struct sniper_db *d, sqlite3_int64 core)
{
	char *name = str_format("core%lld", (long long)core);
	size_t at = names_add(&d->t->cores, name, strlen(name));

	free(name);
	return at;
}

/* Takes one row: object, metric, snapshot, core, value. */
static void
sniper_db_sqlite_take_value(struct sniper_db *db, sqlite3_stmt *s)
{
	const char *object = (const char *)sqlite3_column_text(s, 0), *metric = (const char *)sqlite3_column_text(s, 1),
		   *snapshot = (const char *)sqlite3_column_text(s, 2);
	sqlite3_int64 core = sqlite3_column_int64(s, 3);
	struct sniper_entry entry = {.value = sqlite3_column_int64(s, 4)};
	char *name = object && metric ? str_format("%s.%s", object, metric) : NULL;

	if (name && snapshot) {
		entry.column = sniper_column(db->t, "", name, strlen(name));
		entry.snapshot = names_add(&db->s.snapshots, snapshot, strlen(snapshot));
		if (core < 0 || str_eq(object, "barrier"))
			sniper_column_blame(db->t, entry.column, SNIPER_FAULT_NOT_CORES);
		else if (sqlite3_column_type(s, 4) != SQLITE_INTEGER || entry.value < 0)
			sniper_column_blame(db->t, entry.column, SNIPER_FAULT_NO_COUNT);
		else {
			entry.core = number_core(db, core);
			sniper_snapshots_add(&db->s, entry);
		}
	}
	free(name);
}

static bool
read_values(struct sniper_db *db)
{
	sqlite3_stmt *s = NULL;
	int rc = SQLITE_DONE;
	bool good = sniper_db_sqlite_prepare(db, "SELECT prefixname FROM prefixes", &s);

	/* a snapshot may be there without a value above 0 */
	while (good && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		const char *snapshot = (const char *)sqlite3_column_text(s, 0);

		if (snapshot)
			names_add(&db->s.snapshots, snapshot, strlen(snapshot));
	}
	sqlite3_finalize(s);
	s = NULL;
	good = good && (rc == SQLITE_DONE || fail_sql(db)) &&
		sniper_db_sqlite_prepare(db,
			"SELECT n.objectname, n.metricname, p.prefixname, v.core, v.value FROM \"values\" v "
			"JOIN prefixes p ON p.prefixid = v.prefixid JOIN names n ON n.nameid = v.nameid "
			"WHERE p.prefixname IN ('roi-begin', 'roi-end', 'start', 'stop')",
			&s);
	while (good && (rc = sqlite3_step(s)) == SQLITE_ROW)
		sniper_db_sqlite_take_value(db, s);
	sqlite3_finalize(s);
	return good && (rc == SQLITE_DONE || fail_sql(db));
}

/* Returns whether a statistic's object is of a component of the topology: "L3", or "dram" and "dram-queue" of
 * "dram-cntlr". */
static bool
sniper_db_sqlite_is_of(const char *column, const char *component)
{
	size_t n = strlen(component);

	if (str_eq(component, "dram-cntlr"))
		return str_starts(column, "dram.") || str_starts(column, "dram-queue.");
	return strncmp(column, component, n) == 0 && column[n] == '.';
}

/* Makes unknown what a core's shared components counted under another core. */
static bool
read_topology(struct sniper_db *db)
{
	size_t n = db->t->columns.n, cores = db->t->cores.n;
	bool *has = mem_new_array(cores, n * sizeof *has); /* cores × columns: there is a value */
	sqlite3_stmt *s = NULL;
	int rc = SQLITE_DONE;
	bool good = sniper_db_sqlite_prepare(
		db, "SELECT componentname, coreid FROM topology WHERE coreid <> masterid", &s);

	for (size_t i = 0; i < db->s.n; i++)
		has[db->s.entry[i].core * n + db->s.entry[i].column] = true;
	while (good && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		const char *component = (const char *)sqlite3_column_text(s, 0);
		size_t core = number_core(db, sqlite3_column_int64(s, 1));

		for (size_t i = 0; component && i < n; i++)
			if (sniper_db_sqlite_is_of(db->t->columns.name[i], component) &&
				(core >= cores || !has[core * n + i]))
				sniper_cell_add_unknown(db->t, i, core);
	}
	sqlite3_finalize(s);
	free(has);
	return good && (rc == SQLITE_DONE || fail_sql(db));
}

struct obs_table *
sniper_db_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct sniper_db d = {.t = sniper_text_new(name, "", 0, e)};
	struct obs_table *table = NULL;
	bool topology = false;

	(void)exact; /* they always are */
	d.s.t = d.t;
	d.t->all_zeros = true;
	if (open_bytes(&d, text, n) && check_tables(&d, &topology) && check_whole(&d) && read_values(&d) &&
		(!topology || read_topology(&d)) && sniper_snapshots_spread(&d.s))
		table = sniper_table_new(d.t, true);
	sqlite3_close(d.db);
	sniper_snapshots_free(&d.s);
	sniper_text_free(d.t);
	return table;
}
