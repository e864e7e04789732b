/* Exports a table: as the wide CSV that import reads, and as JSON with everything that the CSV has no place for. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/files/recording.h"
#include "work/files/texts.h"

#define EXACT_DOUBLE ((int64_t)1 << 53)

/* Adds a name, quoted unless it is a plain word. */
static void
recording_export_add_name(struct str *out, const char *name)
{
	bool plain = *name != '\0';

	for (const char *p = name; *p; p++)
		plain &= isalnum((unsigned char)*p) || strchr("_-.:/$#@", *p) != NULL;
	if (plain) {
		str_add(out, name);
		return;
	}
	str_addc(out, '"');
	for (const char *p = name; *p; p++) {
		if (*p == '"')
			str_addc(out, '"');
		str_addc(out, *p);
	}
	str_addc(out, '"');
}

/* Adds the shortest text that reads back as the same number. */
static void
add_double(struct str *out, double v)
{
	char text[32];
	double back;

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (str_to_double(text, &back) && back == v)
			break;
	}
	str_add(out, text);
}

/* Adds count · 10^-decimals, exactly, without zeros at the end of the fraction. */
static void
recording_export_add_count(struct str *out, int64_t count, int decimals)
{
	uint64_t size = count < 0 ? 0 - (uint64_t)count : (uint64_t)count, unit = 1;

	for (; decimals > 0 && size % 10 == 0; decimals--)
		size /= 10;
	for (int i = 0; i < decimals; i++)
		unit *= 10;
	str_addf(out, "%s%" PRIu64, count < 0 ? "-" : "", size / unit);
	if (decimals > 0)
		str_addf(out, ".%0*" PRIu64, decimals, size % unit);
}

/* Hands over the text so far. False and *e when rows could not be read, so that they are not written as rows without
 * counts. */
static bool
recording_export_drain(const struct obs_table *t, const struct recording_drain *d, struct str *out, struct err *e)
{
	const struct err *failure = obs_table_failure(t);

	if (failure) {
		*e = *failure;
		return false;
	}
	if (out->n < RECORDING_DRAIN)
		return true;
	obs_table_rest(t); /* the reader of the output may take hours */
	return d->drain(d->ctx, out, e);
}

static void
recording_export_add_row(const struct obs *o, const struct obs_rows *r, size_t row, struct str *out)
{
	size_t first = (row - r->first) * o->n_columns;

	recording_export_add_name(out, o->name);
	str_addc(out, ',');
	if (o->time && !isnan(o->time[row]))
		add_double(out, o->time[row]);
	for (size_t i = 0; i < o->n_columns; i++) {
		str_addc(out, ',');
		if (r->counted[first + i])
			recording_export_add_count(out, r->count[first + i], o->decimals);
	}
	str_addc(out, '\n');
}

static bool
recording_export_add_rows(
	const struct obs_table *t, const struct obs *o, const struct recording_drain *d, struct str *out, struct err *e)
{
	for (size_t row = 0; row < o->n_rows;) {
		struct obs_rows r = obs_rows(o, row, o->n_rows);

		for (; row < r.first + r.n; row++)
			if (recording_export_add_row(o, &r, row, out), !recording_export_drain(t, d, out, e))
				return false;
	}
	return true;
}

bool
recording_csv(const struct obs_table *t, const struct recording_drain *d, struct str *out, struct err *e)
{
	size_t rows = 0;
	bool good = true;

	for (size_t i = 0; i < t->n; i++)
		rows += t->obs[i]->n_rows;
	if (!rows) {
		err_set(e, "there is no sample to export");
		return err_hint(e, "add some with hecate record or hecate import");
	}
	str_add(out, "observation,time");
	for (size_t i = 0; i < t->n_columns; i++) {
		if (str_eq(t->column[i], "observation") || str_eq(t->column[i], "time") || !*t->column[i]) {
			err_set(e, "a counter is called \"%s\", which has another meaning in a CSV", t->column[i]);
			return err_hint(e, "use hecate export --json, where the two differ");
		}
		str_addc(out, ',');
		recording_export_add_name(out, t->column[i]);
	}
	str_addc(out, '\n');
	for (size_t i = 0; i < t->n && good; i++)
		good = recording_export_add_rows(t, t->obs[i], d, out, e);
	return good;
}

static void
json_count(struct json_writer *w, int64_t count, int decimals)
{
	struct str text = {0};

	recording_export_add_count(&text, count, decimals);
	if (count <= EXACT_DOUBLE && count >= -EXACT_DOUBLE)
		json_raw(w, NULL, str_text(&text));
	else
		json_str(w, NULL, str_text(&text));
	str_free(&text);
}

