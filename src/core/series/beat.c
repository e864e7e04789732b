/* How a beat is found:
 *
 *     counter A   /\__/\__/\__/\__      both swing with the same period,
 *     counter B   __/\__/\__/\__/\      at different phases
 *
 * From each counter that took turns three things are subtracted: what it shares with the load, its linear trend, and
 * what each row takes over from the one before. A Fourier transform gives power and phase at each frequency. A beat is
 * a frequency at which two counters stand far above their neighbourhood with phases more than APART from each other. */
#include "core/series/beat.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/stats/region.h"

/* the least power of a line over the median of an octave to each side; slow noise hardly varies within that range */
#define LINE 40.0
#define APART (M_PI / 6)         /* least difference in phase of two counters that swing against each other */
#define PERIODS ((size_t)3)
#define MOST ((size_t)1024)      /* the newest rows are used, so many at most */

/* The rows of one counter, relative to its mean. All counters use the same rows. */
struct swing {
	double *x;
	double *re, *im; /* per frequency j / n */
};

/* Fills x with the n newest whole rows, relative to their mean. Returns false if the mean is 0. */
static bool
take_counter(const struct samples *samples, size_t i, size_t n, double *x)
{
	double mean = 0;
	size_t left = n;

	for (size_t m = samples->n_rows; m-- > 0 && left > 0;)
		if (samples_whole(samples, m))
			mean += x[--left] = (double)samples->count[m * samples->n_counters + i];
	mean /= (double)n;
	for (size_t k = 0; k < n; k++)
		x[k] = mean > 0 ? x[k] / mean - 1 : 0;
	return mean > 0;
}

/* Subtracts the multiple of `by` that x contains: the load, or a linear trend. */
static void
beat_take_out(double *x, const double *by, size_t n)
{
	double xy = 0, yy = 0;

	for (size_t k = 0; k < n; k++) {
		xy += x[k] * by[k];
		yy += by[k] * by[k];
	}
	for (size_t k = 0; k < n && yy > 0; k++)
		x[k] -= xy / yy * by[k];
}

/* Subtracts from each row what it takes over from the row before. Slow noise resembles its neighbours and has most of
 * its power at low frequencies; afterwards its power is about the same at all frequencies. */
static void
whiten(double *x, size_t n)
{
	double both = 0, one = 0;

	for (size_t k = 1; k < n; k++) {
		both += x[k] * x[k - 1];
		one += x[k] * x[k];
	}
	for (size_t k = n; k-- > 1 && one > 0;)
		x[k] -= both / one * x[k - 1];
}

static void
transform(struct swing *swing, size_t n)
{
	double *c = mem_new_array(n, sizeof *c), *s = mem_new_array(n, sizeof *s);

	for (size_t k = 0; k < n; k++) {
		c[k] = cos(2 * M_PI * (double)k / (double)n);
		s[k] = sin(2 * M_PI * (double)k / (double)n);
		swing->x[k] *= 1 - cos(2 * M_PI * ((double)k + 0.5) / (double)n); /* Hann's window */
	}
	for (size_t j = 0; j <= n / 2; j++) {
		swing->re[j] = swing->im[j] = 0;
		for (size_t k = 0; k < n; k++) {
			swing->re[j] += swing->x[k] * c[j * k % n];
			swing->im[j] -= swing->x[k] * s[j * k % n];
		}
	}
	free(c);
	free(s);
}

static double
power(const struct swing *w, size_t j)
{
	return w->re[j] * w->re[j] + w->im[j] * w->im[j];
}

static double
phase(const struct swing *w, size_t j)
{
	return atan2(w->im[j], w->re[j]);
}

static double
contrast(const struct swing *swing, size_t j, size_t n)
{
	size_t from = j / 2 > 1 ? j / 2 : 1, to = 2 * j + 8 < n / 2 ? 2 * j + 8 : n / 2, k = 0;
	double *around = mem_new_array(to - from + 1, sizeof *around), median;

	for (size_t i = from; i <= to; i++)
		if (i + 2 < j || i > j + 2)
			around[k++] = power(swing, i);
	sort_doubles(around, k);
	median = k >= 6 ? around[k / 2] : INFINITY;
	free(around);
	return median > 0 ? power(swing, j) / median : 0;
}

/* The frequency at which two counters swing most. Both must stand far above their neighbourhood, with different
 * phases. */
static struct beat
strongest(const struct swing *swing, size_t counters, const bool *turned, size_t n)
{
	struct beat out = {0};
	double most = 0;

	for (size_t j = PERIODS; j < n / 3; j++)
		for (size_t a = 0; a < counters; a++) {
			if (!turned[a] || !swing[a].x || contrast(&swing[a], j, n) < LINE)
				continue;
			for (size_t b = a + 1; b < counters; b++) {
				double apart, both;

				if (!turned[b] || !swing[b].x)
					continue;
				apart = fabs(remainder(phase(&swing[a], j) - phase(&swing[b], j), 2 * M_PI));
				both = apart > APART ? fmin(power(&swing[a], j), power(&swing[b], j)) : 0;
				if (both > most && contrast(&swing[b], j, n) >= LINE) {
					most = both;
					out = (struct beat){(double)n / (double)j, {a, b}};
				}
			}
		}
	return out;
}

/* The load, as the sum of the counters that took no turns. If all took turns, the load is unknown, and a swing that all
 * share cannot be distinguished from it. */
static double *
find_load(const struct swing *w, size_t counters, const bool *turned, size_t n)
{
	double *load = mem_new_array(n, sizeof *load);

	for (size_t i = 0; i < counters; i++)
		for (size_t k = 0; k < n && w[i].x && !turned[i]; k++)
			load[k] += w[i].x[k];
	return load;
}

struct beat
beat_find(const struct samples *samples, const bool *turned)
{
	struct swing *swing = mem_new_array(samples->n_counters, sizeof *swing);
	struct beat out = {0};
	double *load, *line;
	size_t n = 0;

	for (size_t m = 0; m < samples->n_rows; m++)
		n += n < MOST && samples_whole(samples, m);
	for (size_t i = 0; i < samples->n_counters && n >= BEAT_FEWEST; i++) {
		swing[i] = (struct swing){mem_new_array(n, sizeof(double)), mem_new_array(n / 2 + 1, sizeof(double)),
			mem_new_array(n / 2 + 1, sizeof(double))};
		if (!take_counter(samples, i, n, swing[i].x)) {
			free(swing[i].x);
			swing[i].x = NULL;
		}
	}
	load = find_load(swing, samples->n_counters, turned, n);
	line = mem_new_array(n + 1, sizeof *line);
	for (size_t k = 0; k < n; k++)
		line[k] = (double)k - (double)(n - 1) / 2;
	for (size_t i = 0; i < samples->n_counters; i++)
		if (swing[i].x && turned[i]) {
			beat_take_out(swing[i].x, load, n);
			beat_take_out(swing[i].x, line, n);
			whiten(swing[i].x, n);
			transform(&swing[i], n);
		}
	if (n >= BEAT_FEWEST)
		out = strongest(swing, samples->n_counters, turned, n);
	for (size_t i = 0; i < samples->n_counters; i++) {
		free(swing[i].x);
		free(swing[i].re);
		free(swing[i].im);
	}
	free(swing);
	free(load);
	free(line);
	return out;
}
