#include "core/stats/region_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/region.h"

/* standard deviations by which the load must differ between rows with a counter and rows without it */
#define UNEVEN 3.5
/* A step is at most the largest mean over this number. */
#define COARSEST 8
#define FINEST 64 /* parts of a divisor that are tried where the divisor is larger than that */

double
samples_unit(const struct samples *s)
{
	return (s->decimals ? pow(10, -s->decimals) : 1) / (s->per_row > 1 ? (double)s->per_row : 1);
}

bool
samples_whole(const struct samples *s, size_t row)
{
	return !s->counted || !memchr(s->counted + row * s->n_counters, 0, s->n_counters);
}

unsigned char *
region_choose_cells(const struct samples *samples, size_t *rows)
{
	size_t n = samples->n_counters, whole = 0;
	unsigned char *use;

	*rows = samples->n_rows;
	if (!samples->counted || !memchr(samples->counted, 0, n * samples->n_rows))
		return NULL;
	use = mem_copy(samples->counted, n * samples->n_rows);
	for (size_t m = 0; m < samples->n_rows; m++)
		whole += samples_whole(samples, m);
	if (whole < REGION_COMPLETE || samples->peeked)
		return use;
	*rows = whole;
	for (size_t m = 0; m < samples->n_rows; m++)
		if (!samples_whole(samples, m))
			memset(use + m * n, 0, n);
	return use;
}

/* How many standard deviations the load differs between the rows that have counter i and those that lack it. The load
 * of a row is the average of count over mean of its other counters. */
static double
level_differs(const struct region *region, const struct samples *samples, size_t i)
{
	double n[2] = {0, 0}, sum[2] = {0, 0}, square[2] = {0, 0}, u = region->unit, variance;

	for (size_t m = 0; m < samples->n_rows; m++) {
		const unsigned char *here = samples->counted + m * region->n;
		double level = 0, seen = 0;

		for (size_t j = 0; j < region->n; j++)
			if (j != i && here[j] && region->mean[j] > 0) {
				level += (double)samples->count[m * region->n + j] * u / region->mean[j];
				seen++;
			}
		if (!(seen > 0))
			continue;
		level /= seen;
		n[here[i]]++;
		sum[here[i]] += level;
		square[here[i]] += level * level;
	}
	if (n[0] < 4 || n[1] < 4)
		return 0;
	variance = (square[0] - sum[0] * sum[0] / n[0]) / (n[0] - 1) / n[0] +
		(square[1] - sum[1] * sum[1] / n[1]) / (n[1] - 1) / n[1];
	return variance > 0 ? fabs(sum[0] / n[0] - sum[1] / n[1]) / sqrt(variance) : 0;
}

size_t
region_find_uneven(const struct region *region, const struct samples *s)
{
	double most = UNEVEN;
	size_t out = region->n;

	for (size_t i = 0; i < region->n; i++) {
		double by = level_differs(region, s, i);

		if (by > most) {
			most = by;
			out = i;
		}
	}
	return out;
}

/* Adds up whole rows in 64 bits. False where 64 bits might not hold the sums. */
static bool
take_small_sums(struct region *region, const struct samples *samples)
{
	size_t n = region->n, cells = samples->n_rows * n;
	const int64_t *count = samples->count;
	int64_t *sum;
	uint64_t bits = 0;

	if (samples->counted && memchr(samples->counted, 0, cells))
		return false;
	for (size_t i = 0; i < cells; i++)
		bits |= (uint64_t)count[i];
	if (cells && bits > (uint64_t)INT64_MAX / samples->n_rows)
		return false;
	sum = mem_new_array(n, sizeof *sum);
	for (size_t at = 0; at < cells; at += n)
		for (size_t i = 0; i < n; i++)
			sum[i] += count[at + i];
	for (size_t i = 0; i < n; i++) {
		region->sum[i] = sum[i];
		region->weight[i] = (int64_t)samples->n_rows;
	}
	free(sum);
	return true;
}

