/* The exact check of certificates with GMP. GMP's types stay in this file.
 *
 * All doubles are taken as the rational numbers m · 2^e that they are. Square roots are avoided: t < −√(q·s) is
 * checked as t < 0 and t² > q·s. Only certify_most(), which needs a bound and no decision, takes a root, and rounds it
 * up. Signatures are checked in 128 bits where their size allows, else with GMP. */
#include "core/verdict/certify.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"

/* A number m · 2^e: doubles, their sums and products are of this form. */
struct dyadic {
	mpz_t m;
	long e;
};

static void
dyadic_add(struct dyadic *sum, const mpz_t m, long e, mpz_t t)
{
	if (mpz_sgn(m) == 0)
		return;
	if (e < sum->e) {
		mpz_mul_2exp(sum->m, sum->m, (unsigned long)(sum->e - e));
		sum->e = e;
	}
	mpz_mul_2exp(t, m, (unsigned long)(e - sum->e));
	mpz_add(sum->m, sum->m, t);
}

/* Set m so that x = m · 2^result, exactly. */
static long
dyadic_take(double x, mpz_t m)
{
	int e;
	double f = frexp(x, &e);

	mpz_set_d(m, ldexp(f, 53));
	return (long)e - 53;
}

static void
set_i128(mpz_t z, i128 x)
{
	__extension__ unsigned __int128 size = x < 0 ? -(unsigned __int128)x : (unsigned __int128)x;

	mpz_set_ui(z, (unsigned long)(size >> 64));
	mpz_mul_2exp(z, z, 64);
	mpz_add_ui(z, z, (unsigned long)size);
	if (x < 0)
		mpz_neg(z, z);
}

/* a·Y = num / den with den > 0. */
static void
mean_product(const struct region *region, const int64_t *a, mpz_t num, mpz_t den)
{
	mpz_t t, s;

	mpz_inits(t, s, NULL);
	mpz_set_ui(den, 1);
	mpz_set_ui(num, 0);
	for (size_t i = 0; i < region->n; i++)
		if (a[i] && region->weight[i] && !mpz_divisible_ui_p(den, (unsigned long)region->weight[i]))
			mpz_lcm_ui(den, den, (unsigned long)region->weight[i]);
	for (size_t i = 0; i < region->n; i++) {
		if (a[i] == 0 || region->weight[i] == 0)
			continue;
		set_i128(t, region->sum[i]);
		mpz_divexact_ui(s, den, (unsigned long)region->weight[i]);
		mpz_mul(t, t, s);
		mpz_set_si(s, a[i]);
		mpz_addmul(num, t, s);
	}
	if (region->decimals > 0) {
		mpz_ui_pow_ui(s, 10, (unsigned long)region->decimals);
		mpz_mul(den, den, s);
	}
	mpz_clears(t, s, NULL);
}

int
certify_sign(const struct region *r, const int64_t *a)
{
	mpz_t num, den;
	int sign;

	mpz_inits(num, den, NULL);
	mean_product(r, a, num, den);
	sign = mpz_sgn(num);
	mpz_clears(num, den, NULL);
	return sign;
}

/* aᵀΣa as m · 2^e. */
static void
variance(const struct certify_region *shape, const int64_t *a, struct dyadic *sum)
{
	const struct region *region = shape->region;
	const struct region_spread *spread = shape->spread ? shape->spread : &region->spread;
	mpz_t t, u;

	mpz_inits(t, u, NULL);
	for (size_t i = 0; i < region->n; i++)
		for (size_t j = 0; j <= i && a[i]; j++) {
			double cov = spread_at(spread, region->n, i, j);
			long e;

			if (a[j] == 0 || cov == 0)
				continue;
			e = dyadic_take(cov, t);
			mpz_mul_si(t, t, a[i]);
			mpz_mul_si(t, t, a[j]);
			dyadic_add(sum, t, i == j ? e : e + 1, u);
		}
	mpz_clears(t, u, NULL);
}

