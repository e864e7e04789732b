/* The graph of the searches as tables. Their columns are the rows of its shapes that have a key
 * (core/search/search_graph.c). Features and observations stand there by name: any SQLite shell can read them, and a
 * new order of either changes nothing. A row that cannot be read is left out, with all rows that refer to it. */
#include "explorer/autosave/autosave.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "explorer/autosave/setting.h"
#include "shape/shape.h"
#include "work/remarks.h"

#define COLUMNS_MAX 12

static const enum session_table_kind graph_tables[] = {SESSION_TABLE_GRAPH, SESSION_TABLE_GRAPH_MODEL,
	SESSION_TABLE_GRAPH_EDGE, SESSION_TABLE_GRAPH_ALIKE, SESSION_TABLE_GRAPH_REPAIR};
#define GRAPH_TABLES (sizeof graph_tables / sizeof *graph_tables)

/* The context of a cell that is written. */
struct graph_writer {
	const struct udd_model *udd_model;
	const struct search_graph *graph;
	int64_t model; /* number of the model's text in the file */
	size_t at;     /* number of the row */
};

/* Returns the names of the observations whose bits are set; all names for NULL. */
static char *
observations(const struct search_graph *graph, const struct search_graph_model *model)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};

	json_open(&w, NULL, '[');
	for (size_t i = 0; i < graph->n_observations; i++)
		if (!model || graph_model_refuted_by(model, i))
			json_str(&w, NULL, graph->observation[i]);
	json_close(&w, ']');
	json_on_one_line(&text, 0);
	return str_take(&text);
}

/* Returns the kinds of the rows of graph_alike, in their order; NULL: there is none. */
static char *
kinds(const struct search_graph *graph)
{
	struct str text = {0};

	for (size_t i = 0; i < graph->n_alike; i++)
		str_addf(&text, "%s%s", i ? " " : "", graph_alike_names[graph->alike[i].kind]);
	return text.n ? str_take(&text) : NULL;
}

/* Returns a cell that is more than one field. */
static char *
write_by_hand(const struct graph_writer *w, const struct shape_row *row, const void *record)
{
	const struct search_graph_model *model = record;
	const struct search_graph_repair *repair = record;

	if (str_eq(row->key, "id"))
		return str_format("%zu", w->at);
	if (str_eq(row->key, "model"))
		return str_format("%" PRId64, w->model);
	if (str_eq(row->key, "seconds"))
		return str_format("%.9g", w->graph->seconds);
	if (str_eq(row->key, "alike"))
		return kinds(w->graph);
	if (str_eq(row->key, "minimal"))
		return mem_str(search_graph_is_minimal(w->graph, w->at) ? "1" : "0");
	if (str_eq(row->key, "cone")) /* begins with a letter, so that it reads as a name and not as a number */
		return str_format("c%016" PRIx64, model->cone);
	return mem_str(w->udd_model->feature[repair->feature].name);
}

/* Returns the text of a cell; NULL: it is empty. */
static char *
write_cell(const struct graph_writer *w, const struct shape_row *row, const void *record)
{
	const void *field = (const char *)record + row->at;
	struct str text = {0};

	switch (row->type) {
	case SHAPE_BOOL:
		return mem_str(*(const bool *)field ? "1" : "0");
	case SHAPE_WORD:
		return mem_str(row->word[*(const int *)field]);
	case SHAPE_UNSIGNED:
		if (row->many == SHAPE_LIST)
			return observations(w->graph, record);
		return str_format("%zu", *(const size_t *)field);
	case SHAPE_REAL:
		return isfinite(*(const double *)field) ? str_format("%.17g", *(const double *)field) : NULL;
	case SHAPE_TEXT:
		if (row->many == SHAPE_LIST)
			return observations(w->graph, NULL);
		return *(char *const *)field ? mem_str(*(char *const *)field) : NULL;
	case SHAPE_BYTES:
		features_json(w->udd_model, field, &text);
		return str_take(&text);
	case SHAPE_HAND:
	case SHAPE_ROWS:
	case SHAPE_ZERO:
	case SHAPE_SIGNED:
	case SHAPE_RECORD:
		break;
	}
	return write_by_hand(w, row, record);
}

