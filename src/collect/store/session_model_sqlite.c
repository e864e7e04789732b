#include "collect/store/session_file.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_guard.h"
#include "collect/store/session_table.h"
#include "collect/store/session_store.h"
#include "core/udd/include.h"
#include "core/udd/model.h"

void
session_model_free(struct session_model *model)
{
	for (size_t i = 0; i < model->n; i++) {
		free(model->file[i].name);
		free(model->file[i].text);
	}
	for (size_t i = 0; i < model->n_include_dirs; i++)
		free(model->include_dir[i]);
	for (size_t i = 0; i < model->n_defines; i++)
		free(model->define[i]);
	free(model->file);
	free(model->include_dir);
	free(model->define);
	free(model->own_name);
	free(model->path);
	*model = (struct session_model){0};
}

static const char *const kind_word[] = {
	[TEXT_MODEL] = "model", [TEXT_NETWORK] = "network", [TEXT_STACK] = "stack"
};

/* Returns the index of the first file with the same identity, because a file may have been reached by two names. */
static size_t
same_as(const struct session_model *m, size_t i)
{
	size_t k = 0;

	while (m->file[k].dev != m->file[i].dev || m->file[k].ino != m->file[i].ino)
		k++;
	return k;
}

static bool
same_texts(char *const *a, size_t n_a, char *const *b, size_t n_b)
{
	for (size_t i = 0; i < n_a && n_a == n_b; i++)
		if (!str_eq(a[i], b[i]))
			return false;
	return n_a == n_b;
}

static bool
session_model_sqlite_is_same(const struct session_model *a, const struct session_model *b)
{
	if (a->kind != b->kind || !a->path || !str_eq(a->path, b->path) || !str_eq(a->name, b->name) || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!str_eq(a->file[i].name, b->file[i].name) || a->file[i].n != b->file[i].n ||
			memcmp(a->file[i].text, b->file[i].text, a->file[i].n) != 0)
			return false;
	return same_texts(a->include_dir, a->n_include_dirs, b->include_dir, b->n_include_dirs)
		&& same_texts(a->define, a->n_defines, b->define, b->n_defines);
}

/* Inserts a list of texts, one per row. */
static bool
insert_list(struct session_file *file, const char *sql, int64_t id, char *const *text, size_t n, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(file, sql, e);
	bool good = s != NULL;

	for (size_t i = 0; i < n && good; i++) {
		sqlite3_bind_int64(s, 1, id);
		sqlite3_bind_int64(s, 2, (int64_t)i);
		sqlite3_bind_text(s, 3, text[i], -1, SQLITE_STATIC);
		good = session_store_step(file, s, e);
	}
	sqlite3_finalize(s);
	return good;
}

static bool
insert_parts(struct session_file *session_file, const struct session_model *model, int64_t id, struct err *e)
{
	sqlite3_stmt *file = session_store_prepare(session_file, "INSERT INTO model_file VALUES(?,?,?,?,?)", e);
	bool good = file != NULL;

	for (size_t i = 0; i < model->n && good; i++) {
		sqlite3_bind_int64(file, 1, id);
		sqlite3_bind_int64(file, 2, (int64_t)i);
		sqlite3_bind_text(file, 3, model->file[i].name, -1, SQLITE_STATIC);
		sqlite3_bind_int64(file, 4, (int64_t)same_as(model, i));
		sqlite3_bind_blob(
			file, 5, model->file[i].n ? model->file[i].text : "", (int)model->file[i].n, SQLITE_STATIC);
		good = session_store_step(session_file, file, e);
	}
	sqlite3_finalize(file);
	return good &&
		insert_list(session_file, "INSERT INTO model_folder VALUES(?,?,?)", id, model->include_dir,
			model->n_include_dirs, e) &&
		insert_list(
			session_file, "INSERT INTO model_define VALUES(?,?,?)", id, model->define, model->n_defines, e);
}

