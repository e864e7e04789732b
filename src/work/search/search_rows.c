#include "work/search/search_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"

#define NONE SIZE_MAX
#define REDUCED_MOST 12 /* models on the way below the best one that are always shown */

size_t
search_best(const struct search_graph *graph)
{
	size_t best = graph->n_models;

	if (search_graph_undecided(graph))
		return best;
	for (size_t k = 0; k < graph->needs.n_minimal && graph->complete; k++) {
		const struct search_graph_model *model = &graph->model[graph->needs.minimal[k]];

		if (model->usable && model->survives &&
			(best == graph->n_models || fset_count(&model->on) < fset_count(&graph->model[best].on)))
			best = graph->needs.minimal[k];
	}
	for (size_t i = 0; i < graph->n_models && !graph->complete; i++) {
		const struct search_graph_model *model = &graph->model[i];

		if (model->usable && model->survives &&
			(best == graph->n_models || fset_count(&model->on) < fset_count(&graph->model[best].on)))
			best = i;
	}
	return best;
}

const char *
search_variant(const struct udd_model *m, const struct fset *on)
{
	for (size_t i = 0; i < m->n_variants; i++)
		if (fset_equal(&m->variant[i].on, on))
			return m->variant[i].name;
	return NULL;
}

void
search_features(const struct udd_model *m, const struct fset *on, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", some++ ? " " : "", m->feature[i].name);
	if (!some)
		str_add(out, "∅");
}

void
search_name(const struct udd_model *m, const struct fset *on, struct str *out)
{
	const char *variant = search_variant(m, on);

	if (variant)
		str_add(out, variant);
	else
		search_features(m, on, out);
}

void
search_change(const struct udd_model *m, const struct fset *from, const struct fset *to, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(from, i) != fset_has(to, i))
			str_addf(out, "%s%s%s", some++ ? " " : "", fset_has(to, i) ? "+" : "−", m->feature[i].name);
}

/* A tree out of the graph; children are in the order of the edges that lead to them. */
struct tree {
	const struct search_graph *g;
	size_t *edge;           /* per model: the edge that leads to it; NONE: a root */
	size_t *order, n;       /* models, parents before children */
	size_t *first, *next;   /* first child of a model, next of its siblings; NONE */
	bool *keep;
	size_t *hidden[2];      /* per shown model: the refuted and the surviving models that are folded below it */
};

/* Edges by the model where they begin: those of model i are item[from[i]] … item[from[i + 1] - 1]. */
static size_t *
edges_out(const struct search_graph *graph, size_t *from)
{
	size_t *item = mem_new_array(graph->n_edges, sizeof *item),
	       *at = mem_new_array(graph->n_models + 1, sizeof *at);

	for (size_t i = 0; i < graph->n_edges; i++)
		from[graph->edge[i].from + 1]++;
	for (size_t i = 0; i < graph->n_models; i++)
		from[i + 1] += from[i];
	memcpy(at, from, (graph->n_models + 1) * sizeof *at);
	for (size_t i = 0; i < graph->n_edges; i++)
		item[at[graph->edge[i].from]++] = i;
	free(at);
	return item;
}

static void
walk_from(struct tree *tree, size_t root, const size_t *from, const size_t *item, bool *seen)
{
	size_t head = tree->n;

	seen[root] = true;
	tree->order[tree->n++] = root;
	for (; head < tree->n; head++) {
		size_t at = tree->order[head], last = NONE;

		for (size_t k = from[at]; k < from[at + 1]; k++) {
			size_t to = tree->g->edge[item[k]].to;

			if (seen[to] || !tree->g->model[to].usable)
				continue;
			seen[to] = true;
			tree->edge[to] = item[k];
			tree->order[tree->n++] = to;
			if (last == NONE)
				tree->first[at] = to;
			else
				tree->next[last] = to;
			last = to;
		}
	}
}

/* Visits the models breadth first: from the model where a search began, then from models to which no edge leads, then
 * from the rest (cycles made by the user's switching). */
static void
search_rows_grow(struct tree *tree)
{
	const struct search_graph *graph = tree->g;
	size_t *from = mem_new_array(graph->n_models + 1, sizeof *from), *item = edges_out(graph, from);
	bool *seen = mem_new_array(graph->n_models, sizeof *seen),
	     *entered = mem_new_array(graph->n_models, sizeof *entered);

	for (size_t i = 0; i < graph->n_edges; i++)
		entered[graph->edge[i].to] = true;
	for (size_t i = 0; i < graph->n_models; i++)
		tree->edge[i] = tree->first[i] = tree->next[i] = NONE;
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < graph->n_models; i++)
			if (!seen[i] && graph->model[i].usable &&
				(round == 2 || (round == 1 ? !entered[i] : graph->model[i].step == GRAPH_START)))
				walk_from(tree, i, from, item, seen);
	free(from);
	free(item);
	free(seen);
	free(entered);
}

static size_t
parent_of(const struct tree *t, size_t i)
{
	return t->edge[i] == NONE ? NONE : t->g->edge[t->edge[i]].from;
}

