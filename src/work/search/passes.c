/* Counts all places in one walk of the diagram, each with a counter of its own, so that any sum of places can be
 * computed afterwards. Every distinct µpath then has its own signature. Where that makes too many, the copies of a
 * statement made by calls are counted together, and then all statements of one name. */
#include "work/search/passes.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

/* A place that the walk counts separately. */
struct cell {
	char *name;
	uint32_t node;       /* node before which a `count` would count it; UINT32_MAX: none */
	uint32_t at;         /* number of its node in the text */
	size_t text, label;  /* numbers of its position in the text and of its name */
};

struct maker {
	const struct udd_diagram *g;
	size_t skip;
	enum place_level level;
	struct names cells, texts, labels;
	struct cell *cell;
	size_t cap_cell, cap_place;
	uint32_t *of_node, *of_edge;
	uint32_t *entered;   /* per node: number of edges into it */
	/* per statement, the list of the nodes that are its copies; UINT32_MAX ends it */
	uint32_t *first_copy, *next_copy;
	struct passes *out;
};

/* Returns the path that begins at a node; n_roots: none. */
static size_t
root_at(const struct udd_diagram *g, uint32_t n)
{
	size_t i = 0;

	while (i < g->n_roots && g->root_node[i] != n)
		i++;
	return i;
}

static char *
path_name(const struct udd_diagram *g, size_t root)
{
	return str_format("path %s", g->model->root[g->root[root]].name);
}

/* Returns the name of a place at a node; NULL: no counter would be put there. */
static char *
node_name(const struct maker *k, uint32_t n)
{
	const struct udd_diagram *g = k->g;
	const struct udd_node *v = &g->node[n];

	switch (v->kind) {
	case UDD_EVENT:
		return str_format("event %s", g->event[v->name]);
	case UDD_COUNT:
		return v->name == k->skip ? NULL : str_format("count %s", g->model->counter[v->name].name);
	case UDD_DECISION:
		return v->property == UDD_NO_PROPERTY ? NULL : str_format("switch (%s)", g->property[v->property]);
	case UDD_FORK:
		return mem_str("both");
	case UDD_DONE:
		return v->line ? mem_str("done") : NULL; /* every µpath gets to the end of its path's block */
	case UDD_MID:
	case UDD_JOIN:
	case UDD_IMPOSSIBLE:
		break;
	}
	return NULL;
}

static char *
edge_name(const struct udd_diagram *g, const struct udd_node *v, const struct udd_edge *e)
{
	if (v->property == UDD_NO_PROPERTY)
		return str_format("choice %s", g->label[e->label]);
	return str_format("%s = %s", g->property[v->property], e->fallback ? "(default)" : g->value[e->value]);
}

/* Returns the cell of a place at a node; takes over the name. The beginning of a path always gets a cell of its own,
 * because the path is a place too (add_paths()). */
static uint32_t
passes_cell_of(struct maker *k, char *name, uint32_t at, uint32_t before, bool begins)
{
	char *text = str_format("%u:%u:%s", k->g->node[at].file, udd_node_offset(k->g, at), name);
	char *key = k->level == PLACE_COPY ? str_format("%u:%s", udd_node_copy(k->g, at), text)
		: mem_str(k->level == PLACE_TEXT ? text : name);
	size_t had = k->cells.n, id;

	if (begins) {
		char *own = str_format("%u begins:%s", at, key);

		free(key);
		key = own;
	}
	id = names_add(&k->cells, key, strlen(key));
	if (id == had) {
		mem_grow(&k->cell, &k->cap_cell, id + 1, sizeof *k->cell);
		k->cell[id] = (struct cell){.name = mem_str(name), .node = before, .at = at,
			.text = names_add(&k->texts, text, strlen(text)),
			.label = names_add(&k->labels, name, strlen(name))};
	}
	free(key);
	free(text);
	free(name);
	return (uint32_t)id;
}

static void
collect_cells(struct maker *k)
{
	const struct udd_diagram *g = k->g;

	memset(k->of_node, 0xff, g->n_nodes * sizeof *k->of_node);
	memset(k->of_edge, 0xff, g->n_edges * sizeof *k->of_edge);
	for (uint32_t n = 0; n < g->n_nodes; n++) {
		const struct udd_node *v = &g->node[n];
		size_t root = root_at(g, n);
		char *name = node_name(k, n);

		if (!name && root < g->n_roots)
			name = path_name(g, root);
		if (name)
			k->of_node[n] = passes_cell_of(k, name, n, v->line ? n : UINT32_MAX, root < g->n_roots);
		for (uint32_t i = 0; i < v->n_edges && v->kind == UDD_DECISION; i++) {
			const struct udd_edge *e = &g->edge[v->first_edge + i];
			/* the case's first statement, unless that is the statement after the whole decision */
			bool own = k->entered[e->to] == 1 && g->node[e->to].line &&
				udd_node_copy(g, e->to) == udd_node_copy(g, n);

			if (g->node[e->to].kind != UDD_IMPOSSIBLE)
				k->of_edge[v->first_edge + i] =
					passes_cell_of(k, edge_name(g, v, e), n, own ? e->to : UINT32_MAX, false);
		}
	}
}

