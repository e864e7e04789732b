#include "draw/layered.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/layered_graph.h"

#define SWEEPS 24
#define BEND_W 4.0         /* width of a passing edge, without the gap */
#define SWAP_VERTICES 2000 /* largest layer for which neighbours are swapped: the effort is quadratic in the degrees */

/* Edges by the node they leave: those of node v are item[first[v]] … item[first[v + 1] - 1]. */
struct out_list {
	size_t *first, *item;
};

static struct out_list
list_out(const struct layered *layered)
{
	struct out_list l = {
		mem_new_array(layered->n_nodes + 1, sizeof *l.first), mem_new_array(layered->n_edges, sizeof *l.item)};
	size_t *next = mem_new_array(layered->n_nodes + 1, sizeof *next);

	for (size_t i = 0; i < layered->n_edges; i++)
		l.first[layered->edge[i].from + 1]++;
	for (size_t i = 0; i < layered->n_nodes; i++)
		l.first[i + 1] += l.first[i];
	memcpy(next, l.first, (layered->n_nodes + 1) * sizeof *next);
	for (size_t i = 0; i < layered->n_edges; i++)
		l.item[next[layered->edge[i].from]++] = i;
	free(next);
	return l;
}

static void
free_out(struct out_list *l)
{
	free(l->first);
	free(l->item);
}

/* Layers by the longest path from the sources over hard edges, and soft ones if asked. False if these make a cycle. */
static bool
rank_nodes(struct layered *layered, const struct out_list *list, bool soft)
{
	size_t *waiting = mem_new_array(layered->n_nodes, sizeof *waiting),
	       *queue = mem_new_array(layered->n_nodes, sizeof *queue), tail = 0;

	for (size_t i = 0; i < layered->n_edges; i++)
		waiting[layered->edge[i].to] += soft || !layered->edge[i].soft;
	for (size_t i = 0; i < layered->n_nodes; i++) {
		layered->node[i].layer = 0;
		if (!waiting[i])
			queue[tail++] = i;
	}
	for (size_t head = 0; head < tail; head++) {
		const struct layered_node *node = &layered->node[queue[head]];

		for (size_t i = list->first[queue[head]]; i < list->first[queue[head] + 1]; i++) {
			const struct layered_edge *edge = &layered->edge[list->item[i]];

			if (edge->soft && !soft)
				continue;
			if (layered->node[edge->to].layer <= node->layer)
				layered->node[edge->to].layer = node->layer + 1;
			if (--waiting[edge->to] == 0)
				queue[tail++] = edge->to;
		}
	}
	free(waiting);
	free(queue);
	return tail == layered->n_nodes;
}

/* Moves a node with more outgoing than incoming edges down to its successors, which shortens the edges in total. */
static void
pull_down(struct layered *layered, const struct out_list *list)
{
	size_t *ways_in = mem_new_array(layered->n_nodes, sizeof *ways_in);
	bool moved = true;

	for (size_t i = 0; i < layered->n_edges; i++)
		ways_in[layered->edge[i].to]++;
	for (int round = 0; round < 8 && moved; round++) {
		moved = false;
		for (size_t v = layered->n_nodes; v-- > 0;) {
			size_t from = list->first[v], end = list->first[v + 1];
			int least = INT32_MAX;

			for (size_t i = from; i < end; i++) {
				int layer = layered->node[layered->edge[list->item[i]].to].layer;

				least = layer < least ? layer : least;
			}
			if (end - from > ways_in[v] && least - 1 > layered->node[v].layer) {
				layered->node[v].layer = least - 1;
				moved = true;
			}
		}
	}
	free(ways_in);
}

static void
set_layers(struct layered *g)
{
	struct out_list l = list_out(g);

	if (rank_nodes(g, &l, true))
		pull_down(g, &l);
	else
		rank_nodes(g, &l, false);
	free_out(&l);
}

static size_t
add_bend(struct graph *g, int layer)
{
	g->vertex[g->n] = (struct vertex){.node = NO_NODE, .w = BEND_W, .layer = layer};
	return g->n++;
}

