/* Intervals of doubles with outward rounding: the result of an operation on real numbers from the operands lies between
 * the bounds. The error of each rounded operation is computed exactly (Dekker, "A floating-point technique for
 * extending the available precision", 1971), so sums and products of whole numbers below 2^53 stay exact. It holds for
 * results that are neither above 1e300 nor, apart from 0, below 1e-290. */
#ifndef CORE_METRIC_SPAN_H
#define CORE_METRIC_SPAN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct span {
	double low, high; /* NAN, both: there is no number */
};

#define SPAN_NONE ((struct span){NAN, NAN})
#define SPAN_LINE ((struct span){-INFINITY, INFINITY})

static inline struct span
span_point(double x)
{
	return (struct span){x, x};
}

static inline bool
span_is_zero(struct span a)
{
	return a.low >= 0 && a.high <= 0;
}

static inline bool
span_has_zero(struct span a)
{
	return a.low <= 0 && a.high >= 0;
}

static inline double
span_min(double a, double b)
{
	return a < b ? a : b;
}

static inline double
span_max(double a, double b)
{
	return a > b ? a : b;
}

/* Returns the next double above (step 1) or below (step -1) a finite one. */
static inline double
span_next(double x, int step)
{
	int64_t bits;

	if (x >= 0 && x <= 0)
		return step * 0x1p-1074;
	memcpy(&bits, &x, sizeof bits);
	bits += x > 0 ? step : -step;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* A rounded result and the sign of what rounding took away. */
static inline double
span_down(double rounded, double error)
{
	return error < 0 ? span_next(rounded, -1) : rounded;
}

static inline double
span_up(double rounded, double error)
{
	return error > 0 ? span_next(rounded, 1) : rounded;
}

static inline double
span_sum_error(double a, double b, double sum)
{
	double b_part = sum - a, a_part = sum - b_part;

	return isfinite(sum) ? (a - a_part) + (b - b_part) : 0;
}

static inline struct span
span_add(struct span a, struct span b)
{
	double low = a.low + b.low, high = a.high + b.high;

	return (struct span){
		span_down(low, span_sum_error(a.low, b.low, low)), span_up(high, span_sum_error(a.high, b.high, high))};
}

static inline struct span
span_negate(struct span a)
{
	return (struct span){-a.high, -a.low};
}

static inline struct span
span_subtract(struct span a, struct span b)
{
	return span_add(a, span_negate(b));
}

static inline double
span_product_down(double a, double b)
{
	double p = a * b;

	return isfinite(p) ? span_down(p, fma(a, b, -p)) : p;
}

static inline double
span_product_up(double a, double b)
{
	double p = a * b;

	return isfinite(p) ? span_up(p, fma(a, b, -p)) : p;
}

/* 0 times infinity is 0: a slope that does not matter, however steep the rest is. */
static inline double
span_slope_product(double a, double b, bool up)
{
	if ((a >= 0 && a <= 0) || (b >= 0 && b <= 0))
		return 0;
	return up ? span_product_up(a, b) : span_product_down(a, b);
}

static inline struct span
span_times(struct span a, struct span b)
{
	if (a.low >= 0 && b.low >= 0 && isfinite(a.high) && isfinite(b.high))
		return (struct span){span_product_down(a.low, b.low), span_product_up(a.high, b.high)};
	if (isnan(a.low) || isnan(b.low))
		return SPAN_NONE;
	return (struct span){
		span_min(span_min(span_slope_product(a.low, b.low, false), span_slope_product(a.low, b.high, false)),
			span_min(span_slope_product(a.high, b.low, false), span_slope_product(a.high, b.high, false))),
		span_max(span_max(span_slope_product(a.low, b.low, true), span_slope_product(a.low, b.high, true)),
			span_max(span_slope_product(a.high, b.low, true), span_slope_product(a.high, b.high, true)))};
}

static inline double
span_quotient(double a, double b, bool up)
{
	double q = a / b, error;

	if (!isfinite(q))
		return q;
	error = fma(-q, b, a);
	if (b < 0)
		error = -error;
	return up ? span_up(q, error) : span_down(q, error);
}

/* The divisor does not contain 0. */
static inline struct span
span_divide(struct span a, struct span b)
{
	if (isnan(a.low) || isnan(b.low))
		return SPAN_NONE;
	if (b.high < 0)
		return span_divide(span_negate(a), span_negate(b));
	return (struct span){span_quotient(a.low, a.low >= 0 ? b.high : b.low, false),
		span_quotient(a.high, a.high >= 0 ? b.low : b.high, true)};
}

static inline struct span
span_hull(struct span a, struct span b)
{
	if (isnan(a.low) || isnan(b.low))
		return SPAN_NONE;
	return (struct span){span_min(a.low, b.low), span_max(a.high, b.high)};
}

#endif