/* Adds a row for each of n records. */
static void
write_rows(struct graph_writer *w, const struct shape *shape, const void *record, size_t n, struct session_table *out)
{
	for (w->at = 0; w->at < n; w->at++) {
		char *cell[COLUMNS_MAX];
		size_t k = 0;

		for (const struct shape_row *row = shape->row; row < shape->row + shape->n; row++)
			if (row->key)
				cell[k++] = write_cell(w, row, (const char *)record + w->at * shape->size);
		session_table_add(out, (const char *const *)cell);
		while (k)
			free(cell[--k]);
	}
}

/* Adds a key and a value for each column that is not empty. */
static void
write_words(struct graph_writer *w, struct session_table *out)
{
	static char unfinished[] = "the search was not over when this was written";
	struct search_graph kept = *w->graph;

	if (kept.running) {
		kept.complete = false;
		kept.reason = unfinished;
	}
	for (size_t i = 0; i < search_graph_shape.n; i++) {
		const struct shape_row *row = &search_graph_shape.row[i];
		char *value = row->key ? write_cell(w, row, &kept) : NULL;

		if (value)
			session_table_add(out, (const char *[]){row->key, value});
		free(value);
	}
}

bool
autosave_graph_write(struct session_file *file, int64_t model, const struct udd_model *udd_model,
	const struct search_graph *graph, struct err *e)
{
	struct graph_writer w = {.udd_model = udd_model, .graph = graph, .model = model};
	struct session_table table[GRAPH_TABLES];
	bool good = true;

	for (size_t i = 0; i < GRAPH_TABLES; i++)
		table[i] = (struct session_table){.n_columns = session_table_columns(graph_tables[i])};
	write_words(&w, &table[0]);
	write_rows(&w, &search_graph_model_shape, graph->model, graph->n_models, &table[1]);
	write_rows(&w, &search_graph_edge_shape, graph->edge, graph->n_edges, &table[2]);
	write_rows(&w, &search_graph_alike_shape, graph->alike, graph->n_alike, &table[3]);
	write_rows(&w, &search_graph_repair_shape, graph->repair, graph->n_repairs, &table[4]);
	for (size_t i = 0; i < GRAPH_TABLES; i++) {
		good = good && session_table_write(file, graph_tables[i], &table[i], true, e);
		session_table_clear(&table[i]);
	}
	return good;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

struct graph_reader {
	const struct udd_model *m;
	struct search_graph *g;
	size_t *id; /* per model: its id in the file */
};

/* Reads a list of names: of features, of all observations, or of those that refute a model. False if it has an unknown
 * one. The names of observations are in the graph's order, so one pass finds all. */
static bool
take_list(const struct graph_reader *r, const struct shape_row *row, const char *text, void *record)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	struct search_graph *graph = r->g;
	struct search_graph_model *model = record;
	bool good = list && list->kind == JSON_ARRAY;
	size_t at = 0;

	if (row->type == SHAPE_TEXT) {
		graph->observation = mem_new_array(good ? list->n : 0, sizeof *graph->observation);
	} else if (row->type == SHAPE_UNSIGNED) {
		model->n_words = (graph->n_observations + 63) / 64;
		model->refuted = mem_new_array(model->n_words, sizeof *model->refuted);
	}
	for (const struct json *json = good ? list->first : NULL; json; json = json->next) {
		bool known = json->kind == JSON_STRING;
		const char *name = known ? json->text : "";

		if (row->type == SHAPE_TEXT && known) {
			graph->observation[graph->n_observations++] = mem_str(name);
		} else if (row->type == SHAPE_BYTES) {
			at = udd_feature_named(r->m, name);
			known &= at < r->m->n_features;
			if (known)
				fset_put((struct fset *)(void *)((char *)record + row->at), at, true);
		} else if (row->type == SHAPE_UNSIGNED) {
			while (at < graph->n_observations && !str_eq(graph->observation[at], name))
				at++;
			known &= at < graph->n_observations;
			if (known)
				model->refuted[at / 64] |= UINT64_C(1) << (at % 64);
		}
		good &= known;
	}
	json_free(list);
	return good;
}

