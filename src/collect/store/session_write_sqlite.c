#include "collect/store/session_writer.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_cells.h"
#include "collect/store/session_change.h"
#include "collect/store/session_file.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_schema.h"
#include "collect/store/session_store.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

static void
bind_rotation(sqlite3_stmt *s, int at, const struct obs_rotation *r)
{
	sqlite3_bind_double(s, at, r->period);
	sqlite3_bind_double(s, at + 1, r->locked);
	sqlite3_bind_int64(s, at + 2, (int64_t)r->seed);
}

static bool
same_rotation(const struct obs_rotation *a, const struct obs_rotation *b)
{
	return a->period == b->period && a->locked == b->locked && a->seed == b->seed;
}

static bool
begin_observation(struct session_writer *w, const struct obs *o, struct err *e)
{
	sqlite3_stmt *s = w->observation;
	char now[SESSION_TIME_TEXT];
	const char *name = session_writer_free_name(w, o->name, e);

	if (!name || !session_guard_size(w->file, w->taken->n, w->file_counters, e))
		return false;
	session_store_now(now);
	session_bind_text(s, 1, name);
	session_bind_text(s, 2, o->source);
	sqlite3_bind_int(s, 3, o->exact);
	sqlite3_bind_int(s, 4, o->decimals);
	sqlite3_bind_double(s, 5, o->tasks);
	sqlite3_bind_int(s, 8, o->since_start);
	sqlite3_bind_int(s, 9, o->silent_zeros);
	sqlite3_bind_double(s, 10, o->runs);
	bind_rotation(s, 11, &o->rotation);
	if (o->cpu)
		session_bind_text(s, 14, o->cpu);
	else
		sqlite3_bind_null(s, 14);
	if (w->command) {
		session_bind_text(s, 6, w->command);
		session_bind_text(s, 7, now);
	}
	if (!session_store_step(w->file, s, e))
		return false;
	mem_grow(&w->written, &w->cap, w->n + 1, sizeof *w->written);
	w->written[w->n++] = (struct session_written){.id = sqlite3_last_insert_rowid(w->file->db), .exact = o->exact,
		.decimals = o->decimals, .tasks = o->tasks, .runs = o->runs, .rotation = o->rotation,
		.columns = o->n_columns};
	return true;
}

static bool
write_row(struct session_writer *w, const struct obs *o, const struct obs_rows *rows, int64_t id, size_t number,
	size_t row, struct str *cells, struct err *e)
{
	sqlite3_stmt *s = w->sample;

	str_clear(cells);
	session_cells_add(rows, o->n_columns, row, cells);
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, (int64_t)number);
	if (o->time && !isnan(o->time[row]))
		sqlite3_bind_double(s, 3, o->time[row]);
	else
		sqlite3_bind_null(s, 3);
	sqlite3_bind_blob(s, 4, str_text(cells), (int)cells->n, SQLITE_STATIC);
	return session_store_step(w->file, s, e);
}

static bool
write_health(struct session_writer *w, const struct obs *o, struct session_written *g, struct err *e)
{
	if (!g->health) {
		g->health = mem_new_array(o->n_columns, sizeof *g->health);
		for (size_t i = 0; i < o->n_columns; i++)
			g->health[i] = SESSION_UNWRITTEN;
	}
	for (size_t i = 0; i < o->n_columns; i++) {
		if (g->health[i] == o->health[i])
			continue;
		sqlite3_bind_int64(w->health, 1, g->id);
		sqlite3_bind_int64(w->health, 2, (int64_t)i);
		sqlite3_bind_int64(w->health, 3, w->counter[i]);
		session_bind_text(w->health, 4, session_health_word(o->health[i]));
		if (!session_store_step(w->file, w->health, e))
			return false;
		g->health[i] = o->health[i];
	}
	return true;
}

/* Adapts rows in the file to what later rows showed: the observation has more columns, a counter turned out to be
 * unsupported (by its health), or counts need other units. */
