/* From samples to a confidence region, in this order:
 *
 *   1. choose the rows that are used
 *   2. exact sums, and with them the mean Y
 *   3. the covariance of the mean as if rows were independent (centred.h)
 *   4. change it to what the form of the noise in time makes of it (noise.h)
 *   5. add what samples do not show: floors, extrapolation, stated errors
 *   6. widen it, because so few rows give only an estimate */
#include "core/stats/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/stats/centred.h"
#include "core/stats/dot_product.h"
#include "core/stats/matrix.h"
#include "core/stats/noise.h"
#include "core/stats/region_rows.h"
#include "core/stats/sequence.h"
#include "core/stats/tails.h"

#define RELATIVE_FLOOR 1e-7    /* least standard error of a mean, relative to the mean */
#define EIGENVALUE_FLOOR 1e-13 /* of the largest eigenvalue */
#define REFERENCE 0.99         /* confidence at which the widening of an ellipsoid from few rows is exact */
/* counts: tolerance of a counter without one, if others have one; a thousand of them make one count */
#define LEAST_TOLERANCE 1e-3

struct region_state {
	bool axes;
};

/* Adds variance that does not come from the rows' noise. */
static void
add_extra(struct region *r, size_t i, double variance)
{
	r->cov[i * r->n + i] += variance;
	r->extra[i] += variance;
}

/* Adds the least variances: counts are whole numbers, and a standard error below 1e-7 of the mean is an artefact
 * (docs/numerics.md). */
static void
floor_variances(struct region *r)
{
	double u = r->unit;

	for (size_t i = 0; i < r->n; i++) {
		double relative = RELATIVE_FLOOR * r->mean[i];

		add_extra(r, i, u * u / (12.0 * (double)r->weight[i]) + relative * relative);
	}
}

/* Adds the errors of cells, which samples cannot show. If a cell V was extrapolated from a share p of its interval, the
 * number of events in the share is binomial. That adds V (1 − p)/p to its variance. A cell with a stated standard error
 * e adds e². */
static void
add_cell_errors(struct region *r, const struct samples *s)
{
	double u = r->unit, part = s->per_row > 1 ? 1 / (double)s->per_row : 1;

	for (size_t i = 0; i < r->n && (s->running || s->error); i++) {
		double sum = 0, w = (double)r->weight[i];

		for (size_t m = 0; m < s->n_rows; m++) {
			size_t cell = m * r->n + i;
			double p = s->running ? s->running[cell] : 1, e = s->error ? s->error[cell] * part : 0;

			if (s->counted && !s->counted[cell])
				continue;
			if (p > 0 && p < 1)
				sum += fabs((double)s->count[cell]) * u * part * (1 - p) / p;
			sum += e * e;
		}
		add_extra(r, i, sum / (w * w));
	}
}

/* Lifts all eigenvalues by 1e-13 of the largest. This needs no eigenvectors. It differs from lifting only the small
 * ones by a factor of at most 2, near the floor, and makes the region wider. The Frobenius norm stands for the largest
 * eigenvalue: it is never smaller, and not much larger when a few factors make up the covariance. */
static void
floor_eigenvalues(struct region *r)
{
	size_t n = r->n;
	double least = EIGENVALUE_FLOOR * sqrt(dot(r->cov, r->cov, n * n));

	/* A second round is needed, if ever, when rounding left a slightly negative eigenvalue. */
	do {
		for (size_t i = 0; i < n; i++)
			add_extra(r, i, least);
		least *= 2;
	} while (!matrix_cholesky(n, r->cov, 0, r->factor));
}

/* If a block holds many rows: how many of its rows are worth one independent row. */
static double
time_within(const struct region *r, const struct centred *c)
{
	double most = 1;

	for (size_t i = 0; i < r->n && c->within; i++)
		if (c->within[i] > 0)
			most = fmax(most, dot(c->x + i * c->k, c->x + i * c->k, c->k) / c->within[i]);
	/* Two variances with so many degrees of freedom differ by chance; a ratio within 5 standard deviations counts
	 * as 1. */
	return most > 1 + 5 * sqrt(2 / (double)c->k) ? most : 1;
}

/* Multiplies Σ so that the threshold of χ² becomes this one, at the confidence REFERENCE; it never becomes smaller. */
static void
inflate(struct region *r, double threshold2)
{
	r->inflation = fmax(1, threshold2 / chi2_quantile(REFERENCE, r->n));
	dot_scale(r->cov, r->inflation, r->n * r->n);
	dot_scale(r->factor, sqrt(r->inflation), r->n * r->n);
}

