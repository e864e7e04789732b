/* What refutes is usually the small noise of one counter against another, across a workload that moves all of them together
 * and moves within the cone. Looked at counter by counter the workload would hide what the noise does, so the few counters
 * that explain most of the others are taken out of them first. Not more than a few: each takes its part of whatever the others do slowly,
 * and with all of them out, little of any correlation would be left to be seen.
 *
 * Then two tests: all series together, by the lag-1 correlation pooled over them, whose deviation shrinks with their number;
 * and the worst of them alone, with a bound for looking at so many. */
#include "core/stats/lag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/dot.h"

#define FEWEST 8           /* samples from which on correlations can be told from chance */
#define ROWS_PER_PIVOT 15
#define MOST_PIVOTS 4
#define GONE 1e-9          /* of a counter's variance: what is left is rounding */
#define DEVIATIONS 2.8     /* of the pooled correlation that count as found */
#define NOT_EXCLUDED 2     /* deviations above what is seen that it may be */
#define ALONE 1e-3         /* chance that one series of all looks correlated */
#define LARGEST 0.95
#define LAGS 64            /* as far as correlations are added up */

struct series {
	size_t n, k, n_pivots;
	double *w;      /* n × k: series by samples, of variance 1 but for rounding */
	size_t *length; /* n: samples of each; 0: does not vary */
	double *r;      /* n × n: correlations of what is left of the counters */
	bool *pivot;
	double *one_by; /* n: 1 / Σ w² */
};

/* The samples of counter i that there are, times f; returns how many. */
static size_t
take_series(const struct centred *c, size_t i, double f, double *w)
{
	const double *x = c->x + i * c->k;
	const unsigned char *here = c->here ? c->here + i * c->k : NULL;
	size_t k = c->k, n = 0;

	if (!here) {
		for (size_t m = 0; m < k; m++)
			w[m] = x[m] * f;
		return k;
	}
	for (size_t m = 0; m < k; m++)
		if (here[m])
			w[n++] = x[m] * f;
	return n;
}

static void
standardise(const struct centred *c, const int64_t *weight, const double *cov, struct series *s)
{
	double *one_by = mem_new_array(c->n, sizeof *one_by);

	for (size_t i = 0; i < c->n; i++)
		one_by[i] = cov[i * c->n + i] > 0 ? 1 / sqrt(cov[i * c->n + i]) : 0;
	for (size_t i = 0; i < c->n; i++) {
		double f = one_by[i] / (double)weight[i], *r = s->r + i * c->n;

		s->length[i] = take_series(c, i, f, s->w + i * c->k);
		if (f == 0)
			s->length[i] = 0;
		for (size_t j = 0; j < c->n; j++)
			r[j] = cov[i * c->n + j] * one_by[i] * one_by[j];
	}
	free(one_by);
}

/* The counter that explains most of what is left. */
static size_t
best_pivot(const struct series *s)
{
	size_t best = s->n;
	double most = 0;

	for (size_t i = 0; i < s->n; i++) {
		double *row = s->r + i * s->n, t = row[i] > GONE && !s->pivot[i] ? dot(row, row, s->n) / row[i] : 0;

		if (t > most) {
			most = t;
			best = i;
		}
	}
	return best;
}

/* Take one counter out of all the others. */
static void
take_out(struct series *s, size_t p)
{
	double *row = mem_copy(s->r + p * s->n, s->n * sizeof *row), at = row[p];

	s->pivot[p] = true;
	for (size_t i = 0; i < s->n; i++) {
		if (s->pivot[i])
			continue;
		dot_subtract(s->w + i * s->k, row[i] / at, s->w + p * s->k, s->k);
		dot_subtract(s->r + i * s->n, row[i] / at, row, s->n);
		s->r[p * s->n + i] = 0;
		if (s->r[i * s->n + i] < GONE)
			s->length[i] = 0;
	}
	free(row);
}

/* Products of series i at lag `by` over those at lag 0. */
static double
correlation(const struct series *s, size_t i, size_t by)
{
	const double *w = s->w + i * s->k;

	return s->length[i] > by ? dot(w, w + by, s->length[i] - by) * s->one_by[i] : 0;
}

static double
pooled(const struct series *s, size_t by)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->length[i]) {
			sum += correlation(s, i, by);
			n++;
		}
	return n > 0 ? sum / n : 0;
}

/* Of the pooled correlation, when samples are independent: correlations of series that are correlated ρ among themselves are
 * correlated ρ². */
static double
deviation_of(const struct series *s)
{
	double sum = 0, n = 0, *one_by = mem_new_array(s->n, sizeof *one_by), *square = mem_new_array(s->n, sizeof *square);

	for (size_t i = 0; i < s->n; i++)
		if (s->length[i]) {
			one_by[i] = 1 / s->r[i * s->n + i];
			n++;
		}
	for (size_t i = 0; i < s->n; i++) {
		const double *r = s->r + i * s->n;

		for (size_t j = 0; j < s->n; j++)
			square[j] = r[j] * r[j];
		sum += dot(square, one_by, s->n) * one_by[i];
	}
	free(square);
	free(one_by);
	return n > 0 ? sqrt(sum / (double)s->k) / n : 1;
}

