/* DBSCAN against its definitions, which are checked directly: on random points, on shapes whose clusters are known, and
 * in any order of the points. */
#include "core/cluster/dbscan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test.h"

#define MOST 220u

struct cloud {
	double at[MOST * 4];
	size_t n, dims;
};

static struct dbscan_points
points_of(const struct cloud *c)
{
	return (struct dbscan_points){c->at, c->n, c->dims};
}

/* Squared distance; the code under test takes the root. */
static double
apart2(const struct cloud *c, size_t a, size_t b)
{
	double sum = 0;

	for (size_t d = 0; d < c->dims; d++)
		sum += pow(c->at[a * c->dims + d] - c->at[b * c->dims + d], 2);
	return sum;
}

/* A few blobs of different width, and points anywhere; some points are the same. */
static void
draw_cloud(struct cloud *c, uint64_t *seed)
{
	size_t blobs = 1 + test_random(seed) % 5;
	double centre[5][4], width[5];

	c->n = 2 + test_random(seed) % (MOST - 2);
	c->dims = 1 + test_random(seed) % 4;
	for (size_t b = 0; b < blobs; b++) {
		width[b] = 0.01 + 0.1 * test_uniform(seed);
		for (size_t d = 0; d < 4; d++)
			centre[b][d] = test_uniform(seed);
	}
	for (size_t i = 0; i < c->n; i++) {
		size_t b = test_random(seed) % (blobs + 1);

		for (size_t d = 0; d < c->dims; d++)
			c->at[i * c->dims + d] =
				b < blobs ? centre[b][d] + width[b] * test_normal(seed) : test_uniform(seed);
		if (i && test_random(seed) % 16 == 0)
			memcpy(&c->at[i * c->dims], &c->at[(i - 1) * c->dims], c->dims * sizeof *c->at);
	}
}

/* The truth by the definitions: near[i][j], core points, and which core points a chain of core points connects. */
struct truth {
	bool near[MOST][MOST], core[MOST], reach[MOST][MOST];
};

static void
find_truth(struct truth *t, const struct cloud *c, double eps, size_t min_points)
{
	for (size_t i = 0; i < c->n; i++) {
		size_t n = 0;

		for (size_t j = 0; j < c->n; j++)
			n += t->near[i][j] = sqrt(apart2(c, i, j)) <= eps;
		t->core[i] = n >= min_points;
	}
	for (size_t i = 0; i < c->n; i++)
		for (size_t j = 0; j < c->n; j++)
			t->reach[i][j] = t->core[i] && t->core[j] && t->near[i][j];
	for (size_t k = 0; k < c->n; k++) /* Warshall: the transitive closure */
		for (size_t i = 0; i < c->n; i++)
			for (size_t j = 0; j < c->n && t->reach[i][k]; j++)
				t->reach[i][j] |= t->reach[k][j];
}

static bool
borders(const struct truth *t, const struct dbscan *r, size_t n, size_t point, size_t cluster)
{
	for (size_t j = 0; j < n; j++)
		if (t->core[j] && t->near[point][j] && r->cluster[j] == cluster)
			return true;
	return false;
}

static void
check_by_definition(const struct truth *t, const struct cloud *c, const struct dbscan *r)
{
	bool good = true, used[MOST] = {false};
	size_t next = 0;

	for (size_t i = 0; i < c->n; i++) {
		bool noise = true;

		good &= r->core[i] == t->core[i];
		for (size_t j = 0; j < c->n; j++) {
			noise &= !(t->core[j] && t->near[i][j]);
			if (t->core[i] && t->core[j])
				good &= t->reach[i][j] == (r->cluster[i] == r->cluster[j]);
		}
		good &= noise == (r->cluster[i] == DBSCAN_NOISE);
		good &= noise || (r->cluster[i] < r->n_clusters && borders(t, r, c->n, i, r->cluster[i]));
		if (t->core[i] && r->cluster[i] < MOST && !used[r->cluster[i]]) {
			used[r->cluster[i]] = true;
			good &= r->cluster[i] == next++; /* by their first core point */
		}
	}
	CHECK(good);
	CHECK_INT(next, r->n_clusters);
}

static void
random_points(void)
{
	uint64_t seed = 3;
	struct truth *t = mem_new(sizeof *t);
	size_t clusters = 0, noise = 0, border = 0;

	for (unsigned k = 0; k < test_rounds(60, 3000); k++) {
		struct cloud c;
		size_t min_points = 1 + test_random(&seed) % 8;
		double eps = 0.3 * test_uniform(&seed);
		struct dbscan_points p;
		struct dbscan *r;

		draw_cloud(&c, &seed);
		if (k % 10 == 0)
			eps = 0;
		if (k % 10 == 1) /* exactly the distance of two points */
			eps = sqrt(apart2(&c, 0, c.n / 2));
		test_label("%u: %zu points, eps %g, %zu", k, c.n, eps, min_points);
		p = points_of(&c);
		r = dbscan_new(&p, eps, min_points);
		find_truth(t, &c, eps, min_points);
		check_by_definition(t, &c, r);
		clusters += r->n_clusters > 1;
		for (size_t i = 0; i < c.n; i++) {
			noise += r->cluster[i] == DBSCAN_NOISE;
			border += r->cluster[i] != DBSCAN_NOISE && !r->core[i];
		}
		dbscan_free(r);
	}
	test_label("what was drawn");
	CHECK(clusters > 10 && noise > 100 && border > 50);
	free(t);
}