static void
make_chain(struct graph *graph, size_t i)
{
	const struct layered_edge *edge = &graph->in->edge[i];
	int a = graph->in->node[edge->from].layer, b = graph->in->node[edge->to].layer;
	struct chain *chain = &graph->chain[i];

	chain->reversed = a > b;
	if (a == b)
		return;
	chain->n = (size_t)abs(b - a) + 1;
	chain->vertex = mem_new_array(chain->n, sizeof *chain->vertex);
	chain->vertex[0] = chain->reversed ? edge->to : edge->from;
	chain->vertex[chain->n - 1] = chain->reversed ? edge->from : edge->to;
	for (size_t k = 1; k + 1 < chain->n; k++)
		chain->vertex[k] = add_bend(graph, (a < b ? a : b) + (int)k);
}

/* The neighbours of each vertex above and below, from the chains. Straight long edges weigh most, soft ones least. */
static void
link_vertices(struct graph *graph)
{
	for (int fill = 0; fill < 2; fill++) {
		for (size_t i = 0; fill && i < graph->n; i++) {
			struct vertex *vertex = &graph->vertex[i];

			vertex->up = mem_new_array(vertex->n_up, sizeof *vertex->up);
			vertex->down = mem_new_array(vertex->n_down, sizeof *vertex->down);
			vertex->up_weight = mem_new_array(vertex->n_up, sizeof *vertex->up_weight);
			vertex->down_weight = mem_new_array(vertex->n_down, sizeof *vertex->down_weight);
			vertex->n_up = vertex->n_down = 0;
		}
		for (size_t i = 0; i < graph->in->n_edges; i++) {
			for (size_t k = 1; k < graph->chain[i].n; k++) {
				size_t a = graph->chain[i].vertex[k - 1], b = graph->chain[i].vertex[k];
				struct vertex *top = &graph->vertex[a], *low = &graph->vertex[b];
				int bends = (top->node == NO_NODE) + (low->node == NO_NODE);
				double weight = bends == 2 ? 8 : graph->in->edge[i].soft ? 0.2 : bends == 1 ? 2 : 1;

				if (fill) {
					top->down[top->n_down] = b;
					top->down_weight[top->n_down] = weight;
					low->up[low->n_up] = a;
					low->up_weight[low->n_up] = weight;
				}
				top->n_down++;
				low->n_up++;
			}
		}
	}
}

/* A node that is its predecessor's only successor, and has no other predecessor, is to be placed straight below it. */
static void
stiffen_chains(struct graph *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct vertex *v = &g->vertex[i];

		if (v->n_down != 1 || g->vertex[v->down[0]].n_up != 1 || v->down_weight[0] < 1)
			continue;
		v->down_weight[0] = fmax(v->down_weight[0], 6);
		g->vertex[v->down[0]].up_weight[0] = v->down_weight[0];
	}
}

static void
make_graph(struct graph *graph, struct layered *in)
{
	size_t n = in->n_nodes;

	*graph = (struct graph){.in = in};
	for (size_t i = 0; i < in->n_edges; i++)
		n += (size_t)abs(in->node[in->edge[i].from].layer - in->node[in->edge[i].to].layer);
	graph->vertex = mem_new_array(n, sizeof *graph->vertex);
	for (size_t i = 0; i < in->n_nodes; i++) {
		graph->vertex[i] = (struct vertex){.node = i, .w = in->node[i].w, .layer = in->node[i].layer};
		if ((size_t)in->node[i].layer + 1 > graph->n_rows)
			graph->n_rows = (size_t)in->node[i].layer + 1;
	}
	graph->n = in->n_nodes;
	graph->chain = mem_new_array(in->n_edges, sizeof *graph->chain);
	for (size_t i = 0; i < in->n_edges; i++)
		make_chain(graph, i);
	link_vertices(graph);
	stiffen_chains(graph);
	graph->row = mem_new_array(graph->n_rows, sizeof *graph->row);
	for (size_t i = 0; i < graph->n; i++)
		graph->row[graph->vertex[i].layer].n++;
	for (size_t i = 0; i < graph->n_rows; i++) {
		graph->row[i].vertex = mem_new_array(graph->row[i].n, sizeof *graph->row[i].vertex);
		graph->row[i].n = 0;
	}
}

