/* Shadows of cone and region: small cases worked out by hand, and brute force: random points of the region
 * and of the cone lie within what is drawn. */
#include "work/analysis/geometry.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

#define N 4

static uint64_t state = 88172645463325252u;

static double
uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

static const int64_t rays[] = {
	1, 0, 0, 1,
	1, 1, 0, 2,
	3, 2, 1, 0,
};
static const int64_t x_axis[] = {1, 0, 0, 0}, y_axis[] = {0, 1, 0, 0}, x_sum[] = {1, 0, 2, 0}, y_sum[] = {0, 1, 0, 1};

/* Four counters with the means `mean`. With `spread` the noise is a covariance of full rank made from `root`. root
 * is an orthogonal matrix times lengths, so that its rows are the axes. */
static struct geometry *
make(const double *mean, bool spread, double slack)
{
	struct geometry *g = mem_new(sizeof *g);
	const double h = sqrt(0.5), axis[N * N] = {h, h, 0, 0, -h, h, 0, 0, 0, 0, h, h, 0, 0, -h, h},
		     length[N] = {8, 2, 3, 1};

	g->n = N;
	g->counter = mem_new_array(N, sizeof *g->counter);
	g->mean = mem_copy(mean, N * sizeof *mean);
	g->slack = mem_new_array(N, sizeof *g->slack);
	g->threshold2 = 9;
	g->spread = spread;
	g->point = !spread;
	g->n_rays = 3;
	g->ray = mem_copy(rays, sizeof rays);
	for (size_t i = 0; i < N; i++) {
		g->counter[i] = i;
		g->slack[i] = slack * (double)(i + 1);
	}
	g->cov = mem_new_array(N * N, sizeof *g->cov);
	g->axis = mem_new_array(N * N, sizeof *g->axis);
	for (size_t k = 0; k < N; k++)
		for (size_t i = 0; i < N; i++) {
			g->axis[k * N + i] = 3 * length[k] * axis[k * N + i];
			for (size_t j = 0; j < N; j++)
				g->cov[i * N + j] += length[k] * length[k] * axis[k * N + i] * axis[k * N + j];
		}
	return g;
}

static double
along(const int64_t *coef, const double *v)
{
	double s = 0;

	for (size_t i = 0; i < N; i++)
		s += (double)coef[i] * v[i];
	return s;
}

/* How far a point lies outside of an anticlockwise polygon, relative to the polygon's size; ≤ 0: inside. */
static double
outside(const struct geometry_polygon *p, double x, double y)
{
	double most = -INFINITY, size = 0;

	for (size_t i = 0; i < p->n; i++)
		size = fmax(size, hypot(p->at[i].x - p->at[0].x, p->at[i].y - p->at[0].y));
	for (size_t i = 0; i < p->n; i++) {
		struct geometry_point a = p->at[i], b = p->at[(i + 1) % p->n];
		double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);

		if (length > 1e-9 * size)
			most = fmax(most, ((y - a.y) * dx - (x - a.x) * dy) / -length);
	}
	return most / size;
}

/* A random point on the surface of a region. */
static void
surface(const struct geometry *g, enum region_kind kind, double *v)
{
	double t[N], length = 0;

	for (size_t k = 0; k < N; k++) {
		t[k] = kind == REGION_ELLIPSOID ? normal()
			: uniform() < 0.7       ? (uniform() < 0.5 ? -1 : 1)
						: 2 * uniform() - 1;
		length += t[k] * t[k];
	}
	for (size_t i = 0; i < N; i++) {
		v[i] = g->mean[i] + g->slack[i] * (uniform() < 0.5 ? -1 : 1);
		for (size_t k = 0; k < N; k++)
			if (kind == REGION_INDEPENDENT)
				v[i] += k == i ? t[k] * sqrt(g->threshold2 * g->cov[i * N + i]) : 0;
			else
				v[i] += g->axis[k * N + i] * t[k] / (kind == REGION_ELLIPSOID ? sqrt(length) : 1);
	}
}

static void
the_region_lies_in_its_shadow(void)
{
	static const double mean[] = {400, 300, 200, 500};

	for (int slack = 0; slack < 2; slack++) {
		struct geometry *g = make(mean, true, slack * 5);

		for (int axes = 0; axes < 2; axes++) {
			const int64_t *x = axes ? x_sum : x_axis, *y = axes ? y_sum : y_axis;
			struct geometry_shadow s;

			geometry_shadow(g, x, y, REGION_ELLIPSOID, &s);
			for (int kind = 0; kind < 3; kind++) {
				double closest = -INFINITY, worst = -INFINITY;

				CHECK(s.region[kind].n >= 4);
				for (int i = 0; i < 20000; i++) {
					double v[N], far;

					surface(g, (enum region_kind)kind, v);
					far = outside(&s.region[kind], along(x, v), along(y, v));
					worst = fmax(worst, far);
					closest = fmax(closest, far);
				}
				test_label("slack %d axes %d region %d", slack, axes, kind);
				CHECK(worst < 1e-3);    /* the drawn ellipse has 128 corners */
				CHECK(closest > -0.02); /* the shadow is no larger than it must be */
			}
			shadow_clear(&s);
		}
		geometry_free(g);
	}
}

