/* The table of a long session file. Its cells stay in the file; a block of rows is read when it is needed.
 *
 *     need rows ──► open file ──► BEGIN ──► check times ──► read block ─┐
 *          ▲                                                            │ more blocks: same transaction
 *          └── at rest: file closed, no lock ◄── obs_table_rest() ◄─────┘
 *
 * At rest the file is closed. So no lock is held for hours, its writer can remove its journal at the end, and others
 * can append. Rows that existed when the table was made are only ever appended to. Each block is compared with the
 * times that it must have. This detects files that were changed otherwise, and other files in the same place. */
#include "collect/store/session_file.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_cells.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_reader.h"
#include "collect/store/session_store.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

struct far_file {
	char *path;
	dev_t dev;
	ino_t ino;
	struct session_file *file;   /* open file; NULL: at rest */
	sqlite3_stmt *rows;
	const struct obs_table *table;
	int64_t *id;                 /* id of each observation */
	struct session_columns *own; /* columns of each observation */
	size_t n;
};

static void
rest(void *ctx)
{
	struct far_file *x = ctx;

	sqlite3_finalize(x->rows);
	x->rows = NULL;
	session_file_close(x->file); /* this ends the transaction */
	x->file = NULL;
}

static void
free_file(void *ctx)
{
	struct far_file *x = ctx;

	rest(x);
	for (size_t i = 0; i < x->n; i++)
		session_columns_free(&x->own[i]);
	free(x->own);
	free(x->id);
	free(x->path);
	free(x);
}

/* Checks that the file at this path is the one that was opened first. False and *e otherwise. */
static bool
session_far_sqlite_is_same(const struct far_file *x, struct err *e)
{
	struct stat st;

	if (stat(x->path, &st) != 0)
		err_set(e, "%s can no longer be read: %s", x->path, strerror(errno));
	else if (st.st_dev != x->dev || st.st_ino != x->ino)
		err_set(e, "%s is another file than before", x->path);
	else
		return true;
	return err_hint(e, "put the old file back, or open the new one again");
}

static bool
wake(struct far_file *x, struct err *e)
{
	if (x->file)
		return true;
	if (!session_far_sqlite_is_same(x, e) || !(x->file = session_file_open_to_read(x->path, e)))
		return false;
	if (session_store_run(x->file, "BEGIN", e))
		return true;
	rest(x);
	return false;
}

static bool
has_changed(const struct far_file *x, const char *name, struct err *e)
{
	err_set(e, "%s has changed since it was opened: samples of %s are gone, different or damaged", x->path, name);
	return err_hint(e, "open it again, and check what it holds");
}

static bool
has_time(double was, sqlite3_stmt *s)
{
	double now = sqlite3_column_type(s, 1) == SQLITE_NULL ? NAN : sqlite3_column_double(s, 1);

	return (isnan(was) && isnan(now)) || (now >= was && now <= was);
}

static bool
read_rows(struct far_file *file, const struct obs *obs, size_t first, size_t n, struct obs *into, struct err *e)
{
	sqlite3_stmt *s = file->rows;
	int got = SQLITE_ROW;

	while ((got = sqlite3_step(s)) == SQLITE_ROW && into->n_rows < n) {
		size_t row = first + into->n_rows;
		double time = obs->time ? obs->time[row] : NAN;
		const unsigned char *cells = sqlite3_column_blob(s, 2);

		if (sqlite3_column_int64(s, 0) != (int64_t)row || !has_time(time, s) ||
			sqlite3_column_type(s, 2) != SQLITE_BLOB)
			return has_changed(file, obs->name, e);
		if (!session_cells_take(
			into, cells ? cells : (const unsigned char *)"", (size_t)sqlite3_column_bytes(s, 2), time))
			return has_changed(file, obs->name, e);
	}
	if (got != SQLITE_DONE)
		return session_store_fail(file->file, e);
	return into->n_rows == n || has_changed(file, obs->name, e);
}

static bool
read_spread(struct far_file *file, const struct obs *o, size_t first, size_t n, struct obs *into,
	const struct session_columns *columns, struct err *e)
{
	/* the names of the columns do not matter here */
	struct obs_table *own = obs_table_new((const char *const *)file->table->column, columns->n);
	struct obs *rows = obs_table_add(own, o->name, "");
	bool good = read_rows(file, o, first, n, rows, e);

	if (good)
		session_columns_spread(into, rows, columns);
	obs_table_free(own);
	return good;
}

static bool
read_block(void *ctx, size_t at, size_t first, size_t n, struct obs *into, struct err *e)
{
	struct far_file *file = ctx;
	const struct obs *obs = file->table->obs[at];
	bool good;

	if (!wake(file, e))
		return false;
	if (!file->rows && !(file->rows = session_store_prepare(file->file, "SELECT row, time, cells FROM sample "
			"WHERE observation=? AND row>=? AND row<? ORDER BY row", e)))
		return false;
	session_guard_begin(file->file);
	sqlite3_bind_int64(file->rows, 1, file->id[at]);
	sqlite3_bind_int64(file->rows, 2, (int64_t)first);
	sqlite3_bind_int64(file->rows, 3, (int64_t)(first + n));
	good = file->own[at].in_place ? read_rows(file, obs, first, n, into, e)
		: read_spread(file, obs, first, n, into, &file->own[at], e);
	sqlite3_reset(file->rows);
	return good;
}

static const struct obs_fetch fetch = {.read = read_block, .rest = rest, .free = free_file};

/* Makes a table that takes over the file. */
static struct obs_table *
leave_cells(struct session_reader *reader)
{
	struct far_file *file = mem_new(sizeof *file);
	struct stat st = {0};

	file->path = mem_str(reader->file->path);
	if (stat(file->path, &st) == 0) {
		file->dev = st.st_dev;
		file->ino = st.st_ino;
	}
	file->file = reader->file;
	file->table = reader->table;
	file->n = reader->table->n;
	file->id = reader->id;
	file->own = reader->own;
	reader->id = NULL;
	reader->own = NULL;
	obs_table_set_far(reader->table, &fetch, file);
	return reader->table;
}

/* Counts the cells of all rows, as if each row had every counter. */
static bool
count_cells(struct session_file *f, size_t *cells, struct err *e)
{
	sqlite3_stmt *s =
		session_store_prepare(f, "SELECT (SELECT count(*) FROM sample) * (SELECT count(*) FROM counter)", e);
	bool good = s && (sqlite3_step(s) == SQLITE_ROW || session_store_fail(f, e));

	*cells = good ? (size_t)sqlite3_column_int64(s, 0) : 0;
	sqlite3_finalize(s);
	return good;
}

struct obs_table *
session_file_read_far(struct session_file *file, size_t near_cells, struct err *e)
{
	struct session_reader r = {.file = file, .room = {.near = SIZE_MAX}, .e = e};
	struct obs_table *table = NULL;
	size_t cells;
	/* the transaction ends when the file is closed */
	bool good = session_store_run(file, "BEGIN", e) && count_cells(file, &cells, e);

	r.far = good && cells > near_cells;
	if (good && session_reader_read(&r)) {
		table = r.far ? leave_cells(&r) : r.table;
	} else {
		obs_table_free(r.table);
		r.table = NULL;
	}
	session_reader_free(&r);
	if (!table || !r.far)
		session_file_close(file);
	return table;
}
