#include "work/files/data.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "collect/store/session_file.h"
#include "core/obs/damage.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "work/files/files.h"
#include "work/files/ingest_mark.h"
#include "work/files/simulation.h"

#define FOLDERS_DEEP 32

/* True when every counted cell of the column was counted all of the time. Rows that never count it do not matter. */
static bool
is_total(const struct obs *obs, size_t column)
{
	size_t counted = 0;

	for (size_t row = 0; row < obs->n_rows; row++) {
		size_t cell = row * obs->n_columns + column;

		if ((obs->running && obs->running[cell] < 1) || (obs->error && obs->error[cell] > 0))
			return false;
		counted += obs_samples_in_cell(obs, row, column);
	}
	return !counted || counted == obs_samples(obs);
}

/* Observations of a session file are marked exact or not; here the user declares all of them exact. Columns that cannot
 * be exact are left out. */
static void
take_as_exact(const char *path, struct obs_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		struct obs *obs = table->obs[i];
		struct str left = {0};

		for (size_t k = 0; k < obs->n_columns && !obs->exact; k++) {
			if (is_total(obs, k))
				continue;
			obs_forget_column(obs, k, OBS_ABSENT);
			str_addf(&left, "%s%s", left.n ? ", " : "", table->column[k]);
		}
		if (left.n)
			obs_table_note(table, OBS_NOTE_INEXACT,
				str_format("%s: left out in %s, because some of its rows have no "
					"exact count: %s", path, obs->name, str_text(&left)));
		str_free(&left);
		obs->exact = true;
	}
}

static void
say_unfinished(struct session_file *f, struct obs_table *t)
{
	char *text = ingest_mark_text(f);

	if (text)
		obs_table_note(t, OBS_NOTE_OTHER, text);
}

static struct obs_table *
read_session(const char *path, bool exact, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct obs_table *t = f ? session_file_read(f, e) : NULL;

	if (t)
		say_unfinished(f, t);
	session_file_close(f);
	if (t && exact)
		take_as_exact(path, t);
	return t;
}

static bool
is_session(const char *path)
{
	return !str_eq(path, "-") && session_file_is(path);
}

struct obs_table *
data_open(const char *path, bool exact, struct err *e)
{
	struct session_file *f;

	if (exact || !is_session(path)) /* only reading everything shows which columns are not exact */
		return data_read(path, exact, e);
	f = session_file_open_to_read(path, e);
	return f ? session_file_read_far(f, SESSION_NEAR_CELLS, e) : NULL;
}

struct obs_table *
data_read(const char *path, bool exact, struct err *e)
{
	return data_read_watched(path, exact, NULL, e);
}

struct data_progress
data_progress(const struct feed *f, size_t rows)
{
	return (struct data_progress){
		.name = f->name, .bytes = feed_at(f, f->p), .size = f->size, .rows = rows, .waiting = f->waiting};
}

static bool
data_go_on(void *ctx, const struct feed *f)
{
	const struct data_watch *w = ctx;
	struct data_progress p = data_progress(f, 0);

	return w->go_on(w->ctx, &p);
}

/* Reads the text once. *again: a file has fewer cells than its size promised; it has to be read without `expect`. */
static struct obs_table *
data_read_text(
	const char *name, int fd, bool exact, bool expect, const struct data_watch *watch, bool *again, struct err *e)
{
	const struct import_how how = {
		.exact = exact, .near = watch && watch->totals ? SIZE_MAX : GATHER_NEAR_CELLS, .expect = expect};
	struct data_watch own = watch ? *watch : (struct data_watch){0};
	struct obs_table *table;
	struct feed f;

	feed_open(&f, name, fd);
	if (watch && watch->go_on)
		f.watch = (struct feed_watch){.go_on = data_go_on, .ctx = &own};
	table = import_read_feed(&f, &how, e);
	if (table && f.stopped)
		obs_table_note(table, OBS_NOTE_CUT,
			str_format("%s: stopped by Ctrl-C: only what had arrived by then is used", name));
	*again = f.hasty;
	feed_close(&f);
	if (!*again)
		return table;
	obs_table_free(table);
	return NULL;
}

