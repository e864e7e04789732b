#include "collect/store/session_file.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/store/session_cells.h"
#include "collect/store/session_change.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_schema.h"
#include "collect/store/session_store.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

#define UNWRITTEN ((enum obs_health)-1) /* a health that nothing has */

/* What is in the file of an observation of the table. */
struct grown {
	int64_t id;
	size_t rows;
	size_t added;          /* rows that had been added to it when it was written last (n_rows + folded) */
	bool exact;            /* which are exact totals */
	int decimals;
	double tasks, runs;
	struct obs_rotation rotation;
	size_t columns;        /* that its rows have */
	enum obs_health *health; /* per column, as written; NULL: not yet */
};

struct session_writer {
	struct session_file *file;
	char *command;
	sqlite3_stmt *sample, *observation, *update, *health; /* prepared at the first use */
	struct obs_table *taken;   /* knows the names in use, and the next free one */
	int64_t *counter;          /* ids of the table's columns; NULL before the first write */
	size_t file_counters;      /* how many the file has */
	struct grown *grown;       /* per observation that was seen */
	size_t n_counters;
	int64_t first_note, last_note;
	size_t n, cap, all_rows, notes;
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
	for (size_t i = 0; i < w->n; i++)
		free(w->grown[i].health);
	free(w->grown);
	free(w);
}

/* The health of its columns, and how many it has. */
static bool
load_health(struct session_writer *w, struct grown *g, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(
		w->file, "SELECT health FROM observation_counter WHERE observation=? ORDER BY at", e);
	size_t cap = 0;
	int got = SQLITE_ERROR;

	if (!s)
		return false;
	sqlite3_bind_int64(s, 1, g->id);
	while ((got = sqlite3_step(s)) == SQLITE_ROW) {
		char *word = session_store_text(s, 0);

		mem_grow(&g->health, &cap, g->columns + 1, sizeof *g->health);
		if (!session_health_of(word, &g->health[g->columns]))
			g->health[g->columns] = UNWRITTEN;
		g->columns++;
		free(word);
	}
	sqlite3_finalize(s);
	return got == SQLITE_DONE || session_store_fail(w->file, e);
}

bool
session_writer_go_on(struct session_writer *w, const int64_t *number, size_t n, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(w->file, "SELECT o.exact, o.decimals, o.tasks, o.runs,"
						" (SELECT coalesce(max(row) + 1, 0) FROM sample WHERE observation=o.id)"
						" FROM observation o WHERE o.id=?", e);
	bool good = s != NULL;

	for (size_t i = 0; i < n && good; i++) {
		struct grown g = {.id = number[i]};

		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, g.id);
		if (sqlite3_step(s) != SQLITE_ROW) {
			good = session_store_damaged(w->file, e, "an observation that was being imported is gone");
			break;
		}
		g.exact = sqlite3_column_int(s, 0) != 0;
		g.decimals = sqlite3_column_int(s, 1);
		g.tasks = sqlite3_column_double(s, 2);
		g.runs = sqlite3_column_double(s, 3);
		g.rows = g.added = (size_t)sqlite3_column_int64(s, 4);
		good = load_health(w, &g, e);
		mem_grow(&w->grown, &w->cap, w->n + 1, sizeof *w->grown);
		w->grown[w->n++] = g;
		w->all_rows += g.rows;
	}
	sqlite3_finalize(s);
	return good;
}

void
session_writer_notes(const struct session_writer *w, int64_t *first, int64_t *last)
{
	*first = w->first_note;
	*last = w->last_note;
}

bool
session_writer_forget_notes(struct session_writer *w, int64_t first, int64_t last, struct err *e)
{
	char *sql = str_format("DELETE FROM note WHERE id BETWEEN %lld AND %lld", (long long)first, (long long)last);
	bool good = session_store_run(w->file, sql, e);

	free(sql);
	return good;
}

bool
session_writer_order(struct session_writer *w, size_t i, enum session_order how, struct err *e)
{
	return session_order_rows(w->file, w->grown[i].id, how, e);
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
	return w->all_rows;
}

int64_t
session_writer_number(const struct session_writer *w, size_t i)
{
	return w->grown[i].id;
}

static bool
bind_text(sqlite3_stmt *s, int at, const char *text)
{
	return sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
}

