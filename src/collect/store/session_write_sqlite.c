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
#include "collect/store/session_records.h"
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

static void
bind_optional(sqlite3_stmt *s, int at, const char *text)
{
	if (text)
		session_bind_text(s, at, text);
	else
		sqlite3_bind_null(s, at);
}

/* Adds the machine, if the file does not have it yet. */
static bool
add_machine(struct session_writer *writer, const char *machine, struct err *e)
{
	if (!machine)
		return true;
	session_bind_text(writer->machine, 1, machine);
	return session_store_step(writer->file, writer->machine, e);
}

static bool
same_rotation(const struct obs_rotation *a, const struct obs_rotation *b)
{
	return a->period == b->period && a->locked == b->locked && a->seed == b->seed;
}

static bool
begin_observation(struct session_writer *writer, const struct obs *o, struct err *e)
{
	sqlite3_stmt *s = writer->observation;
	char now[SESSION_TIME_TEXT];
	const char *name = session_writer_free_name(writer, o->name, e);

	if (!name || !session_guard_size(writer->file, ++writer->observations, writer->file_counters, e) ||
		!add_machine(writer, o->origin.machine, e))
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
	bind_optional(s, 6, o->origin.command ? o->origin.command : writer->command);
	bind_optional(s, 7, o->origin.started ? o->origin.started : writer->command ? now : NULL);
	bind_optional(s, 14, o->origin.cpu);
	bind_optional(s, 15, o->origin.machine);
	sqlite3_bind_double(s, 16, o->elapsed);
	if (!session_store_step(writer->file, s, e))
		return false;
	mem_grow(&writer->written, &writer->cap, writer->n + 1, sizeof *writer->written);
	writer->written[writer->n++] = (struct session_written){.id = sqlite3_last_insert_rowid(writer->file->db),
		.renamed = o->renamed,
		.exact = o->exact,
		.decimals = o->decimals,
		.tasks = o->tasks,
		.runs = o->runs,
		.rotation = o->rotation,
		.columns = o->n_columns};
	return true;
}

static bool
write_row(struct session_writer *writer, const struct obs *obs, const struct obs_rows *rows, int64_t id, size_t number,
	size_t row, struct str *cells, struct err *e)
{
	sqlite3_stmt *s = writer->sample;

	str_clear(cells);
	session_cells_add(rows, obs->n_columns, row, cells);
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, (int64_t)number);
	if (obs->time && !isnan(obs->time[row]))
		sqlite3_bind_double(s, 3, obs->time[row]);
	else
		sqlite3_bind_null(s, 3);
	sqlite3_bind_blob(s, 4, str_text(cells), (int)cells->n, SQLITE_STATIC);
	return session_store_step(writer->file, s, e);
}

static bool
write_health(struct session_writer *writer, const struct obs *obs, struct session_written *written, struct err *e)
{
	if (!written->health) {
		written->health = mem_new_array(obs->n_columns, sizeof *written->health);
		for (size_t i = 0; i < obs->n_columns; i++)
			written->health[i] = SESSION_UNWRITTEN;
	}
	for (size_t i = 0; i < obs->n_columns; i++) {
		if (written->health[i] == obs->health[i])
			continue;
		sqlite3_bind_int64(writer->health, 1, written->id);
		sqlite3_bind_int64(writer->health, 2, (int64_t)i);
		sqlite3_bind_int64(writer->health, 3, writer->counter[i]);
		session_bind_text(writer->health, 4, session_health_word(obs->health[i]));
		if (!session_store_step(writer->file, writer->health, e))
			return false;
		written->health[i] = obs->health[i];
	}
	return true;
}

/* Adapts rows in the file to what later rows showed: the observation has more columns, a counter turned out to be
 * unsupported (by its health), or counts need other units. */
