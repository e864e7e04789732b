#include "collect/store/session_change.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/store/session_cells.h"
#include "collect/store/session_store.h"
#include "core/obs/rows.h"

#define AT_ONCE "1000" /* rows that are read before they are written back */

static bool
session_change_sqlite_scale(int64_t *count, int by)
{
	for (; by > 0; by--)
		if (__builtin_mul_overflow(*count, 10, count))
			return false;
	for (; by < 0; by++)
		*count /= 10;
	return true;
}

static bool
change_row(const struct session_change *change, struct session_row *row)
{
	for (size_t i = 0; i < change->columns; i++) {
		if (change->forget[i]) {
			row->count[i] = 0;
			row->counted[i] = 0;
			row->running[i] = 1;
			row->error[i] = 0;
		}
		if (!session_change_sqlite_scale(&row->count[i], change->by))
			return false;
	}
	return true;
}

struct changed {
	int64_t row;
	size_t end; /* end of its cells in pass.cells */
};

struct change_pass {
	struct session_file *file;
	const struct session_change *change;
	sqlite3_stmt *read, *write;
	struct session_row row;     /* the row with the added columns */
	struct str cells;           /* cells of the rows that were read */
	struct changed *changed;
	size_t n;
	struct err *e;
};

/* Reads and changes some rows from `first` on, which pass->n then counts. On failure returns false and sets *e. */
static bool
read_some(struct change_pass *pass, int64_t first)
{
	const struct session_change *change = pass->change;
	struct obs_rows rows = {.n = 1, .count = pass->row.count, .counted = pass->row.counted,
		.running = pass->row.running, .error = pass->row.error};
	int got;

	pass->n = 0;
	str_clear(&pass->cells);
	sqlite3_reset(pass->read);
	sqlite3_bind_int64(pass->read, 1, change->observation);
	sqlite3_bind_int64(pass->read, 2, first);
	while ((got = sqlite3_step(pass->read)) == SQLITE_ROW) {
		const unsigned char *cells = sqlite3_column_blob(pass->read, 1);

		pass->row.n = change->columns;
		if (!session_row_take(&pass->row, cells ? cells : (const unsigned char *)"",
			(size_t)sqlite3_column_bytes(pass->read, 1)))
			return session_store_damaged(
				pass->file, pass->e, "the samples of an observation that is being written");
		if (!change_row(change, &pass->row)) {
			err_set(pass->e, "counts of an observation in %s do not fit into 64 bits with the decimals "
				"that came later", pass->file->path);
			return err_hint(pass->e, "round the fractions, or give them an observation of their own");
		}
		session_cells_add(&rows, change->columns + change->more, 0, &pass->cells);
		pass->changed[pass->n++] = (struct changed){sqlite3_column_int64(pass->read, 0), pass->cells.n};
	}
	sqlite3_reset(pass->read);
	return got == SQLITE_DONE || session_store_fail(pass->file, pass->e);
}

static bool
write_some(struct change_pass *pass)
{
	size_t from = 0;

	for (size_t i = 0; i < pass->n; i++) {
		sqlite3_bind_blob(
			pass->write, 1, pass->cells.s + from, (int)(pass->changed[i].end - from), SQLITE_STATIC);
		sqlite3_bind_int64(pass->write, 2, pass->change->observation);
		sqlite3_bind_int64(pass->write, 3, pass->changed[i].row);
		if (!session_store_step(pass->file, pass->write, pass->e))
			return false;
		from = pass->changed[i].end;
	}
	return true;
}

bool
session_change_rows(struct session_file *file, const struct session_change *change, struct err *e)
{
	struct changed changed[1000];
	struct change_pass pass = {.file = file, .change = change, .changed = changed, .e = e};
	int64_t first = 0;
	bool good;

	session_row_begin(&pass.row, change->columns + change->more);
	for (size_t i = 0; i < change->columns + change->more; i++)
		pass.row.running[i] = 1;
	good = (pass.read = session_store_prepare(file,
			"SELECT row, cells FROM sample WHERE observation=? AND row>=? ORDER BY row LIMIT " AT_ONCE,
			e)) &&
		(pass.write = session_store_prepare(
			 file, "UPDATE sample SET cells=? WHERE observation=? AND row=?", e));
	while (good && (good = read_some(&pass, first)) && pass.n) {
		good = write_some(&pass);
		first = changed[pass.n - 1].row + 1;
	}
	sqlite3_finalize(pass.read);
	sqlite3_finalize(pass.write);
	session_row_free(&pass.row);
	str_free(&pass.cells);
	return good;
}

/* Renumbers rows in the order of their times, by way of the numbers below 0, which are free. Rows with equal times keep
 * their order. */
static const char *const by_time[] = {
	("CREATE TEMP TABLE place AS SELECT row AS old, row_number() OVER (ORDER BY time, row) - 1 AS new FROM sample "
	 "WHERE observation=%lld"),
	"CREATE UNIQUE INDEX temp.place_old ON place(old)",
	"UPDATE sample SET row=-1-(SELECT new FROM temp.place WHERE old=sample.row) WHERE observation=%lld",
	"UPDATE sample SET row=-1-row WHERE observation=%lld",
	"DROP TABLE temp.place",
};
static const char *const untimed[] = {"UPDATE sample SET time=NULL WHERE observation=%lld"};

bool
session_order_rows(struct session_file *file, int64_t observation, enum session_order how, struct err *e)
{
	const char *const *step = how == SESSION_BY_TIME ? by_time : untimed;
	size_t n = how == SESSION_BY_TIME ? sizeof by_time / sizeof *by_time : 1;
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		const char *at = strstr(step[i], "%lld");
		char *sql = at ? str_format("%.*s%lld%s", (int)(at - step[i]), step[i], (long long)observation, at + 4)
			: str_format("%s", step[i]);

		good = session_store_run(file, sql, e);
		free(sql);
	}
	return good;
}
