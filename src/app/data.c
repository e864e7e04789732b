#include "app/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/files.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"

struct obs_table *
data_read(const char *path, bool exact, struct err *e)
{
	struct obs_table *t = NULL;
	size_t n;
	char *text = file_read(path, IMPORT_FILE_MAX, &n, e);

	if (text)
		t = import_read(str_eq(path, "-") ? "stdin" : path, text, n, exact, e);
	free(text);
	return t;
}

struct obs_table *
data_copy(const struct obs_table *t)
{
	struct obs_table *c = obs_table_new((const char *const *)t->column, t->n_columns);

	for (size_t i = 0; i < t->n; i++) {
		const struct obs *from = t->obs[i];
		struct obs *to = obs_table_add(c, from->name, from->source);

		to->exact = from->exact;
		to->decimals = from->decimals;
		memcpy(to->health, from->health, from->n_columns * sizeof *to->health);
		to->tasks = from->tasks;
		for (size_t row = 0; row < from->n_rows; row++) {
			size_t first = row * from->n_columns;

			obs_add_row(to, from->count + first, from->counted + first, from->time ? from->time[row] : NAN);
			for (size_t k = 0; k < from->n_columns && (from->running || from->error); k++)
				obs_set_quality(to, k, from->running ? from->running[first + k] : 1, from->error ? from->error[first + k] : 0);
		}
	}
	for (size_t i = 0; i < t->n_notes; i++)
		obs_table_note(c, mem_str(t->note[i]));
	return c;
}