static bool
adapt_rows(struct session_writer *w, const struct obs *o, struct session_written *g, struct err *e)
{
	struct session_change change = {.observation = g->id, .columns = g->columns, .more = o->n_columns - g->columns,
		.by = o->decimals - g->decimals};
	bool *forget = mem_new_array(o->n_columns, sizeof *forget), good = true, some = change.more || change.by;

	for (size_t i = 0; i < g->columns && g->health; i++) {
		forget[i] = (g->health[i] == OBS_LIVE || g->health[i] == OBS_HONEST) &&
			(o->health[i] == OBS_ABSENT || o->health[i] == OBS_UNSUPPORTED);
		some |= forget[i];
	}
	change.forget = forget;
	if (some && g->rows)
		good = session_change_rows(w->file, &change, e);
	free(forget);
	if (good && change.more) {
		if (g->health)
			g->health = mem_resize(g->health, o->n_columns, sizeof *g->health);
		for (size_t i = g->columns; i < o->n_columns && g->health; i++)
			g->health[i] = SESSION_UNWRITTEN;
		g->columns = o->n_columns;
	}
	return good;
}

/* Writes what may have changed together with the rows. */
static bool
write_state(struct session_writer *w, const struct obs *o, struct session_written *g, struct err *e)
{
	if (g->exact != o->exact || g->decimals != o->decimals || g->tasks != o->tasks || g->runs != o->runs
		|| !same_rotation(&g->rotation, &o->rotation)) {
		sqlite3_bind_int(w->update, 1, o->exact);
		sqlite3_bind_int(w->update, 2, o->decimals);
		sqlite3_bind_double(w->update, 3, o->tasks);
		sqlite3_bind_double(w->update, 4, o->runs);
		bind_rotation(w->update, 5, &o->rotation);
		sqlite3_bind_int64(w->update, 8, g->id);
		if (!session_store_step(w->file, w->update, e))
			return false;
		g->exact = o->exact;
		g->decimals = o->decimals;
		g->tasks = o->tasks;
		g->runs = o->runs;
		g->rotation = o->rotation;
	}
	return write_health(w, o, g, e);
}

static bool
session_write_sqlite_write_observation(
	struct session_writer *w, const struct obs *o, struct session_written *g, struct err *e)
{
	struct str cells = {0};
	size_t fresh = o->n_rows + o->folded - g->added;
	bool good = adapt_rows(w, o, g, e);

	/* A row must be written before it is folded into a sum. A new observation is written as it is, sums included.
	 */
	if (g->rows == 0)
		fresh = o->n_rows;
	else if (fresh > o->n_rows - o->sums)
		return err_set(e, "rows of %s were added up before they could be written: a new file would hold "
			"their sums", o->name);
	for (size_t row = o->n_rows - fresh; good && row < o->n_rows;) {
		struct obs_rows rows = obs_rows(o, row, o->n_rows);

		for (; good && row < rows.first + rows.n; row++, g->rows++, w->all_rows++)
			good = write_row(w, o, &rows, g->id, g->rows, row, &cells, e);
	}
	str_free(&cells);
	g->added = o->n_rows + o->folded;
	return good && write_state(w, o, g, e);
}

static bool
write_notes(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	sqlite3_stmt *s =
		w->notes < t->n_notes ? session_store_prepare(w->file, "INSERT INTO note(text) VALUES(?)", e) : NULL;
	bool good = s || w->notes == t->n_notes;

	for (; good && w->notes < t->n_notes; w->notes++) {
		good = session_bind_text(s, 1, t->note[w->notes]) && session_store_step(w->file, s, e);
		w->last_note = sqlite3_last_insert_rowid(w->file->db);
		w->first_note = w->first_note ? w->first_note : w->last_note;
	}
	sqlite3_finalize(s);
	return good;
}