static bool
adapt_rows(struct session_writer *writer, const struct obs *obs, struct session_written *written, struct err *e)
{
	struct session_change change = {.observation = written->id,
		.columns = written->columns,
		.more = obs->n_columns - written->columns,
		.by = obs->decimals - written->decimals};
	bool *forget = mem_new_array(obs->n_columns, sizeof *forget), good = true, some = change.more || change.by;

	for (size_t i = 0; i < written->columns && written->health; i++) {
		forget[i] = (written->health[i] == OBS_LIVE || written->health[i] == OBS_HONEST) &&
			(obs->health[i] == OBS_ABSENT || obs->health[i] == OBS_UNSUPPORTED);
		some |= forget[i];
	}
	change.forget = forget;
	if (some && written->rows)
		good = session_change_rows(writer->file, &change, e);
	free(forget);
	if (good && change.more) {
		if (written->health)
			written->health = mem_resize(written->health, obs->n_columns, sizeof *written->health);
		for (size_t i = written->columns; i < obs->n_columns && written->health; i++)
			written->health[i] = SESSION_UNWRITTEN;
		written->columns = obs->n_columns;
	}
	return good;
}

/* Gives the observation in the file the name that it has by now. */
static bool
write_name(struct session_writer *writer, const struct obs *obs, struct session_written *written, struct err *e)
{
	const char *name = session_writer_free_name(writer, obs->name, e);
	sqlite3_stmt *s = !name ? NULL
		: session_store_prepare(writer->file, "UPDATE observation SET name=? WHERE id=?", e);
	bool good = s && session_bind_text(s, 1, name) && sqlite3_bind_int64(s, 2, written->id) == SQLITE_OK &&
		session_store_step(writer->file, s, e);

	sqlite3_finalize(s);
	if (!good)
		return false;
	written->renamed = obs->renamed;
	return true;
}

/* Writes what may have changed together with the rows. */
static bool
write_state(struct session_writer *writer, const struct obs *obs, struct session_written *written, struct err *e)
{
	if (written->exact != obs->exact || written->decimals != obs->decimals || written->tasks != obs->tasks ||
		written->runs != obs->runs || !same_rotation(&written->rotation, &obs->rotation)) {
		sqlite3_bind_int(writer->update, 1, obs->exact);
		sqlite3_bind_int(writer->update, 2, obs->decimals);
		sqlite3_bind_double(writer->update, 3, obs->tasks);
		sqlite3_bind_double(writer->update, 4, obs->runs);
		bind_rotation(writer->update, 5, &obs->rotation);
		sqlite3_bind_int64(writer->update, 8, written->id);
		if (!session_store_step(writer->file, writer->update, e))
			return false;
		written->exact = obs->exact;
		written->decimals = obs->decimals;
		written->tasks = obs->tasks;
		written->runs = obs->runs;
		written->rotation = obs->rotation;
	}
	return (written->renamed == obs->renamed || write_name(writer, obs, written, e)) &&
		write_health(writer, obs, written, e);
}

static bool
session_write_sqlite_write_observation(
	struct session_writer *writer, const struct obs *o, struct session_written *g, struct err *e)
{
	struct str cells = {0};
	size_t fresh = o->n_rows + o->folded - g->added;
	bool good = adapt_rows(writer, o, g, e);

	/* A row must be written before it is folded into a sum. A new observation is written as it is, sums included.
	 */
	if (g->rows == 0)
		fresh = o->n_rows;
	else if (fresh > o->n_rows - o->sums)
		return err_set(e, "rows of %s were added up before they could be written: a new file would hold "
			"their sums", o->name);
	for (size_t row = o->n_rows - fresh; good && row < o->n_rows;) {
		struct obs_rows rows = obs_rows(o, row, o->n_rows);

		for (; good && row < rows.first + rows.n; row++, g->rows++, writer->all_rows++)
			good = write_row(writer, o, &rows, g->id, g->rows, row, &cells, e);
	}
	str_free(&cells);
	g->added = o->n_rows + o->folded;
	return good && write_state(writer, o, g, e);
}

