/* The checker of certificates (core/verdict/certify_gmp.c) accepts what holds exactly and refuses everything else,
 * whoever made it. The truth is worked out by hand, or computed in wide integers. */
#include "core/verdict/certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/certificate.h"
#include "core/verdict/verdict.h"
#include "exact.h"
#include "signature_file.h"
#include "synthetic.h"
#include "test.h"

static void
the_cone_side_is_exact(void)
{
	static const struct { int64_t signature[3], a[3]; bool holds; } row[] = {
		{{1, 2, 3}, {1, 1, -1}, true},
		{{1, 2, 3}, {1, 1, -2}, false},
		{{1, 2, 3}, {0, 0, 0}, false},
		{{1, 2, 3}, {-1, -1, 1}, true},
		{{INT64_C(1) << 62, INT64_C(1) << 62, 1}, {INT64_MAX, -INT64_MAX, 0}, true},
		{{INT64_C(1) << 62, INT64_C(1) << 62, 1}, {INT64_MAX, -INT64_MAX, -1}, false},
		{{INT64_C(1) << 62, (INT64_C(1) << 62) - 1, 1}, {-INT64_MAX, INT64_MAX, INT64_MAX}, true},
		{{INT64_C(1) << 62, (INT64_C(1) << 62) - 1, 1}, {-INT64_MAX, INT64_MAX, INT64_MAX - 1}, false},
		{{(INT64_C(1) << 53) + 1, INT64_C(1) << 53, 0}, {-1, 1, 0}, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t s[3];
		struct cone c = {.n_counters = 3, .n_signatures = 1, .signature = s};

		memcpy(s, row[i].signature, sizeof s);
		test_label("row %zu", i);
		CHECK_INT(certify_cone(&c, row[i].a), row[i].holds);
	}
}

/* A region made by hand: mean = sum / weight · 10^-decimals, variances and, above the diagonal of `factor`, covariances
 * as given. */
static struct region
by_hand(i128 *sum, int64_t *weight, double *variance, double *factor, size_t n, int decimals)
{
	return (struct region){
		.n = n, .sum = sum, .weight = weight, .decimals = decimals, .spread = {factor, variance}, .rows = 2};
}

static void
the_sign_at_the_mean_is_exact(void)
{
	/* 1/3 + 2/3 = 1 exactly; doubles would have to round. */
	i128 sum[] = {1, 4, 10, ((i128)1 << 100) + 1, (i128)1 << 100};
	int64_t weight[] = {3, 6, 10, 1, 1};
	struct region r = by_hand(sum, weight, NULL, NULL, 5, 2);
	static const struct { int64_t a[5]; int sign; } row[] = {
		{{1, 1, -1, 0, 0}, 0}, {{1, 1, 0, 0, 0}, 1}, {{-1, -1, 1, 0, 0}, 0}, {{0, 0, 0, 1, -1}, 1},
			{{0, 0, 0, -1, 1}, -1},
		{{0, 0, -1, 1, -1}, 0}, {{0, 0, 0, 0, 0}, 0}, {{2, 1, -1, 0, 0}, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("row %zu", i);
		CHECK_INT(certify_sign(&r, row[i].a), row[i].sign);
	}
}

/* A region for which (a·Y)² = q aᵀΣa touches the constraint and is not apart from it. With the next smaller double
 * as q it is. */
static void
the_ellipsoid_side_is_exact(void)
{
	i128 sum[] = {-30, 0};
	int64_t weight[] = {10, 10}, a[] = {1, 0}, both[] = {1, 1}, away[] = {-1, 0};
	double variance[] = {0.25, 0.5}, factor[] = {0, 0.125, 0, 0};
	struct region r = by_hand(sum, weight, variance, factor, 2, 0);
	struct certify_region t = {.shape = CERTIFY_ELLIPSOID, .region = &r, .q = 36, .times = 1};

	CHECK(!certify_apart(&t, a)); /* 9 = 36 · 0.25 */
	t.q = nextafter(36, 0);
	CHECK(certify_apart(&t, a));
	CHECK(!certify_apart(&t, away));
	t.q = 9; /* 9 = 9 · (0.25 + 2 · 0.125 + 0.5) */
	CHECK(!certify_apart(&t, both));
	t.q = nextafter(9, 0);
	CHECK(certify_apart(&t, both));
	t.times = 2;
	CHECK(!certify_apart(&t, both));
	t.q = nextafter(4.5, 0);
	CHECK(certify_apart(&t, both));
	variance[0] = 0x1p-600; /* exponents that are far from each other */
	t.times = 1;
	t.q = 0x1p600;
	CHECK(certify_apart(&t, a));
	t.q = 0x1p604;
	CHECK(!certify_apart(&t, a));
}

static void
the_box_side_is_exact(void)
{
	i128 sum[] = {-30, 10};
	int64_t weight[] = {10, 10}, a[] = {1, 0}, mixed[] = {2, 1};
	double half[] = {3, 0.5}, tilted[] = {0.5, 0.25, -0.25, 0.5};
	struct region r = by_hand(sum, weight, NULL, NULL, 2, 0);
	struct certify_region t = {.shape = CERTIFY_BOX, .region = &r, .half = half};

	CHECK(!certify_apart(&t, a));
	half[0] = nextafter(3, 0);
	CHECK(certify_apart(&t, a));
	half[0] = 2.25; /* −6 + 1 + 2 · 2.25 + 0.5 = 0 */
	CHECK(!certify_apart(&t, mixed));
	half[0] = nextafter(2.25, 0);
	CHECK(certify_apart(&t, mixed));
	t.axis = tilted; /* mixed·e = 1.25 and 0: −5 + 1.25 h */
	half[0] = 4;
	half[1] = 1e300;
	CHECK(!certify_apart(&t, mixed));
	half[0] = nextafter(4, 0);
	CHECK(certify_apart(&t, mixed));
}

static void
points_need_only_the_sign(void)
{
	i128 sum[] = {5, 6};
	int64_t weight[] = {1, 1}, a[] = {1, -1}, b[] = {6, -5};
	struct region r = by_hand(sum, weight, NULL, NULL, 2, 0);
	struct certify_region t = {.shape = CERTIFY_POINT, .region = &r};

	CHECK(certify_apart(&t, a));
	CHECK(!certify_apart(&t, b));
}

/* True certificates of m0, each then with one thing changed. Wide integers decide which of these still hold. */
static void
tampered_certificates_are_refused(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct cone *c = cone_new(f->n_counters, f->n, f->signature, NULL);
	struct verdict_options o = {.confidence = 0.99};
	struct synthetic s = {.n_counters = c->n_counters,
		.n_rays = c->n_rays,
		.ray = c->ray,
		.rows = 60,
		.spread = 60,
		.scale = 1e6,
		.share = 0.5};
	size_t n = c->n_counters, refused = 0, certificates = 0;
	int64_t *outside;
	uint64_t seed = 6;

	synthetic_haswell_outside(n, f->name, &outside);
	s.n_outside = 1;
	s.outside = outside;
	for (int round = 0; round < 30; round++) {
		int64_t *count = synthetic_samples(&s, &seed), a[64];
		struct samples samples = {.n_counters = n, .n_rows = s.rows, .count = count, .independent = true};
		struct region *r = region_new(&samples, false);
		struct verdict *v = verdict_new(c, r, &o);
		struct certify_region t = {.shape = CERTIFY_ELLIPSOID, .region = r, .q = v->threshold2, .times = 1};

		for (size_t i = 0; i < n && v->certificate; i++) {
			bool good = true;

			certificates += i == 0;
			memcpy(a, v->certificate, n * sizeof *a);
			CHECK(certify_cone(c, a) && certify_apart(&t, a));
			a[i] -= 1 + (int64_t)(test_random(&seed) % 3);
			for (size_t k = 0; k < c->n_signatures; k++)
				good &= exact_dot(a, c->signature + k * n, n) >= 0;
			CHECK_INT(certify_cone(c, a), good);
			refused += !good;
			for (size_t k = 0; k < n; k++)
				a[k] = -v->certificate[k];
			CHECK(!certify_apart(&t, a));
		}
		if (v->certificate) {
			/* This region is too wide to be refuted by the certificate. */
			t.times = 1000000;
			CHECK(!certify_apart(&t, v->certificate));
		}
		verdict_free(v);
		region_free(r);
		free(count);
	}
	CHECK(certificates > 20);
	CHECK(refused > 300);
	free(outside);
	cone_free(c);
	signature_file_free(f);
}

/* Without weights and directions that hold no certificate is made. With them it has integer coefficients, and holds. */
static void
certificates_are_made_or_not_made(void)
{
	/* The cone a ≤ b ≤ 2a. */
	static const int64_t signature[] = {1, 1, 1, 2};
	struct cone *c = cone_new(2, 2, signature, NULL);
	i128 sum[] = {300, 200};
	int64_t weight[] = {1, 1};
	double variance[] = {100, 100}, factor[] = {0, 0, 0, 0}, good[] = {0, 0}, direction[] = {-0.7071, 0.7070},
	       wrong[] = {0.7, -0.7}, nan[] = {NAN, 1}, none[] = {0, 0};
	struct region r = by_hand(sum, weight, variance, factor, 2, 0);
	struct certify_region t = {.shape = CERTIFY_ELLIPSOID, .region = &r, .q = 9, .times = 1};
	int64_t *a;

	CHECK_INT(c->n_inequalities, 2);
	for (size_t k = 0; k < 2; k++) {
		bool lower = c->inequality[k * 2] < 0;

		good[0] = good[1] = 0;
		good[k] = 0.3;
		a = certificate_from_weights(c, &t, good);
		CHECK((a != NULL) == lower);
		CHECK(!a || (a[0] == -1 && a[1] == 1));
		free(a);
		a = certificate_from_row(c, &t, k, 1);
		CHECK((a != NULL) == lower);
		free(a);
	}
	a = certificate_from_direction(c, &t, direction);
	if (CHECK(a))
		CHECK(certify_cone(c, a) && certify_apart(&t, a));
	free(a);
	CHECK(!certificate_from_direction(c, &t, wrong));
	CHECK(!certificate_from_direction(c, &t, nan));
	CHECK(!certificate_from_direction(c, &t, none));
	CHECK(!certificate_from_weights(c, &t, none));
	t.q = 1e6;
	CHECK(!certificate_from_direction(c, &t, direction));
	cone_free(c);
}

/* The bound is exact where a double can hold it, and otherwise the next double above. */
static void
the_most_is_rounded_up(void)
{
	i128 sum[] = {-30, 10, 1}, third[] = {1};
	int64_t weight[] = {
		10, 10, 1}, by_three[] = {3}, a[] = {1, 0, 0}, both[] = {1, 1, 0}, none[] = {0, 0, 0}, big[] = {0, 0,
		INT64_MAX
	};
	double variance[] = {0.25, 0.5, 2}, factor[] = {0, 0.125, 0, 0, 0, 0, 0, 0, 0}, slack[] = {0.5, 0.25, 0},
	       half[] = {3, 0.5, 1};
	struct region r = by_hand(sum, weight, variance, factor, 3, 0),
		      small = by_hand(third, by_three, NULL, NULL, 1, 0);
	struct certify_region point = {.shape = CERTIFY_POINT, .region = &r},
			      one = {.shape = CERTIFY_POINT, .region = &small};
	struct certify_region ball = {.shape = CERTIFY_ELLIPSOID, .region = &r, .q = 36, .times = 1},
			      box = {.shape = CERTIFY_BOX, .region = &r, .half = half};

	CHECK(certify_most(&point, a, 0) == -3);
	CHECK(certify_most(&point, a, 4) == -3.0 / 16);
	CHECK(certify_most(&point, none, 3) == 0);
	CHECK(certify_most(&point, big, 0) == 0x1p63); /* 2^63 − 1 is no double */
	/* the double nearest to 1/3 is a little less than a third */
	CHECK(certify_most(&one, (int64_t[]){1}, 0) == nextafter(1.0 / 3, 1));
	CHECK(certify_most(&one, (int64_t[]){-1}, 0) == -1.0 / 3);
	CHECK(certify_most(&ball, a, 0) == 0); /* −3 + √(36 / 4) */
	CHECK(certify_most(&ball, both, 1) == 2); /* (−3 + 1 + √36) / 2 */
	CHECK(certify_most(&ball, none, 0) == 0);
	ball.q = 2;
	CHECK_NEAR(certify_most(&ball, (int64_t[]){0, 0, 1}, 0), 3, 0);
	CHECK_NEAR(certify_most(&ball, (int64_t[]){0, 1, 0}, 0), 2, 0);
	ball.q = 3; /* 1 + √1.5 is no double: the result is above it, and no more than the next one */
	CHECK(certify_most(&ball, (int64_t[]){0, 1, 0}, 0) >= 1 + sqrt(1.5) - 0x1p-52 &&
		certify_most(&ball, (int64_t[]){0, 1, 0}, 0) <= 1 + sqrt(1.5) + 0x1p-51);
	CHECK((certify_most(&ball, (int64_t[]){0, 1, 0}, 0) - 1) * (certify_most(&ball, (int64_t[]){0, 1, 0}, 0) - 1) >
		1.5 - 0x1p-51);
	r.slack = slack;
	ball.q = 36;
	CHECK(certify_most(&ball, a, 0) == 0.5);
	CHECK(certify_most(&ball, (int64_t[]){-1, 0, 0}, 0) == 6.5);
	CHECK(certify_most(&box, a, 0) == 0); /* slack is within half */
	CHECK(certify_most(&box, (int64_t[]){-2, 1, 0}, 1) == (6 + 1 + 6 + 0.5) / 2);
}

TEST_MAIN(CASE(the_most_is_rounded_up), CASE(the_cone_side_is_exact), CASE(the_sign_at_the_mean_is_exact),
	CASE(the_ellipsoid_side_is_exact), CASE(the_box_side_is_exact), CASE(points_need_only_the_sign),
	CASE(tampered_certificates_are_refused), CASE(certificates_are_made_or_not_made))
