/* The graph of the searches as rows. Features and observations stand there by name: any SQLite shell can read them, and
 * a new order of either changes nothing. A row that cannot be read is left out, with all rows that refer to it. */
#include "explorer/autosave/autosave.h"

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
#include "collect/store/session_table.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "explorer/autosave/setting.h"
#include "work/remarks.h"

static const char *const alike_names[GRAPH_ALIKE_KINDS] = {"partly", "nothing", "equal", "survivors"};
static const char *const task_names[] = {"none", "discover", "eliminate", "auto"};
#define TASKS (sizeof task_names / sizeof *task_names)

/* A row that is being made; its texts are freed when it is added. */
struct row {
	struct session_table *table;
	char *cell[12];
	size_t n;
};

static void
autosave_graph_add(struct row *r, char *text)
{
	r->cell[r->n++] = text;
}

static void
end_row(struct row *r)
{
	session_table_add(r->table, (const char *const *)r->cell);
	for (size_t i = 0; i < r->n; i++)
		free(r->cell[i]);
	r->n = 0;
}

static char *
number(size_t n)
{
	return str_format("%zu", n);
}

static char *
optional(const char *text)
{
	return text ? mem_str(text) : NULL;
}

static char *
features(const struct udd_model *m, const struct fset *on)
{
	struct str text = {0};

	features_json(m, on, &text);
	return str_take(&text);
}

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

static void
autosave_graph_add_value(struct session_table *s, const char *key, char *value)
{
	struct row r = {.table = s};

	autosave_graph_add(&r, mem_str(key));
	autosave_graph_add(&r, value);
	if (value)
		end_row(&r);
	else
		free(r.cell[0]);
}

/* Adds the kinds of the rows of graph_alike, in their order. */
static char *
kinds(const struct search_graph *graph)
{
	struct str text = {0};

	for (size_t i = 0; i < graph->n_alike; i++) {
		int kind = graph->alike[i].kind;

		str_addf(&text, "%s%s", i ? " " : "", alike_names[kind >= 0 && kind < GRAPH_ALIKE_KINDS ? kind : 0]);
	}
	if (text.n)
		return str_take(&text);
	str_free(&text);
	return NULL;
}

static void
words_of(const struct search_graph *graph, const struct udd_model *udd_model, int64_t model, struct session_table *out)
{
	autosave_graph_add_value(out, "model", str_format("%" PRId64, model));
	autosave_graph_add_value(out, "observations", observations(graph, NULL));
	autosave_graph_add_value(out, "task",
		mem_str(graph->task >= 0 && (size_t)graph->task < TASKS ? task_names[graph->task] : task_names[0]));
	autosave_graph_add_value(out, "complete", mem_str(graph->complete && !graph->running ? "1" : "0"));
	autosave_graph_add_value(out, "reason",
		graph->running ? mem_str("the search was not over when this was written") : optional(graph->reason));
	autosave_graph_add_value(out, "says", optional(graph->says));
	autosave_graph_add_value(out, "suspects", optional(graph->suspects));
	autosave_graph_add_value(out, "required", features(udd_model, &graph->needs.required));
	autosave_graph_add_value(out, "optional", features(udd_model, &graph->needs.optional));
	autosave_graph_add_value(out, "useless", features(udd_model, &graph->needs.useless));
	autosave_graph_add_value(out, "useless_in", optional(graph->needs.useless_in));
	autosave_graph_add_value(out, "alike", kinds(graph));
	autosave_graph_add_value(out, "proposed", features(udd_model, &graph->proposed));
	autosave_graph_add_value(out, "fixed", features(udd_model, &graph->fixed));
	autosave_graph_add_value(out, "sets", isfinite(graph->sets) ? str_format("%.17g", graph->sets) : NULL);
	autosave_graph_add_value(out, "undecided", number(graph->undecided));
	autosave_graph_add_value(out, "tested", number(graph->tested));
	autosave_graph_add_value(out, "seconds", str_format("%.9g", graph->seconds));
}

static void
models_of(const struct search_graph *graph, const struct udd_model *model, struct session_table *out)
{
	struct row r = {.table = out};

	for (size_t i = 0; i < graph->n_models; i++) {
		const struct search_graph_model *search_graph_model = &graph->model[i];

		autosave_graph_add(&r, number(i));
		autosave_graph_add(&r, features(model, &search_graph_model->on));
		autosave_graph_add(&r,
			mem_str(search_graph_model->step >= 0 && search_graph_model->step < GRAPH_STEPS
					? graph_step_names[search_graph_model->step]
					: graph_step_names[0]));
		autosave_graph_add(&r, number(search_graph_model->usable));
		autosave_graph_add(&r, number(search_graph_model->survives));
		autosave_graph_add(&r, number(search_graph_model->infeasible));
		autosave_graph_add(&r, observations(graph, search_graph_model));
		/* begins with a letter, so that it reads as a name and not as a number */
		autosave_graph_add(&r, str_format("c%016" PRIx64, search_graph_model->cone));
		autosave_graph_add(&r, number(search_graph_is_minimal(graph, i)));
		autosave_graph_add(&r, optional(search_graph_model->worst));
		autosave_graph_add(&r, optional(search_graph_model->worst_by));
		end_row(&r);
	}
}

