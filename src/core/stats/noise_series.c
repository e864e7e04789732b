/* From rows to series: computes the cosine coefficients, and subtracts the loads from them. */
#include "core/stats/noise_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/stats/centred.h"
#include "core/stats/dot_product.h"

#define PI 3.14159265358979323846
#define ROWS_PER_LOAD 15 /* one more load is subtracted for each so many rows */
/* after the first load: share of the other counters that a counter must explain to count as a load */
#define COMMON 0.6
#define LEAST_LOAD 0.2   /* of its mean: rows with less load are left out of proportions */
/* relative difference below which two counters explain equally much; then the first one is the load */
#define TIE 1e-9

/* A cosine of even number takes the same values in both halves of the rows, one of odd number opposite values. So the
 * sums of both halves, then their differences, are enough. */
static void
fold_rows(const double *x, size_t k, double *fold)
{
	size_t half = (k + 1) / 2;

	for (size_t t = 0; t < half; t++) {
		double other = 2 * t + 1 == k ? 0 : x[k - 1 - t];

		fold[t] = x[t] + other;
		fold[half + t] = x[t] - other;
	}
}

static void
take_waves(struct noise *noise, const struct centred *centred, const int64_t *weight)
{
	double k = (double)noise->k, *cosine, *fold;
	size_t number[SPECTRA_WAVES], half = (noise->k + 1) / 2;

	cosine = mem_new_array(half, sizeof *cosine);
	fold = mem_new_array(2 * noise->n * half, sizeof *fold);
	for (size_t i = 0; i < noise->n; i++)
		fold_rows(centred->x + i * centred->k, noise->k, fold + 2 * i * half);
	spectra_waves(noise->k, number);
	for (size_t j = 0; j < noise->waves; j++) {
		double a = PI * (double)number[j] / k, scale = sqrt(2 / k) * k, two = 2 * cos(a);
		double before = cos(a / 2), now = before; /* at t = −1 and t = 0 */

		for (size_t t = 0; t < half; t++) {
			double next = two * now - before;

			cosine[t] = now;
			before = now;
			now = next;
		}
		for (size_t i = 0; i < noise->n; i++)
			noise->wave[j * noise->n + i] =
				dot(fold + (2 * i + number[j] % 2) * half, cosine, half) * scale / (double)weight[i];
	}
	free(cosine);
	free(fold);
}

/* How much counter i explains of what the loads so far have left of the counters, summed over all counters. `inverse`
 * has 1 over what is left of each counter; 0 if it does not vary. */
static double
explained_by(const struct noise *z, const struct noise_left *left, size_t i, const double *inverse)
{
	const double *row = left->all + i * z->n;
	double sum = 0;

	for (size_t j = 0; j < z->n && z->alive[i]; j++)
		sum += row[j] * row[j] * inverse[j];
	return sum * inverse[i];
}

static void
invert(const struct noise *z, const struct noise_left *left, double *inverse)
{
	for (size_t i = 0; i < z->n; i++)
		inverse[i] = z->alive[i] ? 1 / left->all[i * z->n + i] : 0;
}

/* Returns the entry of the symmetric `all`. */
static double
noise_of_both(const struct noise *z, size_t i, size_t j)
{
	return i < j ? z->all[j * (j + 1) / 2 + i] : z->all[i * (i + 1) / 2 + j];
}

static struct noise_left
noise_left_begin(const struct noise *z)
{
	size_t n = z->n;
	struct noise_left left = {.all = mem_new_array(n * n, sizeof *left.all),
		.wave = mem_copy(z->wave, z->waves * n * sizeof *left.wave)};

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			left.all[i * n + j] = noise_of_both(z, i, j);
	return left;
}

/* Subtracts from all counters what load number `at` explains of them. */
static void
noise_left_subtract(const struct noise *z, size_t at, struct noise_left *left)
{
	size_t n = z->n, p = z->load[at];
	const double *by = z->by + at * n;
	double *row = mem_copy(left->all + p * n, n * sizeof *row);

	for (size_t i = 0; i < n; i++)
		dot_subtract(left->all + i * n, by[i], row, n);
	for (size_t j = 0; j < z->waves; j++)
		dot_subtract(left->wave + j * n, z->load_wave[j * NOISE_LOADS + at], by, n);
	free(row);
}

struct noise_left
noise_left_new(const struct noise *z)
{
	struct noise_left left = noise_left_begin(z);

	for (size_t at = 0; at < z->n_loads; at++)
		noise_left_subtract(z, at, &left);
	return left;
}

void
noise_left_free(struct noise_left *left)
{
	free(left->all);
	free(left->wave);
}

