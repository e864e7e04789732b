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
node_name(const struct maker *maker, uint32_t n)
{
	const struct udd_diagram *diagram = maker->g;
	const struct udd_node *node = &diagram->node[n];

	switch (node->kind) {
	case UDD_EVENT:
		return str_format("event %s", diagram->event[node->name]);
	case UDD_COUNT:
		return node->name == maker->skip ? NULL
						 : str_format("count %s", diagram->model->counter[node->name].name);
	case UDD_DECISION:
		return node->property == UDD_NO_PROPERTY ? NULL
							 : str_format("switch (%s)", diagram->property[node->property]);
	case UDD_FORK:
		return mem_str("both");
	case UDD_DONE:
		return node->line ? mem_str("done") : NULL; /* every µpath gets to the end of its path's block */
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
collect_cells(struct maker *maker)
{
	const struct udd_diagram *diagram = maker->g;

	memset(maker->of_node, 0xff, diagram->n_nodes * sizeof *maker->of_node);
	memset(maker->of_edge, 0xff, diagram->n_edges * sizeof *maker->of_edge);
	for (uint32_t n = 0; n < diagram->n_nodes; n++) {
		const struct udd_node *node = &diagram->node[n];
		size_t root = root_at(diagram, n);
		char *name = node_name(maker, n);

		if (!name && root < diagram->n_roots)
			name = path_name(diagram, root);
		if (name)
			maker->of_node[n] = passes_cell_of(
				maker, name, n, node->line ? n : UINT32_MAX, root < diagram->n_roots);
		for (uint32_t i = 0; i < node->n_edges && node->kind == UDD_DECISION; i++) {
			const struct udd_edge *e = &diagram->edge[node->first_edge + i];
			/* the case's first statement, unless that is the statement after the whole decision */
			bool own = maker->entered[e->to] == 1 && diagram->node[e->to].line &&
				udd_node_copy(diagram, e->to) == udd_node_copy(diagram, n);

			if (diagram->node[e->to].kind != UDD_IMPOSSIBLE)
				maker->of_edge[node->first_edge + i] = passes_cell_of(
					maker, edge_name(diagram, node, e), n, own ? e->to : UINT32_MAX, false);
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
passes_walk(struct maker *maker, struct diags *diags)
{
	for (;; maker->level++) {
		struct signature_places places = {.of_node = maker->of_node, .of_edge = maker->of_edge};
		struct diags quiet = {0};
		bool last = maker->level == PLACE_NAME;
		struct signatures *sig;

		collect_cells(maker);
		places.n = maker->cells.n;
		sig = signatures_at(maker->g, &places, last ? diags : &quiet);
		diags_free(&quiet);
		if ((sig && sig->n <= PASSES_ROWS_MAX) || last)
			return sig;
		signatures_free(sig);
		forget_cells(maker);
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
passes_add_cell(const struct maker *maker, const struct signatures *sig, size_t cell, struct passes_place *place)
{
	size_t column = maker->out->n_counters + cell;
	const struct cell *c = &maker->cell[cell];
	bool there = false;

	for (size_t r = 0; r < sig->n; r++)
		place->passes[r] += sig->coef[r * sig->n_counters + column];
	for (size_t i = 0; i < place->n_nodes && c->node != UINT32_MAX; i++)
		there |= same_statement(maker->g, place->node[i], c->node);
	place->whole &= c->node != UINT32_MAX;
	if (!there && c->node != UINT32_MAX) {
		place->node = mem_resize(place->node, place->n_nodes + 1, sizeof *place->node);
		place->node[place->n_nodes++] = c->node;
	}
}

static char *
place_text(const struct maker *maker, size_t cell, bool call)
{
	const struct udd_diagram *diagram = maker->g;
	uint32_t at = maker->cell[cell].at;
	struct str out = {0};

	str_addf(&out, "%s:%u", diagram->file[diagram->node[at].file], diagram->node[at].line);
	if (call) {
		struct str name = {0};

		udd_node_call(diagram, at, &name);
		if (name.n)
			str_addf(&out, " in %s", str_text(&name));
		str_free(&name);
	}
	return str_take(&out);
}

/* Appends the cells of a statement's copies, each once. False where some copy was not counted. */
static bool
add_statement(const struct maker *maker, uint32_t statement, size_t *cell, size_t *n)
{
	size_t first = *n;

	for (uint32_t v = maker->first_copy[statement]; v != UINT32_MAX; v = maker->next_copy[v]) {
		bool there = false;

		if (maker->g->node[v].kind == UDD_MID || maker->g->node[v].kind == UDD_JOIN)
			continue;
		if (maker->of_node[v] == SIGNATURE_NO_PLACE)
			return false;
		for (size_t i = first; i < *n && !there; i++)
			there = cell[i] == maker->of_node[v];
		if (!there)
			cell[(*n)++] = maker->of_node[v];
	}
	return true;
}

/* Would counters in front of the place's statements count exactly the place? A statement in a def counts for every
 * call. */
static bool
makes_place(const struct maker *maker, const struct signatures *sig, const struct passes_place *place)
{
	size_t *cell = mem_new_array(maker->g->n_nodes, sizeof *cell), n = 0;
	bool same = place->n_nodes > 0;

	for (size_t i = 0; i < place->n_nodes && same; i++)
		same = add_statement(maker, place->node[i], cell, &n);
	for (size_t r = 0; r < sig->n && same; r++) {
		int64_t passes = 0;

		for (size_t i = 0; i < n; i++)
			passes += sig->coef[r * sig->n_counters + maker->out->n_counters + cell[i]];
		same = passes == place->passes[r];
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
add_level(struct maker *maker, const struct signatures *sig, enum place_level level)
{
	size_t n = level == PLACE_NAME ? maker->labels.n : level == PLACE_TEXT ? maker->texts.n : maker->cells.n;

	for (size_t id = 0; id < n; id++) {
		struct passes_place *place = NULL;

		for (size_t c = 0; c < maker->cells.n; c++) {
			if (id !=
				(level == PLACE_NAME                  ? maker->cell[c].label
						: level == PLACE_TEXT ? maker->cell[c].text
								      : c))
				continue;
			if (!place) {
				char *text = level == PLACE_NAME ? mem_str("")
								 : place_text(maker, c, level == PLACE_COPY);

				place = passes_add_place(maker, mem_str(maker->cell[c].name), text, level);
				place->text = maker->cell[c].text;
			}
			passes_add_cell(maker, sig, c, place);
		}
		if (place && place->whole)
			place->whole = makes_place(maker, sig, place);
	}
}

/* Adds the beginning of each path, unless its cell is just that. */
static void
add_paths(struct maker *maker, const struct signatures *sig)
{
	for (size_t i = 0; i < maker->g->n_roots; i++) {
		size_t cell = maker->of_node[maker->g->root_node[i]];
		char *name = path_name(maker->g, i);
		struct passes_place *place;

		if (str_eq(maker->cell[cell].name, name)) {
			free(name);
			continue;
		}
		place = passes_add_place(maker, name, mem_str(""), PLACE_NAME);
		place->text = maker->cell[cell].text;
		passes_add_cell(maker, sig, cell, place);
		place->whole = place->whole && makes_place(maker, sig, place);
	}
}

/* Adds the places "wherever a counter of the model counts", by the same amount. */
static void
passes_add_counters(struct maker *maker, const struct signatures *sig)
{
	for (size_t i = 0; i < maker->out->n_counters; i++) {
		struct passes_place *place;

		if (i == maker->skip)
			continue;
		place = passes_add_place(maker, str_format("wherever %s counts", maker->g->model->counter[i].name),
			mem_str(""), PLACE_NAME);
		place->counter = i;
		place->whole = false;
		for (size_t r = 0; r < sig->n; r++)
			place->passes[r] = sig->coef[r * sig->n_counters + i];
	}
}

struct passes *
passes_new(const struct udd_diagram *diagram, size_t skip, struct diags *diags)
{
	struct maker k = {.g = diagram, .skip = skip, .out = mem_new(sizeof *k.out)};
	struct signatures *sig;
	size_t n = diagram->model->n_counters;

	k.of_node = mem_new_array(diagram->n_nodes, sizeof *k.of_node);
	k.of_edge = mem_new_array(diagram->n_edges, sizeof *k.of_edge);
	k.entered = mem_new_array(diagram->n_nodes, sizeof *k.entered);
	for (size_t v = 0; v < diagram->n_nodes; v++)
		for (uint32_t i = 0; i < diagram->node[v].n_edges; i++)
			k.entered[diagram->edge[diagram->node[v].first_edge + i].to]++;
	k.first_copy = mem_new_array(diagram->n_nodes, sizeof *k.first_copy);
	k.next_copy = mem_new_array(diagram->n_nodes, sizeof *k.next_copy);
	chain_copies(&k);
	sig = passes_walk(&k, diags);
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
passes_free(struct passes *passes)
{
	if (!passes)
		return;
	for (size_t i = 0; i < passes->n; i++) {
		free(passes->place[i].name);
		free(passes->place[i].where);
		free(passes->place[i].node);
		free(passes->place[i].passes);
	}
	free(passes->place);
	free(passes->row);
	free(passes);
}
