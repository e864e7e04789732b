#include "work/probe/probe_store.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "work/files/recording.h"
#include "work/probe/probe_book.h"

enum { CURVE_COLUMNS = 7, POINT_COLUMNS = 5 };

bool
probe_store_is_behind(const struct probe_book *b)
{
	for (size_t i = 0; b && i < b->n_measured; i++)
		if (!b->measured[i]->stored.head || b->measured[i]->stored.points < b->measured[i]->curve.n)
			return true;
	return false;
}

/* "rob on sim:core" */
static char *
probe_store_key_of(const struct probe_measured *m)
{
	return str_format("%s on %s", m->probe, m->machine);
}

static void
add_curve(const struct probe_measured *measured, const char *key, struct session_table *out)
{
	struct str notes = {0};
	const char *cell[CURVE_COLUMNS];

	for (size_t i = 0; i < measured->curve.n_notes; i++)
		str_addf(&notes, "%s%s", i ? "\n" : "", measured->curve.note[i]);
	cell[0] = key;
	cell[1] = measured->machine;
	cell[2] = measured->probe;
	cell[3] = measured->whole ? "1" : "0";
	cell[4] = measured->curve.x_name;
	cell[5] = measured->curve.y_name;
	cell[6] = str_text(&notes);
	session_table_add(out, cell);
	str_free(&notes);
}

static void
add_point(const struct curve_point *p, const char *key, struct session_table *out)
{
	const double value[POINT_COLUMNS - 1] = {p->x, p->min, p->mean, p->max};
	char *text[POINT_COLUMNS - 1];
	const char *cell[POINT_COLUMNS] = {key};

	for (size_t i = 0; i < POINT_COLUMNS - 1; i++)
		cell[i + 1] = text[i] = str_format("%.15g", value[i]);
	session_table_add(out, cell);
	for (size_t i = 0; i < POINT_COLUMNS - 1; i++)
		free(text[i]);
}

bool
probe_store_write(struct session_file *file, const struct probe_book *book, struct err *e)
{
	struct session_table curves = {.n_columns = session_table_columns(SESSION_TABLE_CURVE)},
		points = {.n_columns = session_table_columns(SESSION_TABLE_CURVE_POINT)};
	bool good = true;

	for (size_t i = 0; i < book->n_measured && good; i++) {
		const struct probe_measured *measured = book->measured[i];
		char *key = probe_store_key_of(measured);

		if (!measured->stored.head)
			add_curve(measured, key, &curves);
		if (!measured->stored.begun) /* an earlier curve of this name has other points */
			good = session_table_drop(file, SESSION_TABLE_CURVE_POINT, key, e);
		for (size_t k = measured->stored.points; k < measured->curve.n; k++)
			add_point(&measured->curve.point[k], key, &points);
		free(key);
	}
	good = good && session_table_write(file, SESSION_TABLE_CURVE, &curves, false, e) &&
		session_table_write(file, SESSION_TABLE_CURVE_POINT, &points, false, e);
	session_table_clear(&curves);
	session_table_clear(&points);
	return good;
}

void
probe_store_written(struct probe_book *b)
{
	for (size_t i = 0; i < b->n_measured; i++)
		b->measured[i]->stored =
			(struct probe_stored){.begun = true, .head = true, .points = b->measured[i]->curve.n};
}

void
probe_store_forget(struct probe_book *b)
{
	for (size_t i = 0; b && i < b->n_measured; i++)
		b->measured[i]->stored = (struct probe_stored){0};
}

bool
probe_store_try(const char *path, struct err *e)
{
	struct session_file *f = session_file_open(path, e);

	session_file_close(f);
	return f != NULL;
}

