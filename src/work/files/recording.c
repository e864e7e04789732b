#include "work/files/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "collect/store/session_table.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/files/ingest.h"
#include "work/files/stored.h"
#include "work/files/texts.h"

struct recording {
	struct session_file *file;
	char *command; /* JSON; may be NULL */
	struct stored_tables tables;
};

bool
recording_is(const char *path)
{
	return session_file_is(path);
}

/* Reads the text that a session file brings. `wanted`: the last one of this kind, or of any kind if there is none;
 * NULL: of any kind. False and *e on failure. */
static bool
recording_load(const char *path, const enum text_kind *wanted, struct session_model *m, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	bool good = f && (!wanted || session_file_text(f, *wanted, m, e));

	if (good && !m->path)
		good = session_file_model(f, m, e);

	session_file_close(f);
	return good;
}

/* Sets the error for a file that brings another kind of text than the one asked for, or none. Always returns false. */
static bool
recording_refuse(const char *path, const struct session_model *model, enum text_kind wanted, struct err *e)
{
	const char *word = text_word(wanted), *command = text_command(wanted);

	if (!model->path) {
		err_set(e, "%s holds no %s to test it with", path, word);
		return shell_hint(e, "put the %s first: hecate %s %s %s", word, command,
			wanted == TEXT_MODEL             ? "MODEL"
				: wanted == TEXT_NETWORK ? "NETWORK"
					: "STACK",
			path);
	}
	err_set(e, "%s holds data of the %s %s, and no %s", path, text_word(model->kind), model->name, word);
	return shell_hint(e, "hecate %s %s shows it; or put the %s first: hecate %s %s %s", text_command(model->kind),
		path, word, command,
		wanted == TEXT_MODEL             ? "MODEL"
			: wanted == TEXT_NETWORK ? "NETWORK"
				: "STACK",
		path);
}

bool
recording_brings(const char *path, enum text_kind *kind, struct err *e)
{
	struct session_model m = {0};
	bool good = recording_load(path, NULL, &m, e);

	if (good && !m.path) {
		err_set(e, "%s holds no model, network or stack", path);
		good = err_hint(e, "name one to use with its data");
	}
	*kind = m.kind;
	session_model_free(&m);
	return good;
}

bool
recording_holds(const char *path, enum text_kind kind)
{
	struct session_model m = {0};
	struct err e = {0};
	bool holds = recording_load(path, &kind, &m, &e) && m.path && m.kind == kind;

	session_model_free(&m);
	return holds;
}

/* Moves the text to *out. False and *e when it is damaged. */
static bool
recording_take_text(const char *path, struct session_model *m, struct text *t, struct err *e)
{
	if (m->n != 1) {
		err_set(e, "%s is damaged: its %s is %zu files, and should be one", path, text_word(m->kind), m->n);
		return shell_hint(e, "give the %s by its own file: hecate %s FILE %s", text_word(m->kind),
			text_command(m->kind), path);
	}
	*t = (struct text){m->path, m->file[0].text, m->file[0].n};
	m->path = NULL;
	m->file[0].text = NULL;
	return true;
}

bool
recording_load_text(const char *path, enum text_kind kind, struct text *t, struct err *e)
{
	struct session_model m = {0};
	bool good = recording_load(path, &kind, &m, e);

	if (good && (!m.path || m.kind != kind))
		good = recording_refuse(path, &m, kind, e);
	good = good && recording_take_text(path, &m, t, e);
	session_model_free(&m);
	return good;
}

bool
recording_load_texts(const char *path, enum text_kind kind, struct text **t, size_t *n, struct err *e)
{
	struct session_file *file = session_file_open_to_read(path, e);
	struct session_model *model = NULL;
	size_t some = 0;
	bool good = file && session_file_texts(file, kind, &model, &some, e);

	session_file_close(file);
	*t = mem_new_array(some, sizeof **t);
	for (*n = 0; good && *n < some; *n += good)
		good = recording_take_text(path, &model[*n], &(*t)[*n], e);
	session_models_free(model, some);
	if (good)
		return true;
	while (*n)
		text_free(&(*t)[--*n]);
	free(*t);
	*t = NULL;
	return false;
}

/* Moves the texts to the bundle. False and *e: it is no model. */
static bool
take_model(const char *path, bool good, struct session_model *m, struct bundle *bundle, struct err *e)
{
	if (good && (!m->path || m->kind != TEXT_MODEL))
		good = recording_refuse(path, m, TEXT_MODEL, e);
	if (!good) {
		session_model_free(m);
		return false;
	}
	*bundle = (struct bundle){.path = m->path, .file = m->file, .n = m->n, .cap = m->n,
		.include_dir = m->include_dir, .n_include_dirs = m->n_include_dirs,
		.define = {m->define, m->n_defines}};
	free(m->own_name);
	return true;
}