/* Widens the ellipsoid. Because the covariance is an estimate, Hotelling's T² gives the size that holds at 99 %. */
static void
region_widen(struct region *r)
{
	double dims = (double)r->n;

	r->open = r->freedom < dims;
	inflate(r, hotelling_quantile(REFERENCE, dims, fmax(r->freedom, dims)));
}

/* The degrees of freedom of proportions. Only rows with some load say anything about them: n rows with the loads x are
 * worth (Σ x)² / Σ x² rows of equal load (Kish, Survey Sampling, 1965, section 8.2), less 1 for the mean. */
static double
freedom_of_load(const struct region *r, const struct centred *c, size_t load)
{
	double row = r->mean[load] * (double)r->weight[load] / (double)c->k, squares = 0;

	for (size_t m = 0; m < c->k; m++)
		squares += (c->x[load * c->k + m] + row) * (c->x[load * c->k + m] + row);
	return fmin(r->freedom, row * row * (double)c->k * (double)c->k / squares - 1);
}

/* Makes the covariance of the proportions, `shape` = P Σ Pᵀ with P = 1 − mean e_loadᵀ / mean_load. Along the mean it
 * adds so much variance that the origin is REGION_KNOWN_SCALE deviations away. P does not change what a true model's
 * counters do next to the load. So the change makes only those refutations easier that all rows support, whatever their
 * load. */
static void
separate_scale(struct region *r, const struct centred *c)
{
	size_t n = r->n, load = r->noise ? noise_load(r->noise) : n;
	double *shape, known;

	if (n < 2 || load == n || !(r->mean[load] > 0))
		return;
	known = r->mean[load] * r->mean[load] / r->cov[load * n + load];
	if (known > REGION_KNOWN_SCALE * REGION_KNOWN_SCALE / r->inflation)
		return;
	shape = mem_copy(r->cov, n * n * sizeof *shape);
	for (size_t i = 0; i < n; i++)
		dot_subtract(shape + i * n, r->mean[i] / r->mean[load], r->cov + load * n, n);
	for (size_t i = 0; i < n; i++) {
		double at = shape[i * n + load] / r->mean[load];

		dot_subtract(shape + i * n, at, r->mean, n);
		dot_subtract(shape + i * n, -r->mean[i] * r->inflation / (REGION_KNOWN_SCALE * REGION_KNOWN_SCALE),
			r->mean, n);
		shape[i * n + i] += r->extra[i] * r->inflation;
		for (size_t j = 0; j < i; j++)
			shape[j * n + i] = shape[i * n + j];
	}
	r->shape_factor = mem_new_array(n * n, sizeof *r->shape_factor);
	if (matrix_cholesky(n, shape, 0, r->shape_factor)) {
		r->bursty = true;
		r->load = load;
		r->load_freedom = freedom_of_load(r, c, load);
		r->shape = shape;
		r->proportions = noise_new_in_proportion(c, r->weight, r->mean, load);
		return;
	}
	free(shape);
	free(r->shape_factor);
	r->shape_factor = NULL;
}

/* Looks for noise in time in rows that the caller states to be independent. It changes nothing but the doubt. */
static void
doubt_independence(struct region *r, const struct centred *whole)
{
	struct noise *z = noise_new(whole, r->weight, r->cov);
	struct noise_fit fit;

	if (!z)
		return;
	fit = noise_fit(z, false);
	if (fit.of_rest.factor > 1 && fit.of_rest.share > 0) {
		r->denied_lag = fmax(noise_lag(z, whole, r->weight), 1e-3);
		r->denied_effective = r->effective / fit.of_rest.factor;
	}
	noise_free(z);
}

/* Fills in Σ and all that belongs to it. False when the rows do not make two stretches that have every counter. */
static bool
take_noise(struct region *r, const struct samples *s)
{
	struct centred *c = centred_new(s, r->sum, r->weight), *whole = c->here ? centred_whole(c) : c;
	bool enough = whole->k >= 2;

	if (enough) {
		centred_covariance(whole, r->weight, r->cov);
		r->freedom = (double)whole->k - 1;
		r->noise = s->independent || s->random_turns ? NULL : noise_new(whole, r->weight, r->cov);
		r->few = !s->independent && !s->random_turns && !r->noise;
		r->effective = (double)whole->k * (double)r->rows / (double)c->k / time_within(r, c);
		if (s->independent && !s->random_turns)
			doubt_independence(r, whole);
		if (r->noise) {
			r->fit = noise_fit(r->noise, s->peeked);
			noise_apply(r->noise, &r->fit, r->cov);
			if (r->fit.of_rest.factor > 1 && r->fit.of_rest.share > 0)
				r->lag = fmax(noise_lag(r->noise, whole, r->weight), 1e-3);
			r->effective /= fmax(1, r->fit.of_rest.factor);
		}
		floor_variances(r);
		add_cell_errors(r, s);
		floor_eigenvalues(r);
		region_widen(r);
		separate_scale(r, whole);
	}
	if (whole != c)
		centred_free(whole);
	centred_free(c);
	return enough;
}

