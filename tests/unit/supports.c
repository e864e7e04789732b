/* Forms of facets with the smallest sets of counters, compared with an exact solver that tries every set. */
#include "core/cone/supports.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/rref.h"
#include "exact.h"
#include "test.h"

/* True if x + c·e is zero outside the set for some c. */
static bool
carries(size_t n, size_t k, const int64_t *e, const int64_t *x, unsigned set)
{
	struct fraction a[64] = {{0}}, b[8] = {{0}}, c[8];
	size_t rows = 0;

	for (size_t j = 0; j < n; j++) {
		if (set >> j & 1)
			continue;
		for (size_t i = 0; i < k; i++)
			a[rows * k + i] = fraction(e[i * n + j], 1);
		b[rows++] = fraction(-x[j], 1);
	}
	return exact_solve(rows, k, a, b, c);
}

static void
the_smallest_sets_are_found(void)
{
	uint64_t seed = 1;
	size_t several = 0;

	for (int round = 0; round < 1000; round++) {
		size_t n = 2 + test_random(&seed) % 6, m = 1 + test_random(&seed) % 4, best = n + 1, want = 0,
		       budget = 1000000;
		int64_t v[64], x[8];
		struct rref e;
		struct supports s;

		for (size_t i = 0; i < n * m; i++)
			v[i] = (int64_t)(test_random(&seed) % 4);
		for (size_t j = 0; j < n; j++)
			x[j] = test_random(&seed) % 2 ? 0 : (int64_t)(test_random(&seed) % 7) - 3;
		rref_equalities(n, m, v, &e);
		for (size_t i = 0; i < e.n_rows; i++)
			x[e.pivot[i]] = 0;
		for (unsigned set = 0; set < 1u << n; set++) {
			size_t used = (size_t)__builtin_popcount(set);

			if (used > best || !carries(n, e.n_rows, e.row, x, set))
				continue;
			want = used < best ? 1 : want + 1;
			best = used;
		}
		test_label("round %d", round);
		CHECK(supports_find(n, e.n_rows, e.row, x, &budget, &s));
		CHECK_INT(s.size, best);
		CHECK_INT(s.n, want);
		for (size_t i = 0; i < s.n && s.size == best; i++) {
			unsigned set = 0;

			for (size_t k = 0; k < s.size; k++)
				set |= 1u << s.column[i * s.size + k];
			CHECK_INT(__builtin_popcount(set), best);
			CHECK(carries(n, e.n_rows, e.row, x, set));
		}
		several += s.n > 1;
		free(s.column);
		rref_free(&e);
	}
	CHECK(several > 100);
}

static void
the_budget_ends_the_search(void)
{
	static const int64_t e[] = {1, 0, 1, 1, 0, 1, 1, 2}, x[] = {0, 0, 3, 4};
	struct supports s;
	size_t budget = 2;

	CHECK(!supports_find(4, 2, e, x, &budget, &s));
	CHECK_INT(budget, 0);
	free(s.column);
}

/* Ten counters and ten mixtures of all of them. The bases are far too many to list, yet each facet has a form with one
 * counter. */
static void
facets_in_a_mixed_basis_become_short(void)
{
	enum { K = 10, N = 2 * K };
	int64_t s[K * N] = {0};
	uint64_t seed = 2;
	struct cone *c;

	for (size_t k = 0; k < K; k++) {
		s[k * N + K + k] = 1;
		for (size_t j = 0; j < K; j++)
			s[k * N + j] = 1 + (int64_t)(test_random(&seed) % 5);
	}
	c = cone_new(N, K, s, NULL);
	CHECK(c->complete);
	CHECK_INT(c->n_equalities, K);
	CHECK_INT(c->n_inequalities, K);
	for (size_t f = 0; f < c->n_inequalities; f++)
		for (size_t j = 0; j < N; j++)
			CHECK_INT(c->inequality[f * N + j], j == K + f);
	cone_free(c);
}

TEST_MAIN(
	CASE(the_smallest_sets_are_found), CASE(the_budget_ends_the_search), CASE(facets_in_a_mixed_basis_become_short))