static void
edges_of(const struct search_graph *graph, const struct udd_model *model, struct session_table *out)
{
	struct row r = {.table = out};

	for (size_t i = 0; i < graph->n_edges; i++) {
		const struct search_graph_edge *edge = &graph->edge[i];

		autosave_graph_add(&r, number(edge->from));
		autosave_graph_add(&r, number(edge->to));
		autosave_graph_add(&r, features(model, &edge->changed));
		autosave_graph_add(&r,
			mem_str(edge->step >= 0 && edge->step < GRAPH_STEPS ? graph_step_names[edge->step]
									      : graph_step_names[0]));
		end_row(&r);
	}
}

static void
pairs_of(const struct search_graph *graph, const struct udd_model *model, struct session_table *alike,
	struct session_table *repair)
{
	struct row a = {.table = alike}, b = {.table = repair};

	for (size_t i = 0; i < graph->n_alike; i++) {
		autosave_graph_add(&a, number(i));
		autosave_graph_add(&a, features(model, &graph->alike[i].one));
		autosave_graph_add(&a, features(model, &graph->alike[i].other));
		autosave_graph_add(&a, optional(graph->alike[i].why));
		end_row(&a);
	}
	for (size_t i = 0; i < graph->n_repairs; i++) {
		if (graph->repair[i].feature >= model->n_features)
			continue;
		autosave_graph_add(&b, number(i));
		autosave_graph_add(&b, mem_str(model->feature[graph->repair[i].feature].name));
		autosave_graph_add(&b, number(graph->repair[i].frees));
		end_row(&b);
	}
}

static const enum session_table_kind graph_tables[] = {SESSION_TABLE_GRAPH, SESSION_TABLE_GRAPH_MODEL,
	SESSION_TABLE_GRAPH_EDGE, SESSION_TABLE_GRAPH_ALIKE, SESSION_TABLE_GRAPH_REPAIR};
#define GRAPH_TABLES (sizeof graph_tables / sizeof *graph_tables)

bool
autosave_graph_write(struct session_file *file, int64_t model, const struct udd_model *udd_model,
	const struct search_graph *graph, struct err *e)
{
	struct session_table table[GRAPH_TABLES];
	bool good = true;

	for (size_t i = 0; i < GRAPH_TABLES; i++)
		table[i] = (struct session_table){.n_columns = session_table_columns(graph_tables[i])};
	words_of(graph, udd_model, model, &table[0]);
	models_of(graph, udd_model, &table[1]);
	edges_of(graph, udd_model, &table[2]);
	pairs_of(graph, udd_model, &table[3], &table[4]);
	for (size_t i = 0; i < GRAPH_TABLES; i++) {
		good = good && session_table_write(file, graph_tables[i], &table[i], true, e);
		session_table_clear(&table[i]);
	}
	return good;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

struct reader {
	const struct udd_model *m;
	struct search_graph *g;
	size_t *id; /* per model: its id in the file */
	char **kind; /* per row of graph_alike; NULL: the file has none */
	size_t n_kinds;
};

static bool
take_features(const struct reader *reader, const char *text, struct fset *out)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	bool good = list && list->kind == JSON_ARRAY;

	*out = (struct fset){0};
	for (const struct json *json = good ? list->first : NULL; json; json = json->next) {
		size_t i = 0;

		while (json->kind == JSON_STRING && i < reader->m->n_features &&
			!str_eq(reader->m->feature[i].name, json->text))
			i++;
		if (json->kind == JSON_STRING && i < reader->m->n_features)
			fset_put(out, i, true);
		else
			good = false;
	}
	json_free(list);
	return good;
}

static bool
autosave_graph_take_names(struct search_graph *graph, const char *text)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	size_t cap = 0;
	bool good = list && list->kind == JSON_ARRAY;

	for (const struct json *json = good ? list->first : NULL; json && good; json = json->next) {
		good = json->kind == JSON_STRING;
		mem_grow(&graph->observation, &cap, graph->n_observations + 1, sizeof *graph->observation);
		if (good)
			graph->observation[graph->n_observations++] = mem_str(json->text);
	}
	json_free(list);
	return good;
}

