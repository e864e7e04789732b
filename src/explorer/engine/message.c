#include "explorer/engine/message.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "shape/wire.h"
#include "work/files/files.h"

const char *
message_name(uint64_t kind)
{
	static const char *const name[] = {
		[MESSAGE_LOAD] = "load", [MESSAGE_TABLE] = "table", [MESSAGE_ROWS] = "rows", [MESSAGE_RUN] = "run",
		[MESSAGE_WITNESS] = "witness", [MESSAGE_TOUCH] = "touch", [MESSAGE_LOSS] = "loss",
		[MESSAGE_GEOMETRY] = "geometry", [MESSAGE_FLOW] = "flow", [MESSAGE_SEARCH] = "search",
		[MESSAGE_PROGRESS] = "progress", [MESSAGE_RESULT] = "result", [MESSAGE_NEIGHBOURS] = "neighbours",
		[MESSAGE_FAILED] = "failed",
	};

	return kind < sizeof name / sizeof *name ? name[kind] : "?";
}

void
bundle_wire(struct wire *wire, struct bundle *bundle)
{
	wire_str(wire, &bundle->path);
	wire_array(wire, &bundle->file, &bundle->n, sizeof *bundle->file, 25);
	for (size_t i = 0; i < bundle->n; i++) {
		struct udd_file *file = &bundle->file[i];

		wire_name(wire, &file->name);
		wire_u64(wire, &file->dev);
		wire_u64(wire, &file->ino);
		wire_size(wire, &file->n);
		if (wire->reading) {
			if (wire->bad || file->n > wire->n - wire->at) {
				wire->bad = true;
				file->n = 0;
			}
			file->text = mem_new(file->n + 1);
		}
		wire_bytes(wire, file->text, file->n);
	}
	wire_array(wire, &bundle->include_dir, &bundle->n_include_dirs, sizeof *bundle->include_dir, 1);
	for (size_t i = 0; i < bundle->n_include_dirs; i++)
		wire_name(wire, &bundle->include_dir[i]);
	wire_array(wire, &bundle->define.text, &bundle->define.n, sizeof *bundle->define.text, 1);
	for (size_t i = 0; i < bundle->define.n; i++)
		wire_name(wire, &bundle->define.text[i]);
}

/* NULL is sent as an empty array. */
static void
wire_optional(struct wire *wire, double **v, size_t full)
{
	size_t n = wire->reading || !*v ? 0 : full;

	wire_doubles(wire, v, &n);
	if (!wire->reading)
		return;
	wire->bad |= n != 0 && n != full;
	if (n == 0) {
		free(*v);
		*v = NULL;
	}
}

/* The sums over complete samples; empty arrays stand for NULL. */
static void
wire_whole(struct wire *wire, struct obs *obs, size_t cells)
{
	size_t n = wire->reading || !obs->whole ? 0 : cells, rows = wire->reading || !obs->whole ? 0 : obs->n_rows;

	wire_i64s(wire, &obs->whole, &n);
	wire_array(wire, &obs->whole_of, &rows, sizeof *obs->whole_of, sizeof *obs->whole_of);
	wire_bytes(wire, obs->whole_of, rows * sizeof *obs->whole_of);
	wire->bad |= (n && n != cells) || (n && rows != obs->n_rows) || (!n && rows);
	if (wire->reading && !n) {
		free(obs->whole);
		free(obs->whole_of);
		obs->whole = NULL;
		obs->whole_of = NULL;
	}
}

/* Fields of an observation whose rows hold several samples each. */
static void
wire_gathered(struct wire *wire, struct obs *obs, size_t cells)
{
	size_t n = wire->reading || !obs->of ? 0 : cells, totals = obs->n_columns;

	wire_size(wire, &obs->per_row);
	if (obs->per_row < 2)
		return;
	wire_size(wire, &obs->folded);
	wire_size(wire, &obs->sums);
	wire_array(wire, &obs->of, &n, sizeof *obs->of, sizeof *obs->of);
	wire_bytes(wire, obs->of, n * sizeof *obs->of);
	wire_array(wire, &obs->total, &totals, sizeof *obs->total, sizeof *obs->total);
	wire_bytes(wire, obs->total, totals * sizeof *obs->total);
	wire->bad |= totals != obs->n_columns || (n && n != cells);
	if (wire->reading && !n) {
		free(obs->of);
		obs->of = NULL;
	}
	wire_whole(wire, obs, cells);
}