/* Makes counter p a load and subtracts its share from all others. */
static void
noise_series_take_out(struct noise *noise, struct noise_left *left, size_t p)
{
	size_t n = noise->n, at = noise->n_loads++;
	const double *row = left->all + p * n;

	noise->load[at] = p;
	noise->own[at] = row[p];
	for (size_t i = 0; i < n; i++)
		noise->by[at * n + i] = row[i] / row[p];
	for (size_t j = 0; j < noise->waves; j++)
		noise->load_wave[j * NOISE_LOADS + at] = left->wave[j * n + p];
	noise_left_subtract(noise, at, left);
	for (size_t i = 0; i < n; i++)
		noise->alive[i] = noise->alive[i] && i != p &&
			left->all[i * n + i] > NOISE_GONE * noise_of_both(noise, i, i);
}

/* Loads are what most counters have in common. One load is always subtracted, because a model says nothing about how
 * much work is done. More are subtracted while one counter explains a good part of all others and there are enough
 * rows.
 *
 * The remaining series may be correlated with each other, and then they repeat the same evidence. So they count as many
 * independent series as their number squared over the sum of their squared correlations. */
static void
take_loads_out(struct noise *noise)
{
	double squares = 0, n = 0, *inverse = mem_new_array(noise->n, sizeof *inverse);
	struct noise_left left = noise_left_begin(noise);

	for (size_t i = 0; i < noise->n; i++)
		noise->alive[i] = noise_of_both(noise, i, i) > 0;
	while (noise->n_loads < NOISE_LOADS && noise->n_loads <= noise->k / ROWS_PER_LOAD) {
		size_t best = noise->n;
		double most = 0, living = 0;

		invert(noise, &left, inverse);
		for (size_t i = 0; i < noise->n; i++) {
			double by = explained_by(noise, &left, i, inverse);

			living += noise->alive[i];
			if (by > most * (1 + TIE)) {
				most = by;
				best = i;
			}
		}
		if (best == noise->n || living < 2 || (noise->n_loads && most < COMMON * living))
			break;
		noise_series_take_out(noise, &left, best);
	}
	invert(noise, &left, inverse);
	for (size_t i = 0; i < noise->n; i++) {
		n += noise->alive[i];
		squares += explained_by(noise, &left, i, inverse);
	}
	free(inverse);
	noise_left_free(&left);
	noise->independent = squares > 0 ? n * n / squares : 0;
}

/* Counter i's rows with the first n_loads loads subtracted; `loads` holds the rows of these (k each). */
static void
noise_series_take_rows(const struct noise *z, const struct centred *c, const int64_t *weight, size_t i, size_t n_loads,
	const double *loads, double *x)
{
	memcpy(x, c->x + i * c->k, z->k * sizeof *x);
	dot_scale(x, (double)z->k / (double)weight[i], z->k);
	for (size_t l = 0; l < n_loads; l++)
		dot_subtract(x, z->by[l * z->n + i], loads + l * z->k, z->k);
}

/* The lag-1 autocorrelation of what the loads leave of each counter: products of neighbours over squares, averaged over
 * the counters, less its bias. */
double
noise_lag(const struct noise *noise, const struct centred *centred, const int64_t *weight)
{
	double *loads = mem_new_array(NOISE_LOADS * noise->k, sizeof *loads), *x = mem_new_array(noise->k, sizeof *x),
	       sum = 0, n = 0;

	for (size_t l = 0; l < noise->n_loads; l++)
		noise_series_take_rows(noise, centred, weight, noise->load[l], l, loads, loads + l * noise->k);
	for (size_t i = 0; i < noise->n; i++) {
		double square;

		if (!noise->alive[i])
			continue;
		noise_series_take_rows(noise, centred, weight, i, noise->n_loads, loads, x);
		square = dot(x, x, noise->k);
		sum += square > 0 ? dot(x, x + 1, noise->k - 1) / square : 0;
		n++;
	}
	free(loads);
	free(x);
	return n > 0 ? fmin(1, fmax(0, sum / n + 1 / (double)noise->k)) : 0;
}

struct noise *
noise_new(const struct centred *centred, const int64_t *weight, const double *cov, struct spectra_book *book)
{
	size_t number[SPECTRA_WAVES];
	struct noise *noise;

	if (centred->k < NOISE_FEWEST || centred->here || centred->n == 0)
		return NULL;
	noise = mem_new(sizeof *noise);
	*noise = (struct noise){.n = centred->n,
		.k = centred->k,
		.waves = spectra_waves(centred->k, number),
		.nu = (double)(centred->k - 1),
		.book = book};
	noise->wave = mem_new_array(noise->waves * noise->n, sizeof *noise->wave);
	noise->all = mem_new_array(noise->n * (noise->n + 1) / 2, sizeof *noise->all);
	for (size_t i = 0; i < noise->n; i++)
		memcpy(noise->all + i * (i + 1) / 2, cov + i * noise->n, (i + 1) * sizeof *noise->all);
	noise->by = mem_new_array(NOISE_LOADS * noise->n, sizeof *noise->by);
	noise->load_wave = mem_new_array(noise->waves * NOISE_LOADS, sizeof *noise->load_wave);
	noise->alive = mem_new_array(noise->n, sizeof *noise->alive);
	noise->asked = mem_new(sizeof *noise->asked);
	take_waves(noise, centred, weight);
	dot_scale(noise->all, noise->nu * (double)noise->k, noise->n * (noise->n + 1) / 2);
	take_loads_out(noise);
	return noise;
}

