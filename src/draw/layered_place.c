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
wish(const struct graph *g, const struct vertex *v, int sides, double *weight)
{
	double sum = 0;

	*weight = 0;
	for (size_t i = 0; sides & 1 && i < v->n_up; i++) {
		sum += v->up_weight[i] * g->vertex[v->up[i]].x;
		*weight += v->up_weight[i];
	}
	for (size_t i = 0; sides & 2 && i < v->n_down; i++) {
		sum += v->down_weight[i] * g->vertex[v->down[i]].x;
		*weight += v->down_weight[i];
	}
	if (*weight > 0)
		return sum / *weight;
	*weight = 0.05;
	return v->x;
}

struct block {
	double sum, weight;
	size_t n;
};

/* Minimises Σ w (x - wish)² with every pair at least its distance apart. After subtraction of the distances this is
 * isotonic regression, which pooling adjacent violators solves exactly (Best, Chakravarti, "Active set algorithms for
 * isotonic regression", 1990). */
static void
place_row(struct graph *g, size_t row, int sides, struct block *block)
{
	const struct row *r = &g->row[row];
	double offset = 0;
	size_t n = 0, at = 0;

	for (size_t i = 0; i < r->n; i++) {
		double weight, d = wish(g, &g->vertex[r->vertex[i]], sides, &weight);

		block[n++] = (struct block){weight * (d - offset), weight, 1};
		while (n > 1 && block[n - 2].sum / block[n - 2].weight >= block[n - 1].sum / block[n - 1].weight) {
			block[n - 2].sum += block[n - 1].sum;
			block[n - 2].weight += block[n - 1].weight;
			block[n - 2].n += block[n - 1].n;
			n--;
		}
		if (i + 1 < r->n)
			offset += layered_place_distance(g, r, i);
	}
	offset = 0;
	for (size_t b = 0; b < n; b++) {
		for (size_t k = 0; k < block[b].n; k++, at++) {
			g->vertex[r->vertex[at]].x = block[b].sum / block[b].weight + offset;
			if (at + 1 < r->n)
				offset += layered_place_distance(g, r, at);
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
straighten_run(struct graph *g, size_t first)
{
	double from = -INFINITY, to = INFINITY, weight_up, weight_down, up, down, x;
	size_t last = first, at = first;

	freedom(g, &g->vertex[first], &from, &to);
	while (runs_on(g, last)) {
		double f = from, t = to;

		freedom(g, &g->vertex[g->vertex[last].down[0]], &f, &t);
		if (f > t)
			break;
		last = g->vertex[last].down[0];
		from = f;
		to = t;
	}
	up = wish(g, &g->vertex[first], 1, &weight_up);
	down = wish(g, &g->vertex[last], 2, &weight_down);
	x = fmin(fmax((up * weight_up + down * weight_down) / (weight_up + weight_down), from), to);
	while (true) {
		g->vertex[at].x = x;
		if (at == last)
			break;
		at = g->vertex[at].down[0];
	}
	return runs_on(g, last) ? g->vertex[last].down[0] : NO_NODE;
}

/* After the passes long edges are slightly crooked. Sets every run of vertices without branches upright where its
 * neighbours let it. */
static void
straighten(struct graph *g)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < g->n_rows; i++) {
			const struct row *r = &g->row[i];

			for (size_t k = 0; k < r->n; k++) {
				size_t at = r->vertex[round % 2 ? r->n - 1 - k : k];
				const struct vertex *v = &g->vertex[at];

				if (v->n_up == 1 && runs_on(g, v->up[0]))
					continue; /* inside a run that starts higher up */
				while (at != NO_NODE)
					at = straighten_run(g, at);
			}
		}
	}
}

static void
layered_place_place_columns(struct graph *g)
{
	struct block *block = mem_new_array(g->n, sizeof *block);
	double left = INFINITY, right = -INFINITY;

	for (size_t i = 0; i < g->n_rows; i++) {
		double x = 0;

		for (size_t k = 0; k < g->row[i].n; k++) {
			g->vertex[g->row[i].vertex[k]].x = x;
			x += k + 1 < g->row[i].n ? layered_place_distance(g, &g->row[i], k) : 0;
		}
	}
	for (int pass = 0; pass < PASSES; pass++) {
		/* first one side at a time, in the end both */
		int sides = pass < PASSES / 2 ? pass % 2 ? 2 : 1 : 3;

		for (size_t i = 0; i < g->n_rows; i++)
			place_row(g, pass % 2 ? g->n_rows - 1 - i : i, sides, block);
	}
	free(block);
	straighten(g);
	for (size_t i = 0; i < g->n; i++) {
		left = fmin(left, g->vertex[i].x - g->vertex[i].w / 2);
		right = fmax(right, g->vertex[i].x + g->vertex[i].w / 2);
	}
	for (size_t i = 0; i < g->n; i++)
		g->vertex[i].x -= left;
	g->in->w = right - left;
}