static void
the_cone_lies_between_its_edges(void)
{
	static const double mean[] = {400, 300, 200, 500};
	struct geometry *g = make(mean, true, 0);

	for (int axes = 0; axes < 2; axes++) {
		const int64_t *x = axes ? x_sum : x_axis, *y = axes ? y_sum : y_axis;
		struct geometry_shadow s;
		bool on_lo = false, on_hi = false;

		geometry_shadow(g, x, y, REGION_ELLIPSOID, &s);
		CHECK(s.cone);
		for (int i = 0; i < 2000; i++) {
			double v[N] = {0}, a, b;

			for (size_t k = 0; k < 3; k++) {
				double times = i < 3 ? (int)k == i : uniform();

				for (size_t j = 0; j < N; j++)
					v[j] += times * (double)rays[k * N + j];
			}
			a = along(x, v);
			b = along(y, v);
			CHECK(s.lo.x * b - s.lo.y * a >= -1e-9);
			CHECK(s.hi.y * a - s.hi.x * b >= -1e-9);
			CHECK(s.normal.x * a + s.normal.y * b >= -1e-9);
			on_lo |= fabs(s.lo.x * b - s.lo.y * a) < 1e-9;
			on_hi |= fabs(s.hi.y * a - s.hi.x * b) < 1e-9;
		}
		CHECK(on_lo && on_hi);
		shadow_clear(&s);
	}
	geometry_free(g);
}

/* Over the first two counters the cone is 0 ≤ b ≤ a. */
static void
margins_by_hand(void)
{
	const struct { double a, b, slack; bool spread; enum region_kind kind; double margin; bool upper; } row[] = {
		{100, 50, 0, false, REGION_ELLIPSOID, -1.0 / 3, true},   /* inside: (100 − 50) / 150 */
		{100, 100, 0, false, REGION_ELLIPSOID, 0, true},         /* on the edge */
		{100, 110, 0, false, REGION_ELLIPSOID, 10.0 / 210, true},
		/* a − b has the variance 2 · 2² */
		{100, 110, 0, true, REGION_ELLIPSOID, (10 - 3 * sqrt(8)) / 210, true},
		{100, 110, 0, true, REGION_BOX, (10 - 6 * sqrt(2)) / 210, true},
		{100, 110, 0.5, true, REGION_ELLIPSOID, (10 - 3 * sqrt(8) - 1.5) / 210, true},
		/* each of them has the variance 34 */
		{100, 110, 0, true, REGION_INDEPENDENT, (10 - 6 * sqrt(34)) / 210, true},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const double mean[N] = {row[i].a, row[i].b, 10, 10};
		struct geometry *g = make(mean, row[i].spread, row[i].slack);
		struct geometry_shadow s;

		test_label("row %zu", i);
		geometry_shadow(g, x_axis, y_axis, row[i].kind, &s);
		CHECK_NEAR(s.margin, row[i].margin, 1e-12);
		CHECK_INT(s.upper, row[i].upper);
		CHECK_NEAR(s.normal.x + s.normal.y, 0, 0);
		shadow_clear(&s);
		geometry_free(g);
	}
}

static void
pairs_are_ranked(void)
{
	static const double mean[] = {100, 150, 10, 300}; /* b ≤ a is broken by far, c ≤ a / 3 is not */
	struct geometry *g = make(mean, true, 0);

	CHECK(geometry_rank(g, REGION_ELLIPSOID, NULL));
	CHECK_INT(g->all_pairs, 6);
	CHECK_INT(g->n_pairs, 6);
	CHECK(g->showing >= 1);
	CHECK_INT(g->pair[0].x, 0);
	CHECK_INT(g->pair[0].y, 1);
	for (size_t k = 0; k < g->n_pairs; k++) {
		CHECK((g->pair[k].margin > 0) == (k < g->showing));
		CHECK(k == 0 || g->pair[k].margin <= g->pair[k - 1].margin);
	}
	geometry_free(g);
}

TEST_MAIN(CASE(the_region_lies_in_its_shadow), CASE(the_cone_lies_between_its_edges), CASE(margins_by_hand),
	CASE(pairs_are_ranked))