static void
forget_cells(struct maker *k)
{
	for (size_t i = 0; i < k->cells.n; i++)
		free(k->cell[i].name);
	names_free(&k->cells);
	names_free(&k->texts);
	names_free(&k->labels);
	k->cells = k->texts = k->labels = (struct names){0};
}

/* Walks the diagram at the finest level that is not too large. */
static struct signatures *
passes_walk(struct maker *k, struct diags *d)
{
	for (;; k->level++) {
		struct signature_places places = {.of_node = k->of_node, .of_edge = k->of_edge};
		struct diags quiet = {0};
		bool last = k->level == PLACE_NAME;
		struct signatures *sig;

		collect_cells(k);
		places.n = k->cells.n;
		sig = signatures_at(k->g, &places, last ? d : &quiet);
		diags_free(&quiet);
		if ((sig && sig->n <= PASSES_ROWS_MAX) || last)
			return sig;
		signatures_free(sig);
		forget_cells(k);
	}
}

static struct passes_place *
passes_add_place(struct maker *k, char *name, char *where, enum place_level level)
{
	struct passes_place *p;

	mem_grow(&k->out->place, &k->cap_place, k->out->n + 1, sizeof *k->out->place);
	p = &k->out->place[k->out->n++];
	*p = (struct passes_place){.name = name, .where = where, .level = level, .counter = SIZE_MAX, .whole = true,
		.passes = mem_new_array(k->out->n_rows, sizeof *p->passes)};
	return p;
}

static bool
same_statement(const struct udd_diagram *g, uint32_t a, uint32_t b)
{
	return g->node[a].file == g->node[b].file && udd_node_offset(g, a) == udd_node_offset(g, b);
}

static void
passes_add_cell(const struct maker *k, const struct signatures *sig, size_t cell, struct passes_place *p)
{
	size_t column = k->out->n_counters + cell;
	const struct cell *c = &k->cell[cell];
	bool there = false;

	for (size_t r = 0; r < sig->n; r++)
		p->passes[r] += sig->coef[r * sig->n_counters + column];
	for (size_t i = 0; i < p->n_nodes && c->node != UINT32_MAX; i++)
		there |= same_statement(k->g, p->node[i], c->node);
	p->whole &= c->node != UINT32_MAX;
	if (!there && c->node != UINT32_MAX) {
		p->node = mem_resize(p->node, p->n_nodes + 1, sizeof *p->node);
		p->node[p->n_nodes++] = c->node;
	}
}

static char *
place_text(const struct maker *k, size_t cell, bool call)
{
	const struct udd_diagram *g = k->g;
	uint32_t at = k->cell[cell].at;
	struct str out = {0};

	str_addf(&out, "%s:%u", g->file[g->node[at].file], g->node[at].line);
	if (call) {
		struct str name = {0};

		udd_node_call(g, at, &name);
		if (name.n)
			str_addf(&out, " in %s", str_text(&name));
		str_free(&name);
	}
	return str_take(&out);
}

/* Appends the cells of a statement's copies, each once. False where some copy was not counted. */
static bool
add_statement(const struct maker *k, uint32_t statement, size_t *cell, size_t *n)
{
	size_t first = *n;

	for (uint32_t v = k->first_copy[statement]; v != UINT32_MAX; v = k->next_copy[v]) {
		bool there = false;

		if (k->g->node[v].kind == UDD_MID || k->g->node[v].kind == UDD_JOIN)
			continue;
		if (k->of_node[v] == SIGNATURE_NO_PLACE)
			return false;
		for (size_t i = first; i < *n && !there; i++)
			there = cell[i] == k->of_node[v];
		if (!there)
			cell[(*n)++] = k->of_node[v];
	}
	return true;
}

/* Would counters in front of the place's statements count exactly the place? A statement in a def counts for every
 * call. */
static bool
makes_place(const struct maker *k, const struct signatures *sig, const struct passes_place *p)
{
	size_t *cell = mem_new_array(k->g->n_nodes, sizeof *cell), n = 0;
	bool same = p->n_nodes > 0;

	for (size_t i = 0; i < p->n_nodes && same; i++)
		same = add_statement(k, p->node[i], cell, &n);
	for (size_t r = 0; r < sig->n && same; r++) {
		int64_t passes = 0;

		for (size_t i = 0; i < n; i++)
			passes += sig->coef[r * sig->n_counters + k->out->n_counters + cell[i]];
		same = passes == p->passes[r];
	}
	free(cell);
	return same;
}