static bool
session_model_sqlite_insert(struct session_file *file, const struct session_model *model, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(file, "INSERT INTO model(name,path,added,kind) VALUES(?,?,?,?)", e);
	char now[SESSION_TIME_TEXT];
	bool good;

	if (!s)
		return false;
	session_store_now(now);
	session_guard_long_texts(file, true);
	sqlite3_bind_text(s, 1, model->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, model->path, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 3, now, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 4, kind_word[model->kind], -1, SQLITE_STATIC);
	good = session_store_step(file, s, e) &&
		insert_parts(file, model, sqlite3_last_insert_rowid(file->db), e) &&
		session_store_run(file, "DELETE FROM value WHERE key = 'opens'", e);
	sqlite3_finalize(s);
	session_guard_long_texts(file, false);
	return good;
}

bool
session_file_add_model(struct session_file *file, const struct session_model *model, struct err *e)
{
	struct session_model last;
	bool own = sqlite3_get_autocommit(file->db), good;

	if (!session_file_model(file, &last, e))
		return false;
	good = session_model_sqlite_is_same(&last, model);
	session_model_free(&last);
	if (good)
		return true;
	if (own && !session_file_begin(file, e))
		return false;
	if (session_model_sqlite_insert(file, model, e) && (!own || session_file_commit(file, e)))
		return true;
	if (own && !sqlite3_get_autocommit(file->db))
		session_store_run(file, "ROLLBACK", NULL);
	return false;
}

/* Returns false and sets *e when the model has more files or bytes than one can have. */
static bool
take_file(struct session_file *file, struct session_model *model, sqlite3_stmt *s, size_t *cap, struct err *e)
{
	const char *text = sqlite3_column_blob(s, 2);
	size_t n = (size_t)sqlite3_column_bytes(s, 2), all = n;

	for (size_t i = 0; i < model->n; i++)
		all += model->file[i].n;
	if (model->n >= UDD_FILES_MAX)
		return session_guard_too_many(file, "files of one model", UDD_FILES_MAX, e);
	if (all > UDD_TEXT_MAX)
		return session_guard_too_many(file, "bytes of one model", UDD_TEXT_MAX, e);
	mem_grow(&model->file, cap, model->n + 1, sizeof *model->file);
	model->file[model->n++] = (struct udd_file){
		.name = session_store_text(s, 0), .text = mem_strn(text ? text : "", n), .n = n,
		.ino = (uint64_t)sqlite3_column_int64(s, 1) + 1,
	};
	return true;
}

/* Reads at most `most` texts; *e calls them `what` if there are more. */
static bool
read_list(struct session_file *file, const char *sql, int64_t id, const char *what, char ***text, size_t *n,
	struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(file, sql, e);
	size_t cap = 0;
	int got = SQLITE_ERROR;
	bool fits = true;

	if (!s)
		return false;
	sqlite3_bind_int64(s, 1, id);
	while (fits && (got = sqlite3_step(s)) == SQLITE_ROW) {
		fits = *n < UDD_FILES_MAX || session_guard_too_many(file, what, UDD_FILES_MAX, e);
		if (fits) {
			mem_grow(text, &cap, *n + 1, sizeof **text);
			(*text)[(*n)++] = session_store_text(s, 0);
		}
	}
	if (fits && got != SQLITE_DONE)
		session_store_fail(file, e);
	sqlite3_finalize(s);
	return fits && got == SQLITE_DONE;
}

static bool
session_model_sqlite_read_files(struct session_file *file, int64_t id, struct session_model *model, struct err *e)
{
	sqlite3_stmt *s =
		session_store_prepare(file, "SELECT name, same, text FROM model_file WHERE model=? ORDER BY at", e);
	size_t cap = 0;
	int got = SQLITE_ERROR;
	bool fits = true;

	if (!s)
		return false;
	session_guard_long_texts(file, true);
	sqlite3_bind_int64(s, 1, id);
	while (fits && (got = sqlite3_step(s)) == SQLITE_ROW)
		fits = take_file(file, model, s, &cap, e);
	if (fits && got != SQLITE_DONE)
		session_store_fail(file, e);
	sqlite3_finalize(s);
	session_guard_long_texts(file, false);
	return fits && got == SQLITE_DONE;
}

