#include "app/recording.h"

#include <stdlib.h>
#include <string.h>

#include "app/texts.h"
#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

struct recording {
	struct session_file *file;
	struct session_writer *writer;
};

bool
recording_is(const char *path)
{
	return session_file_is(path);
}

static bool
load(const char *path, struct session_model *m, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	bool good = f && session_file_model(f, m, e);

	session_file_close(f);
	return good;
}

/* The file brings something else than is asked for, or nothing. */
static bool
refuse(const char *path, const struct session_model *m, enum session_text wanted, struct err *e)
{
	const char *word = text_word(wanted), *command = text_command(wanted);

	if (!m->path) {
		err_set(e, "%s holds no %s: which one is it to be judged by?", path, word);
		return err_hint(e, "the %s comes first: hecate %s %s %s", word, command, wanted == SESSION_MODEL ? "MODEL" : wanted == SESSION_NETWORK ? "NETWORK" : "STACK", path);
	}
	err_set(e, "%s is data of the %s %s and brings no %s", path, text_word(m->kind), m->name, word);
	return err_hint(e, "hecate %s %s looks at it; or the %s comes first: hecate %s %s %s", text_command(m->kind), path, word, command,
			wanted == SESSION_MODEL ? "MODEL" : wanted == SESSION_NETWORK ? "NETWORK" : "STACK", path);
}

bool
recording_brings(const char *path, enum session_text *kind, struct err *e)
{
	struct session_model m = {0};
	bool good = load(path, &m, e);

	if (good && !m.path) {
		err_set(e, "%s holds no model, network or stack", path);
		good = err_hint(e, "name the one that its data are to be looked at by");
	}
	*kind = m.kind;
	session_model_free(&m);
	return good;
}

bool
recording_load_text(const char *path, enum session_text kind, struct text *t, struct err *e)
{
	struct session_model m = {0};
	bool good = load(path, &m, e);

	if (good && (!m.path || m.kind != kind))
		good = refuse(path, &m, kind, e);
	if (good && m.n != 1) {
		err_set(e, "%s is damaged: its %s is %zu files, and should be one", path, text_word(kind), m.n);
		good = err_hint(e, "give the %s by its own file: hecate %s FILE %s", text_word(kind), text_command(kind), path);
	}
	if (good) { /* the texts move over */
		*t = (struct text){m.path, m.file[0].text, m.file[0].n};
		m.path = NULL;
		m.file[0].text = NULL;
	}
	session_model_free(&m);
	return good;
}

bool
recording_load_model(const char *path, struct bundle *b, struct err *e)
{
	struct session_model m = {0};
	bool good = load(path, &m, e);

	if (good && (!m.path || m.kind != SESSION_MODEL))
		good = refuse(path, &m, SESSION_MODEL, e);
	if (!good) {
		session_model_free(&m);
		return false;
	}
	/* The texts move over. */
	*b = (struct bundle){.path = m.path, .file = m.file, .n = m.n, .cap = m.n, .include_dir = m.include_dir, .n_include_dirs = m.n_include_dirs};
	free(m.name);
	return true;
}

char *
recording_command(char *const *argv)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};

	json_open(&w, NULL, '[');
	for (; *argv; argv++)
		json_str(&w, NULL, *argv);
	json_close(&w, ']');
	return str_take(&text);
}

/* `text` may be NULL: the file keeps what it brings. */
static struct recording *
open_with(const char *path, const struct session_model *text, char *const *argv, struct err *e)
{
	struct session_file *f = session_file_open(path, e);
	char *command = argv ? recording_command(argv) : NULL;
	struct recording *r = NULL;

	if (f && text && !session_file_add_model(f, text, e)) {
		session_file_close(f);
		f = NULL;
	}
	if (f) {
		r = mem_new(sizeof *r);
		r->file = f;
		r->writer = session_writer_new(f, command);
	}
	free(command);
	return r;
}

struct recording *
recording_open(const char *path, const struct udd_model *m, const struct bundle *b, char *const *argv, struct err *e)
{
	struct session_model text;

	if (!b)
		return open_with(path, NULL, argv, e);
	/* A view of the bundle: nothing is owned. The model's name is text in its arena. */
	text = (struct session_model){
		.name = (char *)(uintptr_t)m->name, .path = b->path, .file = b->file, .n = b->n, .include_dir = b->include_dir, .n_include_dirs = b->n_include_dirs,
	};
	return open_with(path, &text, argv, e);
}

struct recording *
recording_open_text(const char *path, enum session_text kind, const char *name, const struct text *t, char *const *argv, struct err *e)
{
	struct udd_file file = {.name = t->path, .text = t->text, .n = t->n};

	return open_with(path, &(struct session_model){.kind = kind, .name = (char *)(uintptr_t)name, .path = t->path, .file = &file, .n = 1}, argv, e);
}

bool
recording_follow(struct recording *r, const struct obs_table *t, struct err *e)
{
	return session_writer_write(r->writer, t, e);
}

size_t
recording_rows(const struct recording *r)
{
	return session_writer_rows(r->writer);
}

bool
recording_add(struct recording *r, struct obs_table *const *t, size_t n, struct err *e)
{
	bool good = session_file_begin(r->file, e);

	for (size_t i = 0; i < n && good; i++) {
		struct session_writer *w = session_writer_new(r->file, NULL);

		good = session_writer_write(w, t[i], e);
		session_writer_free(w);
	}
	return good && session_file_commit(r->file, e);
}

void
recording_close(struct recording *r)
{
	if (!r)
		return;
	session_writer_free(r->writer);
	session_file_close(r->file);
	free(r);
}