/* Sets the bits of the named observations. False: the graph does not have one of them. */
static bool
take_refuted(const struct search_graph *graph, const char *text, struct search_graph_model *model)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	bool good = list && list->kind == JSON_ARRAY;
	size_t at = 0;

	model->n_words = (graph->n_observations + 63) / 64;
	model->refuted = mem_new_array(model->n_words, sizeof *model->refuted);
	for (const struct json *json = good ? list->first : NULL; json && good; json = json->next) {
		/* the names are in the graph's order, so one pass finds all */
		while (json->kind == JSON_STRING && at < graph->n_observations &&
			!str_eq(graph->observation[at], json->text))
			at++;
		good = json->kind == JSON_STRING && at < graph->n_observations;
		if (good)
			model->refuted[at / 64] |= UINT64_C(1) << (at % 64);
	}
	json_free(list);
	return good;
}

static int
autosave_graph_number_in(const char *const *name, size_t n, const char *word)
{
	size_t i = 0;

	while (i < n && !str_eq(name[i], word))
		i++;
	return i < n ? (int)i : 0;
}

static bool
size_of(const char *text, size_t *out)
{
	uint64_t v;
	bool good = str_to_u64(text, &v) && v <= SIZE_MAX;

	*out = good ? (size_t)v : 0;
	return good;
}

static char *
text_or_null(const struct session_table *s, size_t row, size_t column)
{
	return *session_table_cell(s, row, column) ? mem_str(session_table_cell(s, row, column)) : NULL;
}

static bool
take_words(struct reader *reader, const struct session_table *table)
{
	struct search_graph *graph = reader->g;
	bool good = false;

	for (size_t i = 0; i < table->n_rows; i++) {
		const char *key = session_table_cell(table, i, 0), *v = session_table_cell(table, i, 1);

		if (str_eq(key, "observations"))
			good = autosave_graph_take_names(graph, v);
		else if (str_eq(key, "task"))
			graph->task = autosave_graph_number_in(task_names, TASKS, v);
		else if (str_eq(key, "complete"))
			graph->complete = str_eq(v, "1");
		else if (str_eq(key, "reason"))
			graph->reason = text_or_null(table, i, 1);
		else if (str_eq(key, "says"))
			graph->says = text_or_null(table, i, 1);
		else if (str_eq(key, "suspects"))
			graph->suspects = text_or_null(table, i, 1);
		else if (str_eq(key, "required"))
			take_features(reader, v, &graph->needs.required);
		else if (str_eq(key, "optional"))
			take_features(reader, v, &graph->needs.optional);
		else if (str_eq(key, "fixed"))
			take_features(reader, v, &graph->fixed);
		else if (str_eq(key, "useless"))
			take_features(reader, v, &graph->needs.useless);
		else if (str_eq(key, "alike") && !reader->kind)
			reader->kind = str_split(v, ' ', &reader->n_kinds);
		else if (str_eq(key, "useless_in"))
			graph->needs.useless_in = text_or_null(table, i, 1);
		else if (str_eq(key, "proposed"))
			take_features(reader, v, &graph->proposed);
		else if (str_eq(key, "sets"))
			graph->sets = str_to_double(v, &graph->sets) ? graph->sets : NAN;
		else if (str_eq(key, "undecided"))
			size_of(v, &graph->undecided);
		else if (str_eq(key, "tested"))
			size_of(v, &graph->tested);
		else if (str_eq(key, "seconds"))
			graph->seconds = str_to_double(v, &graph->seconds) ? graph->seconds : 0;
	}
	return good;
}

static bool
take_model(struct reader *reader, const struct session_table *table, size_t row, struct search_graph_model *model)
{
	const char *cone = session_table_cell(table, row, 7);

	*model = (struct search_graph_model){
		.usable = str_eq(session_table_cell(table, row, 3), "1"),
		.survives = str_eq(session_table_cell(table, row, 4), "1")};
	model->step = autosave_graph_number_in(graph_step_names, GRAPH_STEPS, session_table_cell(table, row, 2));
	model->cone = *cone == 'c' ? strtoull(cone + 1, NULL, 16) : 0;
	if (!size_of(session_table_cell(table, row, 0), &reader->id[reader->g->n_models]) ||
		!size_of(session_table_cell(table, row, 5), &model->infeasible) ||
		!take_features(reader, session_table_cell(table, row, 1), &model->on) ||
		search_graph_find(reader->g, &model->on) < reader->g->n_models)
		return false;
	if (!take_refuted(reader->g, session_table_cell(table, row, 6), model)) {
		free(model->refuted);
		return false;
	}
	model->worst = text_or_null(table, row, 9);
	model->worst_by = text_or_null(table, row, 10);
	return true;
}

