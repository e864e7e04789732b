/* How two cones relate, compared with another method: a ray lies in a cone of three counters if it is a sum of at most
 * three of its rays (Carathéodory), which determinants decide. Counters at places (signatures_at()) are compared with
 * counters that the model has there. */
#include "work/search/relation.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "tests/lib/models.h"
#include "tests/lib/test.h"
#include "text/diag.h"

#define N 3

static int64_t
det(const int64_t *a, const int64_t *b, const int64_t *c)
{
	return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
		a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void
cross(const int64_t *a, const int64_t *b, int64_t *out)
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static int64_t
dot(const int64_t *a, const int64_t *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* True if v = x a + y b for some x, y ≥ 0. No vector has a negative entry, so parallel ones point the same way. */
static bool
in_pair(const int64_t *a, const int64_t *b, const int64_t *v)
{
	int64_t ab[N], av[N], vb[N];

	cross(a, b, ab);
	cross(a, v, av);
	cross(v, b, vb);
	if (dot(ab, ab) == 0)
		return dot(av, av) == 0;
	return dot(ab, v) == 0 && dot(ab, av) >= 0 && dot(ab, vb) >= 0;
}

static bool
in_cone(const int64_t *ray, size_t n, const int64_t *v)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			if (in_pair(ray + i * N, ray + j * N, v))
				return true;
			for (size_t k = j + 1; k < n; k++) {
				const int64_t *a = ray + i * N, *b = ray + j * N, *c = ray + k * N;
				int64_t d = det(a, b, c), sign = d > 0 ? 1 : -1;

				if (d && sign * det(v, b, c) >= 0 && sign * det(a, v, c) >= 0 &&
					sign * det(a, b, v) >= 0)
					return true;
			}
		}
	return false;
}

static bool
all_inside(const struct relation_side *smaller, const struct relation_side *larger)
{
	for (size_t k = 0; k < smaller->n; k++)
		if (!in_cone(larger->signature, larger->n, smaller->signature + k * N))
			return false;
	return true;
}

/* Each row holds on its own side. The named signature of the other side is one of the `breaking` that break it. */
static void
check_rows(const struct relation *r, const struct relation_side side[2])
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < r->n[k]; i++) {
			const struct relation_row *x = &r->row[k][i];
			size_t breaking = 0;

			for (size_t s = 0; s < side[k].n; s++) {
				int64_t v = dot(x->coef, side[k].signature + s * N);

				CHECK(x->equality ? v == 0 : v >= 0);
			}
			for (size_t s = 0; s < side[1 - k].n; s++) {
				int64_t v = dot(x->coef, side[1 - k].signature + s * N);

				breaking += v < 0 || (v > 0 && x->equality);
			}
			CHECK_INT(x->breaking, breaking);
			CHECK_INT(x->value, dot(x->coef, side[1 - k].signature + x->simplest * N));
			CHECK(x->value < 0 || (x->equality && x->value > 0));
		}
}

static void
against_brute_force(void)
{
	uint64_t seed = 11;
	size_t seen[5] = {0};

	for (unsigned round = 0; round < test_rounds(600, 20000); round++) {
		struct relation_side side[2];
		int64_t row[2][5 * N];
		struct cone *cone[2];
		struct relation r, bare;
		bool in, out;

		for (int k = 0; k < 2; k++) {
			side[k].n = 1 + test_random(&seed) % 5;
			for (size_t i = 0; i < side[k].n * N; i++)
				row[k][i] = (int64_t)(test_random(&seed) % 4);
			for (size_t i = 0; i < side[k].n; i++)
				row[k][i * N + test_random(&seed) % N]++; /* no signature is zero */
			if (k == 1 && round % 3 == 0) /* the rays of the first side, and perhaps more */
				memcpy(row[1], row[0],
					(side[0].n < side[1].n ? side[0].n : side[1].n) * N * sizeof **row);
			side[k].signature = row[k];
		}
		in = all_inside(&side[0], &side[1]);
		out = all_inside(&side[1], &side[0]);
		test_label("round %u", round);
		for (int facets = 1; facets >= 0; facets--) {
			for (int k = 0; k < 2; k++)
				side[k].cone = cone[k] = cone_new(
					N, side[k].n, row[k], &(struct cone_limits){.seconds = facets ? 0 : -1});
			relation_find(side, facets ? &r : &bare);
			check_rows(facets ? &r : &bare, side);
			for (int k = 0; k < 2; k++)
				cone_free(cone[k]);
		}
		CHECK_STR(relation_name(r.kind),
			relation_name(in && out ? RELATION_EQUAL
					: in    ? RELATION_INSIDE
					: out   ? RELATION_CONTAINS
						: RELATION_NEITHER));
		CHECK_STR(relation_name(bare.kind), relation_name(r.kind));
		seen[r.kind]++;
		relation_free(&r);
		relation_free(&bare);
	}
	for (int k = RELATION_EQUAL; k < RELATION_UNKNOWN; k++)
		CHECK(seen[k] > 0);
	CHECK_INT(seen[RELATION_UNKNOWN], 0);
}

