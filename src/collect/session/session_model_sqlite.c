#include "collect/session/session_file.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/session/session_guard.h"
#include "collect/session/session_sheet.h"
#include "collect/session/session_store.h"
#include "core/udd/include.h"
#include "core/udd/model.h"

void
session_model_free(struct session_model *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->file[i].name);
		free(m->file[i].text);
	}
	for (size_t i = 0; i < m->n_include_dirs; i++)
		free(m->include_dir[i]);
	free(m->file);
	free(m->include_dir);
	free(m->name);
	free(m->path);
	*m = (struct session_model){0};
}

static const char *const kind_word[] = {[SESSION_MODEL] = "model", [SESSION_NETWORK] = "network", [SESSION_STACK] = "stack"};

/* The first file with the same identity: one file may have been reached by two names. */
static size_t
same_as(const struct session_model *m, size_t i)
{
	size_t k = 0;

	while (m->file[k].dev != m->file[i].dev || m->file[k].ino != m->file[i].ino)
		k++;
	return k;
}

static bool
is_same(const struct session_model *a, const struct session_model *b)
{
	if (a->kind != b->kind || !a->path || !str_eq(a->path, b->path) || !str_eq(a->name, b->name) || a->n != b->n || a->n_include_dirs != b->n_include_dirs)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!str_eq(a->file[i].name, b->file[i].name) || a->file[i].n != b->file[i].n || memcmp(a->file[i].text, b->file[i].text, a->file[i].n) != 0)
			return false;
	for (size_t i = 0; i < a->n_include_dirs; i++)
		if (!str_eq(a->include_dir[i], b->include_dir[i]))
			return false;
	return true;
}

static bool
insert_parts(struct session_file *f, const struct session_model *m, int64_t id, struct err *e)
{
	sqlite3_stmt *file = session_store_prepare(f, "INSERT INTO model_file VALUES(?,?,?,?,?)", e);
	sqlite3_stmt *folder = file ? session_store_prepare(f, "INSERT INTO model_folder VALUES(?,?,?)", e) : NULL;
	bool good = file && folder;

	for (size_t i = 0; i < m->n && good; i++) {
		sqlite3_bind_int64(file, 1, id);
		sqlite3_bind_int64(file, 2, (int64_t)i);
		sqlite3_bind_text(file, 3, m->file[i].name, -1, SQLITE_STATIC);
		sqlite3_bind_int64(file, 4, (int64_t)same_as(m, i));
		sqlite3_bind_blob(file, 5, m->file[i].n ? m->file[i].text : "", (int)m->file[i].n, SQLITE_STATIC);
		good = session_store_step(f, file, e);
	}
	for (size_t i = 0; i < m->n_include_dirs && good; i++) {
		sqlite3_bind_int64(folder, 1, id);
		sqlite3_bind_int64(folder, 2, (int64_t)i);
		sqlite3_bind_text(folder, 3, m->include_dir[i], -1, SQLITE_STATIC);
		good = session_store_step(f, folder, e);
	}
	sqlite3_finalize(file);
	sqlite3_finalize(folder);
	return good;
}

static bool
insert(struct session_file *f, const struct session_model *m, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, "INSERT INTO model(name,path,added,kind) VALUES(?,?,?,?)", e);
	char now[SESSION_TIME_TEXT];
	bool good;

	if (!s)
		return false;
	session_store_now(now);
	session_guard_long_texts(f, true);
	sqlite3_bind_text(s, 1, m->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, m->path, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 3, now, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 4, kind_word[m->kind], -1, SQLITE_STATIC);
	good = session_store_step(f, s, e) && insert_parts(f, m, sqlite3_last_insert_rowid(f->db), e);
	sqlite3_finalize(s);
	session_guard_long_texts(f, false);
	return good;
}

bool
session_file_add_model(struct session_file *f, const struct session_model *m, struct err *e)
{
	struct session_model last;
	bool own = sqlite3_get_autocommit(f->db), good;

	if (!session_file_model(f, &last, e))
		return false;
	good = is_same(&last, m);
	session_model_free(&last);
	if (good)
		return true;
	if (own && !session_file_begin(f, e))
		return false;
	if (insert(f, m, e) && (!own || session_file_commit(f, e)))
		return true;
	if (own && !sqlite3_get_autocommit(f->db))
		session_store_run(f, "ROLLBACK", NULL);
	return false;
}

/* False and *e: more than a model can have. */
static bool
take_file(struct session_file *f, struct session_model *m, sqlite3_stmt *s, size_t *cap, struct err *e)
{
	const char *text = sqlite3_column_blob(s, 2);
	size_t n = (size_t)sqlite3_column_bytes(s, 2), all = n;

	for (size_t i = 0; i < m->n; i++)
		all += m->file[i].n;
	if (m->n >= UDD_FILES_MAX)
		return session_guard_too_many(f, "files of one model", UDD_FILES_MAX, e);
	if (all > UDD_TEXT_MAX)
		return session_guard_too_many(f, "bytes of one model", UDD_TEXT_MAX, e);
	mem_grow(&m->file, cap, m->n + 1, sizeof *m->file);
	m->file[m->n++] = (struct udd_file){
		.name = session_store_text(s, 0), .text = mem_strn(text ? text : "", n), .n = n, .ino = (uint64_t)sqlite3_column_int64(s, 1) + 1,
	};
	return true;
}