static bool
write_notes(struct session_writer *writer, const struct obs_table *table, struct err *e)
{
	sqlite3_stmt *s = writer->notes < table->n_notes
		? session_store_prepare(writer->file, "INSERT INTO note(text) VALUES(?)", e)
		: NULL;
	bool good = s || writer->notes == table->n_notes;

	for (; good && writer->notes < table->n_notes; writer->notes++) {
		good = session_bind_text(s, 1, table->note[writer->notes]) && session_store_step(writer->file, s, e);
		writer->last_note = sqlite3_last_insert_rowid(writer->file->db);
		writer->first_note = writer->first_note ? writer->first_note : writer->last_note;
	}
	sqlite3_finalize(s);
	return good;
}

/* Removes the rows of an observation from the file; with `gone` also the observation, which must be the last one. */
static bool
take_back(struct session_writer *writer, struct session_written *written, bool gone, struct err *e)
{
	char *sql = str_format("DELETE FROM sample WHERE observation=%lld", (long long)written->id);
	bool good = session_store_run(writer->file, sql, e) && session_records_forget(writer->file, written->id, e);

	free(sql);
	writer->all_rows -= written->rows;
	written->rows = written->added = 0;
	if (!gone)
		return good;
	sql = str_format("DELETE FROM observation_counter WHERE observation=%lld; DELETE FROM observation "
		"WHERE id=%lld", (long long)written->id, (long long)written->id);
	good = good && session_store_run(writer->file, sql, e);
	free(sql);
	free(written->health);
	writer->n--;
	/* Its name is free again, so the names are read again. */
	free(writer->counter);
	writer->counter = NULL;
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
		g->decimals != o->decimals || g->tasks != o->tasks || g->runs != o->runs || g->renamed != o->renamed;

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
write_new(struct session_writer *writer, const struct obs_table *table, struct err *e)
{
	if (!revise(writer, table, e) ||
		((!writer->counter || writer->n_counters != table->n_columns) &&
			!session_writer_begin_table(writer, table, e)))
		return false;
	for (size_t i = 0; i < writer->n; i++)
		if (has_grown(&writer->written[i], table->obs[i]) &&
			!session_write_sqlite_write_observation(writer, table->obs[i], &writer->written[i], e))
			return false;
	while (writer->n < table->n) {
		const struct obs *obs = table->obs[writer->n];

		if (!begin_observation(writer, obs, e) ||
			!session_write_sqlite_write_observation(writer, obs, &writer->written[writer->n - 1], e))
			return false;
	}
	return write_notes(writer, table, e) && could_be_read(table, e);
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
forget_attempt(struct session_writer *writer, const struct session_writer *before, const struct session_written *grown)
{
	for (size_t i = 0; i < writer->n; i++)
		free(writer->written[i].health);
	writer->n = before->n;
	writer->observations = before->observations;
	writer->all_rows = before->all_rows;
	writer->notes = before->notes;
	for (size_t i = 0; i < writer->n; i++) {
		writer->written[i] = grown[i];
		writer->written[i].health = NULL;
	}
	free(writer->counter);
	writer->counter = NULL;
}

bool
session_writer_write(struct session_writer *writer, const struct obs_table *table, struct err *e)
{
	bool own = sqlite3_get_autocommit(writer->file->db);
	struct session_writer before = *writer;
	struct session_written *grown;

	if (!has_new_rows(writer, table)) /* saves a transaction */
		return true;
	if (own && !session_file_begin(writer->file, e))
		return false;
	grown = mem_copy(writer->written, writer->n * sizeof *writer->written);
	if (write_new(writer, table, e) && (!own || session_file_commit(writer->file, e))) {
		free(grown);
		return true;
	}
	if (own && !sqlite3_get_autocommit(writer->file->db))
		session_store_run(writer->file, "ROLLBACK", NULL);
	forget_attempt(writer, &before, grown);
	free(grown);
	return false;
}
