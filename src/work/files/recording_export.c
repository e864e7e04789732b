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
#include "base/names.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/files/recording.h"
#include "work/files/recording_machine.h"
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
recording_export_drain(
	const struct obs_table *table, const struct recording_drain *drain, struct str *out, struct err *e)
{
	const struct err *failure = obs_table_failure(table);

	if (failure) {
		*e = *failure;
		return false;
	}
	if (out->n < RECORDING_DRAIN)
		return true;
	obs_table_rest(table); /* the reader of the output may take hours */
	return drain->drain(drain->ctx, out, e);
}

static void
recording_export_add_row(const struct obs *obs, const struct obs_rows *rows, size_t row, struct str *out)
{
	size_t first = (row - rows->first) * obs->n_columns;

	recording_export_add_name(out, obs->name);
	str_addc(out, ',');
	if (obs->time && !isnan(obs->time[row]))
		add_double(out, obs->time[row]);
	for (size_t i = 0; i < obs->n_columns; i++) {
		str_addc(out, ',');
		if (rows->counted[first + i])
			recording_export_add_count(out, rows->count[first + i], obs->decimals);
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
recording_csv(const struct obs_table *table, const struct recording_drain *drain, struct str *out, struct err *e)
{
	size_t rows = 0;
	bool good = true;

	for (size_t i = 0; i < table->n; i++)
		rows += table->obs[i]->n_rows;
	if (!rows) {
		err_set(e, "there is no sample to export");
		return err_hint(e, "add some with hecate record or hecate import");
	}
	str_add(out, "observation,time");
	for (size_t i = 0; i < table->n_columns; i++) {
		if (str_eq(table->column[i], "observation") || str_eq(table->column[i], "time") || !*table->column[i]) {
			err_set(e, "a counter is called \"%s\", which has another meaning in a CSV", table->column[i]);
			return err_hint(e, "use hecate export --json, where the two differ");
		}
		str_addc(out, ',');
		recording_export_add_name(out, table->column[i]);
	}
	str_addc(out, '\n');
	for (size_t i = 0; i < table->n && good; i++)
		good = recording_export_add_rows(table, table->obs[i], drain, out, e);
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
json_row(struct json_writer *writer, const struct obs *obs, const struct obs_rows *rows, size_t row, bool running,
	bool error)
{
	size_t first = (row - rows->first) * obs->n_columns;

	json_open(writer, NULL, '{');
	json_num(writer, "time", obs->time ? obs->time[row] : NAN);
	json_open(writer, "counts", '[');
	for (size_t i = 0; i < obs->n_columns; i++)
		if (rows->counted[first + i])
			json_count(writer, rows->count[first + i], obs->decimals);
		else
			json_null(writer, NULL);
	json_close(writer, ']');
	if (running) {
		json_open(writer, "running", '[');
		for (size_t i = 0; i < obs->n_columns; i++)
			json_num(writer, NULL, rows->running ? rows->running[first + i] : 1);
		json_close(writer, ']');
	}
	if (error) {
		json_open(writer, "error", '[');
		for (size_t i = 0; i < obs->n_columns; i++)
			json_num(writer, NULL, rows->error ? rows->error[first + i] : 0);
		json_close(writer, ']');
	}
	json_close(writer, '}');
}

/* Adds the command, which is stored as JSON. Anything but an array of texts is left out. */
static void
json_command(struct json_writer *writer, const char *command)
{
	struct json *list = command ? json_parse(command, strlen(command), NULL) : NULL;

	if (!list || list->kind != JSON_ARRAY) {
		json_null(writer, "command");
	} else {
		json_open(writer, "command", '[');
		for (const struct json *json = list->first; json; json = json->next)
			json_str(writer, NULL, json->text);
		json_close(writer, ']');
	}
	json_free(list);
}

/* Writes all rows. A field that some row has is written for every row. */
static bool
json_rows(struct json_writer *writer, const struct obs_table *table, const struct obs *obs,
	const struct recording_drain *drain, struct err *e)
{
	bool running, error, good = true;

	obs_has_quality(obs, &running, &error);
	json_open(writer, "rows", '[');
	for (size_t row = 0; row < obs->n_rows && good;) {
		struct obs_rows r = obs_rows(obs, row, obs->n_rows);

		for (; row < r.first + r.n && good; row++) {
			json_row(writer, obs, &r, row, running, error);
			good = recording_export_drain(table, drain, writer->out, e);
		}
	}
	json_close(writer, ']');
	return good;
}

/* Writes each machine once, and gives them numbers. */
static void
json_machines(struct json_writer *writer, const struct obs_table *table, struct names *machines)
{
	json_open(writer, "machines", '[');
	for (size_t i = 0; i < table->n; i++) {
		const char *machine = table->obs[i]->origin.machine;
		size_t known = machines->n;

		if (machine && names_add(machines, machine, strlen(machine)) == known)
			recording_machine_json(writer, machine);
	}
	json_close(writer, ']');
}

static bool
json_observation(struct json_writer *writer, const struct obs_table *table, const struct obs *obs,
	const struct names *machines, const struct recording_drain *drain, struct err *e)
{
	const char *machine = obs->origin.machine;
	bool good;

	json_open(writer, NULL, '{');
	json_str(writer, "name", obs->name);
	json_str(writer, "source", obs->source);
	json_bool(writer, "exact", obs->exact);
	json_num(writer, "tasks", obs->tasks);
	json_num(writer, "rotation_period", obs->rotation.period);
	json_num(writer, "locked_period", obs->rotation.locked);
	json_command(writer, obs->origin.command);
	json_str(writer, "started", obs->origin.started);
	json_str(writer, "cpu", obs->origin.cpu);
	if (machine)
		json_int(writer, "machine", (int64_t)names_find(machines, machine, strlen(machine)));
	else
		json_null(writer, "machine");
	json_open(writer, "health", '[');
	for (size_t i = 0; i < obs->n_columns; i++)
		json_str(writer, NULL, obs_health_name(obs->health[i]));
	json_close(writer, ']');
	good = json_rows(writer, table, obs, drain, e);
	json_close(writer, '}');
	return good;
}

bool
recording_json(const char *path, const struct session_model *text, const struct obs_table *table,
	const struct recording_drain *drain, struct str *out, struct err *e)
{
	struct json_writer w = {.out = out};
	struct names machines = {0};
	bool good = true;

	json_open(&w, NULL, '{');
	json_str(&w, "schema", "hecate.export/1");
	json_str(&w, "file", path);
	json_str(&w, "model", text->path ? text->name : NULL);
	json_str(&w, "kind", text->path ? text_word(text->kind) : NULL);
	json_open(&w, "counters", '[');
	for (size_t i = 0; i < table->n_columns; i++)
		json_str(&w, NULL, table->column[i]);
	json_close(&w, ']');
	json_open(&w, "notes", '[');
	for (size_t i = 0; i < table->n_notes; i++)
		json_str(&w, NULL, table->note[i]);
	json_close(&w, ']');
	json_machines(&w, table, &machines);
	json_open(&w, "observations", '[');
	for (size_t i = 0; i < table->n && good; i++)
		good = json_observation(&w, table, table->obs[i], &machines, drain, e);
	json_close(&w, ']');
	names_free(&machines);
	json_close(&w, '}');
	str_addc(out, '\n');
	return good;
}

struct recorded {
	struct session_model text; /* text of the file; its path is NULL when the file brings none */
	struct obs_table *table;
};

struct recorded *
recorded_open(const char *path, struct err *e)
{
	struct session_file *file = session_file_open_to_read(path, e);
	struct recorded *recorded;

	if (!file)
		return NULL;
	recorded = mem_new(sizeof *recorded);
	if (session_file_model(file, &recorded->text, e))
		recorded->table = session_file_read_far(file, SESSION_NEAR_CELLS, e);
	else
		session_file_close(file);
	if (recorded->table)
		return recorded;
	recorded_free(recorded);
	return NULL;
}

void
recorded_free(struct recorded *r)
{
	if (!r)
		return;
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
	return recording_json(path, &r->text, r->table, d, out, e);
}
