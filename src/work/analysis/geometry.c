/* Shadows on two axes. Each axis is a sum of counters, so every point v becomes (x·v, y·v):
 *
 *     cone      the sector between the two extreme directions of its projected rays
 *     region    ellipsoid: an ellipse; box: a polygon whose edges are the projected axes of the box
 *     edge      a constraint normal·(x·v, y·v) ≥ 0 of the model, over the counters of both axes
 *
 * A pair of axes shows a refutation when the whole region lies beyond an edge. Pairs of counters are ranked by that
 * distance, so that the picture that shows most comes first. */
#include "work/analysis/geometry.h"

#include <math.h>
#include <stdlib.h>

#include "base/int128.h"
#include "base/mem.h"
#include "work/analysis/analysis.h"

#define ELLIPSE_SPOTS 128
#define ROUNDING 1e-12 /* share of the row's size; smaller distances are rounding */

/* Returns how far Σ coef·v moves from its value at the mean within a region. */
static double
geometry_reach(const struct geometry *g, const double *coef, enum region_kind kind)
{
	double s = 0, slack = 0;

	if (!g->spread)
		return 0;
	for (size_t i = 0; i < g->n; i++)
		slack += fabs(coef[i]) * g->slack[i];
	switch (kind) {
	case REGION_ELLIPSOID:
	case REGION_CONE:
		for (size_t i = 0; i < g->n; i++)
			for (size_t j = 0; j < g->n && coef[i] != 0; j++)
				s += coef[i] * coef[j] * g->cov[i * g->n + j];
		return slack + sqrt(fmax(0, g->threshold2 * s));
	case REGION_BOX:
		for (size_t k = 0; k < g->n; k++) {
			double t = 0;

			for (size_t i = 0; i < g->n; i++)
				t += coef[i] * g->axis[k * g->n + i];
			s += fabs(t);
		}
		return slack + s;
	case REGION_INDEPENDENT:
		for (size_t i = 0; i < g->n; i++)
			s += fabs(coef[i]) * sqrt(g->threshold2 * g->cov[i * g->n + i]);
		return slack + s;
	}
	return INFINITY;
}

static int64_t
along(const int64_t *coef, const int64_t *ray, size_t n)
{
	const i128 most = (i128)1 << 62;
	i128 sum = i128_dot(coef, ray, n);

	return (int64_t)(sum > most ? most : sum < -most ? -most : sum);
}

/* Finds the two directions between which all rays lie, exactly. False when all of them are the origin. */
static bool
extremes(const struct geometry *g, const int64_t *x, const int64_t *y, int64_t lo[2], int64_t hi[2])
{
	bool any = false;

	for (size_t k = 0; k < g->n_rays; k++) {
		int64_t a = along(x, g->ray + k * g->n, g->n), b = along(y, g->ray + k * g->n, g->n);

		if (a == 0 && b == 0)
			continue;
		if (!any || (i128)lo[0] * b < (i128)lo[1] * a) {
			lo[0] = a;
			lo[1] = b;
		}
		if (!any || (i128)hi[0] * b > (i128)hi[1] * a) {
			hi[0] = a;
			hi[1] = b;
		}
		any = true;
	}
	return any;
}

/* Returns how far the region lies beyond an edge whose normal points into the cone. */
static double
margin_beyond(const struct geometry *g, const int64_t *x, const int64_t *y, struct geometry_point normal,
	enum region_kind decides, double *coef)
{
	double at = 0, size = 0, most;

	for (size_t i = 0; i < g->n; i++) {
		coef[i] = normal.x * (double)x[i] + normal.y * (double)y[i];
		at += coef[i] * g->mean[i];
		size += fabs(coef[i] * g->mean[i]);
	}
	most = at + geometry_reach(g, coef, decides);
	return size > 0 && fabs(most) > ROUNDING * size ? -most / size : 0;
}

static void
find_edge(const struct geometry *g, const int64_t *x, const int64_t *y, enum region_kind decides,
	struct geometry_shadow *s)
{
	int64_t lo[2] = {0}, hi[2] = {0};
	double *coef = mem_new_array(g->n, sizeof *coef), below, above;
	struct geometry_point under = {-1, 0}, over = {0, -1};