static void
choose_kept(struct tree *tree, const struct fset *here, bool all)
{
	const struct search_graph *graph = tree->g;
	size_t best = search_best(graph), reduced = 0;

	for (size_t i = 0; i < graph->n_models; i++)
		tree->keep[i] = all || tree->n <= SEARCH_ROWS_UNFOLDED || tree->edge[i] == NONE ||
			graph->model[i].step == GRAPH_CHOSEN || fset_equal(&graph->model[i].on, here);
	for (size_t i = 0; i < graph->needs.n_minimal; i++)
		tree->keep[graph->needs.minimal[i]] = true;
	if (best < graph->n_models)
		tree->keep[best] = true;
	for (size_t i = 0; i < graph->n_edges; i++)
		if (graph->edge[i].from == best && graph->edge[i].step == GRAPH_ELIMINATION && reduced++ < REDUCED_MOST)
			tree->keep[graph->edge[i].to] = true;
	for (size_t k = tree->n; k-- > 0;)
		if (tree->keep[tree->order[k]] && parent_of(tree, tree->order[k]) != NONE)
			tree->keep[parent_of(tree, tree->order[k])] = true;
	/* children before parents: folded models are counted at the first ancestor that is shown */
	for (size_t k = tree->n; k-- > 0;) {
		size_t i = tree->order[k], up = parent_of(tree, i);

		if (tree->keep[i] || up == NONE)
			continue;
		tree->hidden[graph->model[i].survives][i]++;
		for (int s = 0; s < 2; s++)
			tree->hidden[s][up] += tree->hidden[s][i];
	}
}

/* A row to be written: a model, or (model == NONE) the models folded below `parent`. */
struct pending {
	size_t model, of, parent;
	int depth;
	bool last;
	uint64_t lines;
};

/* Pushes the children of the row, with the first on top of the stack. */
static void
push_children(const struct tree *tree, const struct search_row *row, size_t at, struct pending *stack, size_t *n)
{
	size_t i = row->model, from = *n, folded = tree->hidden[0][i] + tree->hidden[1][i];
	uint64_t lines =
		row->lines | (row->depth && row->depth <= 64 && !row->last ? UINT64_C(1) << (row->depth - 1) : 0);

	for (size_t c = tree->first[i]; c != NONE; c = tree->next[c])
		if (tree->keep[c])
			stack[(*n)++] = (struct pending){.model = c, .parent = at};
	if (folded)
		stack[(*n)++] = (struct pending){.model = NONE, .of = i, .parent = at};
	for (size_t k = from; k < *n; k++) {
		stack[k].depth = row->depth + (row->depth > 0 || *n - from > 1);
		stack[k].lines = lines;
		stack[k].last = k + 1 == *n;
	}
	for (size_t a = from, b = *n; a + 1 < b; a++, b--) {
		struct pending p = stack[a];

		stack[a] = stack[b - 1];
		stack[b - 1] = p;
	}
}

static size_t
search_rows_write_rows(const struct tree *tree, size_t root, struct search_row *out, size_t n, struct pending *stack)
{
	size_t waiting = 0;

	stack[waiting++] = (struct pending){.model = root, .parent = NONE, .last = true};
	while (waiting) {
		struct pending p = stack[--waiting];
		struct search_row *row = &out[n];

		*row = (struct search_row){.kind = p.model == NONE ? SEARCH_ROW_FOLDED : SEARCH_ROW_MODEL,
			.model = p.model == NONE ? p.of : p.model, .parent = p.parent,
			.edge = p.model == NONE ? NONE : tree->edge[p.model], .depth = p.depth, .last = p.last,
			.lines = p.lines};
		if (row->kind == SEARCH_ROW_FOLDED) {
			row->refuted = tree->hidden[0][p.of];
			row->surviving = tree->hidden[1][p.of];
		} else {
			push_children(tree, row, n, stack, &waiting);
		}
		n++;
	}
	return n;
}

struct search_row *
search_rows(const struct search_graph *graph, const struct fset *here, bool all, size_t *n)
{
	size_t models = graph->n_models;
	struct tree t = {
		.g = graph,
		.edge = mem_new_array(models, sizeof *t.edge),
		.order = mem_new_array(models, sizeof *t.order),
		.first = mem_new_array(models, sizeof *t.first),
		.next = mem_new_array(models, sizeof *t.next),
		.keep = mem_new_array(models, sizeof *t.keep),
		.hidden = {mem_new_array(models, sizeof **t.hidden), mem_new_array(models, sizeof **t.hidden)},
	};
	struct search_row *row = mem_new_array(2 * models + 1, sizeof *row);
	struct pending *stack = mem_new_array(2 * models + 1, sizeof *stack);

	*n = 0;
	search_rows_grow(&t);
	choose_kept(&t, here, all);
	for (size_t k = 0; k < t.n; k++)
		if (t.edge[t.order[k]] == NONE)
			*n = search_rows_write_rows(&t, t.order[k], row, *n, stack);
	free(t.edge);
	free(t.order);
	free(t.first);
	free(t.next);
	free(t.keep);
	free(t.hidden[0]);
	free(t.hidden[1]);
	free(stack);
	return row;
}
