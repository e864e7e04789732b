/* What refutes is usually the small noise of one counter against another, across a workload that moves all of them together
 * and moves within the cone. Correlations in time are therefore looked for in the directions of Σ, each scaled to variance 1,
 * and not in the counters: there the workload would hide what the noise does.
 *
 * Two tests: all directions together, by the lag-1 correlation pooled over them, whose deviation shrinks with their
 * number; and the worst direction alone, with a bound for looking at so many. */
#include "core/stats/lag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/dot.h"

#define FEWEST 8           /* samples from which on correlations can be told from chance */
#define DEVIATIONS 3.5     /* of the pooled correlation that count as found */
#define ALONE 1e-3         /* chance that one direction of all looks correlated */
#define LARGEST 0.99
#define LAGS 64            /* as far as correlations are added up */

struct series {
	size_t n, k;
	double *w;     /* n × k: directions by samples */
	size_t *length; /* n: samples of each */
};

/* w := L⁻¹ (x / weight), whole rows at a time. */
static void
whiten(const struct centred *c, const int64_t *weight, const double *l, struct series *s)
{
	for (size_t i = 0; i < c->n; i++) {
		double *w = s->w + i * c->k, f = 1 / (double)weight[i];

		for (size_t m = 0; m < c->k; m++)
			w[m] = c->x[i * c->k + m] * f;
		for (size_t j = 0; j < i; j++)
			dot_subtract(w, l[i * c->n + j], s->w + j * c->k, c->k);
		f = 1 / l[i * c->n + i];
		for (size_t m = 0; m < c->k; m++)
			w[m] *= f;
		s->length[i] = c->k;
	}
}

/* With empty cells there are no directions in time: each counter by itself, over the samples that it has. */
static void
compress(const struct centred *c, const int64_t *weight, const double *l, struct series *s)
{
	for (size_t i = 0; i < c->n; i++) {
		double deviation = sqrt(dot(l + i * c->n, l + i * c->n, i + 1));

		for (size_t m = 0; m < c->k; m++)
			if (c->here[i * c->k + m])
				s->w[i * c->k + s->length[i]++] = c->x[i * c->k + m] / ((double)weight[i] * deviation);
	}
}

/* Pooled correlation at lag `by`. */
static double
pooled(const struct series *s, size_t by, double total)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->length[i] > by)
			sum += dot(s->w + i * s->k, s->w + i * s->k + by, s->length[i] - by);
	return sum / total;
}

/* Means are taken off, which makes correlations look smaller, by (1 + 3ρ)/k to first order (Kendall, Biometrika 41, 1954). */
static double
unbiased(double rho, double k)
{
	return fmin(LARGEST, fmax(0, (rho + 1 / k) / (1 - fmin(3 / k, 0.5))));
}

/* The larger of what an AR(1) process of that correlation has and what the correlations, as long as they are positive, add
 * up to: long memory begins with small ones. */
static double
time_of(const struct series *s, double rho, double total)
{
	double sum = rho, ar = (1 + rho) / (1 - rho), k = (double)s->k;

	for (size_t by = 2; by <= LAGS && by < s->k / 4; by++) {
		double r = pooled(s, by, total) + 1 / k;

		if (r < 2 / sqrt(k))
			break;
		sum += r;
	}
	return fmax(1, fmax(ar, 1 + 2 * sum));
}

struct lag
lag_find(const struct centred *c, const int64_t *weight, const double *l)
{
	struct lag out = {.time = 1};
	struct series s = {.n = c->n, .k = c->k};
	double total = 0, squares = 0, products = 0, most = 0, k = (double)c->k, deviation;
	size_t directions = c->n < c->k ? c->n : c->k - 1;

	if (c->k < FEWEST)
		return out;
	s.w = mem_new_array(c->n * c->k, sizeof *s.w);
	s.length = mem_new_array(c->n, sizeof *s.length);
	(c->here ? compress : whiten)(c, weight, l, &s);
	for (size_t i = 0; i < c->n; i++) {
		double *w = s.w + i * s.k, zero = dot(w, w, s.length[i]), one = s.length[i] ? dot(w, w + 1, s.length[i] - 1) : 0;

		total += zero;
		squares += zero * zero;
		products += one;
		/* Below a hundredth of its variance there is more floor than data in a direction. */
		if (zero > 0.01 && s.length[i] >= FEWEST)
			most = fmax(most, (one / zero + 1 / (double)s.length[i]) * sqrt((double)s.length[i]));
	}
	if (total > 0) {
		deviation = sqrt(fmax(squares / (total * total), 1 / (double)directions) / k);
		if (c->here)
			deviation = 1 / sqrt(k);
		out.rho = unbiased(products / total, k);
		out.found = products / total + 1 / k > DEVIATIONS * deviation || most > sqrt(2 * log((double)c->n / ALONE));
		if (out.found)
			out.time = time_of(&s, out.rho, total);
	}
	free(s.w);
	free(s.length);
	return out;
}

double
lag_seen_by(double rho, double length)
{
	double sum = 1, power = rho;

	for (double k = 1; k < length && power > 1e-9; k++, power *= rho)
		sum += 2 * (1 - k / length) * power;
	return sum;
}
