/* Rounds a solver's vector to integers, at several scales. Each result must pass the exact check of certify.h. */
#include "core/verdict/certificate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"

static const int PRECISIONS[] = {6, 12, 20, 28, 36, 44, 50, 55};
#define N_PRECISIONS (sizeof PRECISIONS / sizeof *PRECISIONS)

/* Returns `a` if it passes the check. Frees it otherwise. */
static int64_t *
checked(const struct cone *c, const struct certify_region *t, int64_t *a)
{
	if (a && certify_apart(t, a) && certify_cone(c, a))
		return a;
	free(a);
	return NULL;
}

/* Divide by the greatest common divisor, then narrow to 64 bits. Returns NULL if that does not fit. */
static int64_t *
certificate_narrow(const i128 *wide, size_t n)
{
	int64_t *a;
	i128 g = 0;

	for (size_t i = 0; i < n && g != 1; i++)
		for (i128 b = wide[i] < 0 ? -wide[i] : wide[i]; b;) {
			i128 r = g % b;

			g = b;
			b = r;
		}
	if (g == 0)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (wide[i] / g > INT64_MAX || wide[i] / g < -INT64_MAX)
			return NULL;
	a = mem_new_array(n, sizeof *a);
	for (size_t i = 0; i < n; i++)
		a[i] = (int64_t)(wide[i] / g);
	return a;
}

int64_t *
certificate_from_row(const struct cone *c, const struct certify_region *t, size_t row, int sign)
{
	int64_t *a = mem_new_array(c->n_counters, sizeof *a);

	for (size_t i = 0; i < c->n_counters; i++)
		a[i] = sign * cone_row(c, row)[i];
	return checked(c, t, a);
}

/* Σ round(weight_k · scale) · row_k; NULL if 128 bits are not enough. */
static int64_t *
certificate_combine(const struct cone *cone, const double *weight, double scale)
{
	size_t n = cone->n_counters, m = cone->n_equalities + cone->n_inequalities;
	i128 *wide = mem_new_array(n, sizeof *wide);
	bool fits = true;
	int64_t *a;

	for (size_t k = 0; k < m; k++) {
		int64_t w = (int64_t)llrint(weight[k] * scale);

		if (w == 0 || (k >= cone->n_equalities && w < 0))
			continue;
		for (size_t i = 0; i < n; i++)
			fits &= !__builtin_add_overflow(wide[i], (i128)w * cone_row(cone, k)[i], &wide[i]);
	}
	a = fits ? certificate_narrow(wide, n) : NULL;
	free(wide);
	return a;
}

static double
certificate_largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i]));
	return most;
}

int64_t *
certificate_from_weights(const struct cone *c, const struct certify_region *t, const double *weight)
{
	double most = certificate_largest(weight, c->n_equalities + c->n_inequalities);
	int64_t *a = NULL;

	if (!(most > 0) || !isfinite(most))
		return NULL;
	for (size_t p = 0; p < N_PRECISIONS && !a; p++)
		a = checked(c, t, certificate_combine(c, weight, ldexp(1 / most, PRECISIONS[p])));
	return a;
}

/* Add the least multiple of (1, …, 1) that makes a·S ≥ 0 for every signature. */
static bool
repair(const struct cone *cone, int64_t *a)
{
	size_t n = cone->n_counters;
	i128 need = 0;

	for (size_t k = 0; k < cone->n_signatures; k++) {
		i128 dot = 0, sum = 0;

		/* |a| < 2^56 here and entries are below 2^63: sums over up to 2^8 such counters fit 128 bits. */
		for (size_t i = 0; i < n; i++) {
			dot += (i128)a[i] * cone->signature[k * n + i];
			sum += cone->signature[k * n + i];
		}
		if (dot < 0 && sum > 0 && (-dot + sum - 1) / sum > need)
			need = (-dot + sum - 1) / sum;
	}
	if (need > INT64_C(1) << 55)
		return false;
	for (size_t i = 0; i < n; i++)
		a[i] += (int64_t)need;
	return true;
}

int64_t *
certificate_from_direction(const struct cone *cone, const struct certify_region *region, const double *direction)
{
	size_t n = cone->n_counters;
	double most = certificate_largest(direction, n);
	int64_t *found = NULL;

	if (!(most > 0) || !isfinite(most))
		return NULL;
	for (size_t p = 0; p < N_PRECISIONS && !found; p++) {
		int64_t *a = mem_new_array(n, sizeof *a);

		for (size_t i = 0; i < n; i++)
			a[i] = (int64_t)llrint(direction[i] * ldexp(1 / most, PRECISIONS[p]));
		if (repair(cone, a)) {
			i128 *wide = mem_new_array(n, sizeof *wide);

			for (size_t i = 0; i < n; i++)
				wide[i] = a[i];
			found = checked(cone, region, certificate_narrow(wide, n));
			free(wide);
		}
		free(a);
	}
	return found;
}

int64_t *
certificate_from(const struct cone *c, const struct certify_region *t, const double *weight, const double *direction)
{
	return weight ? certificate_from_weights(c, t, weight) : certificate_from_direction(c, t, direction);
}
