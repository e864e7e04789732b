#include "draw/layered_graph.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define PASSES 48
#define ROUNDS 8     /* passes of straightening */
#define STEEP 7.0    /* growth of a gap: its longest sideways edge divided by this */
#define GAP_MOST 3.0 /* largest gap, in ordinary gaps */

/* Distance between the middles of a vertex and its right neighbour. */
static double
layered_place_distance(const struct graph *g, const struct row *r, size_t i)
{
	const struct vertex *a = &g->vertex[r->vertex[i]], *b = &g->vertex[r->vertex[i + 1]];
	bool bends = a->node == NO_NODE && b->node == NO_NODE;

	return (a->w + b->w) / 2 + (bends ? g->in->gap_x / 2 : g->in->gap_x);
}

/* The place that suits a vertex: the weighted mean of its neighbours. `sides`: bit 1 for above, bit 2 for below. */
static double
wish(const struct graph *graph, const struct vertex *vertex, int sides, double *weight)
{
	double sum = 0;

	*weight = 0;
	for (size_t i = 0; sides & 1 && i < vertex->n_up; i++) {
		sum += vertex->up_weight[i] * graph->vertex[vertex->up[i]].x;
		*weight += vertex->up_weight[i];
	}
	for (size_t i = 0; sides & 2 && i < vertex->n_down; i++) {
		sum += vertex->down_weight[i] * graph->vertex[vertex->down[i]].x;
		*weight += vertex->down_weight[i];
	}
	if (*weight > 0)
		return sum / *weight;
	*weight = 0.05;
	return vertex->x;
}

struct block {
	double sum, weight;
	size_t n;
};

/* Minimises Σ w (x - wish)² with every pair at least its distance apart. After subtraction of the distances this is
 * isotonic regression, which pooling adjacent violators solves exactly (Best, Chakravarti, "Active set algorithms for
 * isotonic regression", 1990). */
static void
place_row(struct graph *graph, size_t row, int sides, struct block *block)
{
	const struct row *r = &graph->row[row];
	double offset = 0;
	size_t n = 0, at = 0;

	for (size_t i = 0; i < r->n; i++) {
		double weight, d = wish(graph, &graph->vertex[r->vertex[i]], sides, &weight);

		block[n++] = (struct block){weight * (d - offset), weight, 1};
		while (n > 1 && block[n - 2].sum / block[n - 2].weight >= block[n - 1].sum / block[n - 1].weight) {
			block[n - 2].sum += block[n - 1].sum;
			block[n - 2].weight += block[n - 1].weight;
			block[n - 2].n += block[n - 1].n;
			n--;
		}
		if (i + 1 < r->n)
			offset += layered_place_distance(graph, r, i);
	}
	offset = 0;
	for (size_t b = 0; b < n; b++) {
		for (size_t k = 0; k < block[b].n; k++, at++) {
			graph->vertex[r->vertex[at]].x = block[b].sum / block[b].weight + offset;
			if (at + 1 < r->n)
				offset += layered_place_distance(graph, r, at);
		}
	}
}

/* The range in which a vertex may move between its neighbours. */
static void
freedom(const struct graph *g, const struct vertex *v, double *from, double *to)
{
	const struct row *r = &g->row[v->layer];

	*from = v->pos > 0 ? fmax(*from, g->vertex[r->vertex[v->pos - 1]].x + layered_place_distance(g, r, v->pos - 1))
			   : *from;
	*to = v->pos + 1 < r->n ? fmin(*to, g->vertex[r->vertex[v->pos + 1]].x - layered_place_distance(g, r, v->pos))
				: *to;
}

/* Is this the only edge out of a, and the only one into its end? */
static bool
runs_on(const struct graph *g, size_t a)
{
	const struct vertex *v = &g->vertex[a];

	return v->n_down == 1 && g->vertex[v->down[0]].n_up == 1;
}

/* Makes as much of a run's beginning as has room one upright line, as near as possible to the neighbours of its ends.
 * Returns the first vertex after it; NO_NODE at the run's end. */
