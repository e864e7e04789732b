#include "core/curve/trend.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"

#define SPIKE 8.0          /* standard deviations from which a few points are outliers */
#define SPIKE_ROUNDS 2
#define FLOOR_LEVEL 0.01   /* of the level: a wave of this height does not matter, however clear it is */
#define FLOOR_RANGE 5e-4   /* of the range, likewise */

/* --- disturbed points -------------------------------------------------------------------------------------------- */

#define AROUND 15          /* points on either side that say what is usual */
#define FAR 8.0            /* standard deviations from which a distance is unusual */
#define FAR_LEVEL 0.005    /* and at least this share of the mean */
#define CLEAR 3.0          /* standard deviations that a zig-zag must have in the middle */
#define PAIRS_FEWEST 12    /* points, with fewer a zig-zag may be chance */
#define EVEN 1e-6          /* of two steps: x whose steps differ by less are evenly spaced */
#define SPIKE_MOST 3       /* points in a row that may be a spike */

/* The median of n values, which are not changed; `room` holds as many. */
static double
median_of(const double *value, size_t n, double *room)
{
	memcpy(room, value, n * sizeof *room);
	sort_doubles(room, n);
	return n % 2 ? room[n / 2] : (room[n / 2 - 1] + room[n / 2]) / 2;
}

/* The median of the values around number i, `half` on either side where there are. */
static double
median_around(const double *value, size_t n, size_t i, size_t half, double *room)
{
	size_t first = i > half ? i - half : 0, last = i + half < n ? i + half : n - 1;

	return median_of(value + first, last - first + 1, room);
}

/* The standard deviation, from the median of the sizes of what is off. */
static double
deviation(const double *off, size_t n, double *room)
{
	double *size = mem_new_array(n, sizeof *size), median;

	for (size_t i = 0; i < n; i++)
		size[i] = fabs(off[i]);
	median = median_of(size, n, room);
	free(size);
	return median / 0.6745; /* the median of |z| for normal z */
}

/* Writes the means of the curve to y. Where those of all repetitions are much further from the minimum than at the
 * points around, some repetitions were disturbed: y is the minimum, and the distance that is usual there. */
static void
disturbed_means(const struct curve *curve, double *y)
{
	double *above = mem_new_array(curve->n, sizeof *above), *off = mem_new_array(curve->n, sizeof *off);
	double *room = mem_new_array(curve->n, sizeof *room), sd;

	for (size_t i = 0; i < curve->n; i++) {
		y[i] = curve->point[i].mean;
		above[i] = fmax(0, y[i] - curve->point[i].min);
	}
	for (size_t i = 0; i < curve->n; i++)
		off[i] = above[i] - median_around(above, curve->n, i, AROUND, room);
	sd = curve->n ? deviation(off, curve->n, room) : 0;
	for (size_t i = 0; i < curve->n && curve->means_of_all; i++)
		if (off[i] > FAR * sd && off[i] > FAR_LEVEL * fabs(y[i]))
			y[i] -= off[i];
	free(above);
	free(off);
	free(room);
}

static bool
is_even(const double *x, size_t n)
{
	for (size_t i = 2; i < n; i++)
		if (fabs(x[i] - 2 * x[i - 1] + x[i - 2]) > EVEN * (x[i] - x[i - 2]))
			return false;
	return true;
}

/* Removes a clear zig-zag from point to point, so that odd and even points are on one curve. Only evenly spaced points
 * have a parity. */
static void
disturbed_level_pairs(const double *x, double *y, size_t n)
{
	double *high, *off, *room, middle;

	if (n < PAIRS_FEWEST || !is_even(x, n))
		return;
	high = mem_new_array(n, sizeof *high);
	off = mem_new_array(n, sizeof *off);
	room = mem_new_array(n, sizeof *room);
	/* by how much an odd point is above the line through its neighbours, or an even one below */
	for (size_t i = 1; i + 1 < n; i++)
		high[i - 1] = (i % 2 ? 1 : -1) * (y[i] - (y[i - 1] + y[i + 1]) / 2);
	middle = median_of(high, n - 2, room);
	for (size_t i = 0; i + 2 < n; i++)
		off[i] = high[i] - middle;
	if (fabs(middle) > CLEAR * deviation(off, n - 2, room))
		for (size_t i = 0; i < n; i++) {
			size_t at = i == 0 ? 0 : i + 1 == n ? n - 3 : i - 1;

			y[i] -= (i % 2 ? 0.5 : -0.5) * median_around(high, n - 2, at, AROUND / 2, room);
		}
	free(high);
	free(off);
	free(room);
}

