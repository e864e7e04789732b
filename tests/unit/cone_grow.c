/* A cone made from a neighbour equals the cone made from scratch, bit for bit. Facets by insertion equal those of
 * PPL. */
#include "core/cone/cone.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/cone/double_description.h"
#include "core/cone/insertion.h"
#include "core/cone/rows.h"
#include "exact.h"
#include "signature_file.h"
#include "synthetic.h"
#include "test.h"

static bool
same_rows(const char *what, size_t n, size_t a_rows, const int64_t *a, size_t b_rows, const int64_t *b)
{
	return test_int((int64_t)a_rows, (int64_t)b_rows, __FILE__, __LINE__, what)
		&& test_check(memcmp(a, b, a_rows * n * sizeof *a) == 0, __FILE__, __LINE__, "%s are the same", what);
}

static void
check_same(const struct cone *a, const struct cone *b)
{
	size_t n = b->n_counters;

	CHECK_INT(a->complete, b->complete);
	CHECK_INT(a->n_counters, n);
	same_rows("signatures", n, a->n_signatures, a->signature, b->n_signatures, b->signature);
	same_rows("rays", n, a->n_rays, a->ray, b->n_rays, b->ray);
	same_rows("equalities", n, a->n_equalities, a->equality, b->n_equalities, b->equality);
	same_rows("facets", n, a->n_inequalities, a->inequality, b->n_inequalities, b->inequality);
}

/* Blocks of signatures that are switched on and off like features. In some blocks columns depend on others, so that
 * a toggle can remove equalities. */
struct family {
	size_t n, blocks, size;
	int64_t *row; /* blocks × size × n */
};

static struct family
family_new(uint64_t *seed)
{
	struct family f = {
		.n = 2 + test_random(seed) % 7, .blocks = 2 + test_random(seed) % 4, .size = 1 + test_random(seed) % 8};
	uint64_t range = 2 + test_random(seed) % 4;

	f.row = mem_new_array(f.blocks * f.size * f.n, sizeof *f.row);
	for (size_t b = 0; b < f.blocks; b++) {
		uint64_t tie = test_random(seed) % 3;

		for (size_t i = 0; i < f.size; i++) {
			int64_t *v = f.row + (b * f.size + i) * f.n;

			for (size_t j = 0; j < f.n; j++)
				v[j] = test_random(seed) % 2 ? (int64_t)(test_random(seed) % range) : 0;
			if (tie > 0 && f.n > 2)
				v[f.n - 1] = v[0] + (int64_t)tie * v[1];
			if (b == 0 && f.n > 3)
				v[2] = 0;
		}
	}
	return f;
}

static struct cone *
family_cone(const struct family *f, unsigned on, const struct cone *const *from, size_t n_from)
{
	int64_t *v = mem_new_array(f->blocks * f->size * f->n, sizeof *v);
	struct cone *c;
	size_t m = 0;

	for (size_t b = 0; b < f->blocks; b++)
		if (on >> b & 1) {
			memcpy(v + m * f->n, f->row + b * f->size * f->n, f->size * f->n * sizeof *v);
			m += f->size;
		}
	c = from ? cone_grow(from, n_from, f->n, m, v, NULL) : cone_new(f->n, m, v, NULL);
	free(v);
	return c;
}

static void
toggled_features_give_the_same_cone(void)
{
	uint64_t seed = 1;
	size_t spans = 0, larger = 0, equal = 0;

	for (int round = 0; round < (int)test_rounds(600, 20000); round++) {
		struct family f = family_new(&seed);
		unsigned all = (1u << f.blocks) - 1, on = (unsigned)test_random(&seed) & all;
		struct cone *now = family_cone(&f, on, NULL, 0);

		for (int step = 0; step < 4; step++) {
			unsigned next = on ^ 1u << test_random(&seed) % f.blocks;
			const struct cone *from[] = {now};
			struct cone *grown = family_cone(&f, next, from, 1), *fresh = family_cone(&f, next, NULL, 0);

			test_label("round %d step %d, from %x to %x", round, step, on, next);
			check_same(grown, fresh);
			if ((next & on) == on) {
				spans += fresh->n_equalities < now->n_equalities;
				larger += fresh->n_inequalities != now->n_inequalities;
				equal += fresh->n_rays == now->n_rays;
			}
			cone_free(now);
			cone_free(fresh);
			now = grown;
			on = next;
		}
		cone_free(now);
		free(f.row);
	}
	/* All kinds of toggles occurred. */
	CHECK(spans > 100 && larger > 100 && equal > 100);
}

/* The first contained cone of those offered is used. Cones that are not contained do no harm. */
static void
any_neighbours_may_be_offered(void)
{
	uint64_t seed = 2;

	for (int round = 0; round < 150; round++) {
		struct family f = family_new(&seed), g = family_new(&seed);
		unsigned all = (1u << f.blocks) - 1;
		struct cone *stranger = family_cone(&g, 1, NULL, 0),
			    *one = family_cone(&f, (unsigned)test_random(&seed) & all, NULL, 0);
		struct cone *two = family_cone(&f, (unsigned)test_random(&seed) & all, NULL, 0),
			    *empty = family_cone(&f, 0, NULL, 0);
		const struct cone *from[] = {stranger, one, two, empty};
		struct cone *grown = family_cone(&f, all, from, 4), *fresh = family_cone(&f, all, NULL, 0);

		test_label("round %d", round);
		check_same(grown, fresh);
		cone_free(stranger);
		cone_free(one);
		cone_free(two);
		cone_free(empty);
		cone_free(grown);
		cone_free(fresh);
		free(f.row);
		free(g.row);
	}
}

