/* From samples to Y and Σ, in this order: exact sums; the covariance of the means, from the rows, or, where they are correlated
 * in time, from batches of them; correlations shrunk where they come from few; all of it widened for what so few can
 * know; then what does not show in the samples: floors, extrapolation, stated errors. */
#include "core/stats/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/stats/centred.h"
#include "core/stats/cholesky.h"
#include "core/stats/dot.h"
#include "core/stats/eigen.h"
#include "core/stats/few.h"
#include "core/stats/lag.h"
#include "core/stats/sequence.h"
#include "core/stats/shrink.h"

#define RELATIVE_FLOOR 1e-7    /* standard error of a mean, relative to it, that is never undercut */
#define EIGENVALUE_FLOOR 1e-13 /* of the largest eigenvalue */
#define BATCHES 20             /* means of neighbouring rows, where rows are correlated in time … */
#define BATCHES_PER_COUNTER 3
#define ROWS_FOR_BATCHES 40    /* … and there are that many */
#define LEAST_FREEDOM 2.0      /* of correlated rows, whose effective number is an estimate itself */

struct region_state {
	bool axes;
};

static double
unit(int decimals)
{
	return decimals ? pow(10, -decimals) : 1;
}

/* Sums of whole rows in 64 bits. False where these might not hold them. */
static bool
take_small_sums(struct region *r, const struct samples *s)
{
	size_t n = r->n, cells = s->n_rows * n;
	const int64_t *count = s->count;
	int64_t *sum;
	uint64_t bits = 0;

	if (s->counted && memchr(s->counted, 0, cells))
		return false;
	for (size_t i = 0; i < cells; i++)
		bits |= (uint64_t)count[i];
	if (cells && bits > (uint64_t)INT64_MAX / s->n_rows)
		return false;
	sum = mem_new_array(n, sizeof *sum);
	for (size_t at = 0; at < cells; at += n)
		for (size_t i = 0; i < n; i++)
			sum[i] += count[at + i];
	for (size_t i = 0; i < n; i++) {
		r->sum[i] = sum[i];
		r->weight[i] = (int64_t)s->n_rows;
	}
	free(sum);
	return true;
}

/* Exact sums; counters that no row counted keep weight 0 and mean 0. */
static void
take_sums(struct region *r, const struct samples *s)
{
	bool done = take_small_sums(r, s);

	for (size_t m = 0; m < s->n_rows && !done; m++)
		for (size_t i = 0; i < r->n; i++)
			if (!s->counted || s->counted[m * r->n + i]) {
				r->sum[i] += s->count[m * r->n + i];
				r->weight[i]++;
			}
	for (size_t i = 0; i < r->n; i++)
		if (r->weight[i])
			r->mean[i] = (double)r->sum[i] / (double)r->weight[i] * unit(r->decimals);
}

/* Counts are whole numbers, and a standard error below 1e-7 of the mean is an artefact (docs/numerics.md). */
static void
floor_variances(struct region *r)
{
	double u = unit(r->decimals);

	for (size_t i = 0; i < r->n; i++) {
		double relative = RELATIVE_FLOOR * r->mean[i];

		r->cov[i * r->n + i] += u * u / (12.0 * (double)r->weight[i]) + relative * relative;
	}
}

/* What the samples cannot show, on top. A cell that was extrapolated from a share p of its interval has a binomial number of
 * events in the share: that adds V (1 − p)/p to its variance. A cell with a stated standard error e adds e². */
static void
add_cell_errors(struct region *r, const struct samples *s)
{
	double u = unit(r->decimals);

	for (size_t i = 0; i < r->n && (s->running || s->error); i++) {
		double sum = 0, w = (double)r->weight[i];

		for (size_t m = 0; m < s->n_rows; m++) {
			size_t cell = m * r->n + i;
			double p = s->running ? s->running[cell] : 1, e = s->error ? s->error[cell] : 0;

			if (s->counted && !s->counted[cell])
				continue;
			if (p > 0 && p < 1)
				sum += fabs((double)s->count[cell]) * u * (1 - p) / p;
			sum += e * e;
		}
		r->cov[i * r->n + i] += sum / (w * w);
	}
}

/* Fewer rows than make a covariance of full rank, twice over, or very few for any covariance: correlations are drawn towards 0. */
static void
shrink(struct region *r, const struct centred *c)
{
	r->shrinkage = r->n > 1 ? shrink_intensity(c) : 0;
	for (size_t i = 0; i < r->n * r->n; i++)
		if (i / r->n != i % r->n)
			r->cov[i] *= 1 - r->shrinkage;
}

