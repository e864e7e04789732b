/* Settings and graphs of the texts that a session file does not open with: the table `kept`, one row of cells each. */
#include "collect/store/session_table.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_store.h"

#define KEPT_VERSION 9 /* first version with the table */

/* The parts of a session that belong to a text, in an order in which they can be written: rows before those that refer
 * to them. The names are those in the file. */
static const struct {
	enum session_table_kind kind;
	const char *name;
} part[] = {
	{SESSION_TABLE_SETTING, "setting"}, {SESSION_TABLE_GRAPH, "graph"}, {SESSION_TABLE_GRAPH_MODEL, "graph_model"},
	{SESSION_TABLE_GRAPH_EDGE, "graph_edge"}, {SESSION_TABLE_GRAPH_ALIKE, "graph_alike"},
	{SESSION_TABLE_GRAPH_REPAIR, "graph_repair"},
};
#define PARTS (sizeof part / sizeof *part)

static const char *
part_name(enum session_table_kind kind)
{
	for (size_t i = 0; i < PARTS; i++)
		if (part[i].kind == kind)
			return part[i].name;
	return "";
}

/* Appends the row whose cells are a JSON array of texts, NULL as null. False: it is no such array. */
static bool
take_kept_row(struct session_table *out, const char *text)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	const char **cell = mem_new_array(out->n_columns, sizeof *cell);
	bool good = list && list->kind == JSON_ARRAY && list->n == out->n_columns;
	size_t at = 0;

	for (const struct json *json = good ? list->first : NULL; json; json = json->next) {
		good &= json->kind == JSON_STRING || json->kind == JSON_NULL;
		cell[at++] = json->kind == JSON_STRING ? json->text : NULL;
	}
	if (good)
		session_table_add(out, cell);
	free(cell);
	json_free(list);
	return good;
}

bool
session_table_read_kept(struct session_file *file, int64_t model, enum session_table_kind kind,
	struct session_table *out, struct err *e)
{
	sqlite3_stmt *s;
	int got = SQLITE_DONE;
	bool good = true;
	size_t bytes = 0;

	*out = (struct session_table){.n_columns = session_table_columns(kind)};
	if (file->version < KEPT_VERSION)
		return true;
	s = session_store_prepare(file, "SELECT cells FROM kept WHERE model=? AND part=? ORDER BY at", e);
	if (!s)
		return false;
	sqlite3_bind_int64(s, 1, model);
	sqlite3_bind_text(s, 2, part_name(kind), -1, SQLITE_STATIC);
	while (good && (got = sqlite3_step(s)) == SQLITE_ROW) {
		char *cells = session_store_text(s, 0);

		bytes += strlen(cells);
		if (out->n_rows >= SESSION_TABLE_ROWS_MAX || bytes > SESSION_TABLE_BYTES_MAX)
			good = session_guard_too_many(file, "kept", SESSION_TABLE_ROWS_MAX, e);
		else if (!take_kept_row(out, cells))
			good = session_store_damaged(file, e, "what it keeps for another model");
		free(cells);
	}
	if (good && got != SQLITE_DONE)
		good = session_store_fail(file, e);
	sqlite3_finalize(s);
	if (!good)
		session_table_clear(out);
	return good;
}

/* Keeps a table for a text, in the place of what was kept. */
static bool
keep_part(struct session_file *file, int64_t model, enum session_table_kind kind, const struct session_table *rows,
	struct err *e)
{
	sqlite3_stmt *s =
		session_store_prepare(file, "INSERT INTO kept(model, part, at, cells) VALUES(?,?,?,?)", e);
	bool good = s != NULL;

	for (size_t row = 0; row < rows->n_rows && good; row++) {
		struct str text = {0};
		struct json_writer w = {.out = &text};

		json_open(&w, NULL, '[');
		for (size_t i = 0; i < rows->n_columns; i++)
			json_str(&w, NULL, rows->cell[row * rows->n_columns + i]);
		json_close(&w, ']');
		sqlite3_bind_int64(s, 1, model);
		sqlite3_bind_text(s, 2, part_name(kind), -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 3, (int64_t)row);
		sqlite3_bind_text(s, 4, str_text(&text), -1, SQLITE_TRANSIENT);
		good = session_store_step(file, s, e);
		str_free(&text);
	}
	sqlite3_finalize(s);
	return good;
}

static bool
run_with_number(struct session_file *file, const char *sql, int64_t number, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(file, sql, e);
	bool good = s && sqlite3_bind_int64(s, 1, number) == SQLITE_OK && session_store_step(file, s, e);

	sqlite3_finalize(s);
	return good;
}

static bool
turn(struct session_file *file, int64_t from, int64_t own, int64_t to, struct err *e)
{
	struct session_table now[PARTS] = {0}, then[PARTS] = {0};
	char opens[24];
	bool good = true;

	for (size_t i = 0; i < PARTS && good; i++)
		good = session_table_read(file, part[i].kind, &now[i], e) &&
			session_table_read_kept(file, own, part[i].kind, &then[i], e);
	good = good && run_with_number(file, "DELETE FROM kept WHERE model=?", from, e) &&
		run_with_number(file, "DELETE FROM kept WHERE model=?", own, e);
	for (size_t i = 0; i < PARTS && good; i++)
		good = (!from || keep_part(file, from, part[i].kind, &now[i], e)) &&
			session_table_write(file, part[i].kind, &then[i], true, e);
	for (size_t i = 0; i < PARTS; i++) {
		session_table_clear(&now[i]);
		session_table_clear(&then[i]);
	}
	snprintf(opens, sizeof opens, "%" PRId64, to);
	return good && session_file_set_value(file, "opens", opens, e);
}

bool
session_file_turn(struct session_file *file, int64_t from, int64_t own, int64_t to, struct err *e)
{
	bool outer = !sqlite3_get_autocommit(file->db), good;

	if (!outer && !session_file_begin(file, e))
		return false;
	good = turn(file, from, own, to, e) && (outer || session_file_commit(file, e));
	if (!good && !outer)
		session_file_rollback(file);
	return good;
}