/* Places rows below each other. A gap with long sideways edges is higher, so that these can be distinguished. */
static void
place_rows(struct graph *g)
{
	double y = 0;

	for (size_t i = 0; i < g->in->n_nodes; i++) {
		struct row *r = &g->row[g->in->node[i].layer];

		r->h = fmax(r->h, g->in->node[i].h);
	}
	for (size_t i = 0; i < g->n_rows; i++) {
		double far = 0;

		g->row[i].y = y;
		for (size_t k = 0; k < g->row[i].n; k++) {
			const struct vertex *v = &g->vertex[g->row[i].vertex[k]];

			for (size_t j = 0; j < v->n_down; j++)
				far = fmax(far, fabs(g->vertex[v->down[j]].x - v->x));
		}
		g->in->h = y + g->row[i].h;
		y += g->row[i].h + fmin(g->in->gap_y + far / STEEP, g->in->gap_y * GAP_MOST);
	}
	for (size_t i = 0; i < g->in->n_nodes; i++) {
		struct layered_node *n = &g->in->node[i];

		n->x = g->vertex[i].x;
		n->y = g->row[n->layer].y + g->row[n->layer].h / 2;
	}
}

/* How far from a node's middle an edge to a vertex at `x` meets the node. On a spread node this depends on the edge's
 * place among all edges of that side. Other nodes are met in the middle, by soft edges a little aside so that a hard
 * edge does not hide them. */
static double
port(const struct graph *g, size_t node, const size_t *other, size_t n, size_t to, bool soft)
{
	const struct layered_node *v = &g->in->node[node];
	double x = g->vertex[to].x, aside;
	size_t before = 0, same = 0;

	if (!v->spread) {
		aside = x < v->x - 1 ? -1 : 1;
		return soft ? aside * fmin(12, v->w * 0.3) : 0;
	}
	for (size_t i = 0; i < n; i++) {
		before += g->vertex[other[i]].pos < g->vertex[to].pos;
		same += other[i] == to;
	}
	return v->w * 0.84 * (((double)before + (double)(same ? same : 1) / 2) / (double)n - 0.5);
}

static void
route_chain(const struct graph *g, const struct chain *c, struct layered_edge *e)
{
	const struct vertex *top = &g->vertex[c->vertex[0]], *low = &g->vertex[c->vertex[c->n - 1]];
	struct layered_point *p;
	size_t n = 0;

	e->n_points = 2 * c->n;
	e->point = p = mem_new_array(e->n_points, sizeof *p);
	for (size_t k = 0; k < c->n; k++) {
		const struct vertex *v = &g->vertex[c->vertex[k]];
		const struct row *r = &g->row[v->layer];
		double x = v->x, from = r->y, to = r->y + r->h;

		if (k == 0) {
			x += port(g, top->node, top->down, top->n_down, c->vertex[1], e->soft);
			from = g->in->node[top->node].y + g->in->node[top->node].h / 2;
		} else if (k == c->n - 1) {
			x += port(g, low->node, low->up, low->n_up, c->vertex[k - 1], e->soft);
			to = g->in->node[low->node].y - g->in->node[low->node].h / 2;
		}
		p[n++] = (struct layered_point){x, from};
		p[n++] = (struct layered_point){x, to};
	}
	for (size_t i = 0; c->reversed && i < n / 2; i++) {
		struct layered_point swap = p[i];

		p[i] = p[n - 1 - i];
		p[n - 1 - i] = swap;
	}
}

/* Both ends in one layer: down into the gap below, across, and up again. */
static void
route_sideways(const struct graph *g, struct layered_edge *e)
{
	const struct layered_node *a = &g->in->node[e->from], *b = &g->in->node[e->to];
	double low = g->row[a->layer].y + g->row[a->layer].h + g->in->gap_y / 4;

	e->n_points = 4;
	e->point = mem_new_array(4, sizeof *e->point);
	e->point[0] = (struct layered_point){a->x, a->y + a->h / 2};
	e->point[1] = (struct layered_point){a->x, low};
	e->point[2] = (struct layered_point){b->x, low};
	e->point[3] = (struct layered_point){b->x, b->y + b->h / 2};
	g->in->h = fmax(g->in->h, low + g->in->gap_y);
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
