#include "collect/store/session_table.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_store.h"

#define FIRST_VERSION 2 /* first version with these tables */
#define TRUTH_VERSION 4 /* first version with the table truth */
#define CURVE_VERSION 8 /* first version with curves */

/* Names of tables and columns as in session_schema.c. SQLite turns texts into numbers by the columns' affinity
 * (sqlite.org, "Datatypes", 3.1). */
static const struct {
	const char *name, *columns;
	size_t n_columns;
	int since; /* the first version of the file with it */
} table[SESSION_TABLES] = {
	[SESSION_TABLE_SETTING] = {"setting", "key,value", 2, FIRST_VERSION},
	[SESSION_TABLE_VERDICT] = {"verdict",
		"model,features,observation,confidence,region,verdict,family_wise,distance2,threshold2,p,worst,reason",
		12, FIRST_VERSION},
	[SESSION_TABLE_GRAPH] = {"graph", "key,value", 2, FIRST_VERSION},
	[SESSION_TABLE_GRAPH_MODEL] = {"graph_model",
		"id,features,step,usable,survives,infeasible,refuted_by,cone,minimal,worst,worst_by", 11,
		FIRST_VERSION},
	[SESSION_TABLE_GRAPH_EDGE] = {"graph_edge", "from_model,to_model,changed,step", 4, FIRST_VERSION},
	[SESSION_TABLE_GRAPH_ALIKE] = {"graph_alike", "id,one,other,why", 4, FIRST_VERSION},
	[SESSION_TABLE_GRAPH_REPAIR] = {"graph_repair", "id,feature,frees", 3, FIRST_VERSION},
	[SESSION_TABLE_REMARK] = {"remark", "id,subject,what,text,written", 5, FIRST_VERSION},
	[SESSION_TABLE_TRUTH] = {"truth", "observation,key,value", 3, TRUTH_VERSION},
	[SESSION_TABLE_CURVE] = {"curve", "name,machine,probe,whole,x_name,y_name,notes", 7, CURVE_VERSION},
	[SESSION_TABLE_CURVE_POINT] = {"curve_point", "curve,x,min,mean,max", 5, CURVE_VERSION},
};

size_t
session_table_columns(enum session_table_kind kind)
{
	return table[kind].n_columns;
}

void
session_table_add(struct session_table *s, const char *const *cell)
{
	mem_grow(&s->cell, &s->cap, (s->n_rows + 1) * s->n_columns, sizeof *s->cell);
	for (size_t i = 0; i < s->n_columns; i++)
		s->cell[s->n_rows * s->n_columns + i] = cell[i] ? mem_str(cell[i]) : NULL;
	s->n_rows++;
}

const char *
session_table_cell(const struct session_table *s, size_t row, size_t column)
{
	const char *text = s->cell[row * s->n_columns + column];

	return text ? text : "";
}

void
session_table_clear(struct session_table *s)
{
	for (size_t i = 0; i < s->n_rows * s->n_columns; i++)
		free(s->cell[i]);
	free(s->cell);
	*s = (struct session_table){.n_columns = s->n_columns};
}

static bool
has_table(struct session_file *f, enum session_table_kind kind, bool *has, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, "PRAGMA user_version", e);
	bool good = s && (sqlite3_step(s) == SQLITE_ROW || session_store_fail(f, e));

	*has = good && sqlite3_column_int(s, 0) >= table[kind].since;
	sqlite3_finalize(s);
	return good;
}

/* Returns false when the table has more rows, or more text, than hecate reads. */
static bool
session_table_sqlite_take_row(struct session_table *out, sqlite3_stmt *s, size_t *bytes)
{
	const char **cell = mem_new_array(out->n_columns, sizeof *cell);

	for (size_t i = 0; i < out->n_columns; i++) {
		cell[i] = (const char *)sqlite3_column_text(s, (int)i);
		*bytes += (size_t)sqlite3_column_bytes(s, (int)i);
	}
	session_table_add(out, cell);
	free(cell);
	return out->n_rows <= SESSION_TABLE_ROWS_MAX && *bytes <= SESSION_TABLE_BYTES_MAX;
}