/* The id of a counter's name, which is added where it is new. */
static bool
find_counter(
	struct session_file *f, sqlite3_stmt *add, sqlite3_stmt *find, const char *name, int64_t *id, struct err *e)
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
	sqlite3_stmt *add =
		session_store_prepare(w->file, "INSERT INTO counter(name) VALUES(?) ON CONFLICT DO NOTHING", e);
	sqlite3_stmt *find = add ? session_store_prepare(w->file, "SELECT id FROM counter WHERE name=?", e) : NULL;
	struct names names = {0};
	bool good = add && find;

	free(w->counter);
	w->counter = mem_new_array(t->n_columns, sizeof *w->counter);
	w->n_counters = t->n_columns;
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
count_counters(struct session_writer *w, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(w->file, "SELECT count(*) FROM counter", e);
	bool good = s && (sqlite3_step(s) == SQLITE_ROW || session_store_fail(w->file, e));

	if (good)
		w->file_counters = (size_t)sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return good && session_guard_size(w->file, 0, w->file_counters, e);
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
		(w->observation = session_store_prepare(f,
			 "INSERT INTO "
			 "observation(name,source,exact,decimals,tasks,command,started,since_start,silent_zeros,runs,"
			 "rotation_period,locked_period,rotation_seed) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
			 e)) &&
		(w->update = session_store_prepare(f,
			 "UPDATE observation SET exact=?, decimals=?, tasks=?, runs=?, "
			 "rotation_period=?, locked_period=?, rotation_seed=? WHERE id=?",
			 e)) &&
		(w->health = session_store_prepare(f,
			 "INSERT INTO observation_counter VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET "
			 "health=excluded.health "
			 "WHERE health<>excluded.health",
			 e)) &&
		load_names(w, e) && find_counters(w, t, e) && count_counters(w, e);
}

/* A name that is free, also of what another writer of the same file has put in meanwhile. NULL and *e; else it stays
 * valid until the next call. */
static const char *
free_name(struct session_writer *w, const char *wanted, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(w->file, "SELECT 1 FROM observation WHERE name=?", e);
	const char *name = NULL;
	int got = s ? SQLITE_ROW : SQLITE_ERROR;

	while (got == SQLITE_ROW) {
		name = obs_table_add(w->taken, wanted, "")->name;
		sqlite3_reset(s);
		bind_text(s, 1, name);
		got = sqlite3_step(s);
	}
	if (s && got != SQLITE_DONE)
		session_store_fail(w->file, e);
	sqlite3_finalize(s);
	return got == SQLITE_DONE ? name : NULL;
}

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
	const char *name = free_name(w, o->name, e);

	if (!name || !session_guard_size(w->file, w->taken->n, w->file_counters, e))
		return false;
	session_store_now(now);
	bind_text(s, 1, name);
	bind_text(s, 2, o->source);
	sqlite3_bind_int(s, 3, o->exact);
	sqlite3_bind_int(s, 4, o->decimals);
	sqlite3_bind_double(s, 5, o->tasks);
	sqlite3_bind_int(s, 8, o->since_start);
	sqlite3_bind_int(s, 9, o->silent_zeros);
	sqlite3_bind_double(s, 10, o->runs);
	bind_rotation(s, 11, &o->rotation);
	if (w->command) {
		bind_text(s, 6, w->command);
		bind_text(s, 7, now);
	}
	if (!session_store_step(w->file, s, e))
		return false;
	mem_grow(&w->grown, &w->cap, w->n + 1, sizeof *w->grown);
	w->grown[w->n++] = (struct grown){.id = sqlite3_last_insert_rowid(w->file->db), .exact = o->exact,
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
write_health(struct session_writer *w, const struct obs *o, struct grown *g, struct err *e)
{
	if (!g->health) {
		g->health = mem_new_array(o->n_columns, sizeof *g->health);
		for (size_t i = 0; i < o->n_columns; i++)
			g->health[i] = UNWRITTEN;
	}
	for (size_t i = 0; i < o->n_columns; i++) {
		if (g->health[i] == o->health[i])
			continue;
		sqlite3_bind_int64(w->health, 1, g->id);
		sqlite3_bind_int64(w->health, 2, (int64_t)i);
		sqlite3_bind_int64(w->health, 3, w->counter[i]);
		bind_text(w->health, 4, session_health_word(o->health[i]));
		if (!session_store_step(w->file, w->health, e))
			return false;
		g->health[i] = o->health[i];
	}
	return true;
}

/* What has come to be known of rows that are written already: that there are more columns, that one was never counted
 * (its health says so), and that counts have other units. */
static bool
adapt_rows(struct session_writer *w, const struct obs *o, struct grown *g, struct err *e)
{
	struct session_change change = {.observation = g->id,
		.columns = g->columns,
		.more = o->n_columns - g->columns,
		.by = o->decimals - g->decimals};
	bool *forget = mem_new_array(o->n_columns, sizeof *forget), good = true, some = change.more || change.by;

	for (size_t i = 0; i < g->columns && g->health; i++) {
		forget[i] = g->health[i] == OBS_LIVE && (o->health[i] == OBS_ABSENT || o->health[i] == OBS_UNSUPPORTED);
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
			g->health[i] = UNWRITTEN;
		g->columns = o->n_columns;
	}
	return good;
}

/* What may have changed with the rows. */
static bool
write_state(struct session_writer *w, const struct obs *o, struct grown *g, struct err *e)
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
write_observation(struct session_writer *w, const struct obs *o, struct grown *g, struct err *e)
{
	struct str cells = {0};
	size_t fresh = o->n_rows + o->folded - g->added;
	bool good = adapt_rows(w, o, g, e);

	/* What has not been written must not be a part of sums yet; an observation that is new to the file is written
	 * as it is. */
	if (g->rows == 0)
		fresh = o->n_rows;
	else if (fresh > o->n_rows - o->sums)
		return err_set(e,
			"rows of %s were taken together before they could be written: a new file would hold their sums",
			o->name);
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
		good = bind_text(s, 1, t->note[w->notes]) && session_store_step(w->file, s, e);
		w->last_note = sqlite3_last_insert_rowid(w->file->db);
		w->first_note = w->first_note ? w->first_note : w->last_note;
	}
	sqlite3_finalize(s);
	return good;
}

