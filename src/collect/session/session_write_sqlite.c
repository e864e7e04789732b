#include "collect/session/session_file.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/session/session_cells.h"
#include "collect/session/session_store.h"
#include "core/obs/obs.h"

struct session_writer {
	struct session_file *file;
	char *command;
	sqlite3_stmt *sample, *observation, *update, *health; /* prepared at the first use */
	struct obs_table *taken;   /* knows the names in use, and the next free one */
	int64_t *counter;          /* ids of the table's columns; NULL before the first write */
	struct progress {
		size_t seen;       /* observations of the table so far; the last of them may still grow */
		int64_t id;        /* its id in the file; 0: it has gone */
		size_t rows;       /* … and its rows so far */
		bool exact;        /* … which are exact totals */
		size_t all_rows, notes;
	} at;
};

struct session_writer *
session_writer_new(struct session_file *f, const char *command)
{
	struct session_writer *w = mem_new(sizeof *w);

	w->file = f;
	w->command = command ? mem_str(command) : NULL;
	w->taken = obs_table_new(NULL, 0);
	return w;
}

void
session_writer_free(struct session_writer *w)
{
	if (!w)
		return;
	sqlite3_finalize(w->sample);
	sqlite3_finalize(w->observation);
	sqlite3_finalize(w->update);
	sqlite3_finalize(w->health);
	obs_table_free(w->taken);
	free(w->counter);
	free(w->command);
	free(w);
}

void
session_writer_set_command(struct session_writer *w, const char *command)
{
	free(w->command);
	w->command = command ? mem_str(command) : NULL;
}

size_t
session_writer_rows(const struct session_writer *w)
{
	return w->at.all_rows;
}

static const char *
health_word(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE:
		return "live";
	case OBS_ZERO_SUSPECT:
		return "zero";
	case OBS_DEAD:
		return "dead";
	case OBS_UNSUPPORTED:
		return "unsupported";
	case OBS_ABSENT:
		return "absent";
	}
	return "absent";
}

static bool
bind_text(sqlite3_stmt *s, int at, const char *text)
{
	return sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
}

/* The id of a counter's name, which is added where it is new. */
static bool
find_counter(struct session_file *f, sqlite3_stmt *add, sqlite3_stmt *find, const char *name, int64_t *id, struct err *e)
{
	bool good = bind_text(add, 1, name) && session_store_step(f, add, e);

	good = good && bind_text(find, 1, name) && (sqlite3_step(find) == SQLITE_ROW || session_store_fail(f, e));
	if (good)
		*id = sqlite3_column_int64(find, 0);
	sqlite3_reset(find);
	return good;
}

static bool
find_counters(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	sqlite3_stmt *add = session_store_prepare(w->file, "INSERT INTO counter(name) VALUES(?) ON CONFLICT DO NOTHING", e);
	sqlite3_stmt *find = add ? session_store_prepare(w->file, "SELECT id FROM counter WHERE name=?", e) : NULL;
	struct names names = {0};
	bool good = add && find;

	free(w->counter);
	w->counter = mem_new_array(t->n_columns, sizeof *w->counter);
	for (size_t i = 0; i < t->n_columns && good; i++) {
		if (names_add(&names, t->column[i], strlen(t->column[i])) != i)
			good = err_set(e, "two columns are called %s: give them names of their own", t->column[i]);
		else
			good = find_counter(w->file, add, find, t->column[i], &w->counter[i], e);
	}
	names_free(&names);
	sqlite3_finalize(add);
	sqlite3_finalize(find);
	return good;
}

static bool
load_names(struct session_writer *w, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(w->file, "SELECT name FROM observation ORDER BY id", e);
	int got = s ? SQLITE_ROW : SQLITE_ERROR;

	while (got == SQLITE_ROW && (got = sqlite3_step(s)) == SQLITE_ROW) {
		char *name = session_store_text(s, 0);

		obs_table_add(w->taken, name, "");
		free(name);
	}
	if (s && got != SQLITE_DONE)
		session_store_fail(w->file, e);
	sqlite3_finalize(s);
	return got == SQLITE_DONE;
}

static bool
begin_table(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	struct session_file *f = w->file;

	sqlite3_finalize(w->sample);
	sqlite3_finalize(w->observation);
	sqlite3_finalize(w->update);
	sqlite3_finalize(w->health);
	w->sample = w->observation = w->update = w->health = NULL;
	obs_table_free(w->taken);
	w->taken = obs_table_new(NULL, 0);
	return (w->sample = session_store_prepare(f, "INSERT INTO sample VALUES(?,?,?,?)", e)) &&
	       (w->observation = session_store_prepare(f, "INSERT INTO observation(name,source,exact,decimals,tasks,command,started,since_start) VALUES(?,?,?,?,?,?,?,?)", e)) &&
	       (w->update = session_store_prepare(f, "UPDATE observation SET exact=?, decimals=?, tasks=? WHERE id=?", e)) &&
	       (w->health = session_store_prepare(f, "INSERT INTO observation_counter VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET health=excluded.health "
						     "WHERE health<>excluded.health", e)) &&
	       load_names(w, e) && find_counters(w, t, e);
}

