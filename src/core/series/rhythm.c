#include "core/series/rhythm.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define FEWEST ((size_t)256) /* steps; with fewer a spectrum is useless */
/* least power of a line over the median next to it: 21 times the mean of noise, which chance exceeds once in 10^9 */
#define LINE 30.0
#define SURROUNDINGS 40.0          /* width of the range to each side that a line is compared with, in resolutions */
#define LOWEST 8.0                 /* fewest periods within the record */

struct rhythm {
	double step_ns;
	double *rate;     /* count per ns in each step */
	double filled_ns; /* of the step that is being filled */
	double sum;       /* count in that step so far */
	size_t n, cap;
	uint64_t last_ns;
	bool begun;
	struct rhythm_lock lately;
	size_t lately_n;  /* steps that had been added when `lately` was computed */
	size_t added;
};

struct rhythm *
rhythm_new(double step_ns)
{
	struct rhythm *r = mem_new(sizeof *r);

	r->step_ns = step_ns > 1 ? step_ns : 1;
	return r;
}

void
rhythm_free(struct rhythm *r)
{
	if (!r)
		return;
	free(r->rate);
	free(r);
}

static void
end_step(struct rhythm *r)
{
	if (r->n == RHYTHM_MOST) {
		memmove(r->rate, r->rate + RHYTHM_MOST / 2, RHYTHM_MOST / 2 * sizeof *r->rate);
		r->n = RHYTHM_MOST / 2;
	}
	mem_grow(&r->rate, &r->cap, r->n + 1, sizeof *r->rate);
	r->rate[r->n++] = r->sum / r->step_ns;
	r->added++;
	r->sum = r->filled_ns = 0;
}

void
rhythm_add(struct rhythm *r, uint64_t now_ns, uint64_t count)
{
	double left = (double)(now_ns - r->last_ns), rate;

	if (r->begun && now_ns <= r->last_ns)
		return;
	r->last_ns = now_ns;
	if (!r->begun) {
		r->begun = true;
		return;
	}
	rate = (double)count / left;
	while (left > 0) {
		double part = fmin(left, r->step_ns - r->filled_ns);

		r->sum += rate * part;
		r->filled_ns += part;
		left -= part;
		if (r->filled_ns >= r->step_ns * (1 - 1e-9))
			end_step(r);
	}
}

/* Fourier transform in place of a power of two of complex numbers (Cooley and Tukey, 1965). */
static void
transform(double *re, double *im, size_t n)
{
	for (size_t i = 1, j = 0; i < n; i++) {
		size_t bit = n >> 1;

		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			double a = re[i], b = im[i];

			re[i] = re[j], re[j] = a;
			im[i] = im[j], im[j] = b;
		}
	}
	for (size_t half = 1; half < n; half *= 2)
		for (size_t k = 0; k < half; k++) {
			double c = cos(M_PI * (double)k / (double)half), s = -sin(M_PI * (double)k / (double)half);

			for (size_t i = k; i < n; i += 2 * half) {
				double a = re[i + half] * c - im[i + half] * s, b = re[i + half] * s + im[i + half] * c;

				re[i + half] = re[i] - a, re[i] += a;
				im[i + half] = im[i] - b, im[i] += b;
			}
		}
}

/* The power at frequencies k / (n · step), k < n/2. */
struct spectrum_of_rate {
	double *power;
	size_t n;          /* a power of two */
	double resolution; /* number of frequencies k that make 1 / record */
};

static struct spectrum_of_rate
spectrum_of(const struct rhythm *rhythm)
{
	struct spectrum_of_rate s = {.n = 1};
	double *im, mean = 0;

	while (s.n < rhythm->n)
		s.n *= 2;
	s.power = mem_new_array(s.n, sizeof *s.power);
	im = mem_new_array(s.n, sizeof *im);
	for (size_t i = 0; i < rhythm->n; i++)
		mean += rhythm->rate[i] / (double)rhythm->n;
	for (size_t i = 0; i < rhythm->n; i++) /* Hann's window keeps a strong line from looking like many */
		s.power[i] = (rhythm->rate[i] - mean) *
			(0.5 - 0.5 * cos(2 * M_PI * ((double)i + 0.5) / (double)rhythm->n));
	transform(s.power, im, s.n);
	for (size_t i = 0; i < s.n; i++)
		s.power[i] = s.power[i] * s.power[i] + im[i] * im[i];
	free(im);
	s.resolution = (double)s.n / (double)rhythm->n;
	return s;
}

/* The strongest frequency within `reach` resolutions of `at`; returns its power over the median of the range next to
 * it. */
static double
contrast(const struct spectrum_of_rate *rate, double at, double reach, size_t *where)
{
	double low = at - (reach + SURROUNDINGS) * rate->resolution,
	       high = at + (reach + SURROUNDINGS) * rate->resolution, most = 0, median;
	size_t from = low > 1 ? (size_t)low : 1, to = high < (double)(rate->n / 2) ? (size_t)high : rate->n / 2, n = 0;
	double *around;

	if (from >= to)
		return 0;
	around = mem_new_array(to - from, sizeof *around);
	for (size_t i = from; i < to; i++) {
		bool near = fabs((double)i - at) <= fmax(reach * rate->resolution, 0.5 + rate->resolution / 2);

		if (near && rate->power[i] > most) {
			most = rate->power[i];
			*where = i;
		} else if (fabs((double)i - at) > (reach + 2) * rate->resolution) {
			around[n++] = rate->power[i];
		}
	}
	sort_doubles(around, n);
	median = n >= 8 ? around[n / 2] : INFINITY;
	free(around);
	return median > 0 ? most / median : most > 0 ? INFINITY : 0;
}

/* The fundamental of a line: the lowest frequency that the line is a harmonic of and that has a line itself. */
static double
fundamental(const struct spectrum_of_rate *s, double line)
{
	double best = line;

	for (int k = 2; k <= 12; k++) {
		size_t at = 0;

		if (line / k >= LOWEST * s->resolution && contrast(s, line / k, 1, &at) > LINE)
			best = line / k;
	}
	return best;
}

struct rhythm_lock
rhythm_locked(const struct rhythm *rhythm, double rotation_ns, size_t turns)
{
	struct rhythm_lock out = {0};
	struct spectrum_of_rate s;
	double places, most = 0, line = 0;

	if (rhythm->n < FEWEST || !(rotation_ns > 0) || turns < 2)
		return out;
	s = spectrum_of(rhythm);
	places = (double)s.n * rhythm->step_ns / rotation_ns; /* frequencies k that make 1/R */
	for (size_t m = 1; places >= LOWEST * s.resolution && (double)m * places < (double)(s.n / 2); m++) {
		size_t at = 0;
		double found = m % turns ? contrast(&s, (double)m * places, RHYTHM_BEATS, &at) : 0;

		if (found > LINE && s.power[at] > most) {
			most = s.power[at];
			line = (double)at;
			out.beats = fabs(line - (double)m * places) / s.resolution;
		}
	}
	if (most > 0)
		out.period_ns = (double)s.n * rhythm->step_ns / fundamental(&s, line);
	free(s.power);
	return out;
}

struct rhythm_lock
rhythm_locked_lately(struct rhythm *r, double rotation_ns, size_t turns)
{
	if (r->added < r->lately_n + r->lately_n / 8 || r->added < FEWEST)
		return r->lately;
	r->lately = rhythm_locked(r, rotation_ns, turns);
	r->lately_n = r->added;
	return r->lately;
}
