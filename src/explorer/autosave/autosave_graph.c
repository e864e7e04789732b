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
#include "core/udd/model.h"
#include "explorer/autosave/setting.h"
#include "work/remarks.h"
#include "work/search/search_graph.h"

static const char *const alike_names[GRAPH_ALIKE_KINDS] = {"partly", "nothing", "equal", "survivors"};
static const char *const task_names[] = {"none", "discover", "eliminate", "auto"};
static const char *const step_names[] = {"start", "discovery", "elimination", "chosen"};
#define TASKS (sizeof task_names / sizeof *task_names)
#define STEPS (sizeof step_names / sizeof *step_names)

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
observations(const struct search_graph *g, const struct search_graph_model *m)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};

	json_open(&w, NULL, '[');
	for (size_t i = 0; i < g->n_observations; i++)
		if (!m || (i / 64 < m->n_words && m->refuted[i / 64] >> (i % 64) & 1))
			json_str(&w, NULL, g->observation[i]);
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
kinds(const struct search_graph *g)
{
	struct str text = {0};

	for (size_t i = 0; i < g->n_alike; i++) {
		int kind = g->alike[i].kind;

		str_addf(&text, "%s%s", i ? " " : "", alike_names[kind >= 0 && kind < GRAPH_ALIKE_KINDS ? kind : 0]);
	}
	if (text.n)
		return str_take(&text);
	str_free(&text);
	return NULL;
}

static void
words_of(const struct search_graph *g, const struct udd_model *m, int64_t model, struct session_table *out)
{
	autosave_graph_add_value(out, "model", str_format("%" PRId64, model));
	autosave_graph_add_value(out, "observations", observations(g, NULL));
	autosave_graph_add_value(
		out, "task", mem_str(g->task >= 0 && (size_t)g->task < TASKS ? task_names[g->task] : task_names[0]));
	autosave_graph_add_value(out, "complete", mem_str(g->complete && !g->running ? "1" : "0"));
	autosave_graph_add_value(out, "reason",
		g->running ? mem_str("the search was not over when this was written") : optional(g->reason));
	autosave_graph_add_value(out, "says", optional(g->says));
	autosave_graph_add_value(out, "suspects", optional(g->suspects));
	autosave_graph_add_value(out, "required", features(m, &g->needs.required));
	autosave_graph_add_value(out, "optional", features(m, &g->needs.optional));
	autosave_graph_add_value(out, "useless", features(m, &g->needs.useless));
	autosave_graph_add_value(out, "useless_in", optional(g->needs.useless_in));
	autosave_graph_add_value(out, "alike", kinds(g));
	autosave_graph_add_value(out, "proposed", features(m, &g->proposed));
	autosave_graph_add_value(out, "fixed", features(m, &g->fixed));
	autosave_graph_add_value(out, "sets", isfinite(g->sets) ? str_format("%.17g", g->sets) : NULL);
	autosave_graph_add_value(out, "undecided", number(g->undecided));
	autosave_graph_add_value(out, "tested", number(g->tested));
	autosave_graph_add_value(out, "seconds", str_format("%.9g", g->seconds));
}

static void
models_of(const struct search_graph *g, const struct udd_model *m, struct session_table *out)
{
	struct row r = {.table = out};

	for (size_t i = 0; i < g->n_models; i++) {
		const struct search_graph_model *x = &g->model[i];

		autosave_graph_add(&r, number(i));
		autosave_graph_add(&r, features(m, &x->on));
		autosave_graph_add(
			&r, mem_str(x->step >= 0 && (size_t)x->step < STEPS ? step_names[x->step] : step_names[0]));
		autosave_graph_add(&r, number(x->usable));
		autosave_graph_add(&r, number(x->survives));
		autosave_graph_add(&r, number(x->infeasible));
		autosave_graph_add(&r, observations(g, x));
		/* begins with a letter, so that it reads as a name and not as a number */
		autosave_graph_add(&r, str_format("c%016" PRIx64, x->cone));
		autosave_graph_add(&r, number(search_graph_is_minimal(g, i)));
		autosave_graph_add(&r, optional(x->worst));
		autosave_graph_add(&r, optional(x->worst_by));
		end_row(&r);
	}
}