static bool
has_row(size_t m, size_t n, const int64_t *rows, const int64_t *v)
{
	bool found = false;

	for (size_t i = 0; i < m && !found; i++)
		found = memcmp(rows + i * n, v, n * sizeof *v) == 0;
	return found;
}

/* Haswell's m0, then with what its features add, one feature after the other. */
static void
haswell_grows(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	size_t n = f->n_counters, more;
	int64_t *outside, *all;
	struct cone *now = cone_new(n, f->n, f->signature, NULL);

	more = synthetic_haswell_outside(n, f->name, &outside);
	all = mem_new_array((f->n + more) * n, sizeof *all);
	memcpy(all, f->signature, f->n * n * sizeof *all);
	memcpy(all + f->n * n, outside, more * n * sizeof *all);
	for (size_t k = 1; k <= more; k++) {
		const struct cone *from[] = {now};
		struct cone *grown = cone_grow(from, 1, n, f->n + k, all, NULL),
			    *fresh = cone_new(n, f->n + k, all, NULL);

		test_label("%zu signatures more", k);
		check_same(grown, fresh);
		CHECK(k > 4 || has_row(grown->n_rays, n, grown->ray, outside + (k - 1) * n));
		cone_free(fresh);
		cone_free(now);
		now = grown;
	}
	cone_free(now);
	free(outside);
	free(all);
	signature_file_free(f);
}

/* If coefficients outgrow 64 bits on the way, the result is PPL's, from scratch and from a neighbour. */
static void
wide_numbers_are_the_same_too(void)
{
	uint64_t seed = 3;
	size_t given_up = 0;

	for (int round = 0; round < 60; round++) {
		size_t n = 5, m = 9;
		int64_t v[5 * 9];
		int shift = round % 10 ? 8 + (int)(test_random(&seed) % 24) : 62;
		struct cone *some, *grown, *fresh;
		const struct cone *from[1];

		for (size_t i = 0; i < n * m; i++)
			v[i] = (int64_t)(test_random(&seed) % (UINT64_C(1) << shift));
		some = cone_new(n, 6, v, NULL);
		from[0] = some;
		grown = cone_grow(from, 1, n, m, v, NULL);
		fresh = cone_new(n, m, v, NULL);
		test_label("round %d", round);
		check_same(grown, fresh);
		given_up += !fresh->complete;
		if (!fresh->complete)
			CHECK(strstr(fresh->reason, "has a coefficient beyond 64 bits"));
		cone_free(some);
		cone_free(grown);
		cone_free(fresh);
	}
	CHECK(given_up > 10 && given_up < 50);
}

/* Insertion ends at once at its limits of memory and of time, and leaves nothing allocated or changed. */
static void
insertions_end_at_their_limits(void)
{
	size_t n = 14, m = 60;
	uint64_t seed = 5;
	int64_t *v = mem_new_array(n * m, sizeof *v);
	struct insertion s;

	for (size_t i = 0; i < n * m; i++)
		v[i] = test_random(&seed) % 3 ? 0 : 1 + (int64_t)(test_random(&seed) % 3);
	insertion_open_empty(&s, n, m, clock_seconds() + 1e6);
	s.bytes_max = 20000;
	CHECK_INT(insertion_add(&s, m, v), INSERTION_CROWDED);
	CHECK(s.n_facets * n * sizeof *v <= 20000);
	insertion_close(&s);
	insertion_open_empty(&s, n, m, clock_seconds() - 1);
	CHECK_INT(insertion_add(&s, m, v), INSERTION_LATE);
	insertion_close(&s);
	free(v);
}

/* The facets and rays equal PPL's, up to order: cones of up to 9 dimensions, larger than brute force can do. */
static void
insertion_agrees_with_ppl(void)
{
	uint64_t seed = 4;

	for (int round = 0; round < (int)test_rounds(200, 4000); round++) {
		size_t n = 3 + test_random(&seed) % 7, m = n + test_random(&seed) % 25;
		int64_t *v = mem_new_array(n * m, sizeof *v);
		struct double_description dd;
		struct insertion s;

		for (size_t i = 0; i < n * m; i++)
			v[i] = test_random(&seed) % 3 ? 0 : (int64_t)(1 + test_random(&seed) % 4);
		for (size_t i = 0; i < m; i++) {
			v[i * n + i % n] += 1; /* full dimension, and no row of zeros */
			rows_reduce(v + i * n, n);
		}
		if (exact_rank(m, n, v) == n) {
			double_description_find(n, m, v, 60, &dd);
			insertion_open_empty(&s, n, m, clock_seconds() + 60);
			CHECK_INT(insertion_add(&s, m, v), INSERTION_DONE);
			insertion_keep_extreme(&s);
			test_label("round %d, %zu × %zu", round, m, n);
			CHECK(dd.failure == NULL);
			CHECK_INT(s.n_equalities, 0);
			rows_sort(n, dd.n_facets, dd.facet);
			rows_sort(n, dd.n_rays, dd.ray);
			rows_sort(n, s.n_facets, s.facet);
			rows_sort(n, s.n_rays, s.ray);
			same_rows("facets", n, s.n_facets, s.facet, dd.n_facets, dd.facet);
			same_rows("rays", n, s.n_rays, s.ray, dd.n_rays, dd.ray);
			insertion_close(&s);
			double_description_free(&dd);
		}
		free(v);
	}
}

TEST_MAIN(CASE(toggled_features_give_the_same_cone), CASE(any_neighbours_may_be_offered), CASE(haswell_grows),
	CASE(wide_numbers_are_the_same_too), CASE(insertions_end_at_their_limits), CASE(insertion_agrees_with_ppl))
