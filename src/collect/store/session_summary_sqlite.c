#include "collect/store/session_summary.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_store.h"

#define CURVES_SINCE 8  /* version of the first file that had curves */
#define STATE_SINCE 2   /* … and of the first that had verdicts */
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

static bool
read_name(struct session_file *f, struct session_summary *out, int64_t *model, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(f,
		f->version >= 3 ? "SELECT id, name, kind FROM model ORDER BY id DESC LIMIT 1"
				: "SELECT id, name, 'model' FROM model ORDER BY id DESC LIMIT 1", e);
	int step = s ? sqlite3_step(s) : SQLITE_ERROR;
	bool good = s && (step == SQLITE_ROW || step == SQLITE_DONE || session_store_fail(f, e));

	if (good && step == SQLITE_ROW) {
		char *kind = session_store_text(s, 2);

		*model = sqlite3_column_int64(s, 0);
		out->name = session_store_text(s, 1);
		out->kind = str_eq(kind, "network") ? TEXT_NETWORK : str_eq(kind, "stack") ? TEXT_STACK : TEXT_MODEL;
		free(kind);
	}
	sqlite3_finalize(s);
	return good;
}

/* Counts the verdicts that the explorer would show again: those of the settings that it was left with. */
static bool
read_verdicts(struct session_file *f, int64_t model, struct session_summary *out, struct err *e)
{
	static const char sql[] =
		"WITH was(key, value) AS (SELECT key, value FROM setting)"
		" SELECT CASE WHEN (SELECT value FROM was WHERE key='one_by_one')='1' THEN verdict"
		" ELSE family_wise END,"
		" count(*) FROM verdict WHERE model=?1"
		" AND features=coalesce((SELECT value FROM was WHERE key='features'), features)"
		" AND region=coalesce((SELECT value FROM was WHERE key='region'), region)"
		" AND abs(confidence-coalesce((SELECT value FROM was WHERE key='confidence'), confidence))<1e-9"
		" GROUP BY 1";
	sqlite3_stmt *s = session_store_prepare(f, sql, e);
	int step = SQLITE_ERROR;

	if (!s)
		return false;
	sqlite3_bind_int64(s, 1, model);
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

bool
session_summary_read(const char *path, struct session_summary *out, struct err *e)
{
	struct session_file *f = session_file_open_to_look(path, PATIENCE_MS, e);
	int64_t model = 0;
	bool good;

	memset(out, 0, sizeof *out);
	good = f && tally(f, "SELECT count(*) FROM observation", &out->observations, e) &&
		read_name(f, out, &model, e) &&
		(f->version < STATE_SINCE || out->kind != TEXT_MODEL || read_verdicts(f, model, out, e)) &&
		(f->version < CURVES_SINCE || tally(f, "SELECT count(*) FROM curve", &out->curves, e));
	session_file_close(f);
	return good;
}

void
session_summary_clear(struct session_summary *s)
{
	free(s->name);
	*s = (struct session_summary){0};
}