static void
edges_of(const struct search_graph *g, const struct udd_model *m, struct session_table *out)
{
	struct row r = {.table = out};

	for (size_t i = 0; i < g->n_edges; i++) {
		const struct search_graph_edge *x = &g->edge[i];

		autosave_graph_add(&r, number(x->from));
		autosave_graph_add(&r, number(x->to));
		autosave_graph_add(&r, features(m, &x->changed));
		autosave_graph_add(
			&r, mem_str(x->step >= 0 && (size_t)x->step < STEPS ? step_names[x->step] : step_names[0]));
		end_row(&r);
	}
}

static void
pairs_of(const struct search_graph *g, const struct udd_model *m, struct session_table *alike,
	struct session_table *repair)
{
	struct row a = {.table = alike}, b = {.table = repair};

	for (size_t i = 0; i < g->n_alike; i++) {
		autosave_graph_add(&a, number(i));
		autosave_graph_add(&a, features(m, &g->alike[i].one));
		autosave_graph_add(&a, features(m, &g->alike[i].other));
		autosave_graph_add(&a, optional(g->alike[i].why));
		end_row(&a);
	}
	for (size_t i = 0; i < g->n_repairs; i++) {
		if (g->repair[i].feature >= m->n_features)
			continue;
		autosave_graph_add(&b, number(i));
		autosave_graph_add(&b, mem_str(m->feature[g->repair[i].feature].name));
		autosave_graph_add(&b, number(g->repair[i].frees));
		end_row(&b);
	}
}

static const enum session_table_kind graph_tables[] = {SESSION_TABLE_GRAPH, SESSION_TABLE_GRAPH_MODEL,
	SESSION_TABLE_GRAPH_EDGE, SESSION_TABLE_GRAPH_ALIKE, SESSION_TABLE_GRAPH_REPAIR};
#define GRAPH_TABLES (sizeof graph_tables / sizeof *graph_tables)

bool
autosave_graph_write(
	struct session_file *f, int64_t model, const struct udd_model *m, const struct search_graph *g, struct err *e)
{
	struct session_table table[GRAPH_TABLES];
	bool good = true;

	for (size_t i = 0; i < GRAPH_TABLES; i++)
		table[i] = (struct session_table){.n_columns = session_table_columns(graph_tables[i])};
	words_of(g, m, model, &table[0]);
	models_of(g, m, &table[1]);
	edges_of(g, m, &table[2]);
	pairs_of(g, m, &table[3], &table[4]);
	for (size_t i = 0; i < GRAPH_TABLES; i++) {
		good = good && session_table_write(f, graph_tables[i], &table[i], true, e);
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
take_features(const struct reader *r, const char *text, struct fset *out)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	bool good = list && list->kind == JSON_ARRAY;

	*out = (struct fset){0};
	for (const struct json *x = good ? list->first : NULL; x; x = x->next) {
		size_t i = 0;

		while (x->kind == JSON_STRING && i < r->m->n_features && !str_eq(r->m->feature[i].name, x->text))
			i++;
		if (x->kind == JSON_STRING && i < r->m->n_features)
			fset_put(out, i, true);
		else
			good = false;
	}
	json_free(list);
	return good;
}

static bool
autosave_graph_take_names(struct search_graph *g, const char *text)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	size_t cap = 0;
	bool good = list && list->kind == JSON_ARRAY;

	for (const struct json *x = good ? list->first : NULL; x && good; x = x->next) {
		good = x->kind == JSON_STRING;
		mem_grow(&g->observation, &cap, g->n_observations + 1, sizeof *g->observation);
		if (good)
			g->observation[g->n_observations++] = mem_str(x->text);
	}
	json_free(list);
	return good;
}

