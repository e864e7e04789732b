/* How a season is found:
 *
 *     rows ─ differences ─ Hann's window ─ FFT ─▶ spectrum      ▁▁▂▁▁█▁▁▁▁▃▁▁▁▁   lines against their surroundings
 *          ─ less the moving mean of a period ─ folded ─▶ profile of each candidate, tested on rows left out */
#include "core/series/season.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/tails.h"

#define LEAST_ROWS ((size_t)12)
#define LEAST_PERIODS ((size_t)3)
#define LINES 4             /* most lines that are tried */
#define MULTIPLES 16        /* of the period of each line: a profile of sharp peaks has strong harmonics */
#define FALSE_LINES 1e-3    /* expected number of lines in white noise, */
#define UNSURE 1.5          /* if the surroundings were known exactly; they are known to a quarter */
#define TRIED 8.0           /* periods for each row */
#define MEAN_TAKES 1.25     /* over the period: share of the variance of white noise in its moving mean */
#define AROUND ((size_t)24) /* bins on each side that are the surroundings of a bin */
#define LEAST_SHARE 0.05    /* of the variance, that a profile must predict */
#define TRIES 8             /* most periods on each side of a line's */
#define AS_GOOD 0.99        /* a shorter period wins with this share of the best one's prediction */

static int
season_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Unknown rows become the last known one. Returns false if none is known, or all are equal. */
static bool
fill_gaps(const double *v, size_t n, double *out)
{
	double last = NAN, low = INFINITY, high = -INFINITY;

	for (size_t m = 0; m < n && isnan(last); m++)
		last = v[m];
	for (size_t m = 0; m < n; m++) {
		last = out[m] = isnan(v[m]) ? last : v[m];
		low = fmin(low, last);
		high = fmax(high, last);
	}
	return high - low > 1e-9 * fmax(fabs(high), fabs(low));
}

/* The power of bins 0 … size / 2 of the differences. */
static double *
spectrum_of(const double *x, size_t n, size_t *size)
{
	double *data, *power, mean = (x[n - 1] - x[0]) / (double)(n - 1);

	for (*size = 16; *size < n; *size *= 2)
		;
	data = mem_new_array(*size, sizeof *data);
	power = mem_new_array(*size / 2 + 1, sizeof *power);
	for (size_t m = 1; m < n; m++)
		data[m] = (x[m] - x[m - 1] - mean) * (1 - cos(2 * M_PI * (double)m / (double)n));
	gsl_fft_real_radix2_transform(data, 1, *size);
	for (size_t j = 1; j < *size / 2; j++)
		power[j] = data[j] * data[j] + data[*size - j] * data[*size - j];
	power[*size / 2] = data[*size / 2] * data[*size / 2];
	free(data);
	return power;
}

/* The median power around a bin, without the bin's own line. */
static double
surroundings(const double *power, size_t bins, size_t j, size_t line)
{
	double around[2 * AROUND + 1];
	size_t n = 0, first = j > AROUND + line ? j - AROUND - line : 1;

	for (size_t k = first; k < bins && k <= j + AROUND + line && n < 2 * AROUND; k++)
		if (k + line < j || k > j + line)
			around[n++] = power[k];
	if (n < 4)
		return INFINITY;
	qsort(around, n, sizeof *around, season_compare);
	return around[n / 2] / M_LN2; /* the mean of an exponential from its median */
}

/* Writes the periods of the strongest lines, in rows, and returns their number. */
static size_t
find_lines(const double *x, size_t n, double period[LINES])
{
	size_t size, found = 0;
	double *power = spectrum_of(x, n, &size), over[LINES] = {0};
	/* Hann's window makes a line four bins of the record wide. */
	size_t line = (size_t)ceil(2.5 * (double)size / (double)n), first = LEAST_PERIODS * size / n;
	double least = UNSURE * log((double)n / 2 / FALSE_LINES);

	for (size_t j = first > 1 ? first : 1; j <= size / 2; j++) {
		double ratio = power[j], a = j > 1 ? power[j - 1] : 0, b = j < size / 2 ? power[j + 1] : 0, shift;
		size_t at;

		if (power[j] < a || power[j] < b)
			continue;
		ratio = power[j] / surroundings(power, size / 2 + 1, j, line);
		if (!(ratio > least) || (found == LINES && ratio <= over[LINES - 1]))
			continue;
		/* The peak of a parabola through the logarithms of three bins. */
		a = log(fmax(a, 1e-300));
		b = log(fmax(b, 1e-300));
		shift = 2 * log(power[j]) - a - b;
		shift = shift > 0 ? fmax(-0.5, fmin(0.5, (b - a) / 2 / shift)) : 0;
		for (at = found < LINES ? found++ : LINES - 1; at > 0 && over[at - 1] < ratio; at--) {
			over[at] = over[at - 1];
			period[at] = period[at - 1];
		}
		over[at] = ratio;
		period[at] = (double)size / ((double)j + shift);
	}
	free(power);
	return found;
}