/* Whether every cell of a single row states its error. One row is no sample, but its source may have averaged several
 * runs and know how exact the mean is. A counter that never counted has no error to state; it is taken to be known to
 * 1. */
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

/* The quantile of d² when errors are stated. Each error is an estimate from the runs that the row averages, so d² is a
 * sum of n squares of Student's t. Two bounds cover it. If many terms make the sum, it is the quantile of one
 * covariance with a common scale, n F(n, nu). If tails are so heavy that one term makes it (few runs), it is the
 * quantile of the largest term. tests/unit/region_noise.c compares both with simulated draws. */
static double
stated_quantile(double n, double nu)
{
	double common = n * fisher_quantile(REFERENCE, n, nu),
	       largest = fisher_quantile(1 - (1 - REFERENCE) / n, 1, nu) + n - 1;

	return fmax(common, largest);
}

static void
take_stated(struct region *r, const struct samples *s)
{
	r->stated = true;
	/* An unknown number of runs may be as low as two. */
	r->freedom = fmax(1, s->runs - 1);
	for (size_t i = 0; i < r->n; i++)
		r->cov[i * r->n + i] = s->error[i] > 0 ? 0 : 1;
	floor_variances(r);
	add_cell_errors(r, s);
	floor_eigenvalues(r);
	inflate(r, stated_quantile((double)r->n, r->freedom));
}

/* Computes how far the means may be off because counters were not read at the same moment. Differences of reads
 * telescope: within an unbroken run of rows, only the first and the last border matter, each by at most 1 per task and
 * event for the two together. Cells that are extrapolated by different factors do not cancel at their common border. */
static void
take_slack(struct region *r, const struct samples *s)
{
	r->slack = mem_new_array(r->n, sizeof *r->slack);
	for (size_t i = 0; i < r->n; i++) {
		double runs = 0, before = 0, torn;

		for (size_t m = 0; m < s->n_rows; m++) {
			size_t cell = m * r->n + i;
			bool here = !s->counted || s->counted[cell];
			bool scaled = s->running && s->running[cell] > 0 && s->running[cell] < 1;
			double factor = !here ? 0 : scaled ? 1 / s->running[cell] : 1;

			/* Each change of the factor contributes half of its size. The factor is 0 before and after a
			 * run of rows. */
			runs += fabs(factor - before) / 2;
			before = factor;
		}
		runs += before / 2;
		torn = s->tasks * (s->parts ? (double)s->parts[i] : 1) * runs;
		/* Rounded up, so that it is never less than the exact value. */
		r->slack[i] =
			torn > 0 ? nextafter(torn / (double)(r->weight[i] ? r->weight[i] : 1) * r->unit, INFINITY) : 0;
	}
}

/* For a point: takes over how far totals may be off. */
static void
take_tolerance(struct region *r, const struct samples *s)
{
	double per_row = s->per_row > 1 ? (double)s->per_row : 1, least = LEAST_TOLERANCE * r->unit * per_row, most = 0;
	const double *tolerance = s->tolerance;

	for (size_t i = 0; i < r->n && tolerance; i++)
		most = fmax(most, tolerance[i]);
	if (!(most > 0))
		return;
	r->slack = mem_new_array(r->n, sizeof *r->slack);
	for (size_t i = 0; i < r->n; i++)
		r->slack[i] = fmax(tolerance[i], least) / ((double)(r->weight[i] ? r->weight[i] : 1) * per_row);
}