static bool
take_by_hand(const struct graph_reader *r, const struct shape_row *row, const char *text, void *record)
{
	struct search_graph_model *model = record;
	struct search_graph_repair *repair = record;

	if (str_eq(row->key, "cone"))
		model->cone = *text == 'c' ? strtoull(text + 1, NULL, 16) : 0;
	if (str_eq(row->key, "seconds"))
		return str_to_double(text, &r->g->seconds);
	if (!str_eq(row->key, "feature"))
		return true;
	repair->feature = udd_feature_named(r->m, text);
	return repair->feature < r->m->n_features;
}

/* Sets an empty field to what its cell says. An unknown word is the first one. */
static bool
take_cell(const struct graph_reader *r, const struct shape_row *row, const char *text, void *record)
{
	void *field = (char *)record + row->at;
	size_t word = row->n_words;

	if (row->many == SHAPE_LIST || row->type == SHAPE_BYTES)
		return take_list(r, row, text, record);
	switch (row->type) {
	case SHAPE_BOOL:
		*(bool *)field = str_eq(text, "1");
		return true;
	case SHAPE_WORD:
		while (word && !str_eq(row->word[--word], text))
			;
		*(int *)field = (int)word;
		return true;
	case SHAPE_UNSIGNED:
		return str_to_u64(text, field);
	case SHAPE_REAL:
		return str_to_double(text, field);
	case SHAPE_TEXT:
		*(char **)field = *text ? mem_str(text) : NULL;
		return true;
	case SHAPE_BYTES:
	case SHAPE_HAND:
	case SHAPE_ROWS:
	case SHAPE_ZERO:
	case SHAPE_SIGNED:
	case SHAPE_RECORD:
		break;
	}
	return take_by_hand(r, row, text, record);
}

/* Reads a row into an empty record. If that fails, the record is empty again. */
static bool
take_row(struct graph_reader *r, const struct shape *shape, const struct session_table *table, size_t at, void *record)
{
	bool good = true;
	size_t column = 0;

	for (const struct shape_row *row = shape->row; row < shape->row + shape->n && good; row++)
		if (row->key)
			good = take_cell(r, row, session_table_cell(table, at, column++), record);
	if (!good) {
		shape_clear(shape, record);
		memset(record, 0, shape->size);
	}
	return good;
}

/* False: the file does not say which observations the graph is about. Any other key may be missing or unreadable. */
static bool
take_words(struct graph_reader *reader, const struct session_table *table)
{
	bool good = false;

	for (size_t i = 0; i < search_graph_shape.n; i++) {
		const struct shape_row *row = &search_graph_shape.row[i];
		const char *value = row->key ? setting_value(table, row->key) : NULL;
		bool taken = value && take_cell(reader, row, value, reader->g);

		good |= taken && row->many == SHAPE_LIST;
	}
	return good;
}

static size_t
take_models(struct graph_reader *reader, const struct session_table *table)
{
	struct search_graph *graph = reader->g;
	size_t bad = 0;

	graph->model = mem_new_array(table->n_rows, sizeof *graph->model);
	graph->needs.minimal = mem_new_array(table->n_rows, sizeof *graph->needs.minimal);
	reader->id = mem_new_array(table->n_rows + 1, sizeof *reader->id);
	for (size_t row = 0; row < table->n_rows; row++) {
		size_t at = graph->n_models;
		struct search_graph_model *model = &graph->model[at];
		uint64_t id = 0;

		if (!str_to_u64(session_table_cell(table, row, 0), &id) ||
			!take_row(reader, &search_graph_model_shape, table, row, model)) {
			bad++;
			continue;
		}
		if (search_graph_find(graph, &model->on) < at) {
			graph_model_clear(model);
			bad++;
			continue;
		}
		reader->id[graph->n_models++] = id;
		if (str_eq(session_table_cell(table, row, 8), "1"))
			graph->needs.minimal[graph->needs.n_minimal++] = at;
	}
	return bad;
}

/* Turns the id of a model in the file into its number. */
static bool
find_model(const struct graph_reader *r, size_t *id)
{
	for (size_t i = 0; i < r->g->n_models; i++)
		if (r->id[i] == *id) {
			*id = i;
			return true;
		}
	return false;
}