static void
words(void)
{
	const char *name[N] = {"a", "b", "c"};
	const struct { int64_t coef[N], value; const char *text; } rows[] = {
		{{1, -1, 0}, -2, "b > a"},
		{{1, -1, 0}, 2, "a > b"},
		{{0, 0, 1}, -1, "0 > c"},
		{{2, -1, -3}, -1, "b + 3 c > 2 a"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str out = {0};

		relation_broken_text(rows[i].coef, rows[i].value, name, N, &out);
		CHECK_STR(str_text(&out), rows[i].text);
		str_free(&out);
	}
}

/* A counter added to each node of a counter reads what the counter reads, if each node counts 1. One on all ways out of
 * a decision reads what one on the decision does. */
static void
places(void)
{
	uint64_t seed = 5;
	size_t looked = 0;

	for (unsigned round = 0; round < test_rounds(60, 2000); round++) {
		struct udd_model *m = model_random(&seed);
		struct fset on = {{test_random(&seed) % (1u << RANDOM_MODEL_FEATURES)}};
		struct diags d = {0};
		struct udd_diagram *g = udd_expand(m, &on, &d);
		struct signature_places p = {.n = m->n_counters + 2};
		uint32_t *node = mem_new_array(g->n_nodes, sizeof *node),
			 *edge = mem_new_array(g->n_edges, sizeof *edge);
		struct signatures *with, *without = signatures_new(g, &d);
		size_t n = m->n_counters, width = n + p.n, distinct = 0;

		memset(node, 0xff, g->n_nodes * sizeof *node);
		memset(edge, 0xff, g->n_edges * sizeof *edge);
		for (uint32_t v = 0; v < g->n_nodes; v++) {
			if (g->node[v].kind == UDD_COUNT)
				node[v] = g->node[v].name;
			if (g->node[v].kind != UDD_DECISION)
				continue;
			node[v] = (uint32_t)n;
			for (uint32_t i = 0; i < g->node[v].n_edges; i++)
				edge[g->node[v].first_edge + i] = (uint32_t)n + 1;
		}
		p.of_node = node;
		p.of_edge = edge;
		with = signatures_at(g, &p, &d);
		CHECK(with && without);
		CHECK_INT(with->n_counters, width);
		CHECK_STR(with->total, without->total);
		for (size_t k = 0; k < with->n; k++) {
			const int64_t *row = with->coef + k * width;
			bool there = false;

			CHECK(memcmp(row, row + n, n * sizeof *row) == 0);
			CHECK_INT(row[2 * n], row[2 * n + 1]);
			looked += row[2 * n] > 0;
			for (size_t i = 0; i < without->n && !there; i++)
				there = memcmp(row, without->coef + i * n, n * sizeof *row) == 0;
			CHECK(there);
			distinct += there;
		}
		CHECK(distinct >= without->n);
		signatures_free(with);
		signatures_free(without);
		free(node);
		free(edge);
		udd_diagram_free(g);
		diags_free(&d);
		udd_free(m);
	}
	CHECK(looked > 0);
}

TEST_MAIN(CASE(against_brute_force), CASE(words), CASE(places))
