#include "core/curve/disturbed.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/curve/curve.h"

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

void
disturbed_means(const struct curve *c, double *y)
{
	double *above = mem_new_array(c->n, sizeof *above), *off = mem_new_array(c->n, sizeof *off);
	double *room = mem_new_array(c->n, sizeof *room), sd;

	for (size_t i = 0; i < c->n; i++) {
		y[i] = c->point[i].mean;
		above[i] = fmax(0, y[i] - c->point[i].min);
	}
	for (size_t i = 0; i < c->n; i++)
		off[i] = above[i] - median_around(above, c->n, i, AROUND, room);
	sd = c->n ? deviation(off, c->n, room) : 0;
	for (size_t i = 0; i < c->n && c->means_of_all; i++)
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

void
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

void
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
