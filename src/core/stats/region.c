/* From samples to Y and Σ, in this order: the rows that are used; exact sums; the covariance of the means, as
 * independent rows have it; what the form of the noise in time makes of it (noise.h); then what does not show in
 * the samples: floors, extrapolation, stated errors; and all of it widened for what so few rows can know. */
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
#include "core/stats/noise.h"
#include "core/stats/sequence.h"
#include "core/stats/tails.h"

#define RELATIVE_FLOOR 1e-7    /* standard error of a mean, relative to it, that is never undercut */
#define EIGENVALUE_FLOOR 1e-13 /* of the largest eigenvalue */
#define REFERENCE 0.99         /* confidence at which the widening of an ellipsoid from few rows is exact */
#define LEAST_TOLERANCE 1e-3   /* counts: of a counter that has none beside others that have one; a thousand of them are no count yet */
#define COMPLETE_FEWEST ((size_t)16) /* rows without an empty cell, from which on the others are left out */
#define UNEVEN 3.5             /* deviations by which the load differs between rows with a counter and rows without */

struct region_state {
	bool axes;
};

double
samples_unit(const struct samples *s)
{
	return (s->decimals ? pow(10, -s->decimals) : 1) / (s->per_row > 1 ? (double)s->per_row : 1);
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
			r->mean[i] = (double)r->sum[i] / (double)r->weight[i] * r->unit;
}

/* A variance that is none of the rows' noise. */
static void
add_extra(struct region *r, size_t i, double variance)
{
	r->cov[i * r->n + i] += variance;
	r->extra[i] += variance;
}

/* Counts are whole numbers, and a standard error below 1e-7 of the mean is an artefact (docs/numerics.md). */
static void
floor_variances(struct region *r)
{
	double u = r->unit;

	for (size_t i = 0; i < r->n; i++) {
		double relative = RELATIVE_FLOOR * r->mean[i];

		add_extra(r, i, u * u / (12.0 * (double)r->weight[i]) + relative * relative);
	}
}

/* What the samples cannot show, on top. A cell that was extrapolated from a share p of its interval has a binomial
 * number of events in the share: that adds V (1 − p)/p to its variance. A cell with a stated standard error e adds
 * e². */
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

/* No eigenvalue below 1e-13 of the largest: that much is added to all of them, which needs no eigenvectors and
 * differs from lifting the small ones alone by no more than a factor of 2, near the floor, towards the wider
 * region. The Frobenius norm stands for the largest eigenvalue: it is no less, and not much more where a few
 * factors make up the covariance. */