/* A single point far off the line between its neighbours, which are close to each other, is put onto this line. */
static void
remove_single(const double *x, double *y, size_t n, double limit)
{
	for (size_t i = 1; i + 1 < n; i++) {
		double t = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
		double between = y[i - 1] + t * (y[i + 1] - y[i - 1]), off = fabs(y[i] - between);

		if (off > limit && fabs(y[i + 1] - y[i - 1]) < off / 4)
			y[i] = between;
	}
}

/* How many of the points around number i are no further than `limit` from y. */
static size_t
near_around(const double *value, size_t i, size_t half, double y, double limit)
{
	size_t near = 0;

	for (size_t k = i - half; k <= i + half; k++)
		near += k != i && fabs(value[k] - y) <= limit;
	return near;
}

/* Puts up to three points in a row that are further than `limit` from those around where these are. Those around must
 * agree, so points of a slope or a step stay. */
static void
disturbed_remove_spikes(const double *x, double *y, size_t n, double limit)
{
	double *old = mem_new_array(n, sizeof *old), room[2 * SPIKE_MOST + 1];

	remove_single(x, y, n, limit);
	memcpy(old, y, n * sizeof *old);
	for (size_t i = 2; i + 2 < n; i++) {
		/* As many points before as after it: so the median of a slope is the point itself. */
		size_t half = i < n - 1 - i ? i : n - 1 - i;
		double median;

		half = half < SPIKE_MOST ? half : SPIKE_MOST;
		median = median_around(old, n, i, half, room);
		/* On a steep slope few points are near the median, and a wrong one would move it. */
		if (fabs(old[i] - median) > limit && near_around(old, i, half, median, limit / 2) > half)
			y[i] = median;
	}
	free(old);
}

/* --- The points -------------------------------------------------------------------------------------------------- */

/* The standard deviation of a point, from how far each is off the line through its neighbours: knees hardly change the
 * median of these. */
static double
noise_of(const double *x, const double *y, size_t n)
{
	double *off = mem_new_array(n, sizeof *off), median;

	for (size_t i = 1; i + 1 < n; i++) {
		double t = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
		double own = 1 + t * t + (1 - t) * (1 - t);

		off[i - 1] = fabs(y[i] - y[i - 1] - t * (y[i + 1] - y[i - 1])) / sqrt(own);
	}
	sort_doubles(off, n - 2);
	median = off[(n - 2) / 2];
	free(off);
	return median / 0.6745; /* the median of |z| for normal z */
}

/* A quarter of the points are lower. */
static double
trend_level_of(const double *y, size_t n)
{
	double *size = mem_new_array(n, sizeof *size), level;

	for (size_t i = 0; i < n; i++)
		size[i] = fabs(y[i]);
	sort_doubles(size, n);
	level = size[n / 4];
	free(size);
	return level;
}

/* The standard deviation of a point, or what is so small that it does not matter. */
static double
sigma_of(const double *x, const double *y, size_t n)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, y[i]);
		high = fmax(high, y[i]);
	}
	return fmax(
		fmax(noise_of(x, y, n), DBL_MIN), fmax(FLOOR_LEVEL * trend_level_of(y, n), FLOOR_RANGE * (high - low)));
}

/* The power of two that goes once into the largest value. */
static double
unit_of(const double *y, size_t n)
{
	double most = 0;
	int exponent;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(y[i]));
	frexp(most, &exponent);
	return most > 0 ? ldexp(1, exponent - 1) : 1;
}

/* The points, in units of the result, without what disturbed single ones. The caller frees both. */
static double
clean_points(const struct curve *curve, double **x, double **y)
{
	double unit;

	*x = mem_new_array(curve->n, sizeof **x);
	*y = mem_new_array(curve->n, sizeof **y);
	for (size_t i = 0; i < curve->n; i++)
		(*x)[i] = curve->point[i].x;
	disturbed_means(curve, *y);
	unit = unit_of(*y, curve->n);
	for (size_t i = 0; i < curve->n; i++)
		(*y)[i] /= unit;
	disturbed_level_pairs(*x, *y, curve->n);
	/* Where there are many spikes, the first round finds the high ones only: they hide the true noise. */
	for (unsigned round = 0; round < SPIKE_ROUNDS; round++)
		disturbed_remove_spikes(*x, *y, curve->n, SPIKE * sigma_of(*x, *y, curve->n));
	return unit;
}