/* Covariances of pairs that were counted in different rows need not fit together. Where they do not, they are taken back
 * together, as little as makes the correlations a proper matrix: a floor on the eigenvalues alone would call the
 * directions in which they contradict each other very precisely known. */
static void
reconcile_pairs(struct region *r)
{
	size_t n = r->n;
	double *c = mem_new_array(n * n, sizeof *c);

	for (int step = 0; step <= 16; step++) {
		double keep = 1 - step / 16.0;

		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] = i == j ? 1 : keep * r->cov[i * n + j] / sqrt(r->cov[i * n + i] * r->cov[j * n + j]);
		if (!cholesky(n, c, step ? 1.0 / 64 : EIGENVALUE_FLOOR, r->factor))
			continue;
		for (size_t i = 0; i < n * n && step; i++)
			if (i / n != i % n)
				r->cov[i] *= keep;
		break;
	}
	free(c);
}

/* No eigenvalue below 1e-13 of the largest: that much is added to all of them, which needs no eigenvectors and differs from lifting
 * the small ones alone by no more than a factor of 2, near the floor, towards the wider region. The Frobenius norm
 * stands for the largest eigenvalue: it is no less, and not much more where a few factors make up the covariance. */
static void
floor_eigenvalues(struct region *r)
{
	size_t n = r->n;
	double least = EIGENVALUE_FLOOR * sqrt(dot(r->cov, r->cov, n * n));

	/* More than once, if ever, where pairs counted in different rows left a slightly negative eigenvalue. */
	do {
		for (size_t i = 0; i < n; i++)
			r->cov[i * n + i] += least;
		least *= 2;
	} while (!cholesky(n, r->cov, 0, r->factor));
}

/* Σ of c's blocks, ready for use but for the widening. */
static void
make_covariance(struct region *r, const struct samples *s, const struct centred *c, struct lag *lag)
{
	centred_covariance(c, r->weight, r->cov);
	if (lag)
		*lag = lag_find(c, r->weight, r->cov);
	r->shrinkage = 0;
	if (c->k < 2 * r->n || c->k < REGION_FEW)
		shrink(r, c);
	floor_variances(r);
	add_cell_errors(r, s);
	if (c->here)
		reconcile_pairs(r);
	floor_eigenvalues(r);
}

/* Where many rows were taken together: how many of them are worth one independent one, within the blocks. */
static double
time_within(const struct region *r, const struct centred *c)
{
	double most = 1;

	for (size_t i = 0; i < r->n && c->within; i++)
		if (c->within[i] > 0)
			most = fmax(most, dot(c->x + i * c->k, c->x + i * c->k, c->k) / c->within[i]);
	/* The ratio of two variances with that many degrees of freedom is not 1 by chance alone. */
	return most > 1 + 5 * sqrt(2 / (double)c->k) ? most : 1;
}

/* Blocks that the least counted counter has. */
static double
fewest_blocks(const struct centred *c)
{
	size_t least = c->k;

	for (size_t i = 0; i < c->n && c->here; i++) {
		size_t n = centred_together(c, i, i);

		least = n < least ? n : least;
	}
	return (double)least;
}

/* Of what is looked at again and again batches keep their borders from look to look, but that now and then two become one: batches that are drawn anew
 * for each look give a new estimate each, and the worst of many counts. */
static size_t
lasting_length(size_t most)
{
	size_t length = 1;

	while (2 * length <= most)
		length *= 2;
	return length;
}

/* Rows that resemble their neighbours say less than their number. Batches of them carry the correlation in their own
 * variance, direction by direction; what is longer than a batch, and all of it where there are too few rows to make batches, widens
 * Σ as a whole. */
