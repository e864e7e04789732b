/* Cones of a search: numbers and inclusions do not depend on how many cones are kept. */
#include "work/analysis/search_cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "test.h"

#define COUNTERS 4
#define FEATURES 6
#define SETS (1u << FEATURES)

/* Each feature adds a few rays; the cone of a choice is that of the rays of its features. */
struct family {
	int64_t row[FEATURES + 1][2][COUNTERS];
	struct cone *last;
	double seconds; /* negative: cones without facets */
	size_t made;
};

static void
make(struct family *f, uint64_t *seed)
{
	*f = (struct family){0};
	for (size_t i = 0; i <= FEATURES; i++)
		for (size_t k = 0; k < 2; k++)
			for (size_t c = 0; c < COUNTERS; c++)
				f->row[i][k][c] = (int64_t)(test_random(seed) % 3);
}

static struct cone *
cone_of(const struct family *f, unsigned on)
{
	int64_t row[2 * (FEATURES + 1)][COUNTERS];
	size_t n = 2;

	memcpy(row, f->row[FEATURES], sizeof f->row[FEATURES]);
	for (size_t i = 0; i < FEATURES; i++)
		if (on >> i & 1) {
			memcpy(row[n], f->row[i], sizeof f->row[i]);
			n += 2;
		}
	return cone_new(COUNTERS, n, row[0], &(struct cone_limits){.seconds = f->seconds});
}

static const struct cone *
again(void *ctx, const struct fset *on)
{
	struct family *f = ctx;

	cone_free(f->last);
	f->made++;
	return f->last = cone_of(f, (unsigned)on->w[0]);
}

/* By definition: each ray of the one keeps each constraint of the other. */
static bool
is_inside(const struct cone *a, const struct cone *b)
{
	for (size_t r = 0; r < a->n_rays; r++) {
		for (size_t i = 0; i < b->n_equalities + b->n_inequalities; i++) {
			bool equality = i < b->n_equalities;
			const int64_t *row = equality ? b->equality + i * COUNTERS
						      : b->inequality + (i - b->n_equalities) * COUNTERS;
			int64_t sum = 0;

			for (size_t c = 0; c < COUNTERS; c++)
				sum += row[c] * a->ray[r * COUNTERS + c];
			if (sum < 0 || (equality && sum > 0))
				return false;
		}
	}
	return true;
}

static void
with_bound(double seconds, size_t bytes, uint64_t seed, unsigned rounds)
{
	static struct family f;
	static const bool used[COUNTERS] = {true, true, true, true};
	size_t made = 0;

	for (unsigned round = 0; round < rounds; round++) {
		struct search_cones *s;
		struct cone *c[SETS];
		size_t id[SETS];

		make(&f, &seed);
		for (unsigned on = 0; on < SETS; on++)
			c[on] = cone_of(&f, on);
		f.seconds = seconds;
		s = search_cones_new(again, &f);
		search_cones_set_bytes(s, bytes);
		test_label("round %u", round);
		for (unsigned on = 0; on < SETS; on++) {
			struct fset set = {.w = {on}};
			struct cone *x = cone_of(&f, on);

			id[on] = search_cones_id(s, &set, x);
			cone_free(x);
			for (unsigned k = 0; k < on; k++)
				CHECK_INT(id[k] == id[on], is_inside(c[k], c[on]) && is_inside(c[on], c[k]));
		}
		for (unsigned i = 0; i < 200; i++) {
			unsigned a = (unsigned)(test_random(&seed) % SETS), b = (unsigned)(test_random(&seed) % SETS);

			CHECK_INT(search_cones_inside(s, id[a], id[b]), is_inside(c[a], c[b]));
			if (seconds >= 0)
				CHECK_INT(search_cones_fingerprint(s, id[a], used, COUNTERS) ==
						search_cones_fingerprint(s, id[b], used, COUNTERS),
					id[a] == id[b]);
		}
		if (bytes > 1000)
			CHECK(search_cones_bytes(s) <= bytes);
		made += f.made;
		search_cones_free(s);
		cone_free(f.last);
		for (unsigned on = 0; on < SETS; on++)
			cone_free(c[on]);
	}
	CHECK_INT(made > 0, bytes < SEARCH_CONES_BYTES_MAX);
}

static void
all_kept(void)
{
	with_bound(0, SEARCH_CONES_BYTES_MAX, 31, test_rounds(10, 300));
}

static void
few_kept(void)
{
	with_bound(0, 2000, 32, test_rounds(10, 300));
}

static void
none_kept(void)
{
	with_bound(0, 0, 33, test_rounds(10, 300));
}

static void
without_facets(void)
{
	with_bound(-1, SEARCH_CONES_BYTES_MAX, 34, test_rounds(1, 30));
	with_bound(-1, 0, 35, test_rounds(1, 30));
}

TEST_MAIN(CASE(all_kept), CASE(few_kept), CASE(none_kept), CASE(without_facets))