/* Removes the rows of an observation from the file; with `gone` also the observation, which must be the last one. */
static bool
take_back(struct session_writer *w, struct session_written *g, bool gone, struct err *e)
{
	char *sql = str_format("DELETE FROM sample WHERE observation=%lld", (long long)g->id);
	bool good = session_store_run(w->file, sql, e);

	free(sql);
	w->all_rows -= g->rows;
	g->rows = g->added = 0;
	if (!gone)
		return good;
	sql = str_format("DELETE FROM observation_counter WHERE observation=%lld; DELETE FROM observation "
		"WHERE id=%lld", (long long)g->id, (long long)g->id);
	good = good && session_store_run(w->file, sql, e);
	free(sql);
	free(g->health);
	w->n--;
	/* Its name is free again, so the names are read again. */
	free(w->counter);
	w->counter = NULL;
	return good;
}

/* Removes rows and observations from the file that are outdated: a run with too few rows replaces them by totals, or
 * removes the observation. */
static bool
revise(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	while (w->n > t->n)
		if (!take_back(w, &w->written[w->n - 1], true, e))
			return false;
	for (size_t i = 0; i < w->n; i++)
		if ((w->written[i].exact != t->obs[i]->exact ||
			w->written[i].added > t->obs[i]->n_rows + t->obs[i]->folded) &&
			!take_back(w, &w->written[i], false, e))
			return false;
	return true;
}

static bool
has_grown(const struct session_written *g, const struct obs *o)
{
	bool grown = g->added != o->n_rows + o->folded || g->columns != o->n_columns || g->exact != o->exact ||
		g->decimals != o->decimals || g->tasks != o->tasks || g->runs != o->runs;

	return grown || !g->health || memcmp(g->health, o->health, o->n_columns * sizeof *o->health) != 0;
}

/* Checks that rows outside of memory could be read, because unread rows must not be written as empty ones. */
static bool
could_be_read(const struct obs_table *t, struct err *e)
{
	const struct err *failure = obs_table_failure(t);

	if (failure && e)
		*e = *failure;
	return !failure;
}

static bool
write_new(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	if (!revise(w, t, e) ||
		((!w->counter || w->n_counters != t->n_columns) && !session_writer_begin_table(w, t, e)))
		return false;
	for (size_t i = 0; i < w->n; i++)
		if (has_grown(&w->written[i], t->obs[i]) &&
			!session_write_sqlite_write_observation(w, t->obs[i], &w->written[i], e))
			return false;
	while (w->n < t->n) {
		const struct obs *o = t->obs[w->n];

		if (!begin_observation(w, o, e) ||
			!session_write_sqlite_write_observation(w, o, &w->written[w->n - 1], e))
			return false;
	}
	return write_notes(w, t, e) && could_be_read(t, e);
}

static bool
has_new_rows(const struct session_writer *w, const struct obs_table *t)
{
	bool news = w->n != t->n || w->notes != t->n_notes;

	for (size_t i = 0; i < w->n && !news; i++)
		news = has_grown(&w->written[i], t->obs[i]);
	return news;
}

/* Restores the state before the failed attempt, so that it can be repeated. Written health is forgotten and written
 * again. */
static void
forget_attempt(struct session_writer *w, const struct session_writer *before, const struct session_written *grown)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->written[i].health);
	w->n = before->n;
	w->all_rows = before->all_rows;
	w->notes = before->notes;
	for (size_t i = 0; i < w->n; i++) {
		w->written[i] = grown[i];
		w->written[i].health = NULL;
	}
	free(w->counter);
	w->counter = NULL;
}

bool
session_writer_write(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	bool own = sqlite3_get_autocommit(w->file->db);
	struct session_writer before = *w;
	struct session_written *grown;

	if (!has_new_rows(w, t)) /* saves a transaction */
		return true;
	if (own && !session_file_begin(w->file, e))
		return false;
	grown = mem_copy(w->written, w->n * sizeof *w->written);
	if (write_new(w, t, e) && (!own || session_file_commit(w->file, e))) {
		free(grown);
		return true;
	}
	if (own && !sqlite3_get_autocommit(w->file->db))
		session_store_run(w->file, "ROLLBACK", NULL);
	forget_attempt(w, &before, grown);
	free(grown);
	return false;
}