/* Subtracts the moving mean of a period, centred: for an even period, half of a row at each end. At the ends of the
 * series it is that of the first and last period. The result has the mean 0. */
static void
subtract_course(const double *sum, const double *x, size_t n, size_t period, double *out)
{
	size_t later = period % 2 == 0;
	double mean = 0;

	for (size_t m = 0; m < n; m++) {
		size_t first = m < period / 2 ? 0 : m - period / 2, second;

		first = first + period > n ? n - period : first;
		second = first + period + later > n ? first : first + later;
		out[m] = x[m] -
			(sum[first + period] - sum[first] + sum[second + period] - sum[second]) / 2 / (double)period;
		mean += out[m] / (double)n;
	}
	for (size_t m = 0; m < n; m++)
		out[m] -= mean;
}

/* The largest deviation that counts in full: four times that which 1 row of 40 exceeds. One change of level would else
 * outweigh all periods. */
static double
largest_deviation(const double *d, size_t n)
{
	double *size = mem_new_array(n, sizeof *size), limit;

	for (size_t m = 0; m < n; m++)
		size[m] = fabs(d[m]);
	qsort(size, n, sizeof *size, season_compare);
	limit = 4 * size[n - 1 - n / 40];
	free(size);
	return limit > 0 ? limit : INFINITY;
}

static void
clip(double *d, size_t n, double limit)
{
	for (size_t m = 0; m < n; m++)
		d[m] = d[m] > limit ? limit : d[m] < -limit ? -limit : d[m];
}

/* Room for the sums of each place of a period. */
struct folding {
	double *sum, *times;
	size_t *place; /* of each row */
};

/* Adds up rows at each place of a period. */
static void
fold(const double *d, size_t n, double period, struct folding *f)
{
	size_t places = (size_t)ceil(period - 1e-6);
	double at = 1e-6;

	for (size_t k = 0; k <= places; k++)
		f->sum[k] = f->times[k] = 0;
	for (size_t m = 0; m < n; m++, at++) {
		if (at >= period)
			at -= period;
		f->place[m] = (size_t)at;
		f->sum[f->place[m]] += d[m];
		f->times[f->place[m]]++;
	}
}

/* How much of the squares of the rows the profile predicts in rows that it was not made from: each row is compared with
 * the mean of its place in all other periods. *share is the same as a share of all squares. */
static double
predicted(const double *d, size_t n, const struct folding *f, double *share)
{
	double left = 0, all = 0;

	for (size_t m = 0; m < n; m++) {
		double sum = f->sum[f->place[m]], times = f->times[f->place[m]];
		double off = times > 1 ? (d[m] * times - sum) / (times - 1) : d[m];

		left += off * off;
		all += d[m] * d[m];
	}
	*share = all > 0 ? 1 - left / all : 0;
	return all - left;
}

/* Returns whether noise hardly ever folds to such a profile: an F test, in a family of TRIED periods a row. In few
 * rows the surroundings of a line are hardly known, and this is what decides. */
static bool
is_significant(const double *d, size_t n, double period, const struct folding *f)
{
	double left = 0, all = 0, places = ceil(period - 1e-6), ratio;

	for (size_t m = 0; m < n; m++) {
		double off = d[m] - f->sum[f->place[m]] / f->times[f->place[m]];

		left += off * off;
		all += d[m] * d[m];
	}
	if ((double)n <= 2 * places || !(all > left))
		return false;
	if (left <= 0)
		return true;
	/* The moving mean has taken its share of what is left, but nothing of the season. */
	ratio = (all - left) / (places - 1) / (left / ((double)n - places)) * (1 - MEAN_TAKES / places);
	return fisher_tail(ratio, places - 1, (double)n - places) * TRIED * (double)n < FALSE_LINES;
}