/* Adds how far the means may be off for reasons that the caller knows. */
static void
take_bias(struct region *r, const struct samples *s)
{
	double least = r->point ? LEAST_TOLERANCE * r->unit : 0, most = 0;

	for (size_t i = 0; i < r->n && s->bias; i++)
		most = fmax(most, s->bias[i]);
	if (!(most > 0))
		return;
	if (!r->slack)
		r->slack = mem_new_array(r->n, sizeof *r->slack);
	for (size_t i = 0; i < r->n; i++) {
		double sum = r->slack[i] + s->bias[i];

		/* Rounded up, so that it is never less than the exact sum. */
		r->slack[i] = fmax(s->bias[i] > 0 && r->slack[i] > 0 ? nextafter(sum, INFINITY) : sum, least);
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

void
region_make_room(struct region *r)
{
	size_t n = r->n;

	r->cov = mem_new_array(n * n, sizeof *r->cov);
	r->factor = mem_new_array(n * n, sizeof *r->factor);
	r->extra = mem_new_array(n, sizeof *r->extra);
	r->eigenvalue = mem_new_array(n, sizeof *r->eigenvalue);
	r->eigenvector = mem_new_array(n * n, sizeof *r->eigenvector);
}

struct region *
region_new(const struct samples *given, bool exact)
{
	struct region *r = mem_new(sizeof *r);
	struct samples s = *given;
	unsigned char *use = exact ? NULL : region_choose_cells(given, &s.n_rows);
	size_t n = s.n_counters;
	bool stated;

	*r = (struct region){.n = n, .rows = s.n_rows, .left_out = given->n_rows - s.n_rows, .uneven = n,
		.point = exact, .decimals = s.decimals, .effective = (double)s.n_rows, .inflation = 1,
		.unit = samples_unit(given), .locked = s.locked && !exact, .random_turns = s.random_turns && !exact};
	s.n_rows = given->n_rows;
	s.counted = use ? use : given->counted;
	r->sum = mem_new_array(n, sizeof *r->sum);
	r->weight = mem_new_array(n, sizeof *r->weight);
	r->mean = mem_new_array(n, sizeof *r->mean);
	r->state = mem_new(sizeof *r->state);
	region_take_sums(r, &s);
	if (exact) {
		take_tolerance(r, &s);
		take_bias(r, &s);
	}
	stated = all_stated(r, &s);
	if (!stated && !has_enough_rows(r)) {
		free(use);
		return r;
	}
	region_make_room(r);
	if (stated) {
		take_stated(r, &s);
	} else if (!take_noise(r, &s)) {
		free(r->cov);
		r->cov = NULL;
	}
	if (r->cov && use && !r->left_out)
		r->uneven = region_find_uneven(r, &s);
	r->peeked = s.peeked && r->cov && !stated;
	if (s.tasks > 0)
		take_slack(r, &s);
	if (!exact)
		take_bias(r, &s);
	if (!exact && !stated)
		region_take_steps(r, &s);
	free(use);
	return r;
}

void
region_set_totals(struct region *r, const struct samples *s, const i128 *sum, const int64_t *weight, size_t samples,
	double worth)
{
	double per_row = s->per_row > 1 ? (double)s->per_row : 1, whole = pow(10, -r->decimals);

	for (size_t i = 0; i < r->n; i++) {
		if (r->slack && weight[i])
			r->slack[i] *= (double)r->weight[i] * per_row / (double)weight[i];
		r->sum[i] = sum[i];
		r->weight[i] = weight[i];
		r->mean[i] = weight[i] ? (double)sum[i] / (double)weight[i] * whole : 0;
	}
	if (r->point)
		return;
	r->rows = samples;
	r->left_out *= s->per_row > 1 ? s->per_row : 1;
	r->effective = fmin((double)samples, r->effective * per_row / fmax(1, worth));
}

double
region_block(const struct region *r)
{
	return r->noise ? (double)r->rows / (r->freedom + 1) : 1;
}

/* The inflation of Σ is exact for one test at 99 %. The first tests of a sequence use much smaller tails, where an
 * estimate from few samples errs further. So there the bound is the value at which the tail of T² equals that of χ²,
 * the tail for a known Σ. */
double
region_threshold2(const struct region *r, double confidence)
{
	double dims = (double)r->n, left = fmax(1, r->freedom - dims + 1), q, few;

	if (!r->peeked)
		return chi2_quantile(confidence, r->n);
	q = sequence_threshold2(confidence, r->n, (double)r->rows);
	few = r->freedom * dims / left / r->inflation * fisher_beyond(chi2_tail(q, r->n), dims, left);
	return fmax(q, few);
}

double
region_p(const struct region *r, double d2)
{
	double dims = (double)r->n, left = fmax(1, r->freedom - dims + 1), known;

	if (!r->peeked)
		return chi2_tail(d2, r->n);
	known = chi2_beyond(fisher_tail(d2 * r->inflation * left / (r->freedom * dims), dims, left), r->n);
	return sequence_p(fmin(d2, known), r->n, (double)r->rows);
}

void
region_axes(const struct region *r)
{
	double least;

	if (!r->cov || !r->state || r->state->axes)
		return;
	if (!matrix_eigen(r->n, r->cov, r->eigenvalue, r->eigenvector))
		panic("GSL found no eigenvalues of a covariance matrix of %zu counters", r->n);
	/* Restores what rounding took off. */
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
	free(r->extra);
	free(r->shape);
	noise_free(r->proportions);
	free(r->shape_factor);
	noise_free(r->noise);
	free(r->eigenvalue);
	free(r->eigenvector);
	free(r->state);
	free(r);
}