/* Returns true if num² / den² > times · q · s. */
static bool
beyond(const mpz_t num, const mpz_t den, size_t times, double q, const struct dyadic *dyadic)
{
	mpz_t left, right;
	long e;
	bool more;

	mpz_inits(left, right, NULL);
	e = dyadic_take(q, right) + dyadic->e;
	mpz_mul(right, right, dyadic->m);
	mpz_mul_ui(right, right, times);
	mpz_mul(right, right, den);
	mpz_mul(right, right, den);
	mpz_mul(left, num, num);
	if (e > 0)
		mpz_mul_2exp(right, right, (unsigned long)e);
	else
		mpz_mul_2exp(left, left, (unsigned long)-e);
	more = mpz_cmp(left, right) > 0;
	mpz_clears(left, right, NULL);
	return more;
}

/* Σ_i half_i |a·e_i| as m · 2^e. */
static void
certify_gmp_reach(const struct certify_region *region, const int64_t *a, struct dyadic *sum)
{
	size_t n = region->region->n;
	struct dyadic d;
	mpz_t x, u;

	mpz_inits(d.m, x, u, NULL);
	for (size_t i = 0; i < n; i++) {
		long e;

		mpz_set_ui(d.m, 0);
		d.e = 0;
		for (size_t j = 0; j < n; j++) {
			double axis = region->axis ? region->axis[i * n + j] : i == j;

			if (a[j] == 0 || axis == 0)
				continue;
			e = dyadic_take(axis, x);
			mpz_mul_si(x, x, a[j]);
			dyadic_add(&d, x, e, u);
		}
		mpz_abs(d.m, d.m);
		e = dyadic_take(region->half[i], x);
		mpz_mul(x, x, d.m);
		dyadic_add(sum, x, e + d.e, u);
	}
	mpz_clears(d.m, x, u, NULL);
}

/* Returns true if −num / den > s. */
static bool
out_of_reach(const mpz_t num, const mpz_t den, const struct dyadic *dyadic)
{
	mpz_t left, right;
	bool more;

	mpz_inits(left, right, NULL);
	mpz_neg(left, num);
	mpz_mul(right, dyadic->m, den);
	if (dyadic->e > 0)
		mpz_mul_2exp(right, right, (unsigned long)dyadic->e);
	else
		mpz_mul_2exp(left, left, (unsigned long)-dyadic->e);
	more = mpz_cmp(left, right) > 0;
	mpz_clears(left, right, NULL);
	return more;
}

/* num / den += Σ_i slack_i |a_i|. */
static void
add_slack(const struct region *region, const int64_t *a, mpz_t num, mpz_t den)
{
	struct dyadic s = {.e = 0};
	mpz_t t, u;

	mpz_inits(s.m, t, u, NULL);
	for (size_t i = 0; i < region->n; i++) {
		long e;

		if (a[i] == 0 || region->slack[i] == 0)
			continue;
		e = dyadic_take(region->slack[i], t);
		mpz_set_si(u, a[i]);
		mpz_abs(u, u);
		mpz_mul(t, t, u);
		dyadic_add(&s, t, e, u);
	}
	mpz_mul(s.m, s.m, den);
	if (s.e > 0) {
		mpz_mul_2exp(s.m, s.m, (unsigned long)s.e);
	} else {
		mpz_mul_2exp(num, num, (unsigned long)-s.e);
		mpz_mul_2exp(den, den, (unsigned long)-s.e);
	}
	mpz_add(num, num, s.m);
	mpz_clears(s.m, t, u, NULL);
}

bool
certify_apart(const struct certify_region *region, const int64_t *a)
{
	struct dyadic s = {.e = 0};
	mpz_t num, den;
	bool apart;

	mpz_inits(num, den, s.m, NULL);
	mean_product(region->region, a, num, den);
	if (region->shape == CERTIFY_ELLIPSOID && region->region->slack)
		add_slack(region->region, a, num, den);
	apart = mpz_sgn(num) < 0;
	if (apart && region->shape == CERTIFY_ELLIPSOID) {
		variance(region, a, &s);
		apart = beyond(num, den, region->times, region->q, &s);
	} else if (apart && region->shape == CERTIFY_BOX) {
		certify_gmp_reach(region, a, &s);
		apart = out_of_reach(num, den, &s);
	}
	mpz_clears(num, den, s.m, NULL);
	return apart;
}