	s->cone = extremes(g, x, y, lo, hi);
	if (s->cone) {
		under = (struct geometry_point){-(double)lo[1], (double)lo[0]};
		over = (struct geometry_point){(double)hi[1], -(double)hi[0]};
	}
	s->lo = (struct geometry_point){(double)lo[0], (double)lo[1]};
	s->hi = (struct geometry_point){(double)hi[0], (double)hi[1]};
	below = margin_beyond(g, x, y, under, decides, coef);
	above = margin_beyond(g, x, y, over, decides, coef);
	s->upper = above >= below;
	s->margin = s->upper ? above : below;
	s->normal = s->upper ? over : under;
	free(coef);
}

static int
compare_pairs(const void *va, const void *vb)
{
	const struct geometry_pair *a = va, *b = vb;

	if (a->margin < b->margin || a->margin > b->margin)
		return a->margin > b->margin ? -1 : 1;
	if (a->y != b->y)
		return a->y < b->y ? -1 : 1;
	return a->x < b->x ? -1 : a->x > b->x;
}

bool
geometry_rank(struct geometry *g, enum region_kind decides, const struct analysis_watch *watch)
{
	int64_t *x = mem_new_array(g->n, sizeof *x), *y = mem_new_array(g->n, sizeof *y);
	bool whole = true;

	g->all_pairs = g->n ? g->n * (g->n - 1) / 2 : 0;
	g->pair = mem_new_array(g->all_pairs, sizeof *g->pair);
	for (size_t i = 0; i < g->n && whole; i++)
		for (size_t j = i + 1; j < g->n && whole; j++) {
			struct geometry_shadow s = {0};

			whole = !watch || watch->go_on(watch->ctx, "pairs", g->n_pairs, g->all_pairs);
			x[j] = y[i] = 1;
			find_edge(g, x, y, decides, &s);
			x[j] = y[i] = 0;
			/* the side that is too large becomes the y axis, the other side the x axis */
			g->pair[g->n_pairs++] = s.upper ? (struct geometry_pair){j, i, s.margin}
							: (struct geometry_pair){i, j, s.margin};
			g->showing += s.margin > 0;
		}
	qsort(g->pair, g->n_pairs, sizeof *g->pair, compare_pairs);
	if (g->n_pairs > GEOMETRY_PAIRS)
		g->n_pairs = GEOMETRY_PAIRS;
	free(x);
	free(y);
	return whole;
}

/* Order of the steps from the centre to each side: anticlockwise, from the positive x axis on. */
static int
compare_steps(const void *va, const void *vb)
{
	const struct geometry_point *a = va, *b = vb;
	double cross = a->x * b->y - a->y * b->x;

	return cross > 0 ? -1 : cross < 0;
}

/* Returns the outline of all sums of the mean and of each step times −1 … 1: a polygon with twice as many corners as
 * steps. Uses the array of the steps as scratch. */
static struct geometry_polygon
zonotope(struct geometry_point centre, struct geometry_point *step, size_t n)
{
	struct geometry_polygon p = {.at = mem_new_array(2 * n, sizeof *p.at)};
	struct geometry_point here = centre;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (step[i].x == 0 && step[i].y == 0)
			continue;
		if (step[i].y < 0 || (step[i].y == 0 && step[i].x < 0))
			step[i] = (struct geometry_point){-step[i].x, -step[i].y};
		step[m++] = step[i];
	}
	qsort(step, m, sizeof *step, compare_steps);
	for (size_t i = 0; i < m; i++)
		here = (struct geometry_point){here.x - step[i].x, here.y - step[i].y};
	for (size_t i = 0; i < 2 * m; i++) {
		double way = i < m ? 2 : -2;

		p.at[p.n++] = here;
		here = (struct geometry_point){here.x + way * step[i % m].x, here.y + way * step[i % m].y};
	}
	return p;
}

/* Adds the steps of the slack, by which every region is widened. Returns their number. */
static size_t
slack_steps(const struct geometry *g, const int64_t *x, const int64_t *y, struct geometry_point *step)
{
	for (size_t i = 0; i < g->n; i++)
		step[i] = (struct geometry_point){(double)x[i] * g->slack[i], (double)y[i] * g->slack[i]};
	return g->n;
}