static void
floor_eigenvalues(struct region *r)
{
	size_t n = r->n;
	double least = EIGENVALUE_FLOOR * sqrt(dot(r->cov, r->cov, n * n));

	/* More than once, if ever, where rounding left a slightly negative eigenvalue. */
	do {
		for (size_t i = 0; i < n; i++) {
			r->cov[i * n + i] += least;
			r->extra[i] += least;
		}
		least *= 2;
	} while (!cholesky(n, r->cov, 0, r->factor));
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

/* The ellipsoid of n counters with a covariance that is an estimate is Hotelling's, which holds at 99 % what is
 * promised there. */
static void
widen(struct region *r)
{
	double dims = (double)r->n;

	r->open = r->freedom < dims;
	r->inflation = fmax(1, hotelling_quantile(REFERENCE, dims, fmax(r->freedom, dims)) / chi2_quantile(REFERENCE, r->n));
	dot_scale(r->cov, r->inflation, r->n * r->n);
	dot_scale(r->factor, sqrt(r->inflation), r->n * r->n);
}

/* Degrees of freedom of proportions: only rows with some of the load say anything of them. n rows with the loads x are
 * worth (Σ x)² / Σ x² rows of equal load (Kish, Survey Sampling, 1965, section 8.2), less 1 for the mean. */
static double
freedom_of_load(const struct region *r, const struct centred *c, size_t load)
{
	double row = r->mean[load] * (double)r->weight[load] / (double)c->k, squares = 0;

	for (size_t m = 0; m < c->k; m++)
		squares += (c->x[load * c->k + m] + row) * (c->x[load * c->k + m] + row);
	return fmin(r->freedom, row * row * (double)c->k * (double)c->k / squares - 1);
}

/* Σ with P = 1 − mean e_loadᵀ / mean_load on both sides, P Σ Pᵀ, and along the mean what leaves the origin
 * REGION_KNOWN_SCALE deviations away. What a true model's counters do beside the load P leaves as it is, so nothing
 * is refuted more easily but what all rows deny, whatever their load. */
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
		dot_subtract(shape + i * n, -r->mean[i] * r->inflation / (REGION_KNOWN_SCALE * REGION_KNOWN_SCALE), r->mean, n);
		shape[i * n + i] += r->extra[i] * r->inflation;
		for (size_t j = 0; j < i; j++)
			shape[j * n + i] = shape[i * n + j];
	}
	r->shape_factor = mem_new_array(n * n, sizeof *r->shape_factor);
	if (cholesky(n, shape, 0, r->shape_factor)) {
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

/* Σ and all that belongs to it. False where there are no two stretches of rows that have every counter. */
static bool
take_noise(struct region *r, const struct samples *s)
{
	struct centred *c = centred_new(s, r->sum, r->weight), *whole = c->here ? centred_whole(c) : c;
	bool enough = whole->k >= 2;

	if (enough) {
		centred_covariance(whole, r->weight, r->cov);
		r->freedom = (double)whole->k - 1;
		r->noise = s->independent ? NULL : noise_new(whole, r->weight, r->cov);
		r->effective = (double)whole->k * (double)r->rows / (double)c->k / time_within(r, c);
		if (r->noise) {
			r->fit = noise_fit(r->noise, s->peeked);
			noise_apply(r->noise, &r->fit, r->cov);
			r->lag = r->fit.of_rest.factor > 1 && r->fit.of_rest.share > 0 ? fmax(noise_lag(r->noise, whole, r->weight), 1e-3) : 0;
			r->effective /= fmax(1, r->fit.of_rest.factor);
		}
		floor_variances(r);
		add_cell_errors(r, s);
		floor_eigenvalues(r);
		widen(r);
		separate_scale(r, whole);
	}
	if (whole != c)
		centred_free(whole);
	centred_free(c);
	return enough;
}

/* A single row is no sample, but its source may have taken the mean of several runs and say how well it knows it. A
 * counter that never counted has no error to state; it is taken to be known to 1. */
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

/* Each error is an estimate of its own, from the runs that the row is the mean of, so d² is a sum of n squares of
 * Student's t. Its quantile is bounded by that of one covariance with a common scale, n F(n, nu), where the sum is
 * made of many, and by that of the largest, where tails are so heavy that one makes it (few runs).
 * tests/unit/region_noise.c compares both with what is drawn. */
static double
stated_quantile(double n, double nu)
{
	double common = n * fisher_quantile(REFERENCE, n, nu), largest = fisher_quantile(1 - (1 - REFERENCE) / n, 1, nu) + n - 1;

	return fmax(common, largest);
}

static void
take_stated(struct region *r, const struct samples *s)
{
	double dims = (double)r->n;

	r->stated = true;
	/* A number of runs that is not known may be two. */
	r->freedom = fmax(1, s->runs - 1);
	for (size_t i = 0; i < r->n; i++)
		r->cov[i * r->n + i] = s->error[i] > 0 ? 0 : 1;
	floor_variances(r);
	add_cell_errors(r, s);
	floor_eigenvalues(r);
	r->inflation = fmax(1, stated_quantile(dims, r->freedom) / chi2_quantile(REFERENCE, r->n));
	dot_scale(r->cov, r->inflation, r->n * r->n);
	dot_scale(r->factor, sqrt(r->inflation), r->n * r->n);
}

/* Sums telescope: a counter read at the borders of its rows is torn at the first and at the last border of each
 * unbroken run of rows alone, by at most 1 per task and event between the two. Cells that are extrapolated by
 * unlike factors do not cancel at the borders between them. */
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
		r->slack[i] = torn > 0 ? nextafter(torn / (double)(r->weight[i] ? r->weight[i] : 1) * r->unit, INFINITY) : 0;
	}
}