void
region_take_sums(struct region *region, const struct samples *s)
{
	bool done = take_small_sums(region, s);

	for (size_t m = 0; m < s->n_rows && !done; m++)
		for (size_t i = 0; i < region->n; i++)
			if (!s->counted || s->counted[m * region->n + i]) {
				region->sum[i] += s->count[m * region->n + i];
				region->weight[i]++;
			}
	for (size_t i = 0; i < region->n; i++)
		if (region->weight[i])
			region->mean[i] = (double)region->sum[i] / (double)region->weight[i] * region->unit;
}

static uint64_t
divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#define TILE 256 /* rows that are read once per column while they are in the cache */

/* A column's greatest common divisor, which is 0 if all its counts are; and in how many values it is seen to vary. */
struct steps {
	uint64_t step;
	size_t values;  /* 1, 2, or 3 for more */
	int64_t seen[2], before;
	size_t pairs, equal; /* neighbours; those that are equal */
};

/* Adds a column's counts in rows first … last − 1. */
static void
add_steps(struct steps *steps, const struct samples *samples, size_t i, size_t first, size_t last)
{
	for (size_t m = first; m < last && steps->step != 1; m++) {
		size_t cell = m * samples->n_counters + i;
		int64_t count = samples->count[cell];

		if (samples->counted && !samples->counted[cell])
			continue;
		steps->step = divisor(count < 0 ? 0 - (uint64_t)count : (uint64_t)count, steps->step);
		steps->pairs += steps->values > 0;
		steps->equal += steps->values > 0 && count == steps->before;
		steps->before = count;
		if (steps->values < 3 && !(steps->values > 0 && count == steps->seen[0])
			&& !(steps->values > 1 && count == steps->seen[1])) {
			if (steps->values < 2)
				steps->seen[steps->values] = count;
			steps->values++;
		}
	}
}

/* Returns whether at least half of the column's neighbours are equal. */
static bool
is_steady(const struct steps *t)
{
	return 2 * t->equal >= t->pairs;
}

/* Steady counts that were rounded to a step may all be multiples of a larger number: 2, 4 and 10 steps. Returns the
 * coarsest part of that number which is a step, 0 if there is none. */
static uint64_t
coarsest_step(uint64_t divisor, double largest)
{
	if ((double)divisor >= largest)
		return 0;
	for (uint64_t parts = 1; parts <= FINEST && parts <= divisor; parts++)
		if (divisor % parts == 0 && (double)(divisor / parts) <= largest / COARSEST)
			return divisor / parts;
	return 0;
}

/* A column shows a step of its own if it takes three values; otherwise the step is what all columns have in common,
 * for two values may have any divisor. Where neighbours differ, rounding differs too and is noise. */
void
region_take_steps(struct region *region, const struct samples *samples)
{
	struct steps *column = mem_new_array(region->n, sizeof *column);
	uint64_t common = 0, least = samples->decimals ? 0 : 1;
	double largest = 0;

	for (size_t m = 0; m < samples->n_rows; m += TILE)
		for (size_t i = 0; i < region->n; i++)
			add_steps(&column[i], samples, i, m, m + TILE < samples->n_rows ? m + TILE : samples->n_rows);
	for (size_t i = 0; i < region->n; i++) {
		common = divisor(column[i].step, common);
		largest = fmax(largest, fabs(region->mean[i]) / region->unit);
	}
	for (size_t i = 0; i < region->n; i++) {
		uint64_t step = coarsest_step(column[i].values > 2 ? column[i].step : common, largest);

		if (step <= least || (column[i].values > 2 && !is_steady(&column[i])))
			continue;
		if (!region->slack)
			region->slack = mem_new_array(region->n, sizeof *region->slack);
		region->slack[i] = nextafter(region->slack[i] + (double)step / 2 * region->unit, INFINITY);
	}
	free(column);
}