static void
free_graph(struct graph *graph)
{
	for (size_t i = 0; i < graph->n; i++) {
		free(graph->vertex[i].up);
		free(graph->vertex[i].down);
		free(graph->vertex[i].up_weight);
		free(graph->vertex[i].down_weight);
	}
	for (size_t i = 0; i < graph->n_rows; i++)
		free(graph->row[i].vertex);
	for (size_t i = 0; i < graph->in->n_edges; i++)
		free(graph->chain[i].vertex);
	free(graph->vertex);
	free(graph->row);
	free(graph->chain);
}

static void
append_to_row(struct graph *g, size_t vertex)
{
	struct row *r = &g->row[g->vertex[vertex].layer];

	g->vertex[vertex].pos = r->n;
	r->vertex[r->n++] = vertex;
}

/* The first order: depth first from each vertex without predecessors. So a tree has no crossing, and cases keep the
 * order of the text. */
static void
order_depth_first(struct graph *graph)
{
	size_t *stack = mem_new_array(graph->n, sizeof *stack), *next = mem_new_array(graph->n, sizeof *next), n;
	bool *seen = mem_new_array(graph->n, sizeof *seen);

	for (size_t root = 0; root < graph->n; root++) {
		if (graph->vertex[root].n_up)
			continue;
		append_to_row(graph, root);
		stack[0] = root;
		n = 1;
		while (n > 0) {
			const struct vertex *vertex = &graph->vertex[stack[n - 1]];
			size_t child;

			if (next[stack[n - 1]] == vertex->n_down) {
				n--;
				continue;
			}
			child = vertex->down[next[stack[n - 1]]++];
			if (seen[child])
				continue;
			seen[child] = true;
			append_to_row(graph, child);
			stack[n++] = child;
		}
	}
	free(stack);
	free(next);
	free(seen);
}

/* Counts inversions among the lower ends of edges that are sorted by their upper end, with a Fenwick tree (Barth,
 * Jünger, Mutzel, "Simple and efficient bilayer cross counting", GD 2002). */
static size_t
crossings_below(const struct graph *graph, size_t row, size_t *tree)
{
	const struct row *top = &graph->row[row], *low = &graph->row[row + 1];
	size_t total = 0, crossings = 0;

	memset(tree, 0, (low->n + 1) * sizeof *tree);
	for (size_t i = 0; i < top->n; i++) {
		const struct vertex *vertex = &graph->vertex[top->vertex[i]];

		for (size_t k = 0; k < vertex->n_down; k++) {
			size_t before = 0;

			for (size_t j = graph->vertex[vertex->down[k]].pos + 1; j > 0; j &= j - 1)
				before += tree[j];
			crossings += total - before;
		}
		for (size_t k = 0; k < vertex->n_down; k++, total++)
			for (size_t j = graph->vertex[vertex->down[k]].pos + 1; j <= low->n; j += j & (0 - j))
				tree[j]++;
	}
	return crossings;
}

static size_t
count_crossings(const struct graph *g, size_t *tree)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < g->n_rows; i++)
		n += crossings_below(g, i, tree);
	return n;
}

struct key {
	double place;
	size_t vertex, pos;
};

static int
compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->place < y->place || x->place > y->place)
		return x->place < y->place ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

static double
barycentre(const struct graph *g, const struct vertex *v, bool from_above)
{
	size_t n = from_above ? v->n_up : v->n_down;
	const size_t *other = from_above ? v->up : v->down;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)g->vertex[other[i]].pos;
	return n ? sum / (double)n : -1;
}

/* Sorts a row by the mean place of the neighbours in the row above (or below). A vertex without neighbours keeps its
 * place. */