static void
wire_obs(struct wire *wire, struct obs *obs)
{
	size_t cells = obs->n_rows * obs->n_columns;

	wire_str(wire, &obs->origin.cpu);
	wire_bool(wire, &obs->exact);
	wire_bool(wire, &obs->peeked);
	wire_bool(wire, &obs->since_start);
	wire_bool(wire, &obs->silent_zeros);
	obs->decimals = wire_word(wire, obs->decimals, 19); /* 10^18 is the largest power that fits */
	wire_size(wire, &obs->n_rows);
	wire_i64s(wire, &obs->count, &cells);
	wire_array(wire, &obs->counted, &cells, 1, 1);
	wire_bytes(wire, obs->counted, cells);
	wire_optional(wire, &obs->time, obs->n_rows);
	wire_optional(wire, &obs->running, cells);
	wire_optional(wire, &obs->error, cells);
	wire_double(wire, &obs->tasks);
	wire_double(wire, &obs->elapsed);
	wire_double(wire, &obs->runs);
	wire_double(wire, &obs->rotation.period);
	wire_double(wire, &obs->rotation.locked);
	wire_u64(wire, &obs->rotation.seed);
	wire_gathered(wire, obs, cells);
	for (size_t i = 0; i < obs->n_columns; i++)
		obs->health[i] = (enum obs_health)wire_word(wire, (int)obs->health[i], OBS_ABSENT + 1);
	if (wire->reading && cells != obs->n_rows * obs->n_columns)
		wire->bad = true;
}

void
obs_table_wire(struct wire *wire, struct obs_table **table)
{
	struct obs_table *obs_table = *table;
	char **column = wire->reading ? NULL : obs_table->column;
	size_t n_columns = wire->reading ? 0 : obs_table->n_columns, n = wire->reading ? 0 : obs_table->n;

	wire_array(wire, &column, &n_columns, sizeof *column, 1);
	for (size_t i = 0; i < n_columns; i++)
		wire_name(wire, &column[i]);
	wire_size(wire, &n);
	if (wire->reading) {
		obs_table = *table = obs_table_new((const char *const *)column, n_columns);
		for (size_t i = 0; i < n_columns; i++)
			free(column[i]);
		free(column);
	}
	for (size_t i = 0; i < n && !wire->bad; i++) {
		char *name = wire->reading ? NULL : obs_table->obs[i]->name,
		     *source = wire->reading ? NULL : obs_table->obs[i]->source;

		wire_name(wire, &name);
		wire_name(wire, &source);
		if (wire->reading) {
			struct obs *obs = obs_table_add(obs_table, name, source);

			free(obs->count);
			free(obs->counted);
			obs->count = NULL;
			obs->counted = NULL;
			free(name);
			free(source);
		}
		if (wire->reading) {
			wire_obs(wire, obs_table->obs[i]);
			if (!wire->bad)
				obs_fit(obs_table->obs[i]); /* more rows may come */
		} else {
			struct obs near = obs_near(obs_table->obs[i]);

			wire_obs(wire, &near);
			obs_near_free(&near, obs_table->obs[i]);
		}
	}
	wire_array(wire, &obs_table->note, &obs_table->n_notes, sizeof *obs_table->note, 1);
	for (size_t i = 0; i < obs_table->n_notes; i++)
		wire_name(wire, &obs_table->note[i]);
}

void
obs_rows_wire(struct wire *wire, struct obs **rows)
{
	struct obs *obs = wire->reading ? (*rows = mem_new(sizeof *obs)) : *rows;

	wire_name(wire, &obs->name);
	wire_name(wire, &obs->source);
	wire_size(wire, &obs->n_columns);
	if (wire->reading) {
		/* Each column's health takes at least a byte of the message, so a larger number of columns is
		 * malformed. */
		if (wire->bad || obs->n_columns > wire->n - wire->at) {
			wire->bad = true;
			obs->n_columns = 0;
		}
		obs->health = mem_new_array(obs->n_columns, sizeof *obs->health);
	}
	wire_obs(wire, obs);
}