static double
allow_for_lag(struct region *r, const struct samples *s, const struct centred *c, const struct lag *lag)
{
	double most = s->peeked ? lag->most : lag->rho, rest = fmax(lag->time, (1 + most) / (1 - most)), batches = fmax(BATCHES, (double)c->k / (4 * lag->time));

	r->lag = lag->rho;
	if (c->k >= ROWS_FOR_BATCHES) {
		struct centred *b;
		size_t n;

		/* As many as a covariance needs that is not shrunk, where each is still as long as the correlation lasts. */
		if (BATCHES_PER_COUNTER * (double)r->n <= (double)c->k / rest)
			batches = fmax(batches, BATCHES_PER_COUNTER * (double)r->n);
		n = (size_t)fmin(batches, (double)c->k / 2);
		b = s->peeked ? centred_in_runs(c, lasting_length(c->k / n)) : centred_in_batches(c, n);
		/* A counter that few batches have is better known from its rows. */
		r->batches = fewest_blocks(b) >= BATCHES / 2.0 ? b->k : 0;
		if (r->batches)
			make_covariance(r, s, b, NULL);
		centred_free(b);
	}
	if (r->batches)
		rest = fmax(1, rest / lag_seen_by(most, (double)c->k / (double)r->batches));
	return rest;
}

/* Of correlated rows Σ is made of few blocks that tell something of their own, so that its shape is in doubt too. That of batches is so for the
 * same reason as their size is; rows have their shape from themselves, and their size from the measured correlation. */
static double
widening(const struct region *r, const struct centred *c, const struct lag *lag, bool peeked)
{
	double blocks = r->batches ? (double)r->batches : (double)c->k;
	double nu = fmax(lag_worth(lag->rho, (double)c->k / blocks, blocks) - 1, LEAST_FREEDOM);
	double size = few_size(r->n, r->freedom), shape;

	if (!lag->found || peeked || r->n < 2)
		return size;
	shape = r->shrinkage > 0 ? few_shrunk(r->n, nu, r->shrinkage, r->cov, r->factor) : few_shape(r->n, nu);
	return r->batches || r->shrinkage > 0 ? fmax(size, shape) : size * shape / few_size(r->n, nu);
}

/* Σ and all that belongs to it. False where a counter was counted in one block alone. */
static bool
take_noise(struct region *r, const struct samples *s)
{
	struct centred *c = centred_new(s, r->sum, r->weight);
	struct lag lag;
	double rest = 1, nu, few;

	if (fewest_blocks(c) < 2) {
		centred_free(c);
		return false;
	}
	make_covariance(r, s, c, &lag);
	if (lag.found)
		rest = allow_for_lag(r, s, c, &lag);
	else if (s->peeked)
		rest = (1 + lag.most) / (1 - lag.most);
	r->effective = fmin((double)r->rows, (double)r->rows / (lag.time * time_within(r, c)));
	nu = fmin(r->batches ? (double)r->batches : (double)c->k, fewest_blocks(c) / lag.time) - 1;
	r->freedom = fmax(nu, lag.found ? LEAST_FREEDOM : 1);
	few = widening(r, c, &lag, s->peeked);
	r->inflation = few;
	if (rest * few > 1) {
		dot_scale(r->cov, rest * few, r->n * r->n);
		dot_scale(r->factor, sqrt(rest * few), r->n * r->n);
	}
	centred_free(c);
	return true;
}

/* A single row is no sample, but its source may have taken the mean of several runs and say how well it knows it. A counter that never
 * counted has no error to state; it is taken to be known to 1. */
static bool
all_stated(const struct region *r, const struct samples *s)
{
	bool some = false;

	if (!s->error || s->n_rows != 1 || r->point)
		return false;
	for (size_t i = 0; i < r->n; i++) {
		if (!r->weight[i] || (!(s->error[i] > 0) && s->count[i] != 0))
			return false;
		some |= s->error[i] > 0;
	}
	return some;
}

static void
take_stated(struct region *r, const struct samples *s)
{
	r->stated = true;
	for (size_t i = 0; i < r->n; i++)
		r->cov[i * r->n + i] = s->error[i] > 0 ? 0 : 1;
	floor_variances(r);
	add_cell_errors(r, s);
	floor_eigenvalues(r);
}

/* Sums telescope: a counter read at the borders of its rows is torn at the first and at the last border of each unbroken run of rows
 * alone, by at most 1 per task and event between the two. Cells that are extrapolated by unlike factors do not cancel
 * at the borders between them. */
