#include "cli/print/print_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "draw/cell.h"
#include "shape/shape.h"

#define CELLS_SHOWN 3 /* cells below each model, unless all are asked for */

void
sweep_table_clear(struct sweep_table *table)
{
	for (size_t i = 0; table->cell && i < table->n_models * table->n_data; i++)
		shape_clear(&sweep_cell_shape, &table->cell[i]);
	for (size_t i = 0; i < table->n_models; i++)
		free(table->model[i]);
	for (size_t i = 0; i < table->n_data; i++)
		free(table->data[i]);
	free(table->model);
	free(table->data);
	free(table->cell);
	*table = (struct sweep_table){0};
}

void
sweep_table_count(const struct sweep_table *table, size_t first, size_t n, size_t count[SWEEP_ANSWERS])
{
	memset(count, 0, SWEEP_ANSWERS * sizeof *count);
	for (size_t i = first * table->n_data; i < (first + n) * table->n_data; i++)
		count[table->cell[i].answer]++;
}

static const char *
mark_of(enum sweep_answer answer, bool ascii)
{
	static const enum glyph marks[] = {
		[SWEEP_SURVIVES] = GLYPH_FEASIBLE,
		[SWEEP_REFUTED] = GLYPH_INFEASIBLE,
		[SWEEP_IN_DOUBT] = GLYPH_IN_DOUBT,
		[SWEEP_UNDECIDED] = GLYPH_UNDECIDED,
	};

	return answer == SWEEP_FAILED ? "!" : glyph_text(marks[answer], ascii);
}

/* "  ✗ refuted    runs/a.csv  ls: load.walk_done <= load.miss": a line about a cell. */
static void
add_cell(const char *path, const struct sweep_cell *cell, size_t wide, bool ascii, struct str *out)
{
	str_addf(out, "  %s %-9s  ", mark_of(cell->answer, ascii), sweep_answer_word(cell->answer));
	print_padded(out, path, cell->n_refuted || cell->reason ? wide : 0, ascii);
	if (cell->n_refuted) {
		str_add(out, "  ");
		print_visible(out, cell->refuted->observation);
		str_add(out, ": ");
		print_relation(out, cell->refuted->constraint, ascii);
		if (cell->infeasible > 1)
			str_addf(out, " (and %zu more observations)", cell->infeasible - 1);
	} else if (cell->reason) {
		str_add(out, "  ");
		print_padded(out, cell->reason, 0, ascii);
	}
	str_addc(out, '\n');
}

static void
add_cells(const struct options *options, const struct sweep_table *table, size_t model, struct str *out)
{
	const struct sweep_cell *cell = &table->cell[model * table->n_data];
	size_t wide = 0, shown = 0, more = 0;

	for (size_t i = 0; i < table->n_data; i++) {
		size_t n = strlen(table->data[i]);

		wide = n > wide ? n : wide;
	}
	for (size_t i = 0; i < table->n_data; i++) {
		bool told = options->verbose || cell[i].answer != SWEEP_SURVIVES;

		if (told && (options->verbose || shown < CELLS_SHOWN)) {
			add_cell(table->data[i], &cell[i], wide, print_ascii(options), out);
			shown++;
		} else {
			more += told;
		}
	}
	if (more)
		str_addf(out, "  and %zu more files (-v lists all)\n", more);
}

void
print_sweep_text(const struct options *options, const struct sweep_table *table, struct str *out)
{
	static const struct text_column columns[] = {
		{.title = "MODEL"},
		{.title = "FILES", .right = true},
		{.title = "SURVIVES", .right = true},
		{.title = "REFUTED", .right = true},
		{.title = "IN DOUBT", .right = true},
		{.title = "UNDECIDED", .right = true},
		{.title = "FAILED", .right = true},
	};
	struct text_table *text = text_table_new(columns, sizeof columns / sizeof *columns, print_ascii(options));

	print_counterpoint(options, out);
	for (size_t i = 0; i < table->n_models; i++) {
		size_t count[SWEEP_ANSWERS];

		sweep_table_count(table, i, 1, count);
		text_table_row(text, "%s", table->model[i]);
		text_table_addf(text, "%zu", table->n_data);
		for (size_t k = 0; k < SWEEP_ANSWERS; k++)
			text_table_addf(text, "%zu", count[k]);
		add_cells(options, table, i, text_table_below(text));
	}
	text_table_end(text, out);
}

static const struct shape_row SWEEP_ROWS[] = {
	{.type = SHAPE_HAND, .key = "schema", .json = "string"},
	{.type = SHAPE_HAND, .key = "confidence", .json = "number"},
	{.type = SHAPE_HAND, .key = "region", .json = "string", .help = "as of `hecate check`"},
	{.type = SHAPE_HAND, .key = "counterpoint family_wise", .json = "boolean", .help = "as of `hecate check`"},
	{.type = SHAPE_HAND, .key = "models data", .json = "array(string)", .help = "in the order of the arguments"},
	{.type = SHAPE_HAND,
		.key = "survives refuted doubted undecided failed",
		.json = "integer",
		.help = "cells with this answer"},
	{.type = SHAPE_HAND,
		.key = "cells",
		.json = "array(object)",
		.of = &sweep_cell_shape,
		.help = "model by model; each is the answer of `hecate check MODEL FILE`"},
};
const struct shape print_sweep_shape = SHAPE(struct sweep_table, SWEEP_ROWS);

struct sweep_place {
	const char *model, *data;
};

static void
cell_by_hand(const void *ctx, struct json_writer *w, const char *key, const void *cell)
{
	const struct sweep_place *place = ctx;

	(void)cell;
	json_str(w, key, str_eq(key, "model") ? place->model : place->data);
}

static void
add_names(struct json_writer *w, const char *key, char *const *name, size_t n)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		json_str(w, NULL, name[i]);
	json_close(w, ']');
}

void
print_sweep_json(const struct options *options, const struct sweep_table *table, struct json_writer *w)
{
	static const char *const keys[SWEEP_ANSWERS] = {"survives", "refuted", "doubted", "undecided", "failed"};
	size_t count[SWEEP_ANSWERS];

	sweep_table_count(table, 0, table->n_models, count);
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.sweep/1");
	json_num(w, "confidence", options->confidence);
	json_str(w, "region", model_args_region(options));
	json_bool(w, "counterpoint", options->counterpoint);
	json_bool(w, "family_wise", model_args_family_wise(options));
	add_names(w, "models", table->model, table->n_models);
	add_names(w, "data", table->data, table->n_data);
	for (size_t i = 0; i < SWEEP_ANSWERS; i++)
		json_int(w, keys[i], (int64_t)count[i]);
	json_open(w, "cells", '[');
	for (size_t i = 0; i < table->n_models * table->n_data; i++) {
		const struct sweep_place place = {table->model[i / table->n_data], table->data[i % table->n_data]};

		shape_json(w, NULL, &sweep_cell_shape, &table->cell[i],
			&(struct shape_names){.by_hand = cell_by_hand, .ctx = &place});
	}
	json_close(w, ']');
	json_close(w, '}');
}
