#include "app/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/files.h"
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
		for (size_t row = 0; row < from->n_rows; row++)
			obs_add_row(to, from->count + row * from->n_columns, from->counted + row * from->n_columns, from->time ? from->time[row] : NAN);
	}
	return c;
}