/* sum += m · 2^e */
static void
add_to(mpq_t sum, const mpz_t m, long e)
{
	mpq_t t;

	mpq_init(t);
	mpq_set_z(t, m);
	if (e > 0)
		mpq_mul_2exp(t, t, (unsigned long)e);
	else
		mpq_div_2exp(t, t, (unsigned long)-e);
	mpq_add(sum, sum, t);
	mpq_clear(t);
}

/* Add sqrt(times · q · s) to sum, rounded up. */
static void
add_root(mpq_t sum, size_t times, double q, const struct dyadic *dyadic)
{
	mpz_t x, rest;
	long e;

	mpz_inits(x, rest, NULL);
	e = dyadic_take(q, x) + dyadic->e;
	mpz_mul(x, x, dyadic->m);
	mpz_mul_ui(x, x, times);
	mpz_mul_2exp(x, x, 160); /* 160 bits become 80 fractional bits of the root */
	e -= 160;
	if (e % 2) {
		mpz_mul_2exp(x, x, 1);
		e--;
	}
	if (mpz_sgn(x) > 0) {
		mpz_sqrtrem(x, rest, x);
		if (mpz_sgn(rest))
			mpz_add_ui(x, x, 1);
		add_to(sum, x, e / 2);
	}
	mpz_clears(x, rest, NULL);
}

static double
round_up(const mpq_t x)
{
	double d = mpq_get_d(x);
	mpq_t t;

	mpq_init(t);
	for (mpq_set_d(t, d); mpq_cmp(t, x) < 0; mpq_set_d(t, d))
		d = nextafter(d, INFINITY);
	mpq_clear(t);
	return d;
}

double
certify_most(const struct certify_region *region, const int64_t *a, long bits)
{
	struct dyadic s = {.e = 0};
	mpz_t num, den;
	mpq_t sum;
	double most;

	mpz_inits(num, den, s.m, NULL);
	mpq_init(sum);
	mean_product(region->region, a, num, den);
	if (region->shape == CERTIFY_ELLIPSOID && region->region->slack)
		add_slack(region->region, a, num, den);
	mpq_set_num(sum, num);
	mpq_set_den(sum, den);
	mpq_canonicalize(sum);
	if (region->shape == CERTIFY_ELLIPSOID) {
		variance(region, a, &s);
		add_root(sum, region->times, region->q, &s);
	} else if (region->shape == CERTIFY_BOX) {
		certify_gmp_reach(region, a, &s);
		add_to(sum, s.m, s.e);
	}
	mpq_div_2exp(sum, sum, (unsigned long)bits);
	most = round_up(sum);
	mpq_clear(sum);
	mpz_clears(num, den, s.m, NULL);
	return most;
}

/* Returns whether a·s ≥ 0, for numbers of any size. */
static bool
positive_on_big(const int64_t *s, const int64_t *a, size_t n)
{
	mpz_t sum, t;
	bool good;

	mpz_inits(sum, t, NULL);
	for (size_t j = 0; j < n; j++) {
		mpz_set_si(t, a[j]);
		mpz_mul_si(t, t, s[j]);
		mpz_add(sum, sum, t);
	}
	good = mpz_sgn(sum) >= 0;
	mpz_clears(sum, t, NULL);
	return good;
}

bool
certify_cone(const struct cone *cone, const int64_t *a)
{
	size_t n = cone->n_counters, k = 0, *used = mem_new_array(n, sizeof *used);
	bool small, good;

	for (size_t j = 0; j < n; j++)
		if (a[j])
			used[k++] = j;
	/* up to 2^10 products of 63 and 53 bits stay below 2^127 */
	small = k <= 1024;
	for (size_t j = 0; j < k; j++)
		small &= a[used[j]] < INT64_C(1) << 53 && a[used[j]] > -(INT64_C(1) << 53);
	good = k > 0;
	for (size_t i = 0; i < cone->n_signatures && good; i++) {
		const int64_t *s = cone->signature + i * n;
		i128 sum = 0;

		for (size_t j = 0; j < k && small; j++)
			sum += (i128)a[used[j]] * s[used[j]];
		good = small ? sum >= 0 : positive_on_big(s, a, n);
	}
	free(used);
	return good;
}
