#include "work/search/search_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"

#define NONE SIZE_MAX
#define REDUCED_MOST 12 /* models on the way below the best one that are always shown */

size_t
search_best(const struct search_graph *g)
{
	size_t best = g->n_models;

	if (search_graph_undecided(g))
		return best;
	for (size_t k = 0; k < g->needs.n_minimal && g->complete; k++) {
		const struct search_graph_model *m = &g->model[g->needs.minimal[k]];

		if (m->usable && m->survives &&
			(best == g->n_models || fset_count(&m->on) < fset_count(&g->model[best].on)))
			best = g->needs.minimal[k];
	}
	for (size_t i = 0; i < g->n_models && !g->complete; i++) {
		const struct search_graph_model *m = &g->model[i];

		if (m->usable && m->survives &&
			(best == g->n_models || fset_count(&m->on) < fset_count(&g->model[best].on)))
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
edges_out(const struct search_graph *g, size_t *from)
{
	size_t *item = mem_new_array(g->n_edges, sizeof *item), *at = mem_new_array(g->n_models + 1, sizeof *at);

	for (size_t i = 0; i < g->n_edges; i++)
		from[g->edge[i].from + 1]++;
	for (size_t i = 0; i < g->n_models; i++)
		from[i + 1] += from[i];
	memcpy(at, from, (g->n_models + 1) * sizeof *at);
	for (size_t i = 0; i < g->n_edges; i++)
		item[at[g->edge[i].from]++] = i;
	free(at);
	return item;
}

static void
walk_from(struct tree *t, size_t root, const size_t *from, const size_t *item, bool *seen)
{
	size_t head = t->n;

	seen[root] = true;
	t->order[t->n++] = root;
	for (; head < t->n; head++) {
		size_t at = t->order[head], last = NONE;

		for (size_t k = from[at]; k < from[at + 1]; k++) {
			size_t to = t->g->edge[item[k]].to;

			if (seen[to] || !t->g->model[to].usable)
				continue;
			seen[to] = true;
			t->edge[to] = item[k];
			t->order[t->n++] = to;
			if (last == NONE)
				t->first[at] = to;
			else
				t->next[last] = to;
			last = to;
		}
	}
}

/* Visits the models breadth first: from the model where a search began, then from models to which no edge leads, then
 * from the rest (cycles made by the user's switching). */
static void
search_rows_grow(struct tree *t)
{
	const struct search_graph *g = t->g;
	size_t *from = mem_new_array(g->n_models + 1, sizeof *from), *item = edges_out(g, from);
	bool *seen = mem_new_array(g->n_models, sizeof *seen), *entered = mem_new_array(g->n_models, sizeof *entered);

	for (size_t i = 0; i < g->n_edges; i++)
		entered[g->edge[i].to] = true;
	for (size_t i = 0; i < g->n_models; i++)
		t->edge[i] = t->first[i] = t->next[i] = NONE;
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < g->n_models; i++)
			if (!seen[i] && g->model[i].usable &&
				(round == 2 || (round == 1 ? !entered[i] : g->model[i].step == GRAPH_START)))
				walk_from(t, i, from, item, seen);
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
choose_kept(struct tree *t, const struct fset *here, bool all)
{
	const struct search_graph *g = t->g;
	size_t best = search_best(g), reduced = 0;

	for (size_t i = 0; i < g->n_models; i++)
		t->keep[i] = all || t->n <= SEARCH_ROWS_UNFOLDED || t->edge[i] == NONE ||
			g->model[i].step == GRAPH_CHOSEN || fset_equal(&g->model[i].on, here);
	for (size_t i = 0; i < g->needs.n_minimal; i++)
		t->keep[g->needs.minimal[i]] = true;
	if (best < g->n_models)
		t->keep[best] = true;
	for (size_t i = 0; i < g->n_edges; i++)
		if (g->edge[i].from == best && g->edge[i].step == GRAPH_ELIMINATION && reduced++ < REDUCED_MOST)
			t->keep[g->edge[i].to] = true;
	for (size_t k = t->n; k-- > 0;)
		if (t->keep[t->order[k]] && parent_of(t, t->order[k]) != NONE)
			t->keep[parent_of(t, t->order[k])] = true;
	/* children before parents: folded models are counted at the first ancestor that is shown */
	for (size_t k = t->n; k-- > 0;) {
		size_t i = t->order[k], up = parent_of(t, i);

		if (t->keep[i] || up == NONE)
			continue;
		t->hidden[g->model[i].survives][i]++;
		for (int s = 0; s < 2; s++)
			t->hidden[s][up] += t->hidden[s][i];
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
push_children(const struct tree *t, const struct search_row *row, size_t at, struct pending *stack, size_t *n)
{
	size_t i = row->model, from = *n, folded = t->hidden[0][i] + t->hidden[1][i];
	uint64_t lines =
		row->lines | (row->depth && row->depth <= 64 && !row->last ? UINT64_C(1) << (row->depth - 1) : 0);

	for (size_t c = t->first[i]; c != NONE; c = t->next[c])
		if (t->keep[c])
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
search_rows_write_rows(const struct tree *t, size_t root, struct search_row *out, size_t n, struct pending *stack)
{
	size_t waiting = 0;

	stack[waiting++] = (struct pending){.model = root, .parent = NONE, .last = true};
	while (waiting) {
		struct pending p = stack[--waiting];
		struct search_row *r = &out[n];

		*r = (struct search_row){.kind = p.model == NONE ? SEARCH_ROW_FOLDED : SEARCH_ROW_MODEL,
			.model = p.model == NONE ? p.of : p.model, .parent = p.parent,
			.edge = p.model == NONE ? NONE : t->edge[p.model], .depth = p.depth, .last = p.last,
			.lines = p.lines};
		if (r->kind == SEARCH_ROW_FOLDED) {
			r->refuted = t->hidden[0][p.of];
			r->surviving = t->hidden[1][p.of];
		} else {
			push_children(t, r, n, stack, &waiting);
		}
		n++;
	}
	return n;
}

struct search_row *
search_rows(const struct search_graph *g, const struct fset *here, bool all, size_t *n)
{
	size_t models = g->n_models;
	struct tree t = {
		.g = g, .edge = mem_new_array(models, sizeof *t.edge), .order = mem_new_array(models, sizeof *t.order),
		.first = mem_new_array(models, sizeof *t.first), .next = mem_new_array(models, sizeof *t.next),
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