static bool
read_parts(struct session_file *f, int64_t id, struct session_model *m, struct err *e)
{
	if (!session_model_sqlite_read_files(f, id, m, e) ||
		!read_list(f, "SELECT path FROM model_folder WHERE model=? ORDER BY at", id, "folders of one model",
			&m->include_dir, &m->n_include_dirs, e))
		return false;
	/* Before version 5 there were no definitions for m4. */
	return f->version < 5 ||
		read_list(f, "SELECT text FROM model_define WHERE model=? ORDER BY at", id, "definitions of one model",
			&m->define, &m->n_defines, e);
}

static bool
take_kind(const struct session_file *f, sqlite3_stmt *s, struct session_model *m, struct err *e)
{
	const char *word = (const char *)sqlite3_column_text(s, 3);

	for (size_t i = 0; i < sizeof kind_word / sizeof *kind_word && word; i++)
		if (str_eq(word, kind_word[i])) {
			m->kind = (enum text_kind)i;
			return true;
		}
	return session_store_damaged(f, e, "the kind of its model");
}

/* The text that the file opens with first, then the newest. Since version 9 the key `opens` names one that is not the
 * newest. */
#define NEWEST "id = coalesce((SELECT CAST(value AS INTEGER) FROM value WHERE key = 'opens'), 0) DESC, id DESC"

/* Prepares a list of the texts, the newest first. `word`: their kind; NULL: any kind. */
static sqlite3_stmt *
select_texts(struct session_file *f, const char *word, struct err *e)
{
	/* Before version 3 there were only models. */
	const char *sql = f->version < 3
		? "SELECT id, name, path, 'model' FROM model WHERE 'model'=coalesce(?, 'model') ORDER BY " NEWEST
		: "SELECT id, name, path, kind FROM model WHERE kind=coalesce(?, kind) ORDER BY " NEWEST;
	sqlite3_stmt *s = session_store_prepare(f, sql, e);

	if (s)
		sqlite3_bind_text(s, 1, word, -1, SQLITE_STATIC); /* a NULL word binds NULL */
	return s;
}

/* Reads the statement's current row. The caller frees *m in either case. */
static bool
session_model_sqlite_take_text(struct session_file *f, sqlite3_stmt *s, struct session_model *m, struct err *e)
{
	*m = (struct session_model){.own_name = session_store_text(s, 1), .path = session_store_text(s, 2)};
	m->name = m->own_name;
	return take_kind(f, s, m, e) && read_parts(f, sqlite3_column_int64(s, 0), m, e);
}

static bool
read_last(struct session_file *file, const char *word, struct session_model *model, struct err *e)
{
	sqlite3_stmt *s = select_texts(file, word, e);
	int got = s ? sqlite3_step(s) : SQLITE_ERROR;
	bool good = got == SQLITE_DONE;

	*model = (struct session_model){0};
	if (got == SQLITE_ROW)
		good = session_model_sqlite_take_text(file, s, model, e);
	else if (s && !good)
		session_store_fail(file, e);
	if (!good)
		session_model_free(model);
	sqlite3_finalize(s);
	return good;
}

void
session_models_free(struct session_model *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		session_model_free(&m[i]);
	free(m);
}

static bool
has_name(const struct session_model *m, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(m[i].name, name))
			return true;
	return false;
}

