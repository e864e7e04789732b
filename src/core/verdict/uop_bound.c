/* Turns a solver's multipliers into a bound that is certain.
 *
 * weight · 2^bits is rounded up to integers a. If a·column is below the column's cost, the weight of one of its
 * counters is raised: the counter whose largest possible count makes that cheapest. No column has a negative entry, so
 * what held before still holds. (The weights of a point are mostly small fractions. Rounding to such fractions loses
 * nothing.) Then Σ cost·f ≤ Σ (a·column) f = a·v for every flow, and certify_most() bounds a·v. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/verdict/uop_program.h"

#define BITS_MAX 60
#define SMALL_BITS 4
#define WEIGHT_MAX (INT64_C(1) << 62)

/* Number of fractional bits with which the largest weight has about 52 bits. */
static int
bits_of(const double *weight, size_t n)
{
	double most = 0;
	int e;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(weight[i]));
	frexp(most, &e);
	return !(most > 0) || 52 - e > BITS_MAX ? BITS_MAX : 52 - e < 0 ? 0 : 52 - e;
}

/* ⌈cost · 2^shift⌉ */
static i128
scaled_up(i128 cost, int shift)
{
	i128 unit;

	if (shift >= 0)
		return cost * ((i128)1 << shift);
	unit = (i128)1 << -shift;
	return cost / unit + (cost % unit > 0);
}

/* Raise one weight until a·column meets the column's cost. Returns false if numbers become too large. */
static bool
repair(const struct uop_program *program, const int64_t *column, i128 need, int64_t *a)
{
	i128 sum = i128_dot(a, column, program->n), more = 0;
	double least = INFINITY;
	size_t best = program->n;

	if (sum >= need)
		return true;
	for (size_t i = 0; i < program->n; i++)
		if (column[i] > 0) {
			i128 step = (need - sum + column[i] - 1) / column[i];

			if ((double)step * program->price[i] < least) {
				least = (double)step * program->price[i];
				best = i;
				more = step;
			}
		}
	if (best == program->n || more + a[best] > WEIGHT_MAX)
		return false;
	a[best] += (int64_t)more;
	return true;
}

static double
bound_at(
	const struct uop_program *program, const i128 *cost, const double *weight, int bits, double (*round_to)(double))
{
	int64_t *a = mem_new_array(program->n, sizeof *a);
	double bound = INFINITY;
	bool good = true;

	for (size_t i = 0; i < program->n && good; i++) {
		double t = round_to(ldexp(weight[i], bits));

		good = fabs(t) < 0x1p62;
		a[i] = good ? (int64_t)t : 0;
	}
	for (size_t j = 0; j < program->m && good; j++)
		good = repair(program, program->column + j * program->n, scaled_up(cost[j], bits - UOP_COST_BITS), a);
	if (good)
		bound = certify_most(&program->shape, a, bits);
	free(a);
	return bound;
}

double
uop_bound(const struct uop_program *p, const i128 *cost, const double *weight)
{
	double bound = bound_at(p, cost, weight, bits_of(weight, p->n), ceil);

	if (p->shape.shape == CERTIFY_POINT)
		bound = fmin(bound, bound_at(p, cost, weight, SMALL_BITS, round));
	return bound;
}
