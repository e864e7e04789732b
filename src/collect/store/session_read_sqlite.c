#include "collect/store/session_file.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "collect/store/session_cells.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_reader.h"
#include "collect/store/session_schema.h"
#include "collect/store/session_store.h"
#include "core/obs/obs.h"

/* Returns true when there is a row. Returns false at the end and on failure; *good distinguishes them. */
static bool
next_row(struct session_reader *r, sqlite3_stmt *s, bool *good)
{
	int got = sqlite3_step(s);

	*good = got == SQLITE_ROW || got == SQLITE_DONE || session_store_fail(r->file, r->e);
	return got == SQLITE_ROW;
}

static bool
bad(const struct session_reader *r, const char *what, const char *name)
{
	char *text = str_format("%s%s", what, name);

	session_store_damaged(r->file, r->e, text);
	free(text);
	return false;
}

static bool
read_counters(struct session_reader *reader)
{
	sqlite3_stmt *s = session_store_prepare(reader->file, "SELECT id, name FROM counter ORDER BY id", reader->e);
	char **name = NULL;
	size_t n = 0, cap = 0, id_cap = 0;
	bool good = s != NULL;

	while (good && next_row(reader, s, &good)) {
		mem_grow(&name, &cap, n + 1, sizeof *name);
		mem_grow(&reader->counter, &id_cap, n + 1, sizeof *reader->counter);
		reader->counter[n] = sqlite3_column_int64(s, 0);
		name[n++] = session_store_text(s, 1);
		if (n > 1 && reader->counter[n - 1] <= reader->counter[n - 2])
			good = bad(reader, "its counters are out of order", "");
		else
			good = session_guard_size(reader->file, 0, n, reader->e);
	}
	sqlite3_finalize(s);
	if (good)
		reader->table = obs_table_new((const char *const *)name, n);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return good;
}

static bool
find_column(const struct session_reader *reader, int64_t id, size_t *column)
{
	size_t low = 0, high = reader->table->n_columns;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (reader->counter[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	*column = low;
	return low < reader->table->n_columns && reader->counter[low] == id;
}

static bool
read_columns(struct session_reader *reader, int64_t id, const char *name, struct session_columns *columns)
{
	sqlite3_stmt *s = reader->columns;
	bool *used = mem_new_array(reader->table->n_columns, sizeof *used), good = true;

	columns->n = 0;
	columns->in_place = true;
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, id);
	while (good && next_row(reader, s, &good)) {
		char *word = session_store_text(s, 2);
		size_t at;
		enum obs_health health;

		if (sqlite3_column_int64(s, 0) != (int64_t)columns->n ||
			!find_column(reader, sqlite3_column_int64(s, 1), &at) || used[at] ||
			!session_health_of(word, &health)) {
			good = bad(reader, "the counters of observation ", name);
		} else {
			mem_grow(&columns->at, &columns->cap, columns->n + 1, sizeof *columns->at);
			mem_grow(&columns->health, &columns->health_cap, columns->n + 1, sizeof *columns->health);
			used[at] = true;
			columns->in_place &= at == columns->n;
			columns->at[columns->n] = at;
			columns->health[columns->n++] = health;
		}
		free(word);
	}
	columns->in_place &= columns->n == reader->table->n_columns;
	free(used);
	return good;
}

void
session_columns_spread(struct obs *obs, const struct obs *own, const struct session_columns *columns)
{
	int64_t *count = mem_new_array(obs->n_columns, sizeof *count);
	unsigned char *counted = mem_new_array(obs->n_columns, 1);

	for (size_t row = 0; row < own->n_rows; row++) {
		for (size_t i = 0; i < columns->n; i++) {
			count[columns->at[i]] = own->count[row * columns->n + i];
			counted[columns->at[i]] = own->counted[row * columns->n + i];
		}
		obs_add_row(obs, count, counted, own->time ? own->time[row] : NAN);
		for (size_t i = 0; i < columns->n && (own->running || own->error); i++) {
			double running = own->running ? own->running[row * columns->n + i] : 1,
				error = own->error ? own->error[row * columns->n + i] : 0;

			if (running < 1 || error > 0)
				obs_set_quality(obs, columns->at[i], running, error);
		}
	}
	free(count);
	free(counted);
}

/* Copies a row into the columns of the table. */
static void
spread_row(const struct session_row *own, const struct session_columns *c, struct session_row *all)
{
	memset(all->counted, 0, all->n);
	for (size_t i = 0; i < c->n; i++) {
		all->count[c->at[i]] = own->count[i];
		all->counted[c->at[i]] = own->counted[i];
		all->running[c->at[i]] = own->running[i];
		all->error[c->at[i]] = own->error[i];
	}
	all->quality = own->quality;
	all->gaps = true;
}

/* Adds a row; long observations are folded as they are read (core/obs/gather.h). On failure returns false and sets *e.
 */
static bool
session_read_sqlite_add_row(struct session_reader *reader, struct obs *obs, const struct session_row *row, double time)
{
	size_t column;

	if (!obs_room_add(&reader->room, reader->table, obs, row->count, row->gaps ? row->counted : NULL, time,
		row->quality ? row->running : NULL, row->quality ? row->error : NULL, &column)) {
		err_set(reader->e,
			"the counts of %s in %s are so large that sums over many rows do not fit into 64 bits",
			reader->table->column[column], reader->file->path);
		return err_hint(reader->e, "use fewer rows at once");
	}
	if (reader->room.cells <= IMPORT_CELLS_MAX)
		return true;
	err_set(reader->e, "%s has more than %zu million cells", reader->file->path, IMPORT_CELLS_MAX >> 20);
	return err_hint(reader->e, "record fewer observations, or into several files");
}

static bool
read_samples(struct session_reader *reader, int64_t id, struct obs *obs, const struct session_columns *columns)
{
	struct session_row own, all;
	sqlite3_stmt *s = reader->samples;
	bool good = true;
	int64_t number = 0;

	session_row_begin(&own, columns->n);
	session_row_begin(&all, reader->table->n_columns);
	for (size_t i = 0; i < all.n; i++)
		all.running[i] = 1;
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, id);
	for (; good && next_row(reader, s, &good); number++) {
		bool typed = sqlite3_column_type(s, 2) == SQLITE_BLOB;
		const unsigned char *cells = sqlite3_column_blob(s, 2);
		double time = sqlite3_column_type(s, 1) == SQLITE_NULL ? NAN : sqlite3_column_double(s, 1);

		if (!typed || isinf(time) || sqlite3_column_int64(s, 0) != number ||
			!session_row_take(
				&own, cells ? cells : (const unsigned char *)"", (size_t)sqlite3_column_bytes(s, 2))) {
			good = bad(reader, "the samples of observation ", obs->name);
			break;
		}
		if (!columns->in_place)
			spread_row(&own, columns, &all);
		good = session_read_sqlite_add_row(reader, obs, columns->in_place ? &own : &all, time);
	}
	session_row_free(&own);
	session_row_free(&all);
	return good;
}

