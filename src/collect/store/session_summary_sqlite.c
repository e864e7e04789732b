#include "collect/store/session_summary.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_store.h"
#include "collect/store/session_table.h"

#define CURVES_SINCE 8  /* version of the first file that had curves */
#define STATE_SINCE 2   /* … and of the first that had verdicts */
#define TEXTS_MOST 64   /* that are listed */
#define PATIENCE_MS 50

static bool
tally(struct session_file *f, const char *sql, size_t *n, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f, sql, e);
	bool good = s && (sqlite3_step(s) == SQLITE_ROW || session_store_fail(f, e));

	if (good)
		*n = (size_t)sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return good;
}

/* The value of a setting; NULL: it is not set. */
static const char *
setting_named(const struct session_table *settings, const char *key)
{
	for (size_t i = 0; i < settings->n_rows; i++)
		if (str_eq(session_table_cell(settings, i, 0), key))
			return session_table_cell(settings, i, 1);
	return NULL;
}

/* Counts the verdicts that the explorer would show again with these settings. */
static bool
read_verdicts(struct session_file *f, const struct session_table *settings, struct session_text *out, struct err *e)
{
	static const char sql[] =
		"SELECT CASE WHEN ?2='1' THEN verdict ELSE family_wise END, count(*) FROM verdict WHERE model=?1"
		" AND features=coalesce(?3, features) AND region=coalesce(?4, region)"
		" AND abs(confidence-coalesce(?5, confidence))<1e-9 GROUP BY 1";
	static const char *const key[] = {"one_by_one", "features", "region", "confidence"};
	sqlite3_stmt *s = session_store_prepare(f, sql, e);
	int step = SQLITE_ERROR;

	if (!s)
		return false;
	sqlite3_bind_int64(s, 1, out->number);
	for (int i = 0; i < 4; i++)
		sqlite3_bind_text(s, i + 2, setting_named(settings, key[i]), -1, SQLITE_STATIC); /* NULL binds NULL */
	while ((step = sqlite3_step(s)) == SQLITE_ROW) {
		char *verdict = session_store_text(s, 0);
		size_t n = (size_t)sqlite3_column_int64(s, 1);

		out->judged += n;
		out->infeasible += str_eq(verdict, "infeasible") ? n : 0;
		out->undecided += str_eq(verdict, "undecided") ? n : 0;
		free(verdict);
	}
	sqlite3_finalize(s);
	return step == SQLITE_DONE || session_store_fail(f, e);
}

/* Adds the text of the current row, if it is one to list. */
static bool
take_text(struct session_file *f, sqlite3_stmt *s, int64_t opens, struct session_text **list, size_t *n, struct err *e)
{
	char *kind = session_store_text(s, 2);
	struct session_text text = {.number = sqlite3_column_int64(s, 0), .name = session_store_text(s, 1),
		.added = session_store_text(s, 3),
		.kind = str_eq(kind, "network") ? TEXT_NETWORK : str_eq(kind, "stack") ? TEXT_STACK : TEXT_MODEL};
	struct session_table settings = {0};
	bool good, known = false;

	text.opens = text.number == opens;
	for (size_t i = 0; i < *n; i++)
		known |= (*list)[i].kind == text.kind && str_eq((*list)[i].name, text.name);
	good = text.opens ? session_table_read(f, SESSION_TABLE_SETTING, &settings, e)
			  : session_table_read_kept(f, text.number, SESSION_TABLE_SETTING, &settings, e);
	if (good && (text.opens || settings.n_rows || !known)) {
		good = f->version < STATE_SINCE || text.kind != TEXT_MODEL || read_verdicts(f, &settings, &text, e);
		*list = mem_resize(*list, *n + 1, sizeof **list);
		(*list)[(*n)++] = text;
	} else {
		free(text.name);
		free(text.added);
	}
	session_table_clear(&settings);
	free(kind);
	return good;
}

static bool
list_texts(struct session_file *f, size_t most, struct session_text **list, size_t *n, struct err *e)
{
	sqlite3_stmt *s;
	int step = SQLITE_ERROR;
	int64_t opens;
	bool good;

	if (!session_file_model_number(f, &opens, e))
		return false;
	s = session_store_prepare(f,
		f->version >= 3 ? "SELECT id, name, kind, added FROM model ORDER BY id=?1 DESC, id DESC"
				: "SELECT id, name, 'model', added FROM model ORDER BY id=?1 DESC, id DESC", e);
	good = s != NULL;
	if (s)
		sqlite3_bind_int64(s, 1, opens);
	while (good && *n < most && (step = sqlite3_step(s)) == SQLITE_ROW)
		good = take_text(f, s, opens, list, n, e);
	good = good && (*n == most || step == SQLITE_DONE || session_store_fail(f, e));
	sqlite3_finalize(s);
	return good;
}

void
session_texts_free(struct session_text *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].name);
		free(list[i].added);
	}
	free(list);
}

bool
session_texts_read(const char *path, struct session_text **list, size_t *n, struct err *e)
{
	struct session_file *f = session_file_open_to_look(path, PATIENCE_MS, e);
	bool good;

	*list = NULL;
	*n = 0;
	good = f && list_texts(f, TEXTS_MOST, list, n, e);
	session_file_close(f);
	if (!good) {
		session_texts_free(*list, *n);
		*list = NULL;
		*n = 0;
	}
	return good;
}

/* The command of the last observation that has one, which is stored as JSON: "make -j2"; NULL: none. */
static char *
last_command(struct session_file *f, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(
		f, "SELECT command FROM observation WHERE command IS NOT NULL ORDER BY id DESC LIMIT 1", e);
	char *text = s && sqlite3_step(s) == SQLITE_ROW ? session_store_text(s, 0) : NULL;
	struct json *list = text ? json_parse(text, strlen(text), NULL) : NULL;
	struct str words = {0};

	for (const struct json *word = list && list->kind == JSON_ARRAY ? list->first : NULL; word; word = word->next) {
		const char *slash = word->text && !words.n ? strrchr(word->text, '/') : NULL;

		str_addf(&words, "%s%s", words.n ? " " : "", slash ? slash + 1 : word->text ? word->text : "");
	}
	json_free(list);
	free(text);
	sqlite3_finalize(s);
	return words.n ? str_take(&words) : NULL;
}

bool
session_summary_read(const char *path, struct session_summary *out, struct err *e)
{
	struct session_file *f = session_file_open_to_look(path, PATIENCE_MS, e);
	struct session_text *list = NULL;
	size_t n = 0;
	bool good;

	memset(out, 0, sizeof *out);
	good = f && tally(f, "SELECT count(*) FROM observation", &out->observations, e) &&
		list_texts(f, TEXTS_MOST, &list, &n, e) &&
		(f->version < CURVES_SINCE || tally(f, "SELECT count(*) FROM curve", &out->curves, e));
	if (good)
		out->command = last_command(f, e);
	session_file_close(f);
	if (n) {
		out->name = mem_str(list[0].name);
		out->kind = list[0].kind;
		out->judged = list[0].judged;
		out->infeasible = list[0].infeasible;
		out->undecided = list[0].undecided;
		out->others = n - 1;
	}
	session_texts_free(list, n);
	return good;
}

void
session_summary_clear(struct session_summary *s)
{
	free(s->name);
	free(s->command);
	*s = (struct session_summary){0};
}