/* Means are taken off, which makes correlations look smaller, by (1 + 3ρ)/k to first order (Kendall, Biometrika 41, 1954); so
 * does each series that is taken out. */
static double
unbiased(const struct series *s, double rho)
{
	double lost = (1 + 0.5 * (double)s->n_pivots) / (double)s->k;

	return fmin(LARGEST, fmax(0, (rho + lost) / (1 - fmin(3 * lost, 0.5))));
}

/* The larger of what an AR(1) process of that correlation has and what the correlations, as long as they are positive, add
 * up to: long memory begins with small ones. */
static double
time_of(const struct series *s, double rho)
{
	double sum = rho, ar = (1 + rho) / (1 - rho), k = (double)s->k;

	for (size_t by = 2; by <= LAGS && by < s->k / 4; by++) {
		double r = pooled(s, by) + 1 / k;

		if (r < 2 / sqrt(k))
			break;
		sum += r;
	}
	return fmax(1, fmax(ar, 1 + 2 * sum));
}

static struct lag
judge(const struct series *s)
{
	double k = (double)s->k, most = -1, chance = sqrt(2 * log((double)s->n / ALONE) / k), all = 0, n = 0;
	struct lag out = {.time = 1};

	for (size_t i = 0; i < s->n; i++) {
		double r = s->length[i] ? correlation(s, i, 1) : 0;

		all += r;
		n += s->length[i] > 0;
		if (s->length[i] >= FEWEST)
			most = fmax(most, r);
	}
	all /= fmax(n, 1);
	out.most = n > 0 ? unbiased(s, all + NOT_EXCLUDED * deviation_of(s)) : 0;
	out.found = all + 1 / k > DEVIATIONS * deviation_of(s) || most + 1 / k > chance;
	if (out.found) {
		out.rho = unbiased(s, fmax(all, most - chance));
		out.time = time_of(s, out.rho);
		out.most = fmax(out.most, out.rho);
	}
	return out;
}

static void
free_series(struct series *s)
{
	free(s->one_by);
	free(s->w);
	free(s->length);
	free(s->r);
	free(s->pivot);
}

/* What is left with so many counters taken out of the others, at most. */
static struct lag
judge_without(const struct centred *c, const int64_t *weight, const double *cov, size_t pivots)
{
	struct series s = {.n = c->n, .k = c->k};
	struct lag out;

	s.w = mem_new_array(c->n * c->k, sizeof *s.w);
	s.length = mem_new_array(c->n, sizeof *s.length);
	s.r = mem_new_array(c->n * c->n, sizeof *s.r);
	s.pivot = mem_new_array(c->n, sizeof *s.pivot);
	s.one_by = mem_new_array(c->n, sizeof *s.one_by);
	standardise(c, weight, cov, &s);
	for (size_t p; s.n_pivots < pivots && (p = best_pivot(&s)) < s.n; s.n_pivots++)
		take_out(&s, p);
	for (size_t i = 0; i < s.n; i++) {
		double square = dot(s.w + i * s.k, s.w + i * s.k, s.length[i]);

		s.one_by[i] = square > 0 ? 1 / square : 0;
	}
	out = judge(&s);
	free_series(&s);
	return out;
}

/* Of slow series each that is taken out takes much of what the others do slowly along, by chance. So where they turn out to be slow,
 * their correlation is measured again with fewer of them out. */
struct lag
lag_find(const struct centred *c, const int64_t *weight, const double *cov)
{
	/* With empty cells the series of two counters do not run side by side. */
	size_t pivots = c->here ? 0 : c->k / ROWS_PER_PIVOT < MOST_PIVOTS ? c->k / ROWS_PER_PIVOT : MOST_PIVOTS;
	struct lag out = {.time = 1};

	if (c->k < FEWEST)
		return out;
	out = judge_without(c, weight, cov, pivots);
	while (out.found && (double)pivots * ROWS_PER_PIVOT > lag_worth(out.rho, 1, (double)c->k)) {
		struct lag more = judge_without(c, weight, cov, --pivots);

		if (more.found && more.time > out.time)
			out = more;
	}
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

/* Sums of neighbouring batches are correlated by ρ (1 − ρ^L)² / (1 − ρ)² over L times what each sees; from there on by ρ^L less with
 * each batch between. */
double
lag_worth(double rho, double length, double n)
{
	double power = pow(rho, length), one = (1 - power) / (1 - rho), near = rho * one * one / (length * lag_seen_by(rho, length));

	return n / (1 + 2 * near * near / (1 - power * power));
}