/* Reads numbers and times of the rows; their cells stay in the file. */
static bool
read_times(struct session_reader *reader, int64_t id, struct obs *obs)
{
	sqlite3_stmt *s = reader->samples;
	size_t cap = 0;
	bool good = true;

	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, id);
	for (; good && next_row(reader, s, &good); obs->n_rows += good) {
		bool timed = sqlite3_column_type(s, 1) != SQLITE_NULL;

		if (sqlite3_column_int64(s, 0) != (int64_t)obs->n_rows || isinf(sqlite3_column_double(s, 1))) {
			good = bad(reader, "the samples of observation ", obs->name);
		} else if (timed || obs->time) {
			size_t n = obs->time ? obs->n_rows : 0;

			mem_grow(&obs->time, &cap, obs->n_rows + 1, sizeof *obs->time);
			for (; n < obs->n_rows; n++)
				obs->time[n] = NAN;
			obs->time[n] = timed ? sqlite3_column_double(s, 1) : NAN;
		}
	}
	if (obs->time)
		obs->time = mem_resize(obs->time, obs->n_rows, sizeof *obs->time);
	return good;
}

static bool
read_rows(struct session_reader *r, int64_t id, struct obs *o, struct session_columns *c)
{
	bool good = read_columns(r, id, o->name, c) && (r->far ? read_times(r, id, o) : read_samples(r, id, o, c));

	for (size_t i = 0; i < c->n; i++)
		o->health[c->at[i]] = c->health[i];
	return good;
}

static char *
text_or_null(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL ? NULL : session_store_text(s, column);
}

static bool
is_valid_time(double seconds)
{
	return seconds >= 0 && isfinite(seconds);
}

static bool
read_head(struct session_reader *reader, sqlite3_stmt *s)
{
	char *name = session_store_text(s, 1), *source = session_store_text(s, 2);
	size_t n = reader->table->n;
	int64_t decimals = sqlite3_column_int64(s, 4);
	struct obs *obs = obs_table_add(reader->table, name, source);

	obs->exact = sqlite3_column_int(s, 3) != 0;
	obs->decimals = decimals >= 0 && decimals <= 18 ? (int)decimals : 0;
	obs->tasks = sqlite3_column_double(s, 5);
	obs->since_start = sqlite3_column_int(s, 8) != 0;
	obs->silent_zeros = sqlite3_column_int(s, 9) != 0;
	obs->runs = sqlite3_column_double(s, 10);
	obs->rotation = (struct obs_rotation){.period = sqlite3_column_double(s, 11),
		.locked = sqlite3_column_double(s, 12),
		.seed = (uint64_t)sqlite3_column_int64(s, 13)};
	obs->origin = (struct obs_origin){.command = text_or_null(s, 6), .started = text_or_null(s, 7),
		.cpu = text_or_null(s, 14), .machine = text_or_null(s, 15)};
	obs->elapsed = sqlite3_column_double(s, 16);
	mem_grow(&reader->id, &reader->id_cap, reader->table->n, sizeof *reader->id);
	reader->id[reader->table->n - 1] = sqlite3_column_int64(s, 0);
	free(name);
	free(source);
	if (n && reader->id[n] <= reader->id[n - 1])
		return bad(reader, "its observations are out of order", "");
	if (!session_guard_size(reader->file, n + 1, reader->table->n_columns, reader->e))
		return false;
	return (decimals == obs->decimals && obs->tasks >= 0 && isfinite(obs->tasks) && obs->runs >= 0 &&
		       isfinite(obs->runs) && is_valid_time(obs->rotation.period) &&
		       is_valid_time(obs->rotation.locked) && is_valid_time(obs->elapsed)) ||
		bad(reader, "the head of observation ", obs->name);
}