bool
session_table_read(struct session_file *file, enum session_table_kind kind, struct session_table *out, struct err *e)
{
	bool there = false;
	sqlite3_stmt *s = NULL;
	bool fits = true;
	size_t bytes = 0;
	char *sql;
	int got = SQLITE_DONE;

	*out = (struct session_table){.n_columns = table[kind].n_columns};
	if (!has_table(file, kind, &there, e))
		return false;
	if (!there)
		return true;
	sql = str_format("SELECT %s FROM %s ORDER BY 1, 2", table[kind].columns, table[kind].name);
	s = session_store_prepare(file, sql, e);
	free(sql);
	while (s && fits && (got = sqlite3_step(s)) == SQLITE_ROW)
		fits = session_table_sqlite_take_row(out, s, &bytes);
	if (!fits)
		session_guard_too_many(file, table[kind].name, SESSION_TABLE_ROWS_MAX, e);
	else if (s && got != SQLITE_DONE)
		session_store_fail(file, e);
	sqlite3_finalize(s);
	if (!s || got != SQLITE_DONE)
		session_table_clear(out);
	return s && got == SQLITE_DONE;
}

/* Writes the SQL that inserts or replaces a row. An unchanged row dirties no page. */
static void
insertion(enum session_table_kind kind, struct str *sql)
{
	char **column = str_split(table[kind].columns, ',', NULL);

	str_addf(sql, "INSERT INTO %s(%s) VALUES(?", table[kind].name, table[kind].columns);
	for (size_t i = 1; column[i]; i++)
		str_add(sql, ",?");
	str_add(sql, ") ON CONFLICT DO UPDATE SET ");
	for (size_t i = 0; column[i]; i++)
		str_addf(sql, "%s%s=excluded.%s", i ? "," : "", column[i], column[i]);
	str_add(sql, " WHERE ");
	for (size_t i = 0; column[i]; i++)
		str_addf(sql, "%s%s.%s IS NOT excluded.%s", i ? " OR " : "", table[kind].name, column[i], column[i]);
	str_split_free(column);
}

bool
session_table_write(struct session_file *file, enum session_table_kind kind, const struct session_table *rows,
	bool replace, struct err *e)
{
	struct str sql = {0};
	sqlite3_stmt *s;
	bool good = true;

	if (replace) {
		/* Edges refer to models that are inserted again afterwards. */
		str_addf(&sql, "PRAGMA defer_foreign_keys=ON; DELETE FROM %s", table[kind].name);
		good = session_store_run(file, str_text(&sql), e);
		str_clear(&sql);
	}
	insertion(kind, &sql);
	s = good ? session_store_prepare(file, str_text(&sql), e) : NULL;
	good = s != NULL;
	for (size_t row = 0; row < rows->n_rows && good; row++) {
		for (size_t i = 0; i < rows->n_columns; i++)
			sqlite3_bind_text(s, (int)i + 1, rows->cell[row * rows->n_columns + i], -1, SQLITE_STATIC);
		good = session_store_step(file, s, e);
	}
	sqlite3_finalize(s);
	str_free(&sql);
	return good;
}

bool
session_table_drop(struct session_file *f, enum session_table_kind kind, const char *key, struct err *e)
{
	char *sql = str_format("DELETE FROM %s WHERE %.*s=?", table[kind].name,
		(int)(strchrnul(table[kind].columns, ',') - table[kind].columns), table[kind].columns);
	sqlite3_stmt *s = session_store_prepare(f, sql, e);
	bool good = s && sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC) == SQLITE_OK && session_store_step(f, s, e);

	sqlite3_finalize(s);
	free(sql);
	return good;
}
