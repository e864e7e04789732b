#include "collect/store/session_writer.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/store/session_change.h"
#include "collect/store/session_file.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_schema.h"
#include "collect/store/session_store.h"

struct session_writer *
session_writer_new(struct session_file *f, const char *command)
{
	struct session_writer *w = mem_new(sizeof *w);

	w->file = f;
	w->command = command ? mem_str(command) : NULL;
	return w;
}

void
session_writer_free(struct session_writer *writer)
{
	if (!writer)
		return;
	sqlite3_finalize(writer->sample);
	sqlite3_finalize(writer->observation);
	sqlite3_finalize(writer->update);
	sqlite3_finalize(writer->health);
	sqlite3_finalize(writer->machine);
	names_free(&writer->repeated);
	free(writer->last);
	free(writer->name);
	free(writer->counter);
	free(writer->command);
	for (size_t i = 0; i < writer->n; i++)
		free(writer->written[i].health);
	free(writer->written);
	free(writer);
}

/* Reads the number and the health of an observation's columns. */
static bool
load_health(struct session_writer *writer, struct session_written *written, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(
		writer->file, "SELECT health FROM observation_counter WHERE observation=? ORDER BY at", e);
	size_t cap = 0;
	int got = SQLITE_ERROR;

	if (!s)
		return false;
	sqlite3_bind_int64(s, 1, written->id);
	while ((got = sqlite3_step(s)) == SQLITE_ROW) {
		char *word = session_store_text(s, 0);

		mem_grow(&written->health, &cap, written->columns + 1, sizeof *written->health);
		if (!session_health_of(word, &written->health[written->columns]))
			written->health[written->columns] = SESSION_UNWRITTEN;
		written->columns++;
		free(word);
	}
	sqlite3_finalize(s);
	return got == SQLITE_DONE || session_store_fail(writer->file, e);
}