static bool
begin_observation(struct session_writer *w, const struct obs *o, struct err *e)
{
	sqlite3_stmt *s = w->observation;
	char now[SESSION_TIME_TEXT];

	session_store_now(now);
	bind_text(s, 1, obs_table_add(w->taken, o->name, "")->name);
	bind_text(s, 2, o->source);
	sqlite3_bind_int(s, 3, o->exact);
	sqlite3_bind_int(s, 4, o->decimals);
	sqlite3_bind_double(s, 5, o->tasks);
	sqlite3_bind_int(s, 8, o->since_start);
	if (w->command) {
		bind_text(s, 6, w->command);
		bind_text(s, 7, now);
	}
	if (!session_store_step(w->file, s, e))
		return false;
	w->at.id = sqlite3_last_insert_rowid(w->file->db);
	w->at.rows = 0;
	w->at.exact = o->exact;
	return true;
}

static bool
write_row(struct session_writer *w, const struct obs *o, size_t row, struct str *cells, struct err *e)
{
	sqlite3_stmt *s = w->sample;

	str_clear(cells);
	session_cells_add(o, row, cells);
	sqlite3_bind_int64(s, 1, w->at.id);
	sqlite3_bind_int64(s, 2, (int64_t)row);
	if (o->time && !isnan(o->time[row]))
		sqlite3_bind_double(s, 3, o->time[row]);
	else
		sqlite3_bind_null(s, 3);
	sqlite3_bind_blob(s, 4, str_text(cells), (int)cells->n, SQLITE_STATIC);
	return session_store_step(w->file, s, e);
}

/* What may have changed with the rows. */
static bool
write_state(struct session_writer *w, const struct obs *o, struct err *e)
{
	sqlite3_bind_int(w->update, 1, o->exact);
	sqlite3_bind_int(w->update, 2, o->decimals);
	sqlite3_bind_double(w->update, 3, o->tasks);
	sqlite3_bind_int64(w->update, 4, w->at.id);
	if (!session_store_step(w->file, w->update, e))
		return false;
	for (size_t i = 0; i < o->n_columns; i++) {
		sqlite3_bind_int64(w->health, 1, w->at.id);
		sqlite3_bind_int64(w->health, 2, (int64_t)i);
		sqlite3_bind_int64(w->health, 3, w->counter[i]);
		bind_text(w->health, 4, health_word(o->health[i]));
		if (!session_store_step(w->file, w->health, e))
			return false;
	}
	return true;
}

static bool
write_observation(struct session_writer *w, const struct obs *o, struct err *e)
{
	struct str cells = {0};
	bool good = true;

	for (; good && w->at.rows < o->n_rows; w->at.rows++, w->at.all_rows++)
		good = write_row(w, o, w->at.rows, &cells, e);
	str_free(&cells);
	return good && write_state(w, o, e);
}

static bool
write_notes(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	sqlite3_stmt *s = w->at.notes < t->n_notes ? session_store_prepare(w->file, "INSERT INTO note(text) VALUES(?)", e) : NULL;
	bool good = s || w->at.notes == t->n_notes;

	for (; good && w->at.notes < t->n_notes; w->at.notes++)
		good = bind_text(s, 1, t->note[w->at.notes]) && session_store_step(w->file, s, e);
	sqlite3_finalize(s);
	return good;
}

/* Takes back what was written of the last observation: its rows, and, if it is gone, itself. */
static bool
take_back(struct session_writer *w, bool gone, struct err *e)
{
	char *sql = str_format("DELETE FROM sample WHERE observation=%lld", (long long)w->at.id);
	bool good = session_store_run(w->file, sql, e);

	free(sql);
	w->at.all_rows -= w->at.rows;
	w->at.rows = 0;
	if (!gone)
		return good;
	sql = str_format("DELETE FROM observation_counter WHERE observation=%lld; DELETE FROM observation WHERE id=%lld", (long long)w->at.id, (long long)w->at.id);
	good = good && session_store_run(w->file, sql, e);
	free(sql);
	w->at.id = 0;
	/* Its name is free again: the names are read anew. */
	free(w->counter);
	w->counter = NULL;
	return good;
}

/* The observation that was the last one may not be what it was: a run that gave few rows leaves its totals in their place, or nothing. */
static bool
revise_last(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	const struct obs *o = w->at.id && w->at.seen <= t->n ? t->obs[w->at.seen - 1] : NULL;

	if (w->at.seen > t->n) {
		w->at.seen = t->n;
		return take_back(w, true, e);
	}
	if (o && w->at.exact != o->exact && !take_back(w, false, e))
		return false;
	if (o)
		w->at.exact = o->exact;
	return true;
}

static bool
write_news(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	if (!revise_last(w, t, e) || (!w->counter && !begin_table(w, t, e)))
		return false;
	if (w->at.id && !write_observation(w, t->obs[w->at.seen - 1], e))
		return false;
	for (; w->at.seen < t->n; w->at.seen++)
		if (!begin_observation(w, t->obs[w->at.seen], e) || !write_observation(w, t->obs[w->at.seen], e))
			return false;
	return write_notes(w, t, e);
}

bool
session_writer_write(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	bool own = sqlite3_get_autocommit(w->file->db);
	struct progress before = w->at;

	/* Nothing new: no transaction. */
	if (w->at.seen == t->n && w->at.notes == t->n_notes && (!w->at.id || (w->at.rows == t->obs[t->n - 1]->n_rows && w->at.exact == t->obs[t->n - 1]->exact)))
		return true;
	if (own && !session_file_begin(w->file, e))
		return false;
	if (write_news(w, t, e) && (!own || session_file_commit(w->file, e)))
		return true;
	if (own && !sqlite3_get_autocommit(w->file->db))
		session_store_run(w->file, "ROLLBACK", NULL);
	/* As if it had not been tried: it may be tried again. */
	w->at = before;
	free(w->counter);
	w->counter = NULL;
	return false;
}
