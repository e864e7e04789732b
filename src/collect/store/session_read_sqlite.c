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

/* True when there is a row. False at the end and on failure; *good distinguishes them. */
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
read_counters(struct session_reader *r)
{
	sqlite3_stmt *s = session_store_prepare(r->file, "SELECT id, name FROM counter ORDER BY id", r->e);
	char **name = NULL;
	size_t n = 0, cap = 0, id_cap = 0;
	bool good = s != NULL;

	while (good && next_row(r, s, &good)) {
		mem_grow(&name, &cap, n + 1, sizeof *name);
		mem_grow(&r->counter, &id_cap, n + 1, sizeof *r->counter);
		r->counter[n] = sqlite3_column_int64(s, 0);
		name[n++] = session_store_text(s, 1);
		if (n > 1 && r->counter[n - 1] <= r->counter[n - 2])
			good = bad(r, "its counters are out of order", "");
		else
			good = session_guard_size(r->file, 0, n, r->e);
	}
	sqlite3_finalize(s);
	if (good)
		r->table = obs_table_new((const char *const *)name, n);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return good;
}

static bool
find_column(const struct session_reader *r, int64_t id, size_t *column)
{
	size_t low = 0, high = r->table->n_columns;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (r->counter[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	*column = low;
	return low < r->table->n_columns && r->counter[low] == id;
}

static bool
read_columns(struct session_reader *r, int64_t id, const char *name, struct session_columns *c)
{
	sqlite3_stmt *s = r->columns;
	bool *used = mem_new_array(r->table->n_columns, sizeof *used), good = true;

	c->n = 0;
	c->in_place = true;
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, id);
	while (good && next_row(r, s, &good)) {
		char *word = session_store_text(s, 2);
		size_t at;
		enum obs_health health;

		if (sqlite3_column_int64(s, 0) != (int64_t)c->n || !find_column(r, sqlite3_column_int64(s, 1), &at) ||
			used[at] || !session_health_of(word, &health)) {
			good = bad(r, "the counters of observation ", name);
		} else {
			mem_grow(&c->at, &c->cap, c->n + 1, sizeof *c->at);
			mem_grow(&c->health, &c->health_cap, c->n + 1, sizeof *c->health);
			used[at] = true;
			c->in_place &= at == c->n;
			c->at[c->n] = at;
			c->health[c->n++] = health;
		}
		free(word);
	}
	c->in_place &= c->n == r->table->n_columns;
	free(used);
	return good;
}

void
session_columns_spread(struct obs *o, const struct obs *own, const struct session_columns *c)
{
	int64_t *count = mem_new_array(o->n_columns, sizeof *count);
	unsigned char *counted = mem_new_array(o->n_columns, 1);

	for (size_t row = 0; row < own->n_rows; row++) {
		for (size_t i = 0; i < c->n; i++) {
			count[c->at[i]] = own->count[row * c->n + i];
			counted[c->at[i]] = own->counted[row * c->n + i];
		}
		obs_add_row(o, count, counted, own->time ? own->time[row] : NAN);
		for (size_t i = 0; i < c->n && (own->running || own->error); i++) {
			double running = own->running ? own->running[row * c->n + i] : 1,
				error = own->error ? own->error[row * c->n + i] : 0;

			if (running < 1 || error > 0)
				obs_set_quality(o, c->at[i], running, error);
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

/* Adds a row; long observations are folded as they are read (core/obs/gather.h). False and *e on failure. */
static bool
session_read_sqlite_add_row(struct session_reader *r, struct obs *o, const struct session_row *row, double time)
{
	size_t column;

	if (!obs_room_add(&r->room, r->table, o, row->count, row->gaps ? row->counted : NULL, time,
		row->quality ? row->running : NULL, row->quality ? row->error : NULL, &column)) {
		err_set(r->e, "the counts of %s in %s are so large that sums over many rows do not fit into 64 bits",
			r->table->column[column], r->file->path);
		return err_hint(r->e, "use fewer rows at once");
	}
	if (r->room.cells <= IMPORT_CELLS_MAX)
		return true;
	err_set(r->e, "%s has more than %zu million cells", r->file->path, IMPORT_CELLS_MAX >> 20);
	return err_hint(r->e, "record fewer observations, or into several files");
}

static bool
read_samples(struct session_reader *r, int64_t id, struct obs *o, const struct session_columns *c)
{
	struct session_row own, all;
	sqlite3_stmt *s = r->samples;
	bool good = true;
	int64_t number = 0;

	session_row_begin(&own, c->n);
	session_row_begin(&all, r->table->n_columns);
	for (size_t i = 0; i < all.n; i++)
		all.running[i] = 1;
	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, id);
	for (; good && next_row(r, s, &good); number++) {
		bool typed = sqlite3_column_type(s, 2) == SQLITE_BLOB;
		const unsigned char *cells = sqlite3_column_blob(s, 2);
		double time = sqlite3_column_type(s, 1) == SQLITE_NULL ? NAN : sqlite3_column_double(s, 1);

		if (!typed || isinf(time) || sqlite3_column_int64(s, 0) != number ||
			!session_row_take(
				&own, cells ? cells : (const unsigned char *)"", (size_t)sqlite3_column_bytes(s, 2))) {
			good = bad(r, "the samples of observation ", o->name);
			break;
		}
		if (!c->in_place)
			spread_row(&own, c, &all);
		good = session_read_sqlite_add_row(r, o, c->in_place ? &own : &all, time);
	}
	session_row_free(&own);
	session_row_free(&all);
	return good;
}

/* Reads numbers and times of the rows; their cells stay in the file. */
static bool
read_times(struct session_reader *r, int64_t id, struct obs *o)
{
	sqlite3_stmt *s = r->samples;
	size_t cap = 0;
	bool good = true;

	sqlite3_reset(s);
	sqlite3_bind_int64(s, 1, id);
	for (; good && next_row(r, s, &good); o->n_rows += good) {
		bool timed = sqlite3_column_type(s, 1) != SQLITE_NULL;

		if (sqlite3_column_int64(s, 0) != (int64_t)o->n_rows || isinf(sqlite3_column_double(s, 1))) {
			good = bad(r, "the samples of observation ", o->name);
		} else if (timed || o->time) {
			size_t n = o->time ? o->n_rows : 0;

			mem_grow(&o->time, &cap, o->n_rows + 1, sizeof *o->time);
			for (; n < o->n_rows; n++)
				o->time[n] = NAN;
			o->time[n] = timed ? sqlite3_column_double(s, 1) : NAN;
		}
	}
	if (o->time)
		o->time = mem_resize(o->time, o->n_rows, sizeof *o->time);
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
read_head(struct session_reader *r, sqlite3_stmt *s)
{
	char *name = session_store_text(s, 1), *source = session_store_text(s, 2);
	size_t n = r->table->n;
	int64_t decimals = sqlite3_column_int64(s, 4);
	struct obs *o = obs_table_add(r->table, name, source);

	o->exact = sqlite3_column_int(s, 3) != 0;
	o->decimals = decimals >= 0 && decimals <= 18 ? (int)decimals : 0;
	o->tasks = sqlite3_column_double(s, 5);
	o->since_start = sqlite3_column_int(s, 8) != 0;
	o->silent_zeros = sqlite3_column_int(s, 9) != 0;
	o->runs = sqlite3_column_double(s, 10);
	o->rotation = (struct obs_rotation){sqlite3_column_double(s, 11), sqlite3_column_double(s, 12),
		(uint64_t)sqlite3_column_int64(s, 13)};
	o->cpu = text_or_null(s, 14);
	mem_grow(&r->origin, &r->origin_cap, r->table->n, sizeof *r->origin);
	mem_grow(&r->id, &r->id_cap, r->table->n, sizeof *r->id);
	r->origin[r->n_origins++] = (struct session_origin){text_or_null(s, 6), text_or_null(s, 7)};
	r->id[r->table->n - 1] = sqlite3_column_int64(s, 0);
	free(name);
	free(source);
	if (n && r->id[n] <= r->id[n - 1])
		return bad(r, "its observations are out of order", "");
	if (!session_guard_size(r->file, n + 1, r->table->n_columns, r->e))
		return false;
	return (decimals == o->decimals && o->tasks >= 0 && isfinite(o->tasks) && o->runs >= 0 && isfinite(o->runs)
		&& is_valid_time(o->rotation.period) && is_valid_time(o->rotation.locked))
		|| bad(r, "the head of observation ", o->name);
}

static bool
read_observations(struct session_reader *r)
{
	char *sql = str_format("SELECT id, name, source, exact, decimals, tasks, command, started, %s, %s, %s "
		"FROM observation ORDER BY id", r->file->version < 3 ? "0" : "since_start",
		r->file->version < 5 ? "0,0,0,0,0" : "silent_zeros,runs,rotation_period,locked_period,rotation_seed",
		r->file->version < 7 ? "NULL" : "cpu");
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
read_notes(struct session_reader *r)
{
	sqlite3_stmt *s = session_store_prepare(r->file, "SELECT text FROM note ORDER BY id", r->e);
	bool good = s != NULL;

	for (size_t n = 0, bytes = 0; good && next_row(r, s, &good); n++) {
		bytes += (size_t)sqlite3_column_bytes(s, 0);
		if (n >= SESSION_NOTES_MAX || bytes > SESSION_LENGTH_MAX) {
			obs_table_note(r->table, OBS_NOTE_OTHER,
				str_format("%s: only the first %zu notes are read; there are more", r->file->path, n));
			break;
		}
		obs_table_note(r->table, OBS_NOTE_OTHER, session_store_text(s, 0));
	}
	sqlite3_finalize(s);
	return good;
}

bool
session_reader_read(struct session_reader *r)
{
	struct session_file *f = r->file;
	const char *samples = r->far ? "SELECT row, time FROM sample WHERE observation=? ORDER BY row"
		: "SELECT row, time, cells FROM sample WHERE observation=? ORDER BY row";
	bool good = (r->columns = session_store_prepare(f, "SELECT at, counter, health FROM observation_counter WHERE "
			"observation=? ORDER BY at", r->e)) && (r->samples = session_store_prepare(f, samples, r->e)) &&
		read_counters(r) && read_observations(r) && read_notes(r);

	sqlite3_finalize(r->columns);
	sqlite3_finalize(r->samples);
	r->columns = r->samples = NULL;
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
	session_origin_free(r->origin, r->n_origins);
	free(r->counter);
	free(r->id);
}

void
session_origin_free(struct session_origin *o, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(o[i].command);
		free(o[i].started);
	}
	free(o);
}

void
session_reader_give_origin(struct session_reader *r, struct session_origin **origin)
{
	if (!origin)
		return;
	*origin = r->origin;
	r->origin = NULL;
	r->n_origins = 0;
}

/* Reads in a transaction of its own, which sees the file as it was at one moment. */
struct obs_table *
session_file_read(struct session_file *f, struct session_origin **origin, struct err *e)
{
	struct session_reader r = {.file = f, .room = {.near = GATHER_NEAR_CELLS}, .e = e};
	bool own = sqlite3_get_autocommit(f->db),
		good = (!own || session_store_run(f, "BEGIN", e)) && session_reader_read(&r);

	if (own && !sqlite3_get_autocommit(f->db))
		session_store_run(f, "ROLLBACK", NULL);
	if (good) {
		obs_table_note_gathered(r.table, f->path);
		session_reader_give_origin(&r, origin);
	}
	session_reader_free(&r);
	if (good)
		return r.table;
	obs_table_free(r.table);
	return NULL;
}