bool
session_writer_go_on(struct session_writer *writer, const int64_t *number, size_t n, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(writer->file, "SELECT o.exact, o.decimals, o.tasks, o.runs, (SELECT "
		"coalesce(max(row) + 1, 0) FROM sample WHERE observation=o.id) FROM observation o WHERE o.id=?", e);
	bool good = s != NULL;

	for (size_t i = 0; i < n && good; i++) {
		struct session_written g = {.id = number[i]};

		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, g.id);
		if (sqlite3_step(s) != SQLITE_ROW) {
			good = session_store_damaged(
				writer->file, e, "an observation whose import was interrupted is gone");
			break;
		}
		g.exact = sqlite3_column_int(s, 0) != 0;
		g.decimals = sqlite3_column_int(s, 1);
		g.tasks = sqlite3_column_double(s, 2);
		g.runs = sqlite3_column_double(s, 3);
		g.rows = g.added = (size_t)sqlite3_column_int64(s, 4);
		good = load_health(writer, &g, e);
		mem_grow(&writer->written, &writer->cap, writer->n + 1, sizeof *writer->written);
		writer->written[writer->n++] = g;
		writer->all_rows += g.rows;
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
	return session_order_rows(w->file, w->written[i].id, how, e);
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

size_t
session_writer_observation_rows(const struct session_writer *w, size_t i)
{
	return w->written[i].rows;
}

int64_t
session_writer_number(const struct session_writer *w, size_t i)
{
	return w->written[i].id;
}

bool
session_bind_text(sqlite3_stmt *s, int at, const char *text)
{
	return sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
}

/* Finds the id of a counter's name; a new name is added. */
static bool
session_writer_sqlite_find_counter(
	struct session_file *f, sqlite3_stmt *add, sqlite3_stmt *find, const char *name, int64_t *id, struct err *e)
{
	bool good = session_bind_text(add, 1, name) && session_store_step(f, add, e);

	good = good && session_bind_text(find, 1, name) &&
		(sqlite3_step(find) == SQLITE_ROW || session_store_fail(f, e));
	if (good)
		*id = sqlite3_column_int64(find, 0);
	sqlite3_reset(find);
	return good;
}

static bool
find_counters(struct session_writer *writer, const struct obs_table *table, struct err *e)
{
	sqlite3_stmt *add =
		session_store_prepare(writer->file, "INSERT INTO counter(name) VALUES(?) ON CONFLICT DO NOTHING", e);
	sqlite3_stmt *find = add ? session_store_prepare(writer->file, "SELECT id FROM counter WHERE name=?", e) : NULL;
	struct names names = {0};
	bool good = add && find;

	free(writer->counter);
	writer->counter = mem_new_array(table->n_columns, sizeof *writer->counter);
	writer->n_counters = table->n_columns;
	for (size_t i = 0; i < table->n_columns && good; i++) {
		if (names_add(&names, table->column[i], strlen(table->column[i])) != i)
			good = err_set(e, "two columns are called %s: give them different names", table->column[i]);
		else
			good = session_writer_sqlite_find_counter(
				writer->file, add, find, table->column[i], &writer->counter[i], e);
	}
	names_free(&names);
	sqlite3_finalize(add);
	sqlite3_finalize(find);
	return good;
}

static bool
count_all(struct session_writer *w, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(
		w->file, "SELECT (SELECT count(*) FROM counter), (SELECT count(*) FROM observation)", e);
	bool good = s && (sqlite3_step(s) == SQLITE_ROW || session_store_fail(w->file, e));

	if (good) {
		w->file_counters = (size_t)sqlite3_column_int64(s, 0);
		w->observations = (size_t)sqlite3_column_int64(s, 1);
	}
	sqlite3_finalize(s);
	return good && session_guard_size(w->file, 0, w->file_counters, e);
}

bool
session_writer_begin_table(struct session_writer *writer, const struct obs_table *table, struct err *e)
{
	struct session_file *file = writer->file;

	sqlite3_finalize(writer->sample);
	sqlite3_finalize(writer->observation);
	sqlite3_finalize(writer->update);
	sqlite3_finalize(writer->health);
	sqlite3_finalize(writer->machine);
	writer->sample = writer->observation = writer->update = writer->health = writer->machine = NULL;
	return (writer->sample = session_store_prepare(file, "INSERT INTO sample VALUES(?,?,?,?)", e)) &&
		(writer->observation = session_store_prepare(file,
			 "INSERT INTO observation(name,source,exact,decimals,tasks,"
			 "command,started,since_start,silent_zeros,runs,rotation_period,locked_period,rotation_seed,"
			 "cpu,machine,elapsed) "
			 "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,(SELECT id FROM machine WHERE text=?),?)",
			 e)) &&
		(writer->machine = session_store_prepare(
			 file, "INSERT INTO machine(text) VALUES(?) ON CONFLICT DO NOTHING", e)) &&
		(writer->update = session_store_prepare(file,
			 "UPDATE observation SET exact=?, decimals=?, tasks=?, runs=?, "
			 "rotation_period=?, locked_period=?, rotation_seed=? WHERE id=?",
			 e)) &&
		(writer->health = session_store_prepare(file,
			 "INSERT INTO observation_counter VALUES(?,?,?,?) "
			 "ON CONFLICT DO UPDATE SET health=excluded.health WHERE health<>excluded.health",
			 e)) &&
		find_counters(writer, table, e) && count_all(writer, e);
}

/* The next number that is appended to a name. */
static unsigned
next_number(struct session_writer *writer, const char *wanted)
{
	size_t n = writer->repeated.n, at = names_add(&writer->repeated, wanted, strlen(wanted));

	if (at == n) {
		mem_grow(&writer->last, &writer->last_cap, n + 1, sizeof *writer->last);
		writer->last[at] = 1;
	}
	return ++writer->last[at];
}

const char *
session_writer_free_name(struct session_writer *writer, const char *wanted, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(writer->file, "SELECT 1 FROM observation WHERE name=?", e);
	int got = s ? SQLITE_ROW : SQLITE_ERROR;

	for (bool first = true; got == SQLITE_ROW; first = false) {
		free(writer->name);
		writer->name = first ? mem_str(wanted) : str_format("%s#%u", wanted, next_number(writer, wanted));
		sqlite3_reset(s);
		session_bind_text(s, 1, writer->name);
		got = sqlite3_step(s);
	}
	if (s && got != SQLITE_DONE)
		session_store_fail(writer->file, e);
	sqlite3_finalize(s);
	return got == SQLITE_DONE ? writer->name : NULL;
}