static void
take_edges(struct graph_reader *reader, const struct session_table *table)
{
	reader->g->edge = mem_new_array(table->n_rows, sizeof *reader->g->edge);
	for (size_t row = 0; row < table->n_rows; row++) {
		struct search_graph_edge *edge = &reader->g->edge[reader->g->n_edges];

		*edge = (struct search_graph_edge){0};
		if (take_row(reader, &search_graph_edge_shape, table, row, edge) && find_model(reader, &edge->from) &&
			find_model(reader, &edge->to))
			reader->g->n_edges++;
	}
}

static void
take_pairs(struct graph_reader *reader, const struct session_table *table)
{
	const struct session_table *alike = &table[3], *repair = &table[4];
	const char *words = setting_value(&table[0], "alike");
	size_t n_kinds = 0;
	char **kind = str_split(words ? words : "", ' ', &n_kinds);

	reader->g->alike = mem_new_array(alike->n_rows, sizeof *reader->g->alike);
	reader->g->repair = mem_new_array(repair->n_rows, sizeof *reader->g->repair);
	for (size_t row = 0; row < alike->n_rows; row++) {
		struct search_graph_alike *x = &reader->g->alike[reader->g->n_alike];

		if (!take_row(reader, &search_graph_alike_shape, alike, row, x))
			continue;
		for (int k = 0; row < n_kinds && k < GRAPH_ALIKE_KINDS; k++)
			if (str_eq(graph_alike_names[k], kind[row]))
				x->kind = k;
		reader->g->n_alike++;
	}
	for (size_t row = 0; row < repair->n_rows; row++)
		reader->g->n_repairs += take_row(reader, &search_graph_repair_shape, repair, row,
			&reader->g->repair[reader->g->n_repairs]);
	str_split_free(kind);
}

static void
take_graph(struct graph_reader *reader, const struct session_table *table, struct str *lost)
{
	size_t bad;

	reader->g = search_graph_new();
	if (!take_words(reader, &table[0])) {
		setting_lost(lost, "the search graph, which cannot be read", "");
		search_graph_free(reader->g);
		reader->g = NULL;
		return;
	}
	bad = take_models(reader, &table[1]);
	take_edges(reader, &table[2]);
	take_pairs(reader, table);
	if (bad) {
		char *n = str_format("%zu", bad);

		reader->g->complete = false;
		search_graph_set_reason(reader->g, "some of its models could not be read from the session file");
		setting_lost(lost, "models of the search graph:", n);
		free(n);
	}
}

bool
autosave_graph_read(struct session_file *file, int64_t model, bool kept, const struct udd_model *udd_model,
	struct search_graph **out, struct str *lost, struct err *e)
{
	struct session_table table[GRAPH_TABLES] = {0};
	struct graph_reader r = {.m = udd_model};
	const char *of;
	bool good = true;
	char *same = str_format("%" PRId64, model);

	*out = NULL;
	for (size_t i = 0; i < GRAPH_TABLES; i++)
		good = good && (kept ? session_table_read_kept(file, model, graph_tables[i], &table[i], e)
				     : session_table_read(file, graph_tables[i], &table[i], e));
	of = setting_value(&table[0], "model");
	if (good && model && of && str_eq(of, same))
		take_graph(&r, table, lost);
	else if (good && table[0].n_rows)
		setting_lost(lost, "the search graph, which is of another text of the model", "");
	*out = r.g;
	for (size_t i = 0; i < GRAPH_TABLES; i++)
		session_table_clear(&table[i]);
	free(r.id);
	free(same);
	return good;
}

void
autosave_graph_measure(const struct search_graph *graph, size_t out[6])
{
	size_t refuted = 0;
	double seconds = graph->seconds;
	uint64_t bits;

	memcpy(&bits, &seconds, sizeof bits);
	for (size_t i = 0; i < graph->n_models; i++)
		refuted += graph->model[i].infeasible + graph->model[i].survives;
	out[0] = graph->n_models + 1;
	out[1] = graph->n_edges;
	out[2] = refuted;
	out[3] = (size_t)bits;
	out[4] = graph->needs.n_minimal + 2 * graph->n_repairs + 3 * graph->n_alike;
	out[5] = graph->tested * 16 + (size_t)graph->task * 4 + graph->complete * 2 + graph->running;
}