struct noise *
noise_new_in_proportion(const struct centred *centred, const int64_t *weight, const double *mean, size_t load,
	struct spectra_book *book)
{
	struct centred in = {.n = centred->n};
	int64_t *rows = mem_new_array(centred->n, sizeof *rows);
	double *scale = mem_new_array(centred->k, sizeof *scale), *cov;
	struct noise *noise;

	if (centred->here)
		panic("rows with gaps were taken in proportion");
	for (size_t t = 0; t < centred->k; t++) {
		double now = centred->x[load * centred->k + t] * (double)centred->k / (double)weight[load] + mean[load];

		scale[t] = now >= LEAST_LOAD * mean[load] ? mean[load] / now : 0;
		in.k += scale[t] > 0;
	}
	in.x = mem_new_array(in.n * in.k + 1, sizeof *in.x);
	for (size_t i = 0; i < centred->n; i++) {
		double *x = in.x + i * in.k, sum = 0;
		size_t at = 0;

		rows[i] = (int64_t)in.k;
		for (size_t t = 0; t < centred->k; t++)
			if (scale[t] > 0)
				sum += x[at++] = (centred->x[i * centred->k + t] * (double)centred->k /
								 (double)weight[i] +
							 mean[i]) *
					scale[t];
		for (size_t t = 0; t < in.k; t++)
			x[t] -= sum / (double)in.k;
	}
	cov = mem_new_array(in.n * in.n, sizeof *cov);
	centred_covariance(&in, rows, cov);
	noise = noise_new(&in, rows, cov, book);
	free(cov);
	free(in.x);
	free(rows);
	free(scale);
	return noise;
}

void
noise_free(struct noise *noise)
{
	if (!noise)
		return;
	free(noise->wave);
	free(noise->all);
	free(noise->by);
	free(noise->load_wave);
	free(noise->alive);
	spectra_drop(noise->book, noise->asked->forms);
	free(noise->asked->of_rest);
	free(noise->asked);
	free(noise);
}

void
noise_energy_of_series(const struct noise *z, const double *wave, double all, struct noise_energy *e)
{
	*e = (struct noise_energy){.dims = 1, .rest = z->nu};
	for (size_t j = 0; j < z->waves && all > 0; j++) {
		e->wave[j] = wave[j] * wave[j] * z->nu / all;
		e->rest -= e->wave[j];
	}
	e->rest = fmax(e->rest, 1e-9);
}

void
noise_energy_of_rest(const struct noise *noise, const struct noise_left *left, struct noise_energy *energy)
{
	double n = 0;

	*energy = (struct noise_energy){.dims = noise->independent, .rest = noise->independent * noise->nu};
	for (size_t i = 0; i < noise->n; i++)
		n += noise->alive[i];
	for (size_t j = 0; j < noise->waves && n > 0; j++) {
		const double *wave = left->wave + j * noise->n;
		double sum = 0;

		for (size_t i = 0; i < noise->n; i++)
			if (noise->alive[i])
				sum += wave[i] * wave[i] / left->all[i * noise->n + i];
		energy->wave[j] = sum * noise->nu * noise->independent / n;
		energy->rest -= energy->wave[j];
	}
	energy->rest = fmax(energy->rest, 1e-9);
}

void
noise_energy_of_load(const struct noise *z, size_t at, struct noise_energy *e)
{
	double wave[SPECTRA_WAVES];

	for (size_t j = 0; j < z->waves; j++)
		wave[j] = z->load_wave[j * NOISE_LOADS + at];
	noise_energy_of_series(z, wave, z->own[at], e);
}

/* The sum of the energies over their variances; dims · nu for independent rows. */
static double
weighted(const struct noise_energy *e, const struct spectrum *s, size_t waves)
{
	double sum = e->rest / s->rest;

	for (size_t j = 0; j < waves; j++)
		sum += e->wave[j] / s->wave[j];
	return sum;
}

double
noise_energy_likelihood(const struct noise *z, const struct noise_energy *e, const struct spectrum *s)
{
	return -0.5 * e->dims * (s->log_all + z->nu * log(weighted(e, s, z->waves)));
}

double
noise_energy_factor(const struct noise *z, const struct noise_energy *e, const struct spectrum *s)
{
	return s->zero * weighted(e, s, z->waves) / (e->dims * z->nu);
}

size_t
noise_load(const struct noise *z)
{
	return z->load[0];
}

double
noise_variance(const struct noise *z, const double *a)
{
	double all = 0, *row = mem_new_array(z->n, sizeof *row);

	for (size_t i = 0; i < z->n; i++) {
		if (!(a[i] < 0 || a[i] > 0))
			continue;
		for (size_t j = 0; j < z->n; j++)
			row[j] = noise_of_both(z, i, j);
		all += a[i] * dot(a, row, z->n);
	}
	free(row);
	return fmax(all, 0) / (z->nu * (double)z->k);
}
