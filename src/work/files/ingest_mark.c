#include "work/files/ingest_mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"

/* As text, because a JSON number would lose digits. */
static void
write_u64(struct json_writer *w, const char *key, uint64_t v)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%" PRIu64, v);
	json_str(w, key, digits);
}

bool
ingest_mark_write(struct session_file *file, const char *const *path, size_t n, bool exact,
	const struct ingest_mark *mark, struct err *e)
{
	struct str out = {0};
	struct json_writer w = {.out = &out};
	bool good;

	if (!mark)
		return session_file_set_value(file, SESSION_IMPORT, NULL, e);
	json_open(&w, NULL, '{');
	json_open(&w, "data", '[');
	for (size_t i = 0; i < n; i++)
		json_str(&w, NULL, path[i]);
	json_close(&w, ']');
	json_bool(&w, "exact", exact);
	json_int(&w, "finished", (int64_t)mark->finished);
	json_int(&w, "finished_rows", (int64_t)mark->finished_rows);
	json_open(&w, "observations", '[');
	for (size_t i = 0; i < mark->n; i++)
		json_int(&w, NULL, mark->id[i]);
	json_close(&w, ']');
	json_int(&w, "rows", (int64_t)mark->rows);
	write_u64(&w, "bytes", mark->bytes);
	write_u64(&w, "first_sum", mark->first_sum);
	write_u64(&w, "head_sum", mark->head_sum);
	write_u64(&w, "sum", mark->sum);
	json_int(&w, "first_note", mark->first_note);
	json_int(&w, "last_note", mark->last_note);
	json_close(&w, '}');
	good = session_file_set_value(file, SESSION_IMPORT, str_text(&out), e);
	str_free(&out);
	return good;
}

static uint64_t
read_u64(const struct json *v)
{
	uint64_t n = 0;

	return v && v->text && str_to_u64(v->text, &n) ? n : 0;
}

static bool
ingest_mark_is_of(const struct json *o, const char *const *path, size_t n, bool exact)
{
	const struct json *data = json_get(o, "data"), *how = json_get(o, "exact"), *x = data ? data->first : NULL;
	size_t i = 0;

	if (!data || data->n != n || !how || how->truth != exact)
		return false;
	for (; x && x->text && str_eq(x->text, path[i]); x = x->next)
		i++;
	return i == n;
}

void
ingest_mark_read(struct session_file *file, const char *const *path, size_t n, bool exact, struct ingest_mark *mark)
{
	char *text = NULL;
	struct json *o = session_file_value(file, SESSION_IMPORT, &text, NULL) && text
		? json_parse(text, strlen(text), NULL) : NULL;
	const struct json *ids = json_get(o, "observations");

	*mark = (struct ingest_mark){0};
	if (o && ingest_mark_is_of(o, path, n, exact)) {
		*mark = (struct ingest_mark){
			.finished = read_u64(json_get(o, "finished")),
			.finished_rows = read_u64(json_get(o, "finished_rows")), .rows = read_u64(json_get(o, "rows")),
			.bytes = read_u64(json_get(o, "bytes")), .first_sum = read_u64(json_get(o, "first_sum")),
			.head_sum = read_u64(json_get(o, "head_sum")),
			.sum = read_u64(json_get(o, "sum")), .first_note = (int64_t)read_u64(json_get(o, "first_note")),
			.last_note = (int64_t)read_u64(json_get(o, "last_note")),
			.id = mem_new_array(ids ? ids->n : 0, sizeof *mark->id),
		};
		for (const struct json *x = ids ? ids->first : NULL; x; x = x->next)
			mark->id[mark->n++] = (int64_t)read_u64(x);
	}
	json_free(o);
	free(text);
}

char *
ingest_mark_text(struct session_file *file)
{
	char *text = NULL, *out = NULL;
	struct json *json = session_file_value(file, SESSION_IMPORT, &text, NULL) && text
		? json_parse(text, strlen(text), NULL) : NULL;
	const struct json *data = json_get(json, "data"), *x = data ? data->first : NULL;

	for (uint64_t i = read_u64(json_get(json, "finished")); x && i > 0; i--)
		x = x->next;
	if (x && x->text)
		out = str_format("the import of %s is incomplete: %" PRIu64
			" of its rows are in the file; the same command continues it",
			str_eq(x->text, "-") ? "stdin" : x->text, read_u64(json_get(json, "rows")));
	json_free(json);
	free(text);
	return out;
}

void
ingest_mark_free(struct ingest_mark *m)
{
	free(m->id);
	*m = (struct ingest_mark){0};
}