static bool
read_observations(struct session_reader *r)
{
	char *sql = str_format("SELECT id, name, source, exact, decimals, tasks, command, started, %s, %s, %s, "
		"%s, %s "
		"FROM observation ORDER BY id", r->file->version < 3 ? "0" : "since_start",
		r->file->version < 5 ? "0,0,0,0,0" : "silent_zeros,runs,rotation_period,locked_period,rotation_seed",
		r->file->version < 7 ? "NULL" : "cpu",
		r->file->version < 10 ? "NULL" : "(SELECT text FROM machine WHERE machine.id=observation.machine)",
		r->file->version < 11 ? "0" : "elapsed");
	sqlite3_stmt *s = session_store_prepare(r->file, sql, r->e);
	struct session_columns c = {0};
	bool good = s != NULL;

	while (good && next_row(r, s, &good))
		good = read_head(r, s);
	sqlite3_finalize(s);
	free(sql);
	if (good && r->far)
		r->own = mem_new_array(r->table->n, sizeof *r->own);
	for (size_t i = 0; good && i < r->table->n; i++) {
		good = read_rows(r, r->id[i], r->table->obs[i], &c);
		if (r->far) { /* the ids will be needed to read blocks of rows */
			r->own[r->n_own++] = c;
			c = (struct session_columns){0};
		}
	}
	session_columns_free(&c);
	return good;
}

static bool
read_notes(struct session_reader *reader)
{
	sqlite3_stmt *s = session_store_prepare(reader->file, "SELECT text FROM note ORDER BY id", reader->e);
	bool good = s != NULL;

	for (size_t n = 0, bytes = 0; good && next_row(reader, s, &good); n++) {
		bytes += (size_t)sqlite3_column_bytes(s, 0);
		if (n >= SESSION_NOTES_MAX || bytes > SESSION_LENGTH_MAX) {
			obs_table_note(reader->table, OBS_NOTE_OTHER,
				str_format("%s: only the first %zu notes are read; there are more", reader->file->path,
					n));
			break;
		}
		obs_table_note(reader->table, OBS_NOTE_OTHER, session_store_text(s, 0));
	}
	sqlite3_finalize(s);
	return good;
}

bool
session_reader_read(struct session_reader *reader)
{
	struct session_file *file = reader->file;
	const char *samples = reader->far ? "SELECT row, time FROM sample WHERE observation=? ORDER BY row"
		: "SELECT row, time, cells FROM sample WHERE observation=? ORDER BY row";
	bool good = (reader->columns = session_store_prepare(file,
			     "SELECT at, counter, health FROM observation_counter WHERE "
			     "observation=? ORDER BY at",
			     reader->e)) &&
		(reader->samples = session_store_prepare(file, samples, reader->e)) && read_counters(reader) &&
		read_observations(reader) && read_notes(reader);

	sqlite3_finalize(reader->columns);
	sqlite3_finalize(reader->samples);
	reader->columns = reader->samples = NULL;
	return good;
}

void
session_columns_free(struct session_columns *c)
{
	free(c->at);
	free(c->health);
}

void
session_reader_free(struct session_reader *r)
{
	for (size_t i = 0; r->own && i < r->n_own; i++)
		session_columns_free(&r->own[i]);
	free(r->own);
	free(r->counter);
	free(r->id);
}

/* Reads in a transaction of its own, which sees the file as it was at one moment. */
struct obs_table *
session_file_read(struct session_file *file, struct err *e)
{
	struct session_reader r = {.file = file, .room = {.near = GATHER_NEAR_CELLS}, .e = e};
	bool own = sqlite3_get_autocommit(file->db),
		good = (!own || session_store_run(file, "BEGIN", e)) && session_reader_read(&r);

	if (own && !sqlite3_get_autocommit(file->db))
		session_store_run(file, "ROLLBACK", NULL);
	if (good)
		obs_table_note_gathered(r.table, file->path);
	session_reader_free(&r);
	if (good)
		return r.table;
	obs_table_free(r.table);
	return NULL;
}