/* Reads a file of any kind as it is. */
static struct obs_table *
read_any(const char *path, bool exact, const struct data_watch *watch, struct err *e)
{
	const char *name = str_eq(path, "-") ? "stdin" : path;
	struct obs_table *table;
	struct err first = {0};
	bool again;
	int fd;

	if (simulation_is(path))
		return simulation_read(path, exact, e);
	if (is_session(path))
		return read_session(path, exact, e);
	fd = file_open(path, e);
	if (fd < 0)
		return NULL;
	table = data_read_text(name, fd, exact, true, watch, &again, &first);
	if (again) /* a file of known size: reading it has not moved the descriptor */
		table = data_read_text(name, fd, exact, false, watch, &again, e);
	else if (!table && e)
		*e = first;
	file_close(fd);
	return table;
}

struct obs_table *
data_read_watched(const char *path, bool exact, const struct data_watch *watch, struct err *e)
{
	struct obs_table *t = read_any(path, exact, watch, e);

	if (!t || simulation_is(path))
		return t;
	if (t->n > DATA_OBSERVATIONS_MAX) {
		err_set(e, "%s has %zu observations; at most %zu are judged at once", path, t->n,
			DATA_OBSERVATIONS_MAX);
		err_hint(
			e, "split the file, or name alike what belongs together: rows of one name are one observation");
		obs_table_free(t);
		return NULL;
	}
	obs_table_mend(t, path);
	if (!watch || !watch->totals || obs_table_take_differences(t, path, e))
		return t;
	obs_table_free(t);
	return NULL;
}

struct obs_table *
data_copy(const struct obs_table *t)
{
	struct obs_table *c = obs_table_new((const char *const *)t->column, t->n_columns);

	for (size_t i = 0; i < t->n; i++)
		obs_table_add_part(c, t->obs[i], t->obs[i]->name, 0, t->obs[i]->n_rows);
	for (size_t i = 0; i < t->n_notes; i++)
		obs_table_note(c, i < t->n_about ? (enum obs_note)t->about[i] : OBS_NOTE_OTHER, mem_str(t->note[i]));
	return c;
}

bool
data_wanted(const char *pattern, const char *name, bool phases)
{
	const char *at = phases ? strrchr(name, '@') : NULL;
	char *whole;
	bool wanted;

	if (!pattern || fnmatch(pattern, name, 0) == 0)
		return true;
	if (!at)
		return false;
	whole = mem_strn(name, (size_t)(at - name));
	wanted = fnmatch(pattern, whole, 0) == 0;
	free(whole);
	return wanted;
}

static int
data_order(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

char **
data_files(const char *path, struct err *e)
{
	char *root[] = {mem_str(path), NULL}, **file = NULL;
	size_t n = 0, cap = 0;
	struct stat st;
	FTSENT *entry;
	FTS *tree = NULL;

	mem_grow(&file, &cap, 2, sizeof *file);
	if (str_eq(path, "-") || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		file[n++] = mem_str(path);
	else if (!(tree = fts_open(root, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, data_order)))
		err_set(e, "cannot read the folder %s: %s", path, strerror(errno));
	while (tree && n <= DATA_FILES_MAX && (entry = fts_read(tree))) {
		bool hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';

		if (entry->fts_info == FTS_D && (hidden || entry->fts_level >= FOLDERS_DEEP))
			fts_set(tree, entry, FTS_SKIP);
		if (entry->fts_info == FTS_F && !hidden) {
			mem_grow(&file, &cap, n + 2, sizeof *file);
			file[n++] = mem_str(entry->fts_path);
		}
	}
	file[n] = NULL;
	if (tree)
		fts_close(tree);
	free(root[0]);
	if (n && n <= DATA_FILES_MAX)
		return file;
	if (n)
		err_set(e, "%s has more than %d files", path, DATA_FILES_MAX);
	else if (!*e->what)
		err_set(e, "the folder %s has no files", path);
	str_split_free(file);
	err_hint(e, "name a smaller folder");
	return NULL;
}
