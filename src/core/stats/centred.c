/* For counts near 2^62 a double has no digits left for the deviation from the mean. So counts are centred exactly: the
 * rounded mean is subtracted as an integer, then the rest of the mean as a small double. */
#include "core/stats/centred.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/dot_product.h"
#include "core/stats/region.h"

#define TILE 256 /* rows that are read once per counter while they are in the cache */

struct centred_mean {
	int64_t whole; /* the mean of 64-bit counts fits, rounded or not */
	double rest;
};

static struct centred_mean
centred_mean_of(i128 sum, int64_t weight)
{
	i128 w = weight ? weight : 1, half = sum < 0 ? -(w / 2) : w / 2;
	i128 whole = (sum + half) / w;

	return (struct centred_mean){.whole = (int64_t)whole, .rest = (double)(sum - whole * w) / (double)w};
}

static double
off_mean(int64_t count, const struct centred_mean *m, double scale)
{
	int64_t off;

	if (__builtin_expect(__builtin_sub_overflow(count, m->whole, &off), 0))
		return (double)((i128)count - m->whole) * scale;
	return ((double)off - m->rest) * scale;
}

/* Fills the blocks of rows first … last − 1; each row is its own block. */
static void
centred_take_rows(struct centred *centred, const struct samples *samples, const struct centred_mean *mean, double scale,
	size_t first, size_t last)
{
	size_t n = centred->n;

	for (size_t i = 0; i < n; i++) {
		const int64_t *count = samples->count + i;
		const unsigned char *counted = centred->here ? samples->counted + i : NULL;
		unsigned char *here = centred->here ? centred->here + i * centred->k : NULL;
		struct centred_mean off = mean[i];
		double *x = centred->x + i * centred->k;

		if (!counted) {
			for (size_t m = first; m < last; m++)
				x[m] = off_mean(count[m * n], &off, scale);
			continue;
		}
		for (size_t m = first; m < last; m++)
			if (counted[m * n]) {
				x[m] = off_mean(count[m * n], &off, scale);
				here[m] = 1;
			}
	}
}

static void
centred_add_rows(struct centred *centred, const struct samples *samples, const struct centred_mean *mean, double scale,
	size_t first, size_t last)
{
	size_t block[TILE];

	for (size_t m = first; m < last; m++)
		block[m - first] = m * centred->k / samples->n_rows;
	for (size_t i = 0; i < centred->n; i++)
		for (size_t m = first; m < last; m++) {
			size_t cell = m * centred->n + i, at = i * centred->k + block[m - first];
			double off;

			if (centred->here && !samples->counted[cell])
				continue;
			off = off_mean(samples->count[cell], &mean[i], scale);
			centred->x[at] += off;
			centred->within[i] += off * off;
			if (centred->here)
				centred->here[at] = 1;
		}
}

struct centred *
centred_new(const struct samples *samples, const i128 *sum, const int64_t *weight)
{
	struct centred *centred = mem_new(sizeof *centred);
	struct centred_mean *mean = mem_new_array(samples->n_counters, sizeof *mean);
	double scale = samples_unit(samples);
	bool many = samples->n_rows > 2 * CENTRED_BLOCKS;

	centred->n = samples->n_counters;
	centred->k = many ? CENTRED_BLOCKS : samples->n_rows;
	centred->x = mem_new_array(centred->n * centred->k, sizeof *centred->x);
	if (samples->counted && memchr(samples->counted, 0, samples->n_rows * samples->n_counters))
		centred->here = mem_new_array(centred->n * centred->k, 1);
	if (many)
		centred->within = mem_new_array(centred->n, sizeof *centred->within);
	for (size_t i = 0; i < centred->n; i++)
		mean[i] = centred_mean_of(sum[i], weight[i]);
	for (size_t m = 0; m < samples->n_rows; m += TILE) {
		size_t last = m + TILE < samples->n_rows ? m + TILE : samples->n_rows;

		(many ? centred_add_rows : centred_take_rows)(centred, samples, mean, scale, m, last);
	}
	free(mean);
	return centred;
}

void
centred_free(struct centred *c)
{
	if (!c)
		return;
	free(c->x);
	free(c->here);
	free(c->within);
	free(c);
}

/* Finds where each stretch of blocks ends; returns the number of stretches. */
static size_t
find_stretches(const struct centred *centred, size_t *end)
{
	bool *seen = mem_new_array(centred->n, sizeof *seen);
	size_t n = 0, missing = centred->n;

	for (size_t m = 0; m < centred->k; m++) {
		for (size_t i = 0; i < centred->n; i++)
			if (centred->here[i * centred->k + m] && !seen[i]) {
				seen[i] = true;
				missing--;
			}
		if (missing)
			continue;
		end[n++] = m + 1;
		memset(seen, 0, centred->n * sizeof *seen);
		missing = centred->n;
	}
	if (n)
		end[n - 1] = centred->k;
	free(seen);
	return n;
}

struct centred *
centred_whole(const struct centred *c)
{
	struct centred *b = mem_new(sizeof *b);
	size_t *end = mem_new_array(c->k, sizeof *end);

	b->n = c->n;
	b->k = find_stretches(c, end);
	b->x = mem_new_array(b->n * b->k, sizeof *b->x);
	for (size_t i = 0; i < b->n; i++)
		for (size_t t = 0, m = 0; t < b->k; t++)
			for (; m < end[t]; m++)
				b->x[i * b->k + t] += c->x[i * c->k + m];
	free(end);
	return b;
}

/* The number of blocks that counted both i and j. */
static size_t
count_both(const struct centred *c, size_t i, size_t j)
{
	size_t n = 0;

	for (size_t m = 0; m < c->k; m++)
		n += c->here[i * c->k + m] && c->here[j * c->k + m];
	return n;
}

/* The covariance where every block counted every counter: one number of blocks serves all pairs. */
static void
whole_covariance(const struct centred *c, const int64_t *weight, double *cov)
{
	double k = (double)c->k, f = k > 1 ? k / (k - 1) : 0;

	for (size_t i = 0; i < c->n; i++)
		for (size_t j = 0; j <= i; j++) {
			double v = dot(c->x + i * c->k, c->x + j * c->k, c->k) * f /
				((double)weight[i] * (double)weight[j]);

			cov[i * c->n + j] = cov[j * c->n + i] = v;
		}
}

void
centred_covariance(const struct centred *centred, const int64_t *weight, double *cov)
{
	if (!centred->here) {
		whole_covariance(centred, weight, cov);
		return;
	}
	for (size_t i = 0; i < centred->n; i++)
		for (size_t j = 0; j <= i; j++) {
			double both = (double)count_both(centred, i, j), v = 0;

			if (both > 1)
				v = dot(centred->x + i * centred->k, centred->x + j * centred->k, centred->k) * both /
					(both - 1) / ((double)weight[i] * (double)weight[j]);
			cov[i * centred->n + j] = cov[j * centred->n + i] = v;
		}
}
