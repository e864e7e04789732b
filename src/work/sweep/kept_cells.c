#include "work/sweep/kept_cells.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "shape/shape.h"
#include "shape/wire.h"
#include "work/sweep/sweep_cell.h"

struct kept_cells {
	struct session_file *file;
	struct session_table before; /* keys and cells as hexadecimal digits, sorted by key */
};

struct kept_cells *
kept_cells_open(const char *path, struct err *e)
{
	struct session_file *file = session_file_open(path, e);
	struct kept_cells *kept;

	if (!file)
		return NULL;
	kept = mem_new(sizeof *kept);
	kept->file = file;
	if (session_table_read(file, SESSION_TABLE_SETTING, &kept->before, e))
		return kept;
	kept_cells_close(kept);
	return NULL;
}

void
kept_cells_close(struct kept_cells *kept)
{
	if (!kept)
		return;
	session_table_clear(&kept->before);
	session_file_close(kept->file);
	free(kept);
}

static int
digit_value(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = digit ? strchr(digits, digit) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The file may be a stranger's. */
static bool
kept_take_cell(const char *digits, struct sweep_cell *cell)
{
	struct wire w = {.reading = true, .n = strlen(digits) / 2};
	bool good = true;

	w.data = mem_new(w.n + 1);
	for (size_t i = 0; i < w.n && good; i++) {
		int high = digit_value(digits[2 * i]), low = digit_value(digits[2 * i + 1]);

		good = high >= 0 && low >= 0;
		w.data[i] = (unsigned char)(good ? high << 4 | low : 0);
	}
	if (good)
		shape_wire(&w, &sweep_cell_shape, cell);
	good = good && !w.bad && w.at == w.n;
	if (!good) {
		shape_clear(&sweep_cell_shape, cell);
		*cell = (struct sweep_cell){0};
	}
	wire_free(&w);
	return good;
}

bool
kept_cells_find(const struct kept_cells *kept, const char *key, struct sweep_cell *cell)
{
	size_t low = 0, high = kept->before.n_rows;

	while (low < high) {
		size_t at = low + (high - low) / 2;
		int order = strcmp(session_table_cell(&kept->before, at, 0), key);

		if (order == 0)
			return kept_take_cell(session_table_cell(&kept->before, at, 1), cell);
		if (order < 0)
			low = at + 1;
		else
			high = at;
	}
	return false;
}

bool
kept_cells_add(struct kept_cells *kept, const char *key, struct sweep_cell *cell, struct err *e)
{
	struct session_table row = {.n_columns = session_table_columns(SESSION_TABLE_SETTING)};
	struct str digits = {0};
	struct wire w = {0};
	bool good;

	shape_wire(&w, &sweep_cell_shape, cell);
	for (size_t i = 0; i < w.n; i++)
		str_addf(&digits, "%02x", w.data[i]);
	session_table_add(&row, (const char *[]){key, str_text(&digits)});
	good = session_file_begin(kept->file, e) &&
		session_table_write(kept->file, SESSION_TABLE_SETTING, &row, false, e) &&
		session_file_commit(kept->file, e);
	if (!good)
		session_file_rollback(kept->file);
	session_table_clear(&row);
	str_free(&digits);
	wire_free(&w);
	return good;
}