static void
accumulate(struct trend_points *points)
{
	for (size_t k = 0; k < 5; k++)
		points->sum[k] = mem_new_array(points->n + 1, sizeof **points->sum);
	points->mid_x = (points->x[0] + points->x[points->n - 1]) / 2;
	points->mid_y = points->y[points->n / 2];
	for (size_t i = 0; i < points->n; i++) {
		double x = points->x[i] - points->mid_x, y = points->y[i] - points->mid_y,
		       term[5] = {x, y, x * x, x * y, y * y};

		for (size_t k = 0; k < 5; k++)
			points->sum[k][i + 1] = points->sum[k][i] + term[k];
	}
}

void
trend_points_take(struct trend_points *points, const struct curve *curve)
{
	double *x, *y, low = INFINITY, high = -INFINITY, unit;
	size_t step = 1;

	while (curve->n / step > KNEE_MOST)
		step *= 2;
	unit = clean_points(curve, &x, &y);
	points->n = curve->n / step;
	points->x = mem_new_array(points->n, sizeof *points->x);
	points->y = mem_new_array(points->n, sizeof *points->y);
	for (size_t i = 0; i < points->n; i++) {
		points->x[i] = x[i * step];
		for (size_t k = 0; k < step; k++)
			points->y[i] += y[i * step + k] / (double)step;
		low = fmin(low, points->y[i]);
		high = fmax(high, points->y[i]);
	}
	free(x);
	free(y);
	points->unit = unit;
	points->range = high - low;
	points->sigma = sigma_of(points->x, points->y, points->n);
	accumulate(points);
}

void
trend_points_free(struct trend_points *f)
{
	for (size_t k = 0; k < sizeof f->sum / sizeof *f->sum; k++)
		free(f->sum[k]);
	free(f->x);
	free(f->y);
}

/* --- Lines ------------------------------------------------------------------------------------------------------- */

struct trend_line
trend_line_of(const struct trend_points *points, size_t first, size_t last)
{
	double n = (double)(last - first + 1), s[5];
	double sxx, sxy, syy, mean_x, mean_y;
	struct trend_line l = {.n = n};

	for (size_t k = 0; k < 5; k++)
		s[k] = points->sum[k][last + 1] - points->sum[k][first];
	mean_x = s[0] / n;
	mean_y = s[1] / n;
	sxx = s[2] - s[0] * mean_x;
	sxy = s[3] - s[0] * mean_y;
	syy = s[4] - s[1] * mean_y;
	l.slope = n > 1 && sxx > 0 ? sxy / sxx : 0;
	l.rss = n > 2 ? fmax(0, syy - l.slope * sxy) : 0;
	l.mean_x = mean_x + points->mid_x;
	l.sxx = sxx;
	l.a = mean_y + points->mid_y - l.slope * l.mean_x;
	return l;
}

double
trend_line_at(const struct trend_line *l, double x)
{
	return l->a + l->slope * x;
}

double
trend_variance_at(const struct trend_line *l, double noise, double x)
{
	double d = x - l->mean_x;

	return noise * noise * (1 / l->n + (l->sxx > 0 ? d * d / l->sxx : 0));
}

double
trend_parabola_rss(const struct trend_points *points, struct trend_piece p, struct trend_piece q)
{
	double n = 0, s[5] = {0}, mean[3], szz = 0, szr = 0, rss = 0, slope_y, slope_z;
	double scale = (points->x[q.last] - points->x[p.first]) / 2,
	       middle = (points->x[q.last] + points->x[p.first]) / 2;

	for (size_t i = p.first; i <= q.last; i++) {
		double t = (points->x[i] - middle) / scale;

		if (i > p.last && i < q.first)
			continue;
		n++;
		s[0] += t;
		s[1] += points->y[i];
		s[2] += t * t;
		s[3] += t * points->y[i];
		s[4] += t * t * t;
	}
	for (size_t k = 0; k < 3; k++)
		mean[k] = s[k] / n;
	slope_y = (s[3] - s[0] * mean[1]) / (s[2] - s[0] * mean[0]);
	slope_z = (s[4] - s[0] * mean[2]) / (s[2] - s[0] * mean[0]);
	for (size_t i = p.first; i <= q.last; i++) {
		double t = (points->x[i] - middle) / scale, r, z;

		if (i > p.last && i < q.first)
			continue;
		r = points->y[i] - mean[1] - slope_y * (t - mean[0]);
		z = t * t - mean[2] - slope_z * (t - mean[0]);
		szz += z * z;
		szr += z * r;
		rss += r * r;
	}
	return szz > 0 ? fmax(0, rss - szr * szr / szz) : rss;
}
