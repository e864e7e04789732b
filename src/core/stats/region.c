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
	struct region *of; /* region_axes() fills in what only readers of axes see */
};

/* Adds variance that does not come from the rows' noise. */
static void
add_extra(struct region *r, size_t i, double variance)
{
	r->making[i * r->n + i] += variance;
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
add_cell_errors(struct region *region, const struct samples *samples)
{
	double u = region->unit, part = samples->per_row > 1 ? 1 / (double)samples->per_row : 1;

	for (size_t i = 0; i < region->n && (samples->running || samples->error); i++) {
		double sum = 0, w = (double)region->weight[i];

		for (size_t m = 0; m < samples->n_rows; m++) {
			size_t cell = m * region->n + i;
			double p = samples->running ? samples->running[cell] : 1,
			       e = samples->error ? samples->error[cell] * part : 0;

			if (samples->counted && !samples->counted[cell])
				continue;
			if (p > 0 && p < 1)
				sum += fabs((double)samples->count[cell]) * u * part * (1 - p) / p;
			sum += e * e;
		}
		add_extra(region, i, sum / (w * w));
	}
}

/* Lifts all eigenvalues by 1e-13 of the largest. This needs no eigenvectors. It differs from lifting only the small
 * ones by a factor of at most 2, near the floor, and makes the region wider. The Frobenius norm stands for the largest
 * eigenvalue: it is never smaller, and not much larger when a few factors make up the covariance. */
static void
floor_eigenvalues(struct region *r)
{
	size_t n = r->n;
	double least = EIGENVALUE_FLOOR * sqrt(dot(r->making, r->making, n * n));

	/* A second round is needed, if ever, when rounding left a slightly negative eigenvalue. */
	do {
		for (size_t i = 0; i < n; i++)
			add_extra(r, i, least);
		least *= 2;
	} while (!matrix_cholesky(n, r->making, 0, r->spread.factor));
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
	dot_scale(r->making, r->inflation, r->n * r->n);
	dot_scale(r->spread.factor, sqrt(r->inflation), r->n * r->n);
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

/* Folds a covariance into its factor, which the result takes over. */
static struct region_spread
spread_of(size_t n, const double *cov, double *factor)
{
	struct region_spread spread = {.factor = factor, .variance = mem_new_array(n, sizeof *spread.variance)};

	for (size_t i = 0; i < n; i++) {
		spread.variance[i] = cov[i * n + i];
		for (size_t j = 0; j < i; j++)
			factor[j * n + i] = cov[i * n + j];
	}
	return spread;
}

/* Makes the covariance of the proportions, P Σ Pᵀ with P = 1 − mean e_loadᵀ / mean_load. Along the mean it
 * adds so much variance that the origin is REGION_KNOWN_SCALE deviations away. P does not change what a true model's
 * counters do next to the load. So the change makes only those refutations easier that all rows support, whatever their
 * load. */
static void
separate_scale(struct region *region, const struct centred *centred, struct spectra_book *book)
{
	size_t n = region->n, load = region->noise ? noise_load(region->noise) : n;
	double *shape, *factor, known;

	if (n < 2 || load == n || !(region->mean[load] > 0))
		return;
	known = region->mean[load] * region->mean[load] / region->making[load * n + load];
	if (known > REGION_KNOWN_SCALE * REGION_KNOWN_SCALE / region->inflation)
		return;
	shape = mem_copy(region->making, n * n * sizeof *shape);
	for (size_t i = 0; i < n; i++)
		dot_subtract(shape + i * n, region->mean[i] / region->mean[load], region->making + load * n, n);
	for (size_t i = 0; i < n; i++) {
		double at = shape[i * n + load] / region->mean[load];

		dot_subtract(shape + i * n, at, region->mean, n);
		dot_subtract(shape + i * n,
			-region->mean[i] * region->inflation / (REGION_KNOWN_SCALE * REGION_KNOWN_SCALE), region->mean,
			n);
		shape[i * n + i] += region->extra[i] * region->inflation;
		for (size_t j = 0; j < i; j++)
			shape[j * n + i] = shape[i * n + j];
	}
	factor = mem_new_array(n * n, sizeof *factor);
	if (matrix_cholesky(n, shape, 0, factor)) {
		region->bursty = true;
		region->load = load;
		region->load_freedom = freedom_of_load(region, centred, load);
		region->shape = spread_of(n, shape, factor);
		region->proportions = noise_new_in_proportion(centred, region->weight, region->mean, load, book);
	} else {
		free(factor);
	}
	free(shape);
}

/* Looks for noise in time in rows that the caller states to be independent. It changes nothing but the doubt. */
static void
doubt_independence(struct region *region, const struct centred *whole)
{
	struct noise *noise = noise_new(whole, region->weight, region->making, NULL);
	struct noise_fit fit;

	if (!noise)
		return;
	fit = noise_fit(noise, false);
	if (fit.of_rest.factor > 1 && fit.of_rest.share > 0) {
		region->denied_lag = fmax(noise_lag(noise, whole, region->weight), 1e-3);
		region->denied_effective = region->effective / fit.of_rest.factor;
	}
	noise_free(noise);
}

/* Fills in Σ and all that belongs to it. Returns false when the rows do not make two stretches that have every counter.
 */
static bool
take_noise(struct region *region, const struct samples *samples)
{
	struct centred *centred = centred_new(samples, region->sum, region->weight),
		       *whole = centred->here ? centred_whole(centred) : centred;
	bool enough = whole->k >= 2;

	if (enough) {
		centred_covariance(whole, region->weight, region->making);
		region->freedom = (double)whole->k - 1;
		region->noise = samples->independent || samples->random_turns
			? NULL
			: noise_new(whole, region->weight, region->making, samples->book);
		region->few = !samples->independent && !samples->random_turns && !region->noise;
		region->effective = (double)whole->k * (double)region->rows / (double)centred->k /
			time_within(region, centred);
		if (samples->independent && !samples->random_turns)
			doubt_independence(region, whole);
		if (region->noise) {
			region->fit = noise_fit(region->noise, samples->peeked);
			noise_apply(region->noise, &region->fit, region->making);
			if (region->fit.of_rest.factor > 1 && region->fit.of_rest.share > 0)
				region->lag = fmax(noise_lag(region->noise, whole, region->weight), 1e-3);
			region->effective /= fmax(1, region->fit.of_rest.factor);
		}
		floor_variances(region);
		add_cell_errors(region, samples);
		floor_eigenvalues(region);
		region_widen(region);
		separate_scale(region, whole, samples->book);
	}
	if (whole != centred)
		centred_free(whole);
	centred_free(centred);
	return enough;
}

/* Returns whether every cell of a single row states its error. One row is no sample, but its source may have averaged
 * several runs and know how exact the mean is. A counter that never counted has no error to state; it is taken to be
 * known to 1. */
static bool
all_stated(const struct region *region, const struct samples *samples)
{
	bool some = false;

	if (!samples->error || samples->n_rows != 1 || region->point)
		return false;
	for (size_t i = 0; i < region->n; i++) {
		if (!region->weight[i] || (!(samples->error[i] > 0) && samples->count[i] != 0))
			return false;
		some |= samples->error[i] > 0;
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
		r->making[i * r->n + i] = s->error[i] > 0 ? 0 : 1;
	floor_variances(r);
	add_cell_errors(r, s);
	floor_eigenvalues(r);
	inflate(r, stated_quantile((double)r->n, r->freedom));
}

/* Computes how far the means may be off because counters were not read at the same moment. Differences of reads
 * telescope: within an unbroken run of rows, only the first and the last border matter, each by at most 1 per task and
 * event for the two together. Cells that are extrapolated by different factors do not cancel at their common border. */
static void
take_slack(struct region *region, const struct samples *samples)
{
	region->slack = mem_new_array(region->n, sizeof *region->slack);
	for (size_t i = 0; i < region->n; i++) {
		double runs = 0, before = 0, torn;

		for (size_t m = 0; m < samples->n_rows; m++) {
			size_t cell = m * region->n + i;
			bool here = !samples->counted || samples->counted[cell];
			bool scaled = samples->running && samples->running[cell] > 0 && samples->running[cell] < 1;
			double factor = !here ? 0 : scaled ? 1 / samples->running[cell] : 1;

			/* Each change of the factor contributes half of its size. The factor is 0 before and after a
			 * run of rows. */
			runs += fabs(factor - before) / 2;
			before = factor;
		}
		runs += before / 2;
		torn = samples->tasks * (samples->parts ? (double)samples->parts[i] : 1) * runs;
		/* Rounded up, so that it is never less than the exact value. */
		region->slack[i] = torn > 0
			? nextafter(torn / (double)(region->weight[i] ? region->weight[i] : 1) * region->unit, INFINITY)
			: 0;
	}
}

/* For a point: takes over how far totals may be off. */
static void
take_tolerance(struct region *region, const struct samples *samples)
{
	double per_row = samples->per_row > 1 ? (double)samples->per_row : 1,
	       least = LEAST_TOLERANCE * region->unit * per_row, most = 0;
	const double *tolerance = samples->tolerance;

	for (size_t i = 0; i < region->n && tolerance; i++)
		most = fmax(most, tolerance[i]);
	if (!(most > 0))
		return;
	region->slack = mem_new_array(region->n, sizeof *region->slack);
	for (size_t i = 0; i < region->n; i++)
		region->slack[i] = fmax(tolerance[i], least) /
			((double)(region->weight[i] ? region->weight[i] : 1) * per_row);
}

/* Adds how far the means may be off for reasons that the caller knows. */
static void
take_bias(struct region *region, const struct samples *samples)
{
	double least = region->point ? LEAST_TOLERANCE * region->unit : 0, most = 0;

	for (size_t i = 0; i < region->n && samples->bias; i++)
		most = fmax(most, samples->bias[i]);
	if (!(most > 0))
		return;
	if (!region->slack)
		region->slack = mem_new_array(region->n, sizeof *region->slack);
	for (size_t i = 0; i < region->n; i++) {
		double sum = region->slack[i] + samples->bias[i];

		/* Rounded up, so that it is never less than the exact sum. */
		region->slack[i] = fmax(
			samples->bias[i] > 0 && region->slack[i] > 0 ? nextafter(sum, INFINITY) : sum, least);
	}
}

bool
region_has_noise_model(const struct region *r)
{
	return r->spread.factor != NULL;
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

	r->making = mem_new_array(n * n, sizeof *r->making);
	r->spread.factor = mem_new_array(n * n, sizeof *r->spread.factor);
	r->extra = mem_new_array(n, sizeof *r->extra);
}

void
region_find_axes(struct region *r)
{
	double *cov = r->making ? NULL : region_covariance(r);

	r->eigenvalue = mem_new_array(r->n, sizeof *r->eigenvalue);
	r->eigenvector = mem_new_array(r->n * r->n, sizeof *r->eigenvector);
	if (!matrix_eigen(r->n, cov ? cov : r->making, r->eigenvalue, r->eigenvector))
		panic("GSL found no eigenvalues of a covariance matrix of %zu counters", r->n);
	free(cov);
}

double *
region_covariance(const struct region *r)
{
	double *cov = mem_new_array(r->n * r->n, sizeof *cov);

	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j < r->n; j++)
			cov[i * r->n + j] = spread_at(&r->spread, r->n, i, j);
	return cov;
}

void
region_fold(struct region *r)
{
	if (r->making) {
		r->spread = spread_of(r->n, r->making, r->spread.factor);
	} else {
		free(r->spread.factor);
		r->spread.factor = NULL;
	}
	free(r->making);
	r->making = NULL;
}

struct region *
region_new(const struct samples *given, bool exact)
{
	struct region *region = mem_new(sizeof *region);
	struct samples s = *given;
	unsigned char *use = exact ? NULL : region_choose_cells(given, &s.n_rows);
	size_t n = s.n_counters;
	bool stated;

	*region = (struct region){.n = n, .rows = s.n_rows, .left_out = given->n_rows - s.n_rows, .uneven = n,
		.point = exact, .decimals = s.decimals, .effective = (double)s.n_rows, .inflation = 1,
		.unit = samples_unit(given), .locked = s.locked && !exact, .random_turns = s.random_turns && !exact};
	s.n_rows = given->n_rows;
	s.counted = use ? use : given->counted;
	region->sum = mem_new_array(n, sizeof *region->sum);
	region->weight = mem_new_array(n, sizeof *region->weight);
	region->mean = mem_new_array(n, sizeof *region->mean);
	region->state = mem_new(sizeof *region->state);
	region->state->of = region;
	region_take_sums(region, &s);
	if (exact) {
		take_tolerance(region, &s);
		take_bias(region, &s);
	}
	stated = all_stated(region, &s);
	if (!stated && !has_enough_rows(region)) {
		free(use);
		return region;
	}
	region_make_room(region);
	if (stated) {
		take_stated(region, &s);
	} else if (!take_noise(region, &s)) {
		free(region->making);
		region->making = NULL;
	}
	if (region->making && use && !region->left_out)
		region->uneven = region_find_uneven(region, &s);
	region->peeked = s.peeked && region->making && !stated;
	if (s.tasks > 0)
		take_slack(region, &s);
	if (!exact)
		take_bias(region, &s);
	if (!exact && !stated)
		region_take_steps(region, &s);
	region_fold(region);
	free(use);
	return region;
}

void
region_set_totals(struct region *region, const struct samples *s, const i128 *sum, const int64_t *weight,
	size_t samples, double worth)
{
	double per_row = s->per_row > 1 ? (double)s->per_row : 1, whole = pow(10, -region->decimals);

	for (size_t i = 0; i < region->n; i++) {
		if (region->slack && weight[i])
			region->slack[i] *= (double)region->weight[i] * per_row / (double)weight[i];
		region->sum[i] = sum[i];
		region->weight[i] = weight[i];
		region->mean[i] = weight[i] ? (double)sum[i] / (double)weight[i] * whole : 0;
	}
	if (region->point)
		return;
	region->rows = samples;
	region->left_out *= s->per_row > 1 ? s->per_row : 1;
	region->effective = fmin((double)samples, region->effective * per_row / fmax(1, worth));
}

int64_t
region_add_up(struct region *region)
{
	int64_t rows = region->n ? region->weight[0] : 0;

	for (size_t i = 0; i < region->n; i++)
		if (region->weight[i] != rows)
			return 1;
	if (!region->point || rows < 2)
		return 1;
	for (size_t i = 0; i < region->n; i++) {
		region->weight[i] = 1;
		region->mean[i] = (double)region->sum[i] * pow(10, -region->decimals);
		/* Rounded up, so that it is never less than the exact product. */
		if (region->slack)
			region->slack[i] = nextafter(region->slack[i] * (double)rows, INFINITY);
	}
	return rows;
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
region_axes(const struct region *region)
{
	double least;

	if (!region->spread.factor || !region->state || region->eigenvalue)
		return;
	if (region->state->of != region)
		panic("the axes of a copied region were asked for");
	region_find_axes(region->state->of);
	/* Restores what rounding took off. */
	least = EIGENVALUE_FLOOR * region->eigenvalue[region->n - 1];
	for (size_t k = 0; k < region->n; k++)
		region->eigenvalue[k] = fmax(region->eigenvalue[k], least);
}

void
region_free(struct region *region)
{
	if (!region)
		return;
	free(region->sum);
	free(region->weight);
	free(region->mean);
	free(region->slack);
	free(region->making);
	free(region->spread.factor);
	free(region->spread.variance);
	free(region->extra);
	free(region->shape.factor);
	free(region->shape.variance);
	noise_free(region->proportions);
	noise_free(region->noise);
	free(region->eigenvalue);
	free(region->eigenvector);
	free(region->state);
	free(region);
}