bool
session_file_texts(struct session_file *file, enum text_kind kind, struct session_model **m, size_t *n, struct err *e)
{
	sqlite3_stmt *s = select_texts(file, kind_word[kind], e);
	int got = SQLITE_ERROR;
	bool good = s != NULL;
	size_t cap = 0;

	*m = NULL;
	*n = 0;
	while (good && (got = sqlite3_step(s)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(s, 1);

		if (has_name(*m, *n, name ? name : ""))
			continue;
		if (*n >= SESSION_TEXTS_MAX) {
			good = session_guard_too_many(file, "models, networks or stacks", SESSION_TEXTS_MAX, e);
			break;
		}
		mem_grow(m, &cap, *n + 1, sizeof **m);
		good = session_model_sqlite_take_text(file, s, &(*m)[(*n)++], e);
	}
	if (good && got != SQLITE_DONE)
		good = session_store_fail(file, e);
	sqlite3_finalize(s);
	if (good)
		return true;
	session_models_free(*m, *n);
	*m = NULL;
	*n = 0;
	return false;
}

bool
session_file_model(struct session_file *f, struct session_model *m, struct err *e)
{
	return read_last(f, NULL, m, e);
}

bool
session_file_model_at(struct session_file *file, int64_t number, struct session_model *model, struct err *e)
{
	sqlite3_stmt *s = select_texts(file, NULL, e);
	int got = s ? SQLITE_ROW : SQLITE_ERROR;
	bool good = s != NULL;

	*model = (struct session_model){0};
	while (good && (got = sqlite3_step(s)) == SQLITE_ROW && sqlite3_column_int64(s, 0) != number)
		;
	if (good && got == SQLITE_ROW)
		good = session_model_sqlite_take_text(file, s, model, e);
	else if (good && got != SQLITE_DONE)
		good = session_store_fail(file, e);
	if (!good)
		session_model_free(model);
	sqlite3_finalize(s);
	return good;
}

bool
session_file_text(struct session_file *f, enum text_kind kind, struct session_model *m, struct err *e)
{
	return read_last(f, kind_word[kind], m, e);
}

/* Compares names, texts and definitions; paths may differ. */
static bool
has_same_texts(const struct session_model *a, const struct session_model *b)
{
	bool same = a->path && a->kind == b->kind && str_eq(a->name, b->name) && a->n == b->n &&
		same_texts(a->define, a->n_defines, b->define, b->n_defines);

	for (size_t i = 0; i < b->n && same; i++)
		same = a->file[i].n == b->file[i].n &&
			(!b->file[i].n || memcmp(a->file[i].text, b->file[i].text, b->file[i].n) == 0);
	return same;
}

bool
session_file_same_model(struct session_file *file, const struct session_model *model, int64_t *number, struct err *e)
{
	struct session_model last;
	bool same;

	*number = 0;
	if (!session_file_model(file, &last, e))
		return false;
	same = has_same_texts(&last, model);
	session_model_free(&last);
	return !same || session_file_model_number(file, number, e);
}

bool
session_file_find_model(struct session_file *file, const struct session_model *model, int64_t *number, struct err *e)
{
	sqlite3_stmt *s = select_texts(file, kind_word[model->kind], e);
	bool good = s != NULL;
	int got = SQLITE_DONE;

	*number = 0;
	while (good && !*number && (got = sqlite3_step(s)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(s, 1);
		struct session_model stored = {0};

		if (!name || !str_eq(name, model->name))
			continue;
		good = session_model_sqlite_take_text(file, s, &stored, e);
		if (good && has_same_texts(&stored, model))
			*number = sqlite3_column_int64(s, 0);
		session_model_free(&stored);
	}
	if (good && !*number && got != SQLITE_DONE)
		good = session_store_fail(file, e);
	sqlite3_finalize(s);
	return good;
}

bool
session_file_model_number(struct session_file *f, int64_t *number, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, "SELECT id FROM model ORDER BY " NEWEST " LIMIT 1", e);
	int got = s ? sqlite3_step(s) : SQLITE_ERROR;
	bool good = got == SQLITE_ROW || got == SQLITE_DONE;

	*number = got == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	if (s && !good)
		session_store_fail(f, e);
	sqlite3_finalize(s);
	return good;
}