bool
recording_load_model(const char *path, struct bundle *bundle, struct err *e)
{
	struct session_model m = {0};
	const enum text_kind kind = TEXT_MODEL;

	return take_model(path, recording_load(path, &kind, &m, e), &m, bundle, e);
}

bool
recording_load_model_at(const char *path, int64_t number, struct bundle *bundle, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct session_model m = {0};
	bool good = f && session_file_model_at(f, number, &m, e);

	session_file_close(f);
	return take_model(path, good, &m, bundle, e);
}

char *
recording_command(const char *const *argv)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};

	json_open(&w, NULL, '[');
	for (; *argv; argv++)
		json_str(&w, NULL, *argv);
	json_close(&w, ']');
	return str_take(&text);
}

/* Opens the recording. `text` may be NULL: the file keeps the text that it has. */
static struct recording *
open_with(const char *path, const struct session_model *text, const char *const *argv, struct err *e)
{
	struct session_file *file = session_file_open(path, e);
	char *command = argv ? recording_command(argv) : NULL;
	struct recording *recording;

	if (file && text && !session_file_add_model(file, text, e)) {
		session_file_close(file);
		file = NULL;
	}
	if (file) {
		recording = mem_new(sizeof *recording);
		recording->file = file;
		recording->command = command;
		return recording;
	}
	free(command);
	return NULL;
}

bool
recording_try(const char *path, struct err *e)
{
	struct session_file *f = session_file_open(path, e);

	session_file_close(f);
	return f != NULL;
}

struct recording *
recording_open(const char *path, const struct udd_model *m, const struct bundle *b, const char *const *argv,
	struct err *e)
{
	struct session_model text;

	if (!b)
		return open_with(path, NULL, argv, e);
	text = stored_model(m, b);
	return open_with(path, &text, argv, e);
}

struct recording *
recording_open_text(const char *path, enum text_kind kind, const char *name, const struct text *t,
	const char *const *argv, struct err *e)
{
	struct udd_file file;
	struct session_model text = stored_text(kind, name, t, &file);

	return open_with(path, &text, argv, e);
}

bool
recording_add_text(struct recording *r, enum text_kind kind, const char *name, const struct text *t, struct err *e)
{
	struct udd_file file;
	struct session_model text = stored_text(kind, name, t, &file);

	return session_file_add_model(r->file, &text, e);
}

bool
recording_follow(struct recording *r, const struct obs_table *t, struct err *e)
{
	return stored_follow(&r->tables, r->file, t, r->command, e);
}

struct session_file *
recording_file(const struct recording *r)
{
	return r->file;
}

const struct stored_tables *
recording_tables(const struct recording *r)
{
	return &r->tables;
}

void
recording_leave(struct recording *r, const struct obs_table *t)
{
	stored_leave(&r->tables, t);
}

size_t
recording_rows(const struct recording *r)
{
	return stored_rows(&r->tables);
}

size_t
recording_observations(const struct recording *r)
{
	return stored_observations(&r->tables);
}

bool
recording_ingest(struct recording *r, const struct ingest_how *how, struct ingest_result *result, struct err *e)
{
	return ingest_all(r->file, how, result, e);
}

/* Replaces places in the table by numbers in the file. */
static void
number_rows(const struct session_writer *writer, const struct session_table *truth, struct session_table *out)
{
	*out = (struct session_table){.n_columns = truth->n_columns};
	for (size_t i = 0; i < truth->n_rows; i++) {
		uint64_t at = 0;
		char *number;

		str_to_u64(session_table_cell(truth, i, 0), &at);
		number = str_format("%lld", (long long)session_writer_number(writer, (size_t)at));
		session_table_add(out,
			(const char *[]){number, session_table_cell(truth, i, 1), session_table_cell(truth, i, 2)});
		free(number);
	}
}

bool
recording_add_with_truth(
	struct recording *recording, const struct obs_table *table, const struct session_table *truth, struct err *e)
{
	struct session_writer *writer = session_writer_new(recording->file, recording->command);
	struct session_table rows = {0};
	bool good = session_file_begin(recording->file, e) && session_writer_write(writer, table, e);

	if (good) {
		number_rows(writer, truth, &rows);
		good = session_table_write(recording->file, SESSION_TABLE_TRUTH, &rows, false, e) &&
			session_file_commit(recording->file, e);
	}
	session_table_clear(&rows);
	session_writer_free(writer);
	return good;
}

bool
recording_set_end(struct recording *r, const char *text, struct err *e)
{
	return session_file_set_value(r->file, SESSION_END, text, e);
}

char *
recording_end(const char *path)
{
	struct err e = {0};
	struct session_file *file = session_file_open_to_read(path, &e);
	char *text = NULL;

	if (file && !session_file_value(file, SESSION_END, &text, &e))
		text = NULL;
	session_file_close(file);
	return text;
}

void
recording_close(struct recording *r)
{
	if (!r)
		return;
	stored_free(&r->tables);
	free(r->command);
	session_file_close(r->file);
	free(r);
}