bool
probe_store_append(
	const char *path, const char *machine, const char *probe, const struct curve *curve, bool whole, struct err *e)
{
	struct session_file *file = session_file_open(path, e);
	struct probe_book *book = probe_book_new();
	struct probe_measured *measured = probe_book_begin(book, machine, probe);
	bool good;

	measured->curve.x_name = curve->x_name ? mem_str(curve->x_name) : NULL;
	measured->curve.y_name = curve->y_name ? mem_str(curve->y_name) : NULL;
	for (size_t i = 0; i < curve->n; i++)
		probe_book_point(measured, i, &curve->point[i]);
	for (size_t i = 0; i < curve->n_notes; i++)
		curve_note(&measured->curve, mem_str(curve->note[i]));
	probe_book_end(book, measured, whole);
	good = file && session_file_begin(file, e) && probe_store_write(file, book, e) && session_file_commit(file, e);
	probe_book_free(book);
	session_file_close(file);
	return good;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static bool
probe_store_number_of(const struct session_table *t, size_t row, size_t column, double *out)
{
	return str_to_double(session_table_cell(t, row, column), out);
}

static bool
take_point(const struct session_table *t, size_t row, struct probe_measured *m)
{
	struct curve_point p;

	if (!probe_store_number_of(t, row, 1, &p.x) || !probe_store_number_of(t, row, 2, &p.min) ||
		!probe_store_number_of(t, row, 3, &p.mean) || !probe_store_number_of(t, row, 4, &p.max))
		return false;
	probe_book_point(m, m->curve.n, &p);
	return true;
}

static void
probe_store_take_names(const struct session_table *table, size_t row, struct curve *curve)
{
	char **note = str_split(session_table_cell(table, row, 6), '\n', NULL);

	if (*session_table_cell(table, row, 4))
		curve->x_name = mem_str(session_table_cell(table, row, 4));
	if (*session_table_cell(table, row, 5))
		curve->y_name = mem_str(session_table_cell(table, row, 5));
	for (size_t i = 0; note[i]; i++)
		if (*note[i])
			curve_note(curve, mem_str(note[i]));
	str_split_free(note);
}

/* The points of a curve are a run of rows, since they are sorted by its name. */
static bool
take_curve(const struct session_table *curves, size_t row, const struct session_table *points, struct probe_book *book)
{
	const char *key = session_table_cell(curves, row, 0);
	struct probe_measured *measured =
		probe_book_begin(book, session_table_cell(curves, row, 1), session_table_cell(curves, row, 2));
	bool good = true;

	probe_store_take_names(curves, row, &measured->curve);
	for (size_t i = 0; i < points->n_rows && good; i++)
		if (str_eq(session_table_cell(points, i, 0), key))
			good = take_point(points, i, measured);
	probe_book_end(book, measured, good && str_eq(session_table_cell(curves, row, 3), "1"));
	return good;
}

bool
probe_store_read(struct session_file *file, struct probe_book *book, size_t *n, struct err *e)
{
	struct session_table curves = {0}, points = {0};
	bool good = session_table_read(file, SESSION_TABLE_CURVE, &curves, e) &&
		session_table_read(file, SESSION_TABLE_CURVE_POINT, &points, e), sound = true;

	*n = good ? curves.n_rows : 0;
	for (size_t i = 0; i < *n; i++)
		sound &= take_curve(&curves, i, &points, book);
	if (good && !sound)
		err_set(e, "a point of a curve is no number");
	probe_store_written(book);
	session_table_clear(&curves);
	session_table_clear(&points);
	return good && sound;
}

bool
probe_store_holds(const char *path)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct session_table curves = {0};
	bool holds = f && session_table_read(f, SESSION_TABLE_CURVE, &curves, &e) && curves.n_rows > 0;

	session_table_clear(&curves);
	session_file_close(f);
	return holds;
}

bool
probe_store_is_for(const char *path)
{
	static const char *const ending[] = {".hec", ".hecate"};
	bool named = false;

	if (!path)
		return false;
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		named |= str_ends(path, ending[i]);
	return recording_is(path) || (named && access(path, F_OK) != 0);
}