static void
take_profile(struct season *season, const struct folding *f)
{
	double mean = 0;

	season->places = (size_t)ceil(season->period - 1e-6);
	season->profile = mem_new_array(season->places, sizeof *season->profile);
	for (size_t k = 0; k < season->places; k++) {
		season->profile[k] = f->times[k] > 0 ? f->sum[k] / f->times[k] : 0;
		mean += season->profile[k] / (double)season->places;
	}
	for (size_t k = 0; k < season->places; k++)
		season->profile[k] -= mean;
}

/* What all candidates share. */
struct trying {
	const double *sum, *x;
	double *d;
	size_t n;
	struct folding fold;
	struct season best;
	double most;  /* squares that the best one predicts */
	double limit; /* of deviations */
};

static void
try_period(struct trying *t, double period)
{
	double share, squares, n = (double)t->n;

	if (period < 2 || period * (double)LEAST_PERIODS > n)
		return;
	subtract_course(t->sum, t->x, t->n, (size_t)round(period), t->d);
	clip(t->d, t->n, t->limit);
	fold(t->d, t->n, period, &t->fold);
	squares = predicted(t->d, t->n, &t->fold, &share);
	if (share < LEAST_SHARE || !is_significant(t->d, t->n, period, &t->fold))
		return;
	/* Multiples of a period predict nearly as much as the period. */
	if (!(t->best.period > 0) ||
		(period > 1.5 * t->best.period                  ? squares * AS_GOOD > t->most
				: period < t->best.period / 1.5 ? squares > t->most * AS_GOOD
								: squares > t->most)) {
		t->best.share = share;
		t->best.period = period;
		t->most = squares;
	}
}

/* Tries the periods around a multiple of a line's, which is known to a third of the spectrum's resolution: a whole
 * number of rows first, and then in steps by which the last period moves by a row. */
static void
try_around(struct trying *t, double line, int times)
{
	double n = (double)t->n, period = times * line, reach = times * line * line / n / 3;
	double step = fmax(period / n, reach / TRIES);

	if (fabs(period - round(period)) <= reach)
		try_period(t, round(period));
	for (double p = period - reach; p <= period + reach; p += step)
		try_period(t, p);
}

struct season
season_find(const double *v, size_t n)
{
	struct trying t = {.n = n};
	double *x = mem_new_array(n, sizeof *x), *sum = mem_new_array(n + 1, sizeof *sum), line[LINES];

	if (n >= LEAST_ROWS && fill_gaps(v, n, x)) {
		size_t lines = find_lines(x, n, line);

		for (size_t m = n; m-- > 0;)
			x[m] -= x[0]; /* so that the sums stay small */
		for (size_t m = 0; m < n; m++)
			sum[m + 1] = sum[m] + x[m];
		t.x = x;
		t.sum = sum;
		t.d = mem_new_array(n, sizeof *t.d);
		t.fold = (struct folding){mem_new_array(n + 1, sizeof(double)), mem_new_array(n + 1, sizeof(double)),
			mem_new_array(n, sizeof(size_t))};
		if (lines) {
			subtract_course(sum, x, n, (size_t)round(fmin(line[0], (double)(n / LEAST_PERIODS))), t.d);
			t.limit = largest_deviation(t.d, n);
		}
		for (size_t k = 0; k < lines; k++)
			for (int times = 1; times <= MULTIPLES; times++)
				try_around(&t, line[k], times);
		if (t.best.period > 0) {
			subtract_course(sum, x, n, (size_t)round(t.best.period), t.d);
			clip(t.d, n, t.limit);
			fold(t.d, n, t.best.period, &t.fold);
			take_profile(&t.best, &t.fold);
		}
		free(t.d);
		free(t.fold.sum);
		free(t.fold.times);
		free(t.fold.place);
	}
	free(x);
	free(sum);
	return t.best;
}

/* Rows of a period that a place stands for: 1, or less for the last one. */
static double
place_width(const struct season *season, size_t place)
{
	return place + 1 < season->places ? 1 : season->period - (double)place;
}

double
season_at(const struct season *season, size_t row)
{
	double at, width, off;
	size_t k, next;

	if (!season->places)
		return 0;
	k = season_place(season->period, row);
	if (season->period == floor(season->period))
		return season->profile[k];
	at = fmod((double)row, season->period);
	width = place_width(season, k);
	off = at - (double)k - width / 2;
	next = off < 0 ? (k + season->places - 1) % season->places : (k + 1) % season->places;
	width = (width + place_width(season, next)) / 2;
	return season->profile[k] + (season->profile[next] - season->profile[k]) * fmin(1, fabs(off) / width);
}

void
season_free(struct season *season)
{
	free(season->profile);
	*season = (struct season){0};
}