static size_t
straighten_run(struct graph *graph, size_t first)
{
	double from = -INFINITY, to = INFINITY, weight_up, weight_down, up, down, x;
	size_t last = first, at = first;

	freedom(graph, &graph->vertex[first], &from, &to);
	while (runs_on(graph, last)) {
		double f = from, t = to;

		freedom(graph, &graph->vertex[graph->vertex[last].down[0]], &f, &t);
		if (f > t)
			break;
		last = graph->vertex[last].down[0];
		from = f;
		to = t;
	}
	up = wish(graph, &graph->vertex[first], 1, &weight_up);
	down = wish(graph, &graph->vertex[last], 2, &weight_down);
	x = fmin(fmax((up * weight_up + down * weight_down) / (weight_up + weight_down), from), to);
	while (true) {
		graph->vertex[at].x = x;
		if (at == last)
			break;
		at = graph->vertex[at].down[0];
	}
	return runs_on(graph, last) ? graph->vertex[last].down[0] : NO_NODE;
}

/* After the passes long edges are slightly crooked. Sets every run of vertices without branches upright where its
 * neighbours let it. */
static void
straighten(struct graph *graph)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < graph->n_rows; i++) {
			const struct row *row = &graph->row[i];

			for (size_t k = 0; k < row->n; k++) {
				size_t at = row->vertex[round % 2 ? row->n - 1 - k : k];
				const struct vertex *vertex = &graph->vertex[at];

				if (vertex->n_up == 1 && runs_on(graph, vertex->up[0]))
					continue; /* inside a run that starts higher up */
				while (at != NO_NODE)
					at = straighten_run(graph, at);
			}
		}
	}
}

static void
layered_place_place_columns(struct graph *graph)
{
	struct block *block = mem_new_array(graph->n, sizeof *block);
	double left = INFINITY, right = -INFINITY;

	for (size_t i = 0; i < graph->n_rows; i++) {
		double x = 0;

		for (size_t k = 0; k < graph->row[i].n; k++) {
			graph->vertex[graph->row[i].vertex[k]].x = x;
			x += k + 1 < graph->row[i].n ? layered_place_distance(graph, &graph->row[i], k) : 0;
		}
	}
	for (int pass = 0; pass < PASSES; pass++) {
		/* first one side at a time, in the end both */
		int sides = pass < PASSES / 2 ? pass % 2 ? 2 : 1 : 3;

		for (size_t i = 0; i < graph->n_rows; i++)
			place_row(graph, pass % 2 ? graph->n_rows - 1 - i : i, sides, block);
	}
	free(block);
	straighten(graph);
	for (size_t i = 0; i < graph->n; i++) {
		left = fmin(left, graph->vertex[i].x - graph->vertex[i].w / 2);
		right = fmax(right, graph->vertex[i].x + graph->vertex[i].w / 2);
	}
	for (size_t i = 0; i < graph->n; i++)
		graph->vertex[i].x -= left;
	graph->in->w = right - left;
}

/* Places rows below each other. A gap with long sideways edges is higher, so that these can be distinguished. */
static void
place_rows(struct graph *graph)
{
	double y = 0;

	for (size_t i = 0; i < graph->in->n_nodes; i++) {
		struct row *row = &graph->row[graph->in->node[i].layer];

		row->h = fmax(row->h, graph->in->node[i].h);
	}
	for (size_t i = 0; i < graph->n_rows; i++) {
		double far = 0;

		graph->row[i].y = y;
		for (size_t k = 0; k < graph->row[i].n; k++) {
			const struct vertex *vertex = &graph->vertex[graph->row[i].vertex[k]];

			for (size_t j = 0; j < vertex->n_down; j++)
				far = fmax(far, fabs(graph->vertex[vertex->down[j]].x - vertex->x));
		}
		graph->in->h = y + graph->row[i].h;
		y += graph->row[i].h + fmin(graph->in->gap_y + far / STEEP, graph->in->gap_y * GAP_MOST);
	}
	for (size_t i = 0; i < graph->in->n_nodes; i++) {
		struct layered_node *node = &graph->in->node[i];

		node->x = graph->vertex[i].x;
		node->y = graph->row[node->layer].y + graph->row[node->layer].h / 2;
	}
}