static void
sort_row(struct graph *graph, size_t row, bool from_above, struct key *key)
{
	struct row *r = &graph->row[row];
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		double place = barycentre(graph, &graph->vertex[r->vertex[i]], from_above);

		if (place >= 0)
			key[n++] = (struct key){place, r->vertex[i], i};
	}
	qsort(key, n, sizeof *key, compare_keys);
	for (size_t i = 0, k = 0; i < r->n; i++)
		if (barycentre(graph, &graph->vertex[r->vertex[i]], from_above) >= 0)
			r->vertex[i] = key[k++].vertex;
	for (size_t i = 0; i < r->n; i++)
		graph->vertex[r->vertex[i]].pos = i;
}

/* Crossings between the edges of a and b on one side, with a left of b. */
static size_t
pair_crossings(const struct graph *g, const size_t *a, size_t n_a, const size_t *b, size_t n_b)
{
	size_t n = 0;

	for (size_t i = 0; i < n_a; i++)
		for (size_t k = 0; k < n_b; k++)
			n += g->vertex[a[i]].pos > g->vertex[b[k]].pos;
	return n;
}

static bool
swap_neighbours(struct graph *graph)
{
	bool better = false;

	for (size_t row = 0; row < graph->n_rows; row++) {
		struct row *r = &graph->row[row];

		for (size_t i = 0; i + 1 < r->n; i++) {
			struct vertex *a = &graph->vertex[r->vertex[i]], *b = &graph->vertex[r->vertex[i + 1]];
			size_t now = pair_crossings(graph, a->up, a->n_up, b->up, b->n_up) +
				pair_crossings(graph, a->down, a->n_down, b->down, b->n_down);
			size_t then = pair_crossings(graph, b->up, b->n_up, a->up, a->n_up) +
				pair_crossings(graph, b->down, b->n_down, a->down, a->n_down);
			size_t left = r->vertex[i];

			if (then >= now)
				continue;
			r->vertex[i] = r->vertex[i + 1];
			r->vertex[i + 1] = left;
			b->pos = i;
			a->pos = i + 1;
			better = true;
		}
	}
	return better;
}

static void
keep_order(const struct graph *g, size_t *best)
{
	for (size_t i = 0; i < g->n; i++)
		best[i] = g->vertex[i].pos;
}

static void
restore_order(struct graph *g, const size_t *best)
{
	for (size_t i = 0; i < g->n; i++) {
		g->vertex[i].pos = best[i];
		g->row[g->vertex[i].layer].vertex[best[i]] = i;
	}
}

static void
reduce_crossings(struct graph *graph)
{
	size_t *best = mem_new_array(graph->n, sizeof *best), *tree = mem_new_array(graph->n + 2, sizeof *tree), least;
	struct key *key = mem_new_array(graph->n, sizeof *key);

	keep_order(graph, best);
	least = count_crossings(graph, tree);
	for (int sweep = 0; sweep < SWEEPS && least > 0; sweep++) {
		size_t n;

		for (size_t i = 1; i < graph->n_rows; i++)
			sort_row(graph, sweep % 2 ? graph->n_rows - 1 - i : i, sweep % 2 == 0, key);
		for (int round = 0; graph->n <= SWAP_VERTICES && round < 4 && swap_neighbours(graph); round++)
			continue;
		n = count_crossings(graph, tree);
		if (n < least) {
			least = n;
			keep_order(graph, best);
		}
	}
	restore_order(graph, best);
	graph->in->crossings = least;
	free(best);
	free(tree);
	free(key);
}

void
layered_lay(struct layered *in)
{
	struct graph g;

	in->w = in->h = 0;
	in->crossings = 0;
	for (size_t i = 0; i < in->n_edges; i++) {
		in->edge[i].point = NULL;
		in->edge[i].n_points = 0;
	}
	if (in->n_nodes == 0)
		return;
	set_layers(in);
	make_graph(&g, in);
	order_depth_first(&g);
	reduce_crossings(&g);
	layered_place(&g);
	free_graph(&g);
}

void
layered_free(struct layered *in)
{
	for (size_t i = 0; i < in->n_edges; i++) {
		free(in->edge[i].point);
		in->edge[i].point = NULL;
		in->edge[i].n_points = 0;
	}
}
