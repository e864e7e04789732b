#include "app/recording.h"

#include <stdlib.h>
#include <string.h>

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

bool
recording_load_model(const char *path, struct bundle *b, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct session_model m = {0};
	bool good = f && session_file_model(f, &m, e);

	session_file_close(f);
	if (good && !m.path) {
		err_set(e, "%s holds no model: which one is it to be judged by?", path);
		good = err_hint(e, "the model comes first: hecate check MODEL %s", path);
	}
	if (!good)
		return false;
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

struct recording *
recording_open(const char *path, const struct udd_model *m, const struct bundle *b, char *const *argv, struct err *e)
{
	struct session_file *f = session_file_open(path, e);
	char *command = argv ? recording_command(argv) : NULL;
	struct recording *r = NULL;

	if (f && b) {
		/* A view of the bundle: nothing is owned. The model's name is text in its arena. */
		struct session_model text = {
			.name = (char *)(uintptr_t)m->name, .path = b->path, .file = b->file, .n = b->n,
			.include_dir = b->include_dir, .n_include_dirs = b->n_include_dirs,
		};

		if (!session_file_add_model(f, &text, e)) {
			session_file_close(f);
			f = NULL;
		}
	}
	if (f) {
		r = mem_new(sizeof *r);
		r->file = f;
		r->writer = session_writer_new(f, command);
	}
	free(command);
	return r;
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