/* In another order: the same core points and noise, and the same clusters of core points. */
static void
order_does_not_matter(void)
{
	uint64_t seed = 11;

	for (unsigned k = 0; k < test_rounds(40, 1000); k++) {
		struct cloud c, other;
		size_t to[MOST];
		struct dbscan_points p, q;
		struct dbscan *a, *b;
		bool good = true;

		draw_cloud(&c, &seed);
		other = c;
		for (size_t i = 0; i < c.n; i++)
			to[i] = i;
		for (size_t i = c.n; i-- > 1;) {
			size_t j = test_random(&seed) % (i + 1), x = to[i];

			to[i] = to[j];
			to[j] = x;
		}
		for (size_t i = 0; i < c.n; i++)
			memcpy(&other.at[to[i] * c.dims], &c.at[i * c.dims], c.dims * sizeof *c.at);
		p = points_of(&c);
		q = points_of(&other);
		a = dbscan_new(&p, 0.08, 4);
		b = dbscan_new(&q, 0.08, 4);
		CHECK_INT(a->n_clusters, b->n_clusters);
		for (size_t i = 0; i < c.n; i++) {
			good &= a->core[i] == b->core[to[i]];
			good &= (a->cluster[i] == DBSCAN_NOISE) == (b->cluster[to[i]] == DBSCAN_NOISE);
			for (size_t j = 0; j < c.n; j++)
				if (a->core[i] && a->core[j])
					good &= (a->cluster[i] == a->cluster[j]) ==
						(b->cluster[to[i]] == b->cluster[to[j]]);
		}
		CHECK(good);
		dbscan_free(a);
		dbscan_free(b);
	}
}

/* Definition 5's picture in one dimension: 0 1 2 3 are dense; 4.5 is on the border of nothing; 10 is alone. */
static void
small_examples(void)
{
	static const struct {
		const char *name;
		double at[12];
		size_t n;
		double eps;
		size_t min_points;
		const char *want; /* a letter for each cluster; capitals are core points; '.': noise */
	} row[] = {
		{"one line, its ends on the border", {0, 1, 2, 3}, 4, 1, 3, "aAAa"},
		{"the ends are core, too", {0, 1, 2, 3}, 4, 1, 2, "AAAA"},
		{"none is dense", {0, 1, 2, 3}, 4, 1, 4, "...."},
		{"two, and noise", {0, 1, 2, 50, 20, 21, 22}, 7, 1, 3, "aAa.bBb"},
		{"a chain", {0, 1, 2, 3, 4, 5, 6}, 7, 1, 3, "aAAAAAa"},
		{"a border point between two goes to the first", {0, 0.5, 1, 2, 3, 3.5, 4}, 7, 1, 4, "aaAaBbb"},
		{"edges are core", {-1, -0.9, -0.5, 0, 1, 2, 2.5, 2.9, 3}, 9, 1, 4, "AAAAaBBBB"},
		{"all see the one between", {0, 0, 0, 1, 2, 2, 2}, 7, 1, 4, "AAAAAAA"},
		{"equal points", {5, 5, 5, 5, 5}, 5, 0, 4, "AAAAA"},
		{"equal points, too few", {5, 5, 5}, 3, 0, 4, "..."},
		{"every point is a core point", {0, 9}, 2, 1, 1, "AB"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct dbscan_points p = {row[i].at, row[i].n, 1};
		struct dbscan *r = dbscan_new(&p, row[i].eps, row[i].min_points);
		char got[13] = "";

		test_label("%s", row[i].name);
		for (size_t k = 0; k < row[i].n; k++)
			got[k] = r->cluster[k] == DBSCAN_NOISE ? '.'
				: (char)((r->core[k] ? 'A' : 'a') + (int)r->cluster[k]);
		CHECK_STR(got, row[i].want);
		dbscan_free(r);
	}
}

/* Dense blobs and far points: the knee lies between the distances in blobs and those of the far points. */
static void
eps_is_at_the_knee(void)
{
	uint64_t seed = 5;

	for (unsigned k = 0; k < test_rounds(30, 1000); k++) {
		struct cloud c = {.n = 100, .dims = 2};
		size_t far = 3 + test_random(&seed) % 6, noise = 0;
		struct dbscan_points p = points_of(&c);
		struct dbscan_knee knee;
		struct dbscan *r;

		for (size_t i = 0; i < c.n; i++)
			for (size_t d = 0; d < 2; d++)
				c.at[2 * i + d] = i < far ? 100 * (double)(i + 1 + d)
					: (double)(i % 3 * 10) + test_uniform(&seed);
		knee = dbscan_find_eps(&p, 4);
		CHECK(knee.bends && knee.eps > 0 && knee.eps < 5);
		CHECK(knee.distance[knee.at] == knee.eps);
		for (size_t i = 1; i < c.n; i++)
			CHECK(knee.distance[i] >= knee.distance[i - 1]);
		r = dbscan_new(&p, knee.eps, 4);
		CHECK_INT(r->n_clusters, 3);
		for (size_t i = 0; i < far; i++)
			noise += r->cluster[i] == DBSCAN_NOISE;
		CHECK_INT(noise, far);
		dbscan_free(r);
		free(knee.distance);
	}
}

static void
a_straight_graph_has_no_knee(void)
{
	static const double equal[] = {7, 7, 7, 7, 7, 7}, even[] = {0, 1, 2, 3, 4, 5};
	struct dbscan_points p = {equal, 6, 1};
	struct dbscan_knee knee = dbscan_find_eps(&p, 4);

	CHECK(!knee.bends);
	CHECK(knee.eps == 0);
	free(knee.distance);
	p.at = even;
	knee = dbscan_find_eps(&p, 1);
	CHECK(!knee.bends);
	CHECK(knee.eps == 1);
	free(knee.distance);
}

TEST_MAIN(CASE(random_points), CASE(order_does_not_matter), CASE(small_examples), CASE(eps_is_at_the_knee),
	CASE(a_straight_graph_has_no_knee))
