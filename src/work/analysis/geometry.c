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
geometry_reach(const struct geometry *geometry, const double *coef, enum region_kind kind)
{
	double s = 0, slack = 0;

	if (!geometry->spread)
		return 0;
	for (size_t i = 0; i < geometry->n; i++)
		slack += fabs(coef[i]) * geometry->slack[i];
	switch (kind) {
	case REGION_ELLIPSOID:
	case REGION_CONE:
		for (size_t i = 0; i < geometry->n; i++)
			for (size_t j = 0; j < geometry->n && coef[i] != 0; j++)
				s += coef[i] * coef[j] * geometry->cov[i * geometry->n + j];
		return slack + sqrt(fmax(0, geometry->threshold2 * s));
	case REGION_BOX:
		for (size_t k = 0; k < geometry->n; k++) {
			double t = 0;

			for (size_t i = 0; i < geometry->n; i++)
				t += coef[i] * geometry->axis[k * geometry->n + i];
			s += fabs(t);
		}
		return slack + s;
	case REGION_INDEPENDENT:
		for (size_t i = 0; i < geometry->n; i++)
			s += fabs(coef[i]) * sqrt(geometry->threshold2 * geometry->cov[i * geometry->n + i]);
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
margin_beyond(const struct geometry *geometry, const int64_t *x, const int64_t *y, struct geometry_point normal,
	enum region_kind decides, double *coef)
{
	double at = 0, size = 0, most;

	for (size_t i = 0; i < geometry->n; i++) {
		coef[i] = normal.x * (double)x[i] + normal.y * (double)y[i];
		at += coef[i] * geometry->mean[i];
		size += fabs(coef[i] * geometry->mean[i]);
	}
	most = at + geometry_reach(geometry, coef, decides);
	return size > 0 && fabs(most) > ROUNDING * size ? -most / size : 0;
}

static void
find_edge(const struct geometry *geometry, const int64_t *x, const int64_t *y, enum region_kind decides,
	struct geometry_shadow *shadow)
{
	int64_t lo[2] = {0}, hi[2] = {0};
	double *coef = mem_new_array(geometry->n, sizeof *coef), below, above;
	struct geometry_point under = {-1, 0}, over = {0, -1};

	shadow->cone = extremes(geometry, x, y, lo, hi);
	if (shadow->cone) {
		under = (struct geometry_point){-(double)lo[1], (double)lo[0]};
		over = (struct geometry_point){(double)hi[1], -(double)hi[0]};
	}
	shadow->lo = (struct geometry_point){(double)lo[0], (double)lo[1]};
	shadow->hi = (struct geometry_point){(double)hi[0], (double)hi[1]};
	below = margin_beyond(geometry, x, y, under, decides, coef);
	above = margin_beyond(geometry, x, y, over, decides, coef);
	shadow->upper = above >= below;
	shadow->margin = shadow->upper ? above : below;
	shadow->normal = shadow->upper ? over : under;
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
geometry_rank(struct geometry *geometry, enum region_kind decides, const struct analysis_watch *watch)
{
	int64_t *x = mem_new_array(geometry->n, sizeof *x), *y = mem_new_array(geometry->n, sizeof *y);
	bool whole = true;

	geometry->all_pairs = geometry->n ? geometry->n * (geometry->n - 1) / 2 : 0;
	geometry->pair = mem_new_array(geometry->all_pairs, sizeof *geometry->pair);
	for (size_t i = 0; i < geometry->n && whole; i++)
		for (size_t j = i + 1; j < geometry->n && whole; j++) {
			struct geometry_shadow s = {0};

			whole = !watch || watch->go_on(watch->ctx, "pairs", geometry->n_pairs, geometry->all_pairs);
			x[j] = y[i] = 1;
			find_edge(geometry, x, y, decides, &s);
			x[j] = y[i] = 0;
			/* the side that is too large becomes the y axis, the other side the x axis */
			geometry->pair[geometry->n_pairs++] = s.upper ? (struct geometry_pair){j, i, s.margin}
							: (struct geometry_pair){i, j, s.margin};
			geometry->showing += s.margin > 0;
		}
	qsort(geometry->pair, geometry->n_pairs, sizeof *geometry->pair, compare_pairs);
	if (geometry->n_pairs > GEOMETRY_PAIRS)
		geometry->n_pairs = GEOMETRY_PAIRS;
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
box_shadow(const struct geometry *geometry, const int64_t *x, const int64_t *y, enum region_kind kind,
	struct geometry_point mean)
{
	struct geometry_point *step = mem_new_array(2 * geometry->n, sizeof *step);
	size_t m = slack_steps(geometry, x, y, step);
	struct geometry_polygon p;

	for (size_t k = 0; k < geometry->n; k++, m++) {
		double half = sqrt(geometry->threshold2 * geometry->cov[k * geometry->n + k]);

		if (kind == REGION_INDEPENDENT)
			step[m] = (struct geometry_point){(double)x[k] * half, (double)y[k] * half};
		for (size_t i = 0; i < geometry->n && kind == REGION_BOX; i++) {
			step[m].x += (double)x[i] * geometry->axis[k * geometry->n + i];
			step[m].y += (double)y[i] * geometry->axis[k * geometry->n + i];
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
ellipse_shadow(const struct geometry *geometry, const int64_t *x, const int64_t *y, const double c[3],
	struct geometry_point mean)
{
	struct geometry_polygon p = {.at = mem_new_array(ELLIPSE_SPOTS, sizeof *p.at)};
	double wide = sqrt(c[0]) > 0 ? sqrt(c[0]) : 1, tall = sqrt(c[2]) > 0 ? sqrt(c[2]) : 1;
	struct geometry_point *step = mem_new_array(geometry->n, sizeof *step);

	slack_steps(geometry, x, y, step);
	for (size_t k = 0; k < ELLIPSE_SPOTS; k++) {
		double turn = 2 * M_PI * (double)k / ELLIPSE_SPOTS, u = cos(turn) / wide, v = sin(turn) / tall;
		double far = sqrt(fmax(0, c[0] * u * u + 2 * c[1] * u * v + c[2] * v * v)),
			scale = far > 0 ? sqrt(geometry->threshold2) / far : 0;
		struct geometry_point at = {
			mean.x + scale * (c[0] * u + c[1] * v), mean.y + scale * (c[1] * u + c[2] * v)};

		for (size_t i = 0; i < geometry->n; i++) {
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
geometry_shadow(const struct geometry *geometry, const int64_t *x, const int64_t *y, enum region_kind decides,
	struct geometry_shadow *shadow)
{
	double c[3];

	*shadow = (struct geometry_shadow){.correlation = NAN};
	for (size_t i = 0; i < geometry->n; i++) {
		shadow->mean.x += (double)x[i] * geometry->mean[i];
		shadow->mean.y += (double)y[i] * geometry->mean[i];
	}
	find_edge(geometry, x, y, decides, shadow);
	if (!geometry->spread)
		return;
	covariance(geometry, x, y, c);
	if (c[0] > 0 && c[2] > 0)
		shadow->correlation = c[1] / sqrt(c[0] * c[2]);
	shadow->region[REGION_ELLIPSOID] = ellipse_shadow(geometry, x, y, c, shadow->mean);
	shadow->region[REGION_BOX] = box_shadow(geometry, x, y, REGION_BOX, shadow->mean);
	shadow->region[REGION_INDEPENDENT] = box_shadow(geometry, x, y, REGION_INDEPENDENT, shadow->mean);
}

void
shadow_clear(struct geometry_shadow *s)
{
	for (int k = 0; k < 3; k++)
		free(s->region[k].at);
	*s = (struct geometry_shadow){0};
}
