#include "app/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/files.h"
#include "app/simulation.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "collect/session/session_file.h"
#include "core/obs/obs.h"

/* Was every cell of the column counted, and all of the time? Rows that never count it say nothing. */
static bool
is_total(const struct obs *o, size_t column)
{
	size_t counted = 0;

	for (size_t row = 0; row < o->n_rows; row++) {
		size_t cell = row * o->n_columns + column;

		if ((o->running && o->running[cell] < 1) || (o->error && o->error[cell] > 0))
			return false;
		counted += o->counted[cell];
	}
	return !counted || counted == o->n_rows;
}

/* The observations of a session file know themselves whether they are exact; here it is said of all. What cannot be is left out. */
static void
take_as_exact(const char *path, struct obs_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct obs *o = t->obs[i];
		struct str left = {0};

		for (size_t k = 0; k < o->n_columns && !o->exact; k++) {
			if (is_total(o, k))
				continue;
			obs_forget_column(o, k, OBS_ABSENT);
			str_addf(&left, "%s%s", left.n ? ", " : "", t->column[k]);
		}
		if (left.n)
			obs_table_note(t, str_format("%s: left out in %s, because some of its rows have no exact count: %s", path, o->name, str_text(&left)));
		str_free(&left);
		o->exact = true;
	}
}

static struct obs_table *
read_session(const char *path, bool exact, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct obs_table *t = f ? session_file_read(f, NULL, e) : NULL;

	session_file_close(f);
	if (t && exact)
		take_as_exact(path, t);
	return t;
}

struct obs_table *
data_read(const char *path, bool exact, struct err *e)
{
	struct obs_table *t = NULL;
	size_t n;
	char *text;

	if (simulation_is(path))
		return simulation_read(path, exact, e);
	if (!str_eq(path, "-") && session_file_is(path))
		return read_session(path, exact, e);
	text = file_read(path, IMPORT_FILE_MAX, &n, e);
	if (text)
		t = import_read(str_eq(path, "-") ? "stdin" : path, text, n, exact, e);
	free(text);
	return t;
}

struct obs_table *
data_copy(const struct obs_table *t)
{
	struct obs_table *c = obs_table_new((const char *const *)t->column, t->n_columns);

	for (size_t i = 0; i < t->n; i++)
		obs_table_add_part(c, t->obs[i], t->obs[i]->name, 0, t->obs[i]->n_rows);
	for (size_t i = 0; i < t->n_notes; i++)
		obs_table_note(c, mem_str(t->note[i]));
	return c;
}