static void
take_slack(struct region *r, const struct samples *s)
{
	r->slack = mem_new_array(r->n, sizeof *r->slack);
	for (size_t i = 0; i < r->n; i++) {
		double runs = 0, before = 0, torn;

		for (size_t m = 0; m < s->n_rows; m++) {
			size_t cell = m * r->n + i;
			bool here = !s->counted || s->counted[cell];
			double factor = !here ? 0 : s->running && s->running[cell] > 0 && s->running[cell] < 1 ? 1 / s->running[cell] : 1;

			/* Half of what each change of the factor, from 0 and back to 0 too, lets through. */
			runs += fabs(factor - before) / 2;
			before = factor;
		}
		runs += before / 2;
		torn = s->tasks * (s->parts ? (double)s->parts[i] : 1) * runs;
		/* Never less than what it stands for. */
		r->slack[i] = torn > 0 ? nextafter(torn / (double)(r->weight[i] ? r->weight[i] : 1) * unit(r->decimals), INFINITY) : 0;
	}
}

bool
region_has_noise_model(const struct region *r)
{
	return r->cov != NULL;
}

static bool
has_enough_rows(const struct region *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->weight[i] < 2)
			return false;
	return !r->point && r->rows > 1 && r->n > 0;
}

struct region *
region_new(const struct samples *s, bool exact)
{
	struct region *r = mem_new(sizeof *r);
	size_t n = s->n_counters;
	bool stated;

	*r = (struct region){.n = n, .rows = s->n_rows, .point = exact, .decimals = s->decimals, .effective = (double)s->n_rows, .inflation = 1};
	r->sum = mem_new_array(n, sizeof *r->sum);
	r->weight = mem_new_array(n, sizeof *r->weight);
	r->mean = mem_new_array(n, sizeof *r->mean);
	r->state = mem_new(sizeof *r->state);
	take_sums(r, s);
	stated = all_stated(r, s);
	if (!stated && !has_enough_rows(r))
		return r;
	r->cov = mem_new_array(n * n, sizeof *r->cov);
	r->factor = mem_new_array(n * n, sizeof *r->factor);
	r->eigenvalue = mem_new_array(n, sizeof *r->eigenvalue);
	r->eigenvector = mem_new_array(n * n, sizeof *r->eigenvector);
	if (stated) {
		take_stated(r, s);
	} else if (!take_noise(r, s)) {
		free(r->cov);
		r->cov = NULL;
	}
	r->peeked = s->peeked && r->cov && !stated;
	if (s->tasks > 0)
		take_slack(r, s);
	return r;
}

/* Where Σ's shape is estimated as it is, d² follows Hotelling's T²: F with fewer degrees of freedom, and larger. Shrinkage takes care of the shape. */
static double
tail_freedom(const struct region *r)
{
	return r->shrinkage > 0 ? r->freedom : fmax(1, r->freedom - (double)r->n + 1);
}

static double
scale(const struct region *r)
{
	return (double)r->n * fmax(1, r->freedom / tail_freedom(r)) / r->inflation;
}

/* The inflation of Σ is right at one look and 99 %. At the much smaller tails of a sequence's first looks an estimate from few samples strays
 * further than that: there the bound is where F leaves as much as χ² would, were Σ known. */
double
region_threshold2(const struct region *r, double confidence)
{
	double q, few;

	if (!r->peeked)
		return chi2_quantile(confidence, r->n);
	q = sequence_threshold2(confidence, r->n, (double)r->rows);
	few = scale(r) * fisher_beyond(chi2_tail(q, r->n), r->n, tail_freedom(r));
	return fmax(q, few);
}

double
region_p(const struct region *r, double d2)
{
	double known;

	if (!r->peeked)
		return chi2_tail(d2, r->n);
	known = chi2_beyond(fisher_tail(d2 / scale(r), r->n, tail_freedom(r)), r->n);
	return sequence_p(fmin(d2, known), r->n, (double)r->rows);
}

void
region_axes(const struct region *r)
{
	double least;

	if (r->state->axes || !r->cov)
		return;
	if (!eigen_symmetric(r->n, r->cov, r->eigenvalue, r->eigenvector))
		panic("GSL found no eigenvalues of a covariance matrix of %zu counters", r->n);
	/* What rounding took off. */
	least = EIGENVALUE_FLOOR * r->eigenvalue[r->n - 1];
	for (size_t k = 0; k < r->n; k++)
		r->eigenvalue[k] = fmax(r->eigenvalue[k], least);
	r->state->axes = true;
}

void
region_free(struct region *r)
{
	if (!r)
		return;
	free(r->sum);
	free(r->weight);
	free(r->mean);
	free(r->slack);
	free(r->cov);
	free(r->factor);
	free(r->eigenvalue);
	free(r->eigenvector);
	free(r->state);
	free(r);
}