static size_t
take_models(struct reader *reader, const struct session_table *table)
{
	size_t bad = 0;

	reader->g->model = mem_new_array(table->n_rows, sizeof *reader->g->model);
	reader->g->needs.minimal = mem_new_array(table->n_rows, sizeof *reader->g->needs.minimal);
	reader->id = mem_new_array(table->n_rows + 1, sizeof *reader->id);
	for (size_t row = 0; row < table->n_rows; row++) {
		size_t at = reader->g->n_models;

		if (!take_model(reader, table, row, &reader->g->model[at])) {
			bad++;
			continue;
		}
		if (str_eq(session_table_cell(table, row, 8), "1"))
			reader->g->needs.minimal[reader->g->needs.n_minimal++] = at;
		reader->g->n_models++;
	}
	return bad;
}

static bool
model_at(const struct reader *r, const char *text, size_t *at)
{
	size_t id;

	if (!size_of(text, &id))
		return false;
	for (*at = 0; *at < r->g->n_models; ++*at)
		if (r->id[*at] == id)
			return true;
	return false;
}

static void
take_edges(struct reader *reader, const struct session_table *table)
{
	reader->g->edge = mem_new_array(table->n_rows, sizeof *reader->g->edge);
	for (size_t row = 0; row < table->n_rows; row++) {
		struct search_graph_edge *edge = &reader->g->edge[reader->g->n_edges];

		edge->step = autosave_graph_number_in(graph_step_names, GRAPH_STEPS, session_table_cell(table, row, 3));
		if (model_at(reader, session_table_cell(table, row, 0), &edge->from) &&
			model_at(reader, session_table_cell(table, row, 1), &edge->to) &&
			take_features(reader, session_table_cell(table, row, 2), &edge->changed))
			reader->g->n_edges++;
	}
}

static void
take_pairs(struct reader *reader, const struct session_table *alike, const struct session_table *repair)
{
	reader->g->alike = mem_new_array(alike->n_rows, sizeof *reader->g->alike);
	reader->g->repair = mem_new_array(repair->n_rows, sizeof *reader->g->repair);
	for (size_t row = 0; row < alike->n_rows; row++) {
		struct search_graph_alike *x = &reader->g->alike[reader->g->n_alike];

		x->kind = row < reader->n_kinds
			? autosave_graph_number_in(alike_names, GRAPH_ALIKE_KINDS, reader->kind[row])
			: GRAPH_PARTLY;
		if (!take_features(reader, session_table_cell(alike, row, 1), &x->one) ||
			!take_features(reader, session_table_cell(alike, row, 2), &x->other))
			continue;
		x->why = text_or_null(alike, row, 3);
		reader->g->n_alike++;
	}
	for (size_t row = 0; row < repair->n_rows; row++) {
		struct search_graph_repair *x = &reader->g->repair[reader->g->n_repairs];

		for (x->feature = 0; x->feature < reader->m->n_features; x->feature++)
			if (str_eq(reader->m->feature[x->feature].name, session_table_cell(repair, row, 1)))
				break;
		if (x->feature < reader->m->n_features && size_of(session_table_cell(repair, row, 2), &x->frees))
			reader->g->n_repairs++;
	}
}

static void
take_graph(struct reader *reader, const struct session_table *table, struct str *lost)
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
	take_pairs(reader, &table[3], &table[4]);
	if (bad) {
		char *n = str_format("%zu", bad);

		reader->g->complete = false;
		free(reader->g->reason);
		reader->g->reason = mem_str("some of its models could not be read from the session file");
		setting_lost(lost, "models of the search graph:", n);
		free(n);
	}
}

bool
autosave_graph_read(struct session_file *file, int64_t model, const struct udd_model *udd_model,
	struct search_graph **out, struct str *lost, struct err *e)
{
	struct session_table table[GRAPH_TABLES] = {0};
	struct reader r = {.m = udd_model};
	bool good = true, some = false;
	char *same = str_format("%" PRId64, model);

	*out = NULL;
	for (size_t i = 0; i < GRAPH_TABLES; i++)
		good = good && session_table_read(file, graph_tables[i], &table[i], e);
	for (size_t i = 0; good && i < table[0].n_rows; i++)
		if (str_eq(session_table_cell(&table[0], i, 0), "model"))
			some = model && str_eq(session_table_cell(&table[0], i, 1), same);
	if (some)
		take_graph(&r, table, lost);
	else if (good && table[0].n_rows)
		setting_lost(lost, "the search graph, which is of another text of the model", "");
	*out = r.g;
	for (size_t i = 0; i < GRAPH_TABLES; i++)
		session_table_clear(&table[i]);
	free(r.id);
	if (r.kind)
		str_split_free(r.kind);
	free(same);
	return good;
}