static void
json_row(struct json_writer *w, const struct obs *o, const struct obs_rows *r, size_t row, bool running, bool error)
{
	size_t first = (row - r->first) * o->n_columns;

	json_open(w, NULL, '{');
	json_num(w, "time", o->time ? o->time[row] : NAN);
	json_open(w, "counts", '[');
	for (size_t i = 0; i < o->n_columns; i++)
		if (r->counted[first + i])
			json_count(w, r->count[first + i], o->decimals);
		else
			json_null(w, NULL);
	json_close(w, ']');
	if (running) {
		json_open(w, "running", '[');
		for (size_t i = 0; i < o->n_columns; i++)
			json_num(w, NULL, r->running ? r->running[first + i] : 1);
		json_close(w, ']');
	}
	if (error) {
		json_open(w, "error", '[');
		for (size_t i = 0; i < o->n_columns; i++)
			json_num(w, NULL, r->error ? r->error[first + i] : 0);
		json_close(w, ']');
	}
	json_close(w, '}');
}

/* Adds the command, which is stored as JSON. Anything but an array of texts is left out. */
static void
json_command(struct json_writer *w, const char *command)
{
	struct json *list = command ? json_parse(command, strlen(command), NULL) : NULL;

	if (!list || list->kind != JSON_ARRAY) {
		json_null(w, "command");
	} else {
		json_open(w, "command", '[');
		for (const struct json *x = list->first; x; x = x->next)
			json_str(w, NULL, x->text);
		json_close(w, ']');
	}
	json_free(list);
}

/* Writes all rows. A field that some row has is written for every row. */
static bool
json_rows(struct json_writer *w, const struct obs_table *t, const struct obs *o, const struct recording_drain *d,
	struct err *e)
{
	bool running, error, good = true;

	obs_has_quality(o, &running, &error);
	json_open(w, "rows", '[');
	for (size_t row = 0; row < o->n_rows && good;) {
		struct obs_rows r = obs_rows(o, row, o->n_rows);

		for (; row < r.first + r.n && good; row++) {
			json_row(w, o, &r, row, running, error);
			good = recording_export_drain(t, d, w->out, e);
		}
	}
	json_close(w, ']');
	return good;
}

static bool
json_observation(struct json_writer *w, const struct obs_table *t, const struct obs *o,
	const struct session_origin *origin, const struct recording_drain *d, struct err *e)
{
	bool good;

	json_open(w, NULL, '{');
	json_str(w, "name", o->name);
	json_str(w, "source", o->source);
	json_bool(w, "exact", o->exact);
	json_num(w, "tasks", o->tasks);
	json_num(w, "rotation_period", o->rotation.period);
	json_num(w, "locked_period", o->rotation.locked);
	json_command(w, origin->command);
	json_str(w, "started", origin->started);
	json_open(w, "health", '[');
	for (size_t i = 0; i < o->n_columns; i++)
		json_str(w, NULL, obs_health_name(o->health[i]));
	json_close(w, ']');
	good = json_rows(w, t, o, d, e);
	json_close(w, '}');
	return good;
}

bool
recording_json(const char *path, const struct session_model *text, const struct obs_table *t,
	const struct session_origin *origin, const struct recording_drain *d, struct str *out, struct err *e)
{
	struct json_writer w = {.out = out};
	bool good = true;

	json_open(&w, NULL, '{');
	json_str(&w, "schema", "hecate.export/1");
	json_str(&w, "file", path);
	json_str(&w, "model", text->path ? text->name : NULL);
	json_str(&w, "kind", text->path ? text_word(text->kind) : NULL);
	json_open(&w, "counters", '[');
	for (size_t i = 0; i < t->n_columns; i++)
		json_str(&w, NULL, t->column[i]);
	json_close(&w, ']');
	json_open(&w, "notes", '[');
	for (size_t i = 0; i < t->n_notes; i++)
		json_str(&w, NULL, t->note[i]);
	json_close(&w, ']');
	json_open(&w, "observations", '[');
	for (size_t i = 0; i < t->n && good; i++)
		good = json_observation(&w, t, t->obs[i], &origin[i], d, e);
	json_close(&w, ']');
	json_close(&w, '}');
	str_addc(out, '\n');
	return good;
}

struct recorded {
	struct session_model text; /* text of the file; its path is NULL when the file brings none */
	struct obs_table *table;
	struct session_origin *origin; /* an entry per observation */
};

struct recorded *
recorded_open(const char *path, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct recorded *r;

	if (!f)
		return NULL;
	r = mem_new(sizeof *r);
	if (session_file_model(f, &r->text, e))
		r->table = session_file_read_far(f, SESSION_NEAR_CELLS, &r->origin, e);
	else
		session_file_close(f);
	if (r->table)
		return r;
	recorded_free(r);
	return NULL;
}

void
recorded_free(struct recorded *r)
{
	if (!r)
		return;
	session_origin_free(r->origin, r->table ? r->table->n : 0);
	session_model_free(&r->text);
	obs_table_free(r->table);
	free(r);
}

const struct obs_table *
recorded_table(const struct recorded *r)
{
	return r->table;
}

bool
recorded_json(const struct recorded *r, const char *path, const struct recording_drain *d, struct str *out,
	struct err *e)
{
	return recording_json(path, &r->text, r->table, r->origin, d, out, e);
}