/* How far from a node's middle an edge to a vertex at `x` meets the node. On a spread node this depends on the edge's
 * place among all edges of that side. Other nodes are met in the middle, by soft edges a little aside so that a hard
 * edge does not hide them. */
static double
port(const struct graph *graph, size_t node, const size_t *other, size_t n, size_t to, bool soft)
{
	const struct layered_node *layered_node = &graph->in->node[node];
	double x = graph->vertex[to].x, aside;
	size_t before = 0, same = 0;

	if (!layered_node->spread) {
		aside = x < layered_node->x - 1 ? -1 : 1;
		return soft ? aside * fmin(12, layered_node->w * 0.3) : 0;
	}
	for (size_t i = 0; i < n; i++) {
		before += graph->vertex[other[i]].pos < graph->vertex[to].pos;
		same += other[i] == to;
	}
	return layered_node->w * 0.84 * (((double)before + (double)(same ? same : 1) / 2) / (double)n - 0.5);
}

static void
route_chain(const struct graph *graph, const struct chain *chain, struct layered_edge *edge)
{
	const struct vertex *top = &graph->vertex[chain->vertex[0]], *low = &graph->vertex[chain->vertex[chain->n - 1]];
	struct layered_point *point;
	size_t n = 0;

	edge->n_points = 2 * chain->n;
	edge->point = point = mem_new_array(edge->n_points, sizeof *point);
	for (size_t k = 0; k < chain->n; k++) {
		const struct vertex *vertex = &graph->vertex[chain->vertex[k]];
		const struct row *row = &graph->row[vertex->layer];
		double x = vertex->x, from = row->y, to = row->y + row->h;

		if (k == 0) {
			x += port(graph, top->node, top->down, top->n_down, chain->vertex[1], edge->soft);
			from = graph->in->node[top->node].y + graph->in->node[top->node].h / 2;
		} else if (k == chain->n - 1) {
			x += port(graph, low->node, low->up, low->n_up, chain->vertex[k - 1], edge->soft);
			to = graph->in->node[low->node].y - graph->in->node[low->node].h / 2;
		}
		point[n++] = (struct layered_point){x, from};
		point[n++] = (struct layered_point){x, to};
	}
	for (size_t i = 0; chain->reversed && i < n / 2; i++) {
		struct layered_point swap = point[i];

		point[i] = point[n - 1 - i];
		point[n - 1 - i] = swap;
	}
}

/* Both ends in one layer: down into the gap below, across, and up again. */
static void
route_sideways(const struct graph *graph, struct layered_edge *edge)
{
	const struct layered_node *a = &graph->in->node[edge->from], *b = &graph->in->node[edge->to];
	double low = graph->row[a->layer].y + graph->row[a->layer].h + graph->in->gap_y / 4;

	edge->n_points = 4;
	edge->point = mem_new_array(4, sizeof *edge->point);
	edge->point[0] = (struct layered_point){a->x, a->y + a->h / 2};
	edge->point[1] = (struct layered_point){a->x, low};
	edge->point[2] = (struct layered_point){b->x, low};
	edge->point[3] = (struct layered_point){b->x, b->y + b->h / 2};
	graph->in->h = fmax(graph->in->h, low + graph->in->gap_y);
}

void
layered_place(struct graph *g)
{
	layered_place_place_columns(g);
	place_rows(g);
	for (size_t i = 0; i < g->in->n_edges; i++) {
		if (g->chain[i].n)
			route_chain(g, &g->chain[i], &g->in->edge[i]);
		else
			route_sideways(g, &g->in->edge[i]);
	}
}
