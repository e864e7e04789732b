#include "work/files/ingest_session.h"

#include <stdint.h>

#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

/* Tables that belong to the text that a file opens with (docs/session-file.md). */
static const enum session_table_kind OF_TEXT[] = {SESSION_TABLE_SETTING, SESSION_TABLE_GRAPH, SESSION_TABLE_GRAPH_MODEL,
	SESSION_TABLE_GRAPH_EDGE, SESSION_TABLE_GRAPH_ALIKE, SESSION_TABLE_GRAPH_REPAIR};
/* Tables whose rows stand for themselves. */
static const enum session_table_kind OF_ITSELF[] = {
	SESSION_TABLE_REMARK, SESSION_TABLE_CURVE, SESSION_TABLE_CURVE_POINT};

static bool
copy_tables(struct session_file *to, struct session_file *from, const enum session_table_kind *kind, size_t n,
	bool replace, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		struct session_table rows = {0};

		good = session_table_read(from, kind[i], &rows, e) &&
			session_table_write(to, kind[i], &rows, replace, e);
		session_table_clear(&rows);
	}
	return good;
}

static bool
copy_observations(struct session_file *to, struct session_file *from, const struct obs_table *table, struct err *e)
{
	struct session_writer *writer = session_writer_new(to, NULL);
	bool good;

	obs_table_rest(table); /* failures of earlier reads do not matter here */
	good = session_writer_write(writer, table, e) && session_file_copy_truth(to, from, writer, table->n, e);
	obs_table_rest(table);
	session_writer_free(writer);
	return good;
}

/* Adds a text that the file does not have. */
static bool
ingest_session_add_text(struct session_file *to, const struct session_model *text, int64_t *number, struct err *e)
{
	if (!session_file_find_model(to, text, number, e))
		return false;
	return *number || (session_file_add_model(to, text, e) && session_file_find_model(to, text, number, e));
}

static bool
copy_texts(struct session_file *to, struct session_file *from, struct err *e)
{
	bool good = true;

	for (int kind = TEXT_MODEL; kind <= TEXT_STACK && good; kind++) {
		struct session_model *text;
		size_t n;
		int64_t number;

		if (!session_file_texts(from, (enum text_kind)kind, &text, &n, e))
			return false;
		for (size_t i = n; i-- > 0 && good;) /* the newest comes first, and becomes the last again */
			good = ingest_session_add_text(to, &text[i], &number, e);
		session_models_free(text, n);
	}
	return good;
}

/* Copies settings and search of the text that `from` opens with. `before`: the text that `to` opens with; 0: none. */
static bool
copy_place(struct session_file *to, struct session_file *from, int64_t before, struct err *e)
{
	struct session_model opens = {0};
	int64_t number = 0;
	bool good = session_file_model(from, &opens, e);

	if (good && opens.path)
		good = ingest_session_add_text(to, &opens, &number, e);
	session_model_free(&opens);
	if (good && number && number != before)
		good = session_file_turn(to, before, number, number, e) &&
			copy_tables(to, from, OF_TEXT, sizeof OF_TEXT / sizeof *OF_TEXT, true, e) &&
			(!before || session_file_turn(to, number, before, before, e));
	return good;
}

bool
ingest_session(struct session_file *to, const char *path, const struct obs_table *table, struct err *e)
{
	struct session_file *from = session_file_open_to_read(path, e);
	int64_t before = 0;
	bool good = from && session_file_model_number(to, &before, e) && copy_observations(to, from, table, e) &&
		copy_texts(to, from, e) &&
		copy_tables(to, from, OF_ITSELF, sizeof OF_ITSELF / sizeof *OF_ITSELF, false, e) &&
		copy_place(to, from, before, e);

	session_file_close(from);
	return good;
}
