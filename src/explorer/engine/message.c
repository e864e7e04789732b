#include "explorer/engine/message.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
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
bundle_wire(struct wire *w, struct bundle *b)
{
	wire_str(w, &b->path);
	wire_array(w, &b->file, &b->n, sizeof *b->file, 25);
	for (size_t i = 0; i < b->n; i++) {
		struct udd_file *f = &b->file[i];

		wire_str(w, &f->name);
		wire_u64(w, &f->dev);
		wire_u64(w, &f->ino);
		wire_size(w, &f->n);
		if (w->reading) {
			if (w->bad || f->n > w->n - w->at) {
				w->bad = true;
				f->n = 0;
			}
			f->text = mem_new(f->n + 1);
		}
		wire_bytes(w, f->text, f->n);
	}
	wire_array(w, &b->include_dir, &b->n_include_dirs, sizeof *b->include_dir, 1);
	for (size_t i = 0; i < b->n_include_dirs; i++)
		wire_str(w, &b->include_dir[i]);
	wire_array(w, &b->define.text, &b->define.n, sizeof *b->define.text, 1);
	for (size_t i = 0; i < b->define.n; i++)
		wire_str(w, &b->define.text[i]);
}

/* NULL is sent as an empty array. */
static void
wire_optional(struct wire *w, double **v, size_t full)
{
	size_t n = w->reading || !*v ? 0 : full;

	wire_doubles(w, v, &n);
	if (!w->reading)
		return;
	w->bad |= n != 0 && n != full;
	if (n == 0) {
		free(*v);
		*v = NULL;
	}
}

/* The sums over complete samples; empty arrays stand for NULL. */
static void
wire_whole(struct wire *w, struct obs *o, size_t cells)
{
	size_t n = w->reading || !o->whole ? 0 : cells, rows = w->reading || !o->whole ? 0 : o->n_rows;

	wire_i64s(w, &o->whole, &n);
	wire_array(w, &o->whole_of, &rows, sizeof *o->whole_of, sizeof *o->whole_of);
	wire_bytes(w, o->whole_of, rows * sizeof *o->whole_of);
	w->bad |= (n && n != cells) || (n && rows != o->n_rows) || (!n && rows);
	if (w->reading && !n) {
		free(o->whole);
		free(o->whole_of);
		o->whole = NULL;
		o->whole_of = NULL;
	}
}

/* Fields of an observation whose rows hold several samples each. */
static void
wire_gathered(struct wire *w, struct obs *o, size_t cells)
{
	size_t n = w->reading || !o->of ? 0 : cells, totals = o->n_columns;

	wire_size(w, &o->per_row);
	if (o->per_row < 2)
		return;
	wire_size(w, &o->folded);
	wire_size(w, &o->sums);
	wire_array(w, &o->of, &n, sizeof *o->of, sizeof *o->of);
	wire_bytes(w, o->of, n * sizeof *o->of);
	wire_array(w, &o->total, &totals, sizeof *o->total, sizeof *o->total);
	wire_bytes(w, o->total, totals * sizeof *o->total);
	w->bad |= totals != o->n_columns || (n && n != cells);
	if (w->reading && !n) {
		free(o->of);
		o->of = NULL;
	}
	wire_whole(w, o, cells);
}

static void
wire_obs(struct wire *w, struct obs *o)
{
	size_t cells = o->n_rows * o->n_columns;

	wire_str(w, &o->cpu);
	wire_bool(w, &o->exact);
	wire_bool(w, &o->peeked);
	wire_bool(w, &o->since_start);
	wire_bool(w, &o->silent_zeros);
	wire_int(w, &o->decimals);
	wire_size(w, &o->n_rows);
	wire_i64s(w, &o->count, &cells);
	wire_array(w, &o->counted, &cells, 1, 1);
	wire_bytes(w, o->counted, cells);
	wire_optional(w, &o->time, o->n_rows);
	wire_optional(w, &o->running, cells);
	wire_optional(w, &o->error, cells);
	wire_double(w, &o->tasks);
	wire_double(w, &o->runs);
	wire_double(w, &o->rotation.period);
	wire_double(w, &o->rotation.locked);
	wire_gathered(w, o, cells);
	for (size_t i = 0; i < o->n_columns; i++) {
		int health = (int)o->health[i];

		wire_int(w, &health);
		o->health[i] = (enum obs_health)health;
	}
	if (w->reading && cells != o->n_rows * o->n_columns)
		w->bad = true;
}

void
obs_table_wire(struct wire *w, struct obs_table **table)
{
	struct obs_table *t = *table;
	char **column = w->reading ? NULL : t->column;
	size_t n_columns = w->reading ? 0 : t->n_columns, n = w->reading ? 0 : t->n;

	wire_array(w, &column, &n_columns, sizeof *column, 1);
	for (size_t i = 0; i < n_columns; i++)
		wire_str(w, &column[i]);
	wire_size(w, &n);
	if (w->reading) {
		t = *table = obs_table_new((const char *const *)column, n_columns);
		for (size_t i = 0; i < n_columns; i++)
			free(column[i]);
		free(column);
	}
	for (size_t i = 0; i < n && !w->bad; i++) {
		char *name = w->reading ? NULL : t->obs[i]->name, *source = w->reading ? NULL : t->obs[i]->source;

		wire_str(w, &name);
		wire_str(w, &source);
		if (w->reading) {
			struct obs *o = obs_table_add(t, name ? name : "", source ? source : "");

			free(o->count);
			free(o->counted);
			o->count = NULL;
			o->counted = NULL;
			free(name);
			free(source);
		}
		wire_obs(w, t->obs[i]);
		if (w->reading && !w->bad)
			obs_fit(t->obs[i]); /* more rows may come */
	}
	wire_array(w, &t->note, &t->n_notes, sizeof *t->note, 1);
	for (size_t i = 0; i < t->n_notes; i++)
		wire_str(w, &t->note[i]);
}

void
obs_rows_wire(struct wire *w, struct obs **rows)
{
	struct obs *o = w->reading ? (*rows = mem_new(sizeof *o)) : *rows;

	wire_str(w, &o->name);
	wire_str(w, &o->source);
	wire_size(w, &o->n_columns);
	if (w->reading) {
		/* Each column's health takes at least a byte of the message, so a larger number of columns is
		 * malformed. */
		if (w->bad || o->n_columns > w->n - w->at) {
			w->bad = true;
			o->n_columns = 0;
		}
		o->health = mem_new_array(o->n_columns, sizeof *o->health);
	}
	wire_obs(w, o);
}