/* Links the nodes that are copies of one statement. */
static void
chain_copies(struct maker *k)
{
	struct names statements = {0};
	uint32_t *last = NULL;
	size_t cap = 0;

	for (uint32_t v = 0; v < k->g->n_nodes; v++) {
		char *key = str_format("%u:%u", k->g->node[v].file, udd_node_offset(k->g, v));
		size_t had = statements.n, id = names_add(&statements, key, strlen(key));

		mem_grow(&last, &cap, statements.n, sizeof *last);
		k->next_copy[v] = UINT32_MAX;
		k->first_copy[v] = id == had ? v : k->first_copy[last[id]];
		if (id < had)
			k->next_copy[last[id]] = v;
		last[id] = v;
		free(key);
	}
	free(last);
	names_free(&statements);
}

/* Adds one place for each name, each position in the text, or each cell. */
static void
add_level(struct maker *k, const struct signatures *sig, enum place_level level)
{
	size_t n = level == PLACE_NAME ? k->labels.n : level == PLACE_TEXT ? k->texts.n : k->cells.n;

	for (size_t id = 0; id < n; id++) {
		struct passes_place *p = NULL;

		for (size_t c = 0; c < k->cells.n; c++) {
			if (id != (level == PLACE_NAME ? k->cell[c].label : level == PLACE_TEXT ? k->cell[c].text : c))
				continue;
			if (!p) {
				char *text = level == PLACE_NAME ? mem_str("") : place_text(k, c, level == PLACE_COPY);

				p = passes_add_place(k, mem_str(k->cell[c].name), text, level);
				p->text = k->cell[c].text;
			}
			passes_add_cell(k, sig, c, p);
		}
		if (p && p->whole)
			p->whole = makes_place(k, sig, p);
	}
}

/* Adds the beginning of each path, unless its cell is just that. */
static void
add_paths(struct maker *k, const struct signatures *sig)
{
	for (size_t i = 0; i < k->g->n_roots; i++) {
		size_t cell = k->of_node[k->g->root_node[i]];
		char *name = path_name(k->g, i);
		struct passes_place *p;

		if (str_eq(k->cell[cell].name, name)) {
			free(name);
			continue;
		}
		p = passes_add_place(k, name, mem_str(""), PLACE_NAME);
		p->text = k->cell[cell].text;
		passes_add_cell(k, sig, cell, p);
		p->whole = p->whole && makes_place(k, sig, p);
	}
}

/* Adds the places "wherever a counter of the model counts", by the same amount. */
static void
passes_add_counters(struct maker *k, const struct signatures *sig)
{
	for (size_t i = 0; i < k->out->n_counters; i++) {
		struct passes_place *p;

		if (i == k->skip)
			continue;
		p = passes_add_place(
			k, str_format("wherever %s counts", k->g->model->counter[i].name), mem_str(""), PLACE_NAME);
		p->counter = i;
		p->whole = false;
		for (size_t r = 0; r < sig->n; r++)
			p->passes[r] = sig->coef[r * sig->n_counters + i];
	}
}

struct passes *
passes_new(const struct udd_diagram *g, size_t skip, struct diags *d)
{
	struct maker k = {.g = g, .skip = skip, .out = mem_new(sizeof *k.out)};
	struct signatures *sig;
	size_t n = g->model->n_counters;

	k.of_node = mem_new_array(g->n_nodes, sizeof *k.of_node);
	k.of_edge = mem_new_array(g->n_edges, sizeof *k.of_edge);
	k.entered = mem_new_array(g->n_nodes, sizeof *k.entered);
	for (size_t v = 0; v < g->n_nodes; v++)
		for (uint32_t i = 0; i < g->node[v].n_edges; i++)
			k.entered[g->edge[g->node[v].first_edge + i].to]++;
	k.first_copy = mem_new_array(g->n_nodes, sizeof *k.first_copy);
	k.next_copy = mem_new_array(g->n_nodes, sizeof *k.next_copy);
	chain_copies(&k);
	sig = passes_walk(&k, d);
	if (sig) {
		k.out->n_counters = n;
		k.out->n_rows = sig->n;
		k.out->row = mem_new_array(sig->n * n, sizeof *k.out->row);
		for (size_t r = 0; r < sig->n; r++)
			memcpy(k.out->row + r * n, sig->coef + r * sig->n_counters, n * sizeof *k.out->row);
		passes_add_counters(&k, sig);
		add_paths(&k, sig);
		add_level(&k, sig, PLACE_NAME);
		if (k.level <= PLACE_TEXT)
			add_level(&k, sig, PLACE_TEXT);
		if (k.level == PLACE_COPY)
			add_level(&k, sig, PLACE_COPY);
	}
	forget_cells(&k);
	free(k.cell);
	free(k.of_node);
	free(k.of_edge);
	free(k.entered);
	free(k.first_copy);
	free(k.next_copy);
	signatures_free(sig);
	if (sig)
		return k.out;
	passes_free(k.out);
	return NULL;
}

void
passes_free(struct passes *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->place[i].name);
		free(p->place[i].where);
		free(p->place[i].node);
		free(p->place[i].passes);
	}
	free(p->place);
	free(p->row);
	free(p);
}