/* Sets the bits of the named observations. False: the graph does not have one of them. */
static bool
take_refuted(const struct search_graph *g, const char *text, struct search_graph_model *m)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	bool good = list && list->kind == JSON_ARRAY;
	size_t at = 0;

	m->n_words = (g->n_observations + 63) / 64;
	m->refuted = mem_new_array(m->n_words, sizeof *m->refuted);
	for (const struct json *x = good ? list->first : NULL; x && good; x = x->next) {
		/* the names are in the graph's order, so one pass finds all */
		while (x->kind == JSON_STRING && at < g->n_observations && !str_eq(g->observation[at], x->text))
			at++;
		good = x->kind == JSON_STRING && at < g->n_observations;
		if (good)
			m->refuted[at / 64] |= UINT64_C(1) << (at % 64);
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
take_words(struct reader *r, const struct session_table *s)
{
	struct search_graph *g = r->g;
	bool good = false;

	for (size_t i = 0; i < s->n_rows; i++) {
		const char *key = session_table_cell(s, i, 0), *v = session_table_cell(s, i, 1);

		if (str_eq(key, "observations"))
			good = autosave_graph_take_names(g, v);
		else if (str_eq(key, "task"))
			g->task = autosave_graph_number_in(task_names, TASKS, v);
		else if (str_eq(key, "complete"))
			g->complete = str_eq(v, "1");
		else if (str_eq(key, "reason"))
			g->reason = text_or_null(s, i, 1);
		else if (str_eq(key, "says"))
			g->says = text_or_null(s, i, 1);
		else if (str_eq(key, "suspects"))
			g->suspects = text_or_null(s, i, 1);
		else if (str_eq(key, "required"))
			take_features(r, v, &g->needs.required);
		else if (str_eq(key, "optional"))
			take_features(r, v, &g->needs.optional);
		else if (str_eq(key, "fixed"))
			take_features(r, v, &g->fixed);
		else if (str_eq(key, "useless"))
			take_features(r, v, &g->needs.useless);
		else if (str_eq(key, "alike") && !r->kind)
			r->kind = str_split(v, ' ', &r->n_kinds);
		else if (str_eq(key, "useless_in"))
			g->needs.useless_in = text_or_null(s, i, 1);
		else if (str_eq(key, "proposed"))
			take_features(r, v, &g->proposed);
		else if (str_eq(key, "sets"))
			g->sets = str_to_double(v, &g->sets) ? g->sets : NAN;
		else if (str_eq(key, "undecided"))
			size_of(v, &g->undecided);
		else if (str_eq(key, "tested"))
			size_of(v, &g->tested);
		else if (str_eq(key, "seconds"))
			g->seconds = str_to_double(v, &g->seconds) ? g->seconds : 0;
	}
	return good;
}

static bool
take_model(struct reader *r, const struct session_table *s, size_t row, struct search_graph_model *m)
{
	const char *cone = session_table_cell(s, row, 7);

	*m = (struct search_graph_model){
		.usable = str_eq(session_table_cell(s, row, 3), "1"),
		.survives = str_eq(session_table_cell(s, row, 4), "1")};
	m->step = autosave_graph_number_in(step_names, STEPS, session_table_cell(s, row, 2));
	m->cone = *cone == 'c' ? strtoull(cone + 1, NULL, 16) : 0;
	if (!size_of(session_table_cell(s, row, 0), &r->id[r->g->n_models]) ||
		!size_of(session_table_cell(s, row, 5), &m->infeasible) ||
		!take_features(r, session_table_cell(s, row, 1), &m->on) ||
		search_graph_find(r->g, &m->on) < r->g->n_models)
		return false;
	if (!take_refuted(r->g, session_table_cell(s, row, 6), m)) {
		free(m->refuted);
		return false;
	}
	m->worst = text_or_null(s, row, 9);
	m->worst_by = text_or_null(s, row, 10);
	return true;
}

static size_t
take_models(struct reader *r, const struct session_table *s)
{
	size_t bad = 0;

	r->g->model = mem_new_array(s->n_rows, sizeof *r->g->model);
	r->g->needs.minimal = mem_new_array(s->n_rows, sizeof *r->g->needs.minimal);
	r->id = mem_new_array(s->n_rows + 1, sizeof *r->id);
	for (size_t row = 0; row < s->n_rows; row++) {
		size_t at = r->g->n_models;

		if (!take_model(r, s, row, &r->g->model[at])) {
			bad++;
			continue;
		}
		if (str_eq(session_table_cell(s, row, 8), "1"))
			r->g->needs.minimal[r->g->needs.n_minimal++] = at;
		r->g->n_models++;
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
take_edges(struct reader *r, const struct session_table *s)
{
	r->g->edge = mem_new_array(s->n_rows, sizeof *r->g->edge);
	for (size_t row = 0; row < s->n_rows; row++) {
		struct search_graph_edge *x = &r->g->edge[r->g->n_edges];

		x->step = autosave_graph_number_in(step_names, STEPS, session_table_cell(s, row, 3));
		if (model_at(r, session_table_cell(s, row, 0), &x->from) &&
			model_at(r, session_table_cell(s, row, 1), &x->to) &&
			take_features(r, session_table_cell(s, row, 2), &x->changed))
			r->g->n_edges++;
	}
}

static void
take_pairs(struct reader *r, const struct session_table *alike, const struct session_table *repair)
{
	r->g->alike = mem_new_array(alike->n_rows, sizeof *r->g->alike);
	r->g->repair = mem_new_array(repair->n_rows, sizeof *r->g->repair);
	for (size_t row = 0; row < alike->n_rows; row++) {
		struct search_graph_alike *x = &r->g->alike[r->g->n_alike];

		x->kind = row < r->n_kinds ? autosave_graph_number_in(alike_names, GRAPH_ALIKE_KINDS, r->kind[row])
					   : GRAPH_PARTLY;
		if (!take_features(r, session_table_cell(alike, row, 1), &x->one) ||
			!take_features(r, session_table_cell(alike, row, 2), &x->other))
			continue;
		x->why = text_or_null(alike, row, 3);
		r->g->n_alike++;
	}
	for (size_t row = 0; row < repair->n_rows; row++) {
		struct search_graph_repair *x = &r->g->repair[r->g->n_repairs];

		for (x->feature = 0; x->feature < r->m->n_features; x->feature++)
			if (str_eq(r->m->feature[x->feature].name, session_table_cell(repair, row, 1)))
				break;
		if (x->feature < r->m->n_features && size_of(session_table_cell(repair, row, 2), &x->frees))
			r->g->n_repairs++;
	}
}

static void
take_graph(struct reader *r, const struct session_table *table, struct str *lost)
{
	size_t bad;

	r->g = search_graph_new();
	if (!take_words(r, &table[0])) {
		setting_lost(lost, "the search graph, which cannot be read", "");
		search_graph_free(r->g);
		r->g = NULL;
		return;
	}
	bad = take_models(r, &table[1]);
	take_edges(r, &table[2]);
	take_pairs(r, &table[3], &table[4]);
	if (bad) {
		char *n = str_format("%zu", bad);

		r->g->complete = false;
		free(r->g->reason);
		r->g->reason = mem_str("some of its models could not be read from the session file");
		setting_lost(lost, "models of the search graph:", n);
		free(n);
	}
}

bool
autosave_graph_read(struct session_file *f, int64_t model, const struct udd_model *m, struct search_graph **out,
	struct str *lost, struct err *e)
{
	struct session_table table[GRAPH_TABLES] = {0};
	struct reader r = {.m = m};
	bool good = true, some = false;
	char *same = str_format("%" PRId64, model);

	*out = NULL;
	for (size_t i = 0; i < GRAPH_TABLES; i++)
		good = good && session_table_read(f, graph_tables[i], &table[i], e);
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
