#include "app/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/files.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "collect/session/session_file.h"
#include "core/obs/obs.h"

/* Its observations know themselves whether they are exact; `exact` says it of all. */
static struct obs_table *
read_session(const char *path, bool exact, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct obs_table *t = f ? session_file_read(f, NULL, e) : NULL;

	for (size_t i = 0; t && exact && i < t->n; i++)
		t->obs[i]->exact = true;
	session_file_close(f);
	return t;
}

struct obs_table *
data_read(const char *path, bool exact, struct err *e)
{
	struct obs_table *t = NULL;
	size_t n;
	char *text;

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