/* Takes back what was written of an observation: its rows, and, if it is gone, itself; then it is the last one. */
static bool
take_back(struct session_writer *w, struct grown *g, bool gone, struct err *e)
{
	char *sql = str_format("DELETE FROM sample WHERE observation=%lld", (long long)g->id);
	bool good = session_store_run(w->file, sql, e);

	free(sql);
	w->all_rows -= g->rows;
	g->rows = g->added = 0;
	if (!gone)
		return good;
	sql = str_format(
		"DELETE FROM observation_counter WHERE observation=%lld; DELETE FROM observation WHERE id=%lld",
		(long long)g->id, (long long)g->id);
	good = good && session_store_run(w->file, sql, e);
	free(sql);
	free(g->health);
	w->n--;
	/* Its name is free again: the names are read anew. */
	free(w->counter);
	w->counter = NULL;
	return good;
}

/* What was seen may not be what it was: a run that gave few rows leaves its totals in their place, or nothing. */
static bool
revise(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	while (w->n > t->n)
		if (!take_back(w, &w->grown[w->n - 1], true, e))
			return false;
	for (size_t i = 0; i < w->n; i++)
		if ((w->grown[i].exact != t->obs[i]->exact ||
			    w->grown[i].added > t->obs[i]->n_rows + t->obs[i]->folded) &&
			!take_back(w, &w->grown[i], false, e))
			return false;
	return true;
}

static bool
has_grown(const struct grown *g, const struct obs *o)
{
	bool grown = g->added != o->n_rows + o->folded || g->columns != o->n_columns || g->exact != o->exact ||
		     g->decimals != o->decimals || g->tasks != o->tasks || g->runs != o->runs;

	return grown || !g->health || memcmp(g->health, o->health, o->n_columns * sizeof *o->health) != 0;
}

/* Nothing is written in the place of rows that lie elsewhere and could not be read. */
static bool
could_be_read(const struct obs_table *t, struct err *e)
{
	const struct err *failure = obs_table_failure(t);

	if (failure && e)
		*e = *failure;
	return !failure;
}

static bool
write_news(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	if (!revise(w, t, e) || ((!w->counter || w->n_counters != t->n_columns) && !begin_table(w, t, e)))
		return false;
	for (size_t i = 0; i < w->n; i++)
		if (has_grown(&w->grown[i], t->obs[i]) && !write_observation(w, t->obs[i], &w->grown[i], e))
			return false;
	while (w->n < t->n) {
		const struct obs *o = t->obs[w->n];

		if (!begin_observation(w, o, e) || !write_observation(w, o, &w->grown[w->n - 1], e))
			return false;
	}
	return write_notes(w, t, e) && could_be_read(t, e);
}

static bool
has_news(const struct session_writer *w, const struct obs_table *t)
{
	bool news = w->n != t->n || w->notes != t->n_notes;

	for (size_t i = 0; i < w->n && !news; i++)
		news = has_grown(&w->grown[i], t->obs[i]);
	return news;
}

/* As if it had not been tried: it may be tried again. What is known of healths is forgotten, and written anew. */
static void
forget_attempt(struct session_writer *w, const struct session_writer *before, const struct grown *grown)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->grown[i].health);
	w->n = before->n;
	w->all_rows = before->all_rows;
	w->notes = before->notes;
	for (size_t i = 0; i < w->n; i++) {
		w->grown[i] = grown[i];
		w->grown[i].health = NULL;
	}
	free(w->counter);
	w->counter = NULL;
}

bool
session_writer_write(struct session_writer *w, const struct obs_table *t, struct err *e)
{
	bool own = sqlite3_get_autocommit(w->file->db);
	struct session_writer before = *w;
	struct grown *grown;

	if (!has_news(w, t)) /* no transaction */
		return true;
	if (own && !session_file_begin(w->file, e))
		return false;
	grown = mem_copy(w->grown, w->n * sizeof *w->grown);
	if (write_news(w, t, e) && (!own || session_file_commit(w->file, e))) {
		free(grown);
		return true;
	}
	if (own && !sqlite3_get_autocommit(w->file->db))
		session_store_run(w->file, "ROLLBACK", NULL);
	forget_attempt(w, &before, grown);
	free(grown);
	return false;
}