/* Of a point: totals may be off by so much. */
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

/* A row with every counter, or with an empty cell? */
static bool
is_whole(const struct samples *s, size_t row)
{
	return !memchr(s->counted + row * s->n_counters, 0, s->n_counters);
}

/* The cells to be used: NULL for all, or an array of its own with rows that have an empty cell left out, or with
 * the cells as they are. */
static unsigned char *
choose_cells(const struct samples *s, size_t *rows)
{
	size_t n = s->n_counters, whole = 0;
	unsigned char *use;

	*rows = s->n_rows;
	if (!s->counted || !memchr(s->counted, 0, n * s->n_rows))
		return NULL;
	use = mem_copy(s->counted, n * s->n_rows);
	for (size_t m = 0; m < s->n_rows; m++)
		whole += is_whole(s, m);
	if (whole < COMPLETE_FEWEST || s->peeked)
		return use;
	*rows = whole;
	for (size_t m = 0; m < s->n_rows; m++)
		if (!is_whole(s, m))
			memset(use + m * n, 0, n);
	return use;
}

/* The others' mean level in the rows that have counter i, against that in the rows that lack it: by how many
 * deviations they differ. Of each row the level is the mean of count over mean of what was counted there. */
static double
level_differs(const struct region *r, const struct samples *s, size_t i)
{
	double n[2] = {0, 0}, sum[2] = {0, 0}, square[2] = {0, 0}, u = r->unit, variance;

	for (size_t m = 0; m < s->n_rows; m++) {
		const unsigned char *here = s->counted + m * r->n;
		double level = 0, seen = 0;

		for (size_t j = 0; j < r->n; j++)
			if (j != i && here[j] && r->mean[j] > 0) {
				level += (double)s->count[m * r->n + j] * u / r->mean[j];
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
	variance = (square[0] - sum[0] * sum[0] / n[0]) / (n[0] - 1) / n[0] + (square[1] - sum[1] * sum[1] / n[1]) / (n[1] - 1) / n[1];
	return variance > 0 ? fabs(sum[0] / n[0] - sum[1] / n[1]) / sqrt(variance) : 0;
}

/* The counter whose rows differ most from the others in their load; n where none differs by more than chance. */
static size_t
find_uneven(const struct region *r, const struct samples *s)
{
	double most = UNEVEN;
	size_t out = r->n;

	for (size_t i = 0; i < r->n; i++) {
		double by = level_differs(r, s, i);

		if (by > most) {
			most = by;
			out = i;
		}
	}
	return out;
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
	unsigned char *use = exact ? NULL : choose_cells(given, &s.n_rows);
	size_t n = s.n_counters;
	bool stated;

	*r = (struct region){.n = n, .rows = s.n_rows, .left_out = given->n_rows - s.n_rows, .uneven = n, .point = exact, .decimals = s.decimals,
		.effective = (double)s.n_rows, .inflation = 1, .unit = samples_unit(given),
		.locked = s.locked && !exact};
	s.n_rows = given->n_rows;
	s.counted = use ? use : given->counted;
	r->sum = mem_new_array(n, sizeof *r->sum);
	r->weight = mem_new_array(n, sizeof *r->weight);
	r->mean = mem_new_array(n, sizeof *r->mean);
	r->state = mem_new(sizeof *r->state);
	take_sums(r, &s);
	if (exact)
		take_tolerance(r, &s);
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
		r->uneven = find_uneven(r, &s);
	r->peeked = s.peeked && r->cov && !stated;
	if (s.tasks > 0)
		take_slack(r, &s);
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

/* The inflation of Σ is right at one look and 99 %. At the much smaller tails of a sequence's first looks an
 * estimate from few samples strays further than that: there the bound is where T² leaves as much as χ² would, were
 * Σ known. */
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