static struct geometry_polygon
box_shadow(
	const struct geometry *g, const int64_t *x, const int64_t *y, enum region_kind kind, struct geometry_point mean)
{
	struct geometry_point *step = mem_new_array(2 * g->n, sizeof *step);
	size_t m = slack_steps(g, x, y, step);
	struct geometry_polygon p;

	for (size_t k = 0; k < g->n; k++, m++) {
		double half = sqrt(g->threshold2 * g->cov[k * g->n + k]);

		if (kind == REGION_INDEPENDENT)
			step[m] = (struct geometry_point){(double)x[k] * half, (double)y[k] * half};
		for (size_t i = 0; i < g->n && kind == REGION_BOX; i++) {
			step[m].x += (double)x[i] * g->axis[k * g->n + i];
			step[m].y += (double)y[i] * g->axis[k * g->n + i];
		}
	}
	p = zonotope(mean, step, m);
	free(step);
	return p;
}

/* Computes the covariance of the two sums: [0] of x, [1] of both, [2] of y. */
static void
covariance(const struct geometry *g, const int64_t *x, const int64_t *y, double c[3])
{
	c[0] = c[1] = c[2] = 0;
	for (size_t i = 0; i < g->n; i++)
		for (size_t j = 0; j < g->n; j++) {
			double v = g->cov[i * g->n + j];

			c[0] += (double)x[i] * (double)x[j] * v;
			c[1] += (double)x[i] * (double)y[j] * v;
			c[2] += (double)y[i] * (double)y[j] * v;
		}
}

/* Returns the outermost point in each of many directions: the shadow of an ellipsoid is an ellipse of the same
 * threshold. */
static struct geometry_polygon
ellipse_shadow(
	const struct geometry *g, const int64_t *x, const int64_t *y, const double c[3], struct geometry_point mean)
{
	struct geometry_polygon p = {.at = mem_new_array(ELLIPSE_SPOTS, sizeof *p.at)};
	double wide = sqrt(c[0]) > 0 ? sqrt(c[0]) : 1, tall = sqrt(c[2]) > 0 ? sqrt(c[2]) : 1;
	struct geometry_point *step = mem_new_array(g->n, sizeof *step);

	slack_steps(g, x, y, step);
	for (size_t k = 0; k < ELLIPSE_SPOTS; k++) {
		double turn = 2 * M_PI * (double)k / ELLIPSE_SPOTS, u = cos(turn) / wide, v = sin(turn) / tall;
		double far = sqrt(fmax(0, c[0] * u * u + 2 * c[1] * u * v + c[2] * v * v)),
			scale = far > 0 ? sqrt(g->threshold2) / far : 0;
		struct geometry_point at = {
			mean.x + scale * (c[0] * u + c[1] * v), mean.y + scale * (c[1] * u + c[2] * v)};

		for (size_t i = 0; i < g->n; i++) {
			double side = step[i].x * u + step[i].y * v;

			at.x += side < 0 ? -step[i].x : step[i].x;
			at.y += side < 0 ? -step[i].y : step[i].y;
		}
		p.at[p.n++] = at;
	}
	free(step);
	return p;
}

void
geometry_shadow(const struct geometry *g, const int64_t *x, const int64_t *y, enum region_kind decides,
	struct geometry_shadow *s)
{
	double c[3];

	*s = (struct geometry_shadow){.correlation = NAN};
	for (size_t i = 0; i < g->n; i++) {
		s->mean.x += (double)x[i] * g->mean[i];
		s->mean.y += (double)y[i] * g->mean[i];
	}
	find_edge(g, x, y, decides, s);
	if (!g->spread)
		return;
	covariance(g, x, y, c);
	if (c[0] > 0 && c[2] > 0)
		s->correlation = c[1] / sqrt(c[0] * c[2]);
	s->region[REGION_ELLIPSOID] = ellipse_shadow(g, x, y, c, s->mean);
	s->region[REGION_BOX] = box_shadow(g, x, y, REGION_BOX, s->mean);
	s->region[REGION_INDEPENDENT] = box_shadow(g, x, y, REGION_INDEPENDENT, s->mean);
}

void
shadow_clear(struct geometry_shadow *s)
{
	for (int k = 0; k < 3; k++)
		free(s->region[k].at);
	*s = (struct geometry_shadow){0};
}