static bool
take_folder(struct session_file *f, struct session_model *m, sqlite3_stmt *s, size_t *cap, struct err *e)
{
	if (m->n_include_dirs >= UDD_FILES_MAX)
		return session_guard_too_many(f, "folders of one model", UDD_FILES_MAX, e);
	mem_grow(&m->include_dir, cap, m->n_include_dirs + 1, sizeof *m->include_dir);
	m->include_dir[m->n_include_dirs++] = session_store_text(s, 0);
	return true;
}

static bool
read_parts(struct session_file *f, int64_t id, struct session_model *m, struct err *e)
{
	sqlite3_stmt *file = session_store_prepare(f, "SELECT name, same, text FROM model_file WHERE model=? ORDER BY at", e);
	sqlite3_stmt *folder = file ? session_store_prepare(f, "SELECT path FROM model_folder WHERE model=? ORDER BY at", e) : NULL;
	size_t cap = 0, folder_cap = 0;
	int got = SQLITE_ERROR;
	bool fits = folder != NULL;

	session_guard_long_texts(f, true);
	if (folder) {
		sqlite3_bind_int64(file, 1, id);
		sqlite3_bind_int64(folder, 1, id);
		while (fits && (got = sqlite3_step(file)) == SQLITE_ROW)
			fits = take_file(f, m, file, &cap, e);
		if (fits && got == SQLITE_DONE)
			while (fits && (got = sqlite3_step(folder)) == SQLITE_ROW)
				fits = take_folder(f, m, folder, &folder_cap, e);
		if (fits && got != SQLITE_DONE)
			session_store_fail(f, e);
	}
	sqlite3_finalize(file);
	sqlite3_finalize(folder);
	session_guard_long_texts(f, false);
	return fits && got == SQLITE_DONE;
}

static bool
take_kind(const struct session_file *f, sqlite3_stmt *s, struct session_model *m, struct err *e)
{
	const char *word = (const char *)sqlite3_column_text(s, 3);

	for (size_t i = 0; i < sizeof kind_word / sizeof *kind_word && word; i++)
		if (str_eq(word, kind_word[i])) {
			m->kind = (enum session_text)i;
			return true;
		}
	return session_store_damaged(f, e, "the kind of its model");
}

/* `word`: of this kind; NULL: of any. The last one first. */
static sqlite3_stmt *
select_texts(struct session_file *f, const char *word, struct err *e)
{
	/* Before version 3 there were models only. */
	const char *sql = f->version < 3 ? "SELECT id, name, path, 'model' FROM model WHERE 'model'=coalesce(?, 'model') ORDER BY id DESC"
					 : "SELECT id, name, path, kind FROM model WHERE kind=coalesce(?, kind) ORDER BY id DESC";
	sqlite3_stmt *s = session_store_prepare(f, sql, e);

	if (s)
		sqlite3_bind_text(s, 1, word, -1, SQLITE_STATIC); /* NULL is NULL */
	return s;
}

/* The row that the statement stands on. Free it in either case. */
static bool
take_text(struct session_file *f, sqlite3_stmt *s, struct session_model *m, struct err *e)
{
	*m = (struct session_model){.name = session_store_text(s, 1), .path = session_store_text(s, 2)};
	return take_kind(f, s, m, e) && read_parts(f, sqlite3_column_int64(s, 0), m, e);
}

static bool
read_last(struct session_file *f, const char *word, struct session_model *m, struct err *e)
{
	sqlite3_stmt *s = select_texts(f, word, e);
	int got = s ? sqlite3_step(s) : SQLITE_ERROR;
	bool good = got == SQLITE_DONE;

	*m = (struct session_model){0};
	if (got == SQLITE_ROW)
		good = take_text(f, s, m, e);
	else if (s && !good)
		session_store_fail(f, e);
	if (!good)
		session_model_free(m);
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
session_file_texts(struct session_file *f, enum session_text kind, struct session_model **m, size_t *n, struct err *e)
{
	sqlite3_stmt *s = select_texts(f, kind_word[kind], e);
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
			good = session_guard_too_many(f, "models, networks or stacks", SESSION_TEXTS_MAX, e);
			break;
		}
		mem_grow(m, &cap, *n + 1, sizeof **m);
		good = take_text(f, s, &(*m)[(*n)++], e);
	}
	if (good && got != SQLITE_DONE)
		good = session_store_fail(f, e);
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
session_file_text(struct session_file *f, enum session_text kind, struct session_model *m, struct err *e)
{
	return read_last(f, kind_word[kind], m, e);
}

bool
session_file_same_model(struct session_file *f, const struct session_model *m, int64_t *number, struct err *e)
{
	struct session_model last;
	bool same;

	*number = 0;
	if (!session_file_model(f, &last, e))
		return false;
	same = last.path && last.kind == m->kind && str_eq(last.name, m->name) && last.n == m->n;
	for (size_t i = 0; i < m->n && same; i++)
		same = last.file[i].n == m->file[i].n && (!m->file[i].n || memcmp(last.file[i].text, m->file[i].text, m->file[i].n) == 0);
	session_model_free(&last);
	return !same || session_file_model_number(f, number, e);
}
