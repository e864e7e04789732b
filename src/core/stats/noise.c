#include "core/stats/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/stats/centred.h"
#include "core/stats/cholesky.h"
#include "core/stats/dot.h"
#include "core/stats/spectra.h"
#include "core/stats/tails.h"

#define PI 3.14159265358979323846
#define ROWS_PER_LOAD 15 /* one more load is taken out for each so many rows */
#define COMMON 0.6    /* share of the others that one counter must explain to be taken for a load, after the first */
#define LEAST_LOAD 0.2 /* of its mean */
#define GONE 1e-9      /* of a counter's variance: what is left is rounding */
#define INDEPENDENT 0.8 /* weight of independent rows in what forms are compared with; the best of all forms has the rest */
#define MIDDLE 0.7     /* quantile of the factor, by the weight of the forms, that is taken for the fit */
#define ALONE_BELOW ((size_t)50) /* with fewer rows, slow noise of one counter alone does not show in all of them together */
#define NOT_EXCLUDED 3.0 /* less of ln L than the best form has */
#define SAID_BY_INDEPENDENT 12.0 /* series, at most, while independent rows explain them about as well as any form */
#define SAID_BY_OTHERS 6.0       /* … else: no form fits so well that hundreds of coefficients could be taken at their word */
#define TOLD 0.999     /* confidence by which rows are said to suffice */
#define SUSPICIOUS 2.0 /* deviations by which slow coefficients must stand out before forms are compared */

/* Coefficients of n series: those that are told apart, and all of them by their sums of products. */
struct noise {
	size_t n, k, waves;
	double nu;           /* k − 1 */
	double *wave;        /* waves × n */
	double *all;         /* n × n: Σ_j Λ_j Λ_jᵀ over all j = 1 … k−1 */
	size_t n_loads;      /* counters that explain most of the others are taken out of them, one after the other: */
	size_t load[NOISE_LOADS];
	double *by;          /* n_loads × n: how much of what a load has left when it is taken out is in each counter */
	double own[NOISE_LOADS]; /* … and its sum of squares */
	double *left;        /* n × n: `all` of what is left of the others; 0 for loads */
	double *left_wave;   /* waves × n: likewise */
	double *load_wave;   /* waves × n_loads */
	double lag;          /* correlation of neighbouring rows, in what is left of the others */
	double independent;  /* what is left of the others is worth so many independent series */
	bool *alive;         /* n: it varies */
};

/* Energies of one or more series at the slow frequencies, and what is left for the others; their sum over all is dims · nu if they are measured in
 * their own sample covariance. */
struct energy {
	double dims;
	double wave[SPECTRA_WAVES], rest;
};

static void
take_waves(struct noise *z, const struct centred *c, const int64_t *weight)
{
	double k = (double)z->k, *cosine = mem_new_array(z->k, sizeof *cosine);
	size_t number[SPECTRA_WAVES];

	spectra_waves(z->k, number);
	for (size_t j = 0; j < z->waves; j++) {
		double a = PI * (double)number[j] / k, scale = sqrt(2 / k) * k, two = 2 * cos(a);
		double before = cos(a / 2), now = before; /* of t = −1 and 0 */

		for (size_t t = 0; t < z->k; t++) {
			double next = two * now - before;

			cosine[t] = now;
			before = now;
			now = next;
		}
		for (size_t i = 0; i < z->n; i++)
			z->wave[j * z->n + i] = dot(c->x + i * c->k, cosine, z->k) * scale / (double)weight[i];
	}
	free(cosine);
}

static void
take_products(struct noise *z, const struct centred *c, const int64_t *weight)
{
	double k = (double)z->k;

	for (size_t i = 0; i < z->n; i++)
		for (size_t j = 0; j <= i; j++) {
			double s = dot(c->x + i * c->k, c->x + j * c->k, c->k) * k * k / ((double)weight[i] * (double)weight[j]);

			z->all[i * z->n + j] = z->all[j * z->n + i] = s;
		}
}

/* How many of the others a counter explains by itself, of what is left of them. */
static double
explained_by(const struct noise *z, size_t i)
{
	const double *row = z->left + i * z->n;
	double sum = 0;

	for (size_t j = 0; j < z->n && z->alive[i]; j++)
		if (z->alive[j])
			sum += row[j] * row[j] / (row[i] * z->left[j * z->n + j]);
	return sum;
}

/* Take a counter out of all others. */
static void
take_out(struct noise *z, size_t p)
{
	size_t n = z->n, at = z->n_loads++;
	double *by = z->by + at * n, *row = mem_copy(z->left + p * n, n * sizeof *row);

	z->load[at] = p;
	z->own[at] = row[p];
	for (size_t i = 0; i < n; i++)
		by[i] = row[i] / row[p];
	for (size_t i = 0; i < n; i++)
		dot_subtract(z->left + i * n, by[i], row, n);
	for (size_t j = 0; j < z->waves; j++) {
		double of_load = z->left_wave[j * n + p];

		z->load_wave[j * NOISE_LOADS + at] = of_load;
		dot_subtract(z->left_wave + j * n, of_load, by, n);
	}
	for (size_t i = 0; i < n; i++)
		z->alive[i] = z->alive[i] && i != p && z->left[i * n + i] > GONE * z->all[i * n + i];
	free(row);
}

/* Loads are what most counters have in common. One is always taken out, for a model says nothing of how much is done; more, while one counter explains
 * a good part of all others and there are rows enough. Series that are correlated among themselves say the same several times: those that are left are worth
 * their number squared over the sum of their squared correlations. */
static void
take_loads_out(struct noise *z)
{
	double squares = 0, n = 0;

	memcpy(z->left, z->all, z->n * z->n * sizeof *z->left);
	memcpy(z->left_wave, z->wave, z->waves * z->n * sizeof *z->left_wave);
	for (size_t i = 0; i < z->n; i++)
		z->alive[i] = z->all[i * z->n + i] > 0;
	while (z->n_loads < NOISE_LOADS && z->n_loads <= z->k / ROWS_PER_LOAD) {
		size_t best = z->n;
		double most = 0, living = 0;

		for (size_t i = 0; i < z->n; i++) {
			double by = explained_by(z, i);

			living += z->alive[i];
			if (by > most) {
				most = by;
				best = i;
			}
		}
		if (best == z->n || living < 2 || (z->n_loads && most < COMMON * living))
			break;
		take_out(z, best);
	}
	for (size_t i = 0; i < z->n; i++) {
		n += z->alive[i];
		squares += explained_by(z, i);
	}
	z->independent = squares > 0 ? n * n / squares : 0;
}

/* Counter i's rows with the first n_loads loads taken out of it, as `loads` has them (k each). */
static void
take_rows(const struct noise *z, const struct centred *c, const int64_t *weight, size_t i, size_t n_loads, const double *loads, double *x)
{
	memcpy(x, c->x + i * c->k, z->k * sizeof *x);
	dot_scale(x, (double)z->k / (double)weight[i], z->k);
	for (size_t l = 0; l < n_loads; l++)
		dot_subtract(x, z->by[l * z->n + i], loads + l * z->k, z->k);
}

/* Of what the loads leave of each counter the products of neighbours over its squares: the mean over the counters, less its bias. */
static double
neighbours(const struct noise *z, const struct centred *c, const int64_t *weight)
{
	double *loads = mem_new_array(NOISE_LOADS * z->k, sizeof *loads), *x = mem_new_array(z->k, sizeof *x), sum = 0, n = 0;

	for (size_t l = 0; l < z->n_loads; l++)
		take_rows(z, c, weight, z->load[l], l, loads, loads + l * z->k);
	for (size_t i = 0; i < z->n; i++) {
		double square;

		if (!z->alive[i])
			continue;
		take_rows(z, c, weight, i, z->n_loads, loads, x);
		square = dot(x, x, z->k);
		sum += square > 0 ? dot(x, x + 1, z->k - 1) / square : 0;
		n++;
	}
	free(loads);
	free(x);
	return n > 0 ? sum / n + 1 / (double)z->k : 0;
}

struct noise *
noise_new(const struct centred *c, const int64_t *weight)
{
	size_t number[SPECTRA_WAVES];
	struct noise *z;

	if (c->k < NOISE_FEWEST || c->here || c->n == 0)
		return NULL;
	z = mem_new(sizeof *z);
	*z = (struct noise){.n = c->n, .k = c->k, .waves = spectra_waves(c->k, number), .nu = (double)(c->k - 1)};
	z->wave = mem_new_array(z->waves * z->n, sizeof *z->wave);
	z->all = mem_new_array(z->n * z->n, sizeof *z->all);
	z->by = mem_new_array(NOISE_LOADS * z->n, sizeof *z->by);
	z->left = mem_new_array(z->n * z->n, sizeof *z->left);
	z->left_wave = mem_new_array(z->waves * z->n, sizeof *z->left_wave);
	z->load_wave = mem_new_array(z->waves * NOISE_LOADS, sizeof *z->load_wave);
	z->alive = mem_new_array(z->n, sizeof *z->alive);
	take_waves(z, c, weight);
	take_products(z, c, weight);
	take_loads_out(z);
	z->lag = neighbours(z, c, weight);
	return z;
}

struct noise *
noise_new_in_proportion(const struct centred *c, const int64_t *weight, const double *mean, size_t load)
{
	struct centred in = {.n = c->n};
	int64_t *rows = mem_new_array(c->n, sizeof *rows);
	double *scale = mem_new_array(c->k, sizeof *scale);
	struct noise *z;

	if (c->here)
		panic("rows with gaps were taken in proportion");
	for (size_t t = 0; t < c->k; t++) {
		double now = c->x[load * c->k + t] * (double)c->k / (double)weight[load] + mean[load];

		scale[t] = now >= LEAST_LOAD * mean[load] ? mean[load] / now : 0;
		in.k += scale[t] > 0;
	}
	in.x = mem_new_array(in.n * in.k + 1, sizeof *in.x);
	for (size_t i = 0; i < c->n; i++) {
		double *x = in.x + i * in.k, sum = 0;
		size_t at = 0;

		rows[i] = (int64_t)in.k;
		for (size_t t = 0; t < c->k; t++)
			if (scale[t] > 0)
				sum += x[at++] = (c->x[i * c->k + t] * (double)c->k / (double)weight[i] + mean[i]) * scale[t];
		for (size_t t = 0; t < in.k; t++)
			x[t] -= sum / (double)in.k;
	}
	z = noise_new(&in, rows);
	free(in.x);
	free(rows);
	free(scale);
	return z;
}

void
noise_free(struct noise *z)
{
	if (!z)
		return;
	free(z->wave);
	free(z->all);
	free(z->by);
	free(z->left);
	free(z->left_wave);
	free(z->load_wave);
	free(z->alive);
	free(z);
}

/* Of one series: squares over their mean. */
static void
scalar_energy(const struct noise *z, const double *wave, double all, struct energy *e)
{
	*e = (struct energy){.dims = 1, .rest = z->nu};
	for (size_t j = 0; j < z->waves && all > 0; j++) {
		e->wave[j] = wave[j] * wave[j] * z->nu / all;
		e->rest -= e->wave[j];
	}
	e->rest = fmax(e->rest, 1e-9);
}

/* Of what the load leaves of the others, each counter by itself, as so many independent series as they are worth. */
static void
rest_energy(const struct noise *z, struct energy *e)
{
	double n = 0;

	*e = (struct energy){.dims = z->independent, .rest = z->independent * z->nu};
	for (size_t i = 0; i < z->n; i++)
		n += z->alive[i];
	for (size_t j = 0; j < z->waves && n > 0; j++) {
		const double *wave = z->left_wave + j * z->n;
		double sum = 0;

		for (size_t i = 0; i < z->n; i++)
			if (z->alive[i])
				sum += wave[i] * wave[i] / z->left[i * z->n + i];
		e->wave[j] = sum * z->nu * z->independent / n;
		e->rest -= e->wave[j];
	}
	e->rest = fmax(e->rest, 1e-9);
}

static void
load_energy(const struct noise *z, size_t at, struct energy *e)
{
	double wave[SPECTRA_WAVES];

	for (size_t j = 0; j < z->waves; j++)
		wave[j] = z->load_wave[j * NOISE_LOADS + at];
	scalar_energy(z, wave, z->own[at], e);
}

/* Σ energies over their variances: dims · nu for independent rows. */
static double
weighted(const struct energy *e, const struct spectrum *s, size_t waves)
{
	double sum = e->rest / s->rest;

	for (size_t j = 0; j < waves; j++)
		sum += e->wave[j] / s->wave[j];
	return sum;
}

/* ln L of series of equal and unknown variance. */
static double
energy_likelihood(const struct energy *e, const struct spectrum *s, size_t waves, double nu)
{
	return -0.5 * e->dims * (s->log_all + nu * log(weighted(e, s, waves)));
}

/* The variance of the mean over that of independent rows, as the energies and the form have it. */
static double
factor_of(const struct energy *e, const struct spectrum *s, size_t waves, double nu)
{
	return s->zero * weighted(e, s, waves) / (e->dims * nu);
}

/* Are the slow coefficients larger than those of independent rows often are? */
static bool
is_suspicious(const struct energy *e, size_t waves, double nu)
{
	double sum = 0;

	for (size_t j = 0; j < waves; j++) {
		double terms = e->dims * (double)(j + 1);

		sum += e->wave[j];
		if (((j + 1) & j) == 0 && sum > terms * (1 + SUSPICIOUS * sqrt(2 / terms)))
			return true;
	}
	return sum > 0 && sum > e->dims * nu * 0.75;
}

struct weighed {
	double factor, weight;
	const struct spectrum *form;
};

static int
compare_factors(const void *va, const void *vb)
{
	const struct weighed *a = va, *b = vb;

	return a->factor < b->factor ? -1 : a->factor > b->factor;
}

/* Independent rows, if they are the likelier half. Else the form in the middle of the others: the variance of the mean grows by more or by less, about as likely. */
static const struct spectrum *
fit(const struct energy *e, const struct spectra *f, double nu, struct noise_form *out)
{
	struct weighed *w = mem_new_array(f->n, sizeof *w);
	double most = -INFINITY, all = 0, sum = 0, preferred = log(INDEPENDENT / (1 - INDEPENDENT) * (double)(f->n - 1));
	const struct spectrum *form;
	size_t i = 0;

	for (size_t k = 0; k < f->n; k++) {
		w[k] = (struct weighed){fmax(1, factor_of(e, &f->one[k], f->waves, nu)),
			energy_likelihood(e, &f->one[k], f->waves, nu) + (k ? 0 : preferred), &f->one[k]};
		most = fmax(most, w[k].weight);
	}
	for (size_t k = 0; k < f->n; k++)
		all += w[k].weight = exp(w[k].weight - most);
	if (w[0].weight > all / 2) {
		free(w);
		*out = (struct noise_form){.factor = 1};
		return &f->one[0];
	}
	qsort(w, f->n, sizeof *w, compare_factors);
	while (i + 1 < f->n && (sum += w[i].weight) < MIDDLE * all)
		i++;
	form = w[i].form;
	*out = form->form;
	out->factor = w[i].factor;
	free(w);
	return form;
}

size_t
noise_load(const struct noise *z)
{
	return z->load[0];
}

double
noise_lag(const struct noise *z)
{
	return fmin(1, fmax(0, z->lag));
}

/* Forms that forget quickly and explain the rows nearly as well as the best one does: the one with the largest factor. */
static const struct spectrum *
worst_fit(const struct energy *e, const struct spectra *f, double nu, struct noise_form *out)
{
	const struct spectrum *form = &f->one[0];
	double best = -INFINITY;

	*out = (struct noise_form){.factor = 1};
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < f->n; i++) {
			const struct spectrum *s = &f->one[i];
			double l = energy_likelihood(e, s, f->waves, nu), factor = factor_of(e, s, f->waves, nu);

			if (i && (s->form.share < 1 || s->form.memory > 0))
				continue;
			if (pass == 0)
				best = fmax(best, l);
			if (pass == 1 && l > best - NOT_EXCLUDED && factor > out->factor) {
				form = s;
				*out = s->form;
				out->factor = factor;
			}
		}
	return form;
}

struct noise_fit
noise_no_fit(void)
{
	struct noise_fit out = {.of_rest = {.factor = 1}, .zero = 1, .others = 1};

	for (size_t i = 0; i < NOISE_LOADS; i++)
		out.of_load[i].factor = 1;
	for (size_t j = 0; j < NOISE_WAVES; j++)
		out.wave[j] = 1;
	return out;
}

struct noise_fit
noise_fit(const struct noise *z, bool cautious)
{
	struct noise_fit out = noise_no_fit();
	struct energy e[NOISE_LOADS + 1];
	bool slow[NOISE_LOADS + 1], some = false;
	struct spectra *f;

	for (size_t i = 0; i <= z->n_loads; i++) {
		if (i < z->n_loads)
			load_energy(z, i, &e[i]);
		else
			rest_energy(z, &e[i]);
		slow[i] = e[i].dims > 0 && (cautious || is_suspicious(&e[i], z->waves, z->nu));
		some |= slow[i];
	}
	if (!some)
		return out;
	f = spectra_new(z->k);
	for (size_t i = 0; i <= z->n_loads; i++) {
		const struct spectrum *s;

		if (!slow[i])
			continue;
		s = (cautious ? worst_fit : fit)(&e[i], f, z->nu, i < z->n_loads ? &out.of_load[i] : &out.of_rest);
		if (i == z->n_loads) {
			out.zero = s->zero;
			out.others = s->rest;
			memcpy(out.wave, s->wave, z->waves * sizeof *out.wave);
		}
	}
	spectra_free(f);
	return out;
}

/* Coefficients are made equally large before their products are taken, so that all of them say something of the covariance between counters, and not
 * only the few slow ones that are large. */
void
noise_apply(const struct noise *z, const struct noise_fit *how, double *cov)
{
	size_t n = z->n;
	double scale = 1 / (z->nu * (double)z->k), f = how->zero / how->others * scale;
	bool same = how->of_rest.factor <= 1;

	for (size_t l = 0; l < z->n_loads; l++)
		same &= how->of_load[l].factor <= 1;
	if (same)
		return;
	for (size_t i = 0; i < n * n; i++)
		cov[i] = z->left[i] * f;
	for (size_t j = 0; j < z->waves; j++)
		for (size_t i = 0; i < n; i++)
			dot_subtract(cov + i * n, f * (1 - how->others / how->wave[j]) * z->left_wave[j * n + i], z->left_wave + j * n, n);
	for (size_t l = 0; l < z->n_loads; l++)
		for (size_t i = 0; i < n; i++)
			dot_subtract(cov + i * n, -how->of_load[l].factor * z->own[l] * scale * z->by[l * n + i], z->by + l * n, n);
}

/* What a set of series says of the forms: ln L of each, and what they are compared with. */
struct evidence {
	double *log_likelihood; /* of each form */
	double reference;       /* ln (w L of independent rows + (1 − w) L of the best form) */
};

static void
compare(struct evidence *v, const struct spectra *f)
{
	double most = -INFINITY;

	for (size_t i = 0; i < f->n; i++)
		most = fmax(most, v->log_likelihood[i]);
	v->reference = most + log(INDEPENDENT * exp(v->log_likelihood[0] - most) + (1 - INDEPENDENT));
}

static void
evidence_of_energy(const struct energy *e, const struct spectra *f, double nu, struct evidence *v)
{
	for (size_t i = 0; i < f->n; i++)
		v->log_likelihood[i] = energy_likelihood(e, &f->one[i], f->waves, nu);
	compare(v, f);
}

/* ln det(1 + rest · D Gram D) with D = diag(wave)^(−1/2), for the waves of a form. */
static double
log_determinant(const double *gram, const struct spectrum *s, size_t waves)
{
	double a[SPECTRA_WAVES * SPECTRA_WAVES], l[SPECTRA_WAVES * SPECTRA_WAVES], sum = 0;

	for (size_t i = 0; i < waves; i++)
		for (size_t j = 0; j < waves; j++)
			a[i * waves + j] = (i == j) + s->rest * gram[i * waves + j] / sqrt(s->wave[i] * s->wave[j]);
	if (!cholesky(waves, a, 0, l))
		return INFINITY;
	for (size_t i = 0; i < waves; i++)
		sum += 2 * log(l[i * waves + i]);
	return sum;
}

/* Of d series whose covariance is not known: wave is waves × d, all their products. False where the faster coefficients are too few for so many series.
 *
 * det(Σ_j≤J Λ_j Λ_jᵀ / g_j + R / r) = det(R) r^(−d) det(1 + r D Λᵀ R⁻¹ Λ D) with R what the faster ones add up to, so one Gram matrix serves all forms. */
static bool
evidence_of_series(const struct noise *z, const struct spectra *f, size_t d, const double *wave, const double *all, struct evidence *v)
{
	double faster = z->nu - (double)z->waves, best = -INFINITY, weight;
	double *rest, *factor, *white, gram[SPECTRA_WAVES * SPECTRA_WAVES];
	bool good;

	if (d == 0 || (double)d + 2 > faster)
		return false;
	rest = mem_copy(all, d * d * sizeof *all);
	factor = mem_new_array(d * d, sizeof *factor);
	white = mem_copy(wave, z->waves * d * sizeof *wave);
	for (size_t j = 0; j < z->waves; j++)
		for (size_t i = 0; i < d; i++)
			dot_subtract(rest + i * d, wave[j * d + i], wave + j * d, d);
	/* What the series do not vary in is left out by a floor. */
	for (size_t i = 0; i < d; i++)
		rest[i * d + i] += GONE * all[i * d + i] + 1e-300;
	good = cholesky(d, rest, 0, factor);
	for (size_t j = 0; j < z->waves && good; j++)
		cholesky_forward(d, factor, white + j * d);
	for (size_t i = 0; i < z->waves && good; i++)
		for (size_t j = 0; j <= i; j++)
			gram[i * z->waves + j] = gram[j * z->waves + i] = dot(white + i * d, white + j * d, d);
	for (size_t i = 0; i < f->n && good; i++) {
		const struct spectrum *s = &f->one[i];

		v->log_likelihood[i] = -0.5 * ((double)d * s->log_all + z->nu * (log_determinant(gram, s, z->waves) - (double)d * log(s->rest)));
		best = fmax(best, v->log_likelihood[i]);
	}
	weight = fmin(1, (v->log_likelihood[0] > best - NOT_EXCLUDED ? SAID_BY_INDEPENDENT : SAID_BY_OTHERS) / (double)d);
	for (size_t i = 0; i < f->n; i++)
		v->log_likelihood[i] *= weight;
	if (good)
		compare(v, f);
	free(rest);
	free(factor);
	free(white);
	return good;
}

/* What the loads leave of the others. */
static bool
evidence_of_rest(const struct noise *z, const struct spectra *f, struct evidence *v)
{
	size_t d = 0, *which = mem_new_array(z->n, sizeof *which);
	double *wave, *all;
	struct energy e;
	bool good;

	for (size_t i = 0; i < z->n; i++)
		if (z->alive[i])
			which[d++] = i;
	wave = mem_new_array(z->waves * d + 1, sizeof *wave);
	all = mem_new_array(d * d + 1, sizeof *all);
	for (size_t a = 0; a < d; a++) {
		for (size_t b = 0; b < d; b++)
			all[a * d + b] = z->left[which[a] * z->n + which[b]];
		for (size_t j = 0; j < z->waves; j++)
			wave[j * d + a] = z->left_wave[j * z->n + which[a]];
	}
	good = evidence_of_series(z, f, d, wave, all, v);
	if (!good && d > 0) {
		rest_energy(z, &e);
		evidence_of_energy(&e, f, z->nu, v);
		good = true;
	}
	free(which);
	free(wave);
	free(all);
	return good;
}

/* The series along the normals. */
static bool
evidence_of_normals(const struct noise *z, const struct spectra *f, const struct noise_question *q, struct evidence *v)
{
	size_t n = z->n, d = q->n_normals;
	double *wave, *half, *all;
	bool good;

	if (d == 0)
		return false;
	wave = mem_new_array(z->waves * d, sizeof *wave);
	half = mem_new_array(d * n, sizeof *half);
	all = mem_new_array(d * d, sizeof *all);
	for (size_t a = 0; a < d; a++) {
		const double *b = q->normal + a * n;

		for (size_t j = 0; j < z->waves; j++)
			wave[j * d + a] = dot(b, z->wave + j * n, n);
		for (size_t i = 0; i < n; i++)
			if (b[i] < 0 || b[i] > 0)
				dot_subtract(half + a * n, -b[i], z->all + i * n, n);
	}
	for (size_t a = 0; a < d; a++)
		for (size_t b = 0; b < d; b++)
			all[a * d + b] = dot(half + a * n, q->normal + b * n, n);
	good = evidence_of_series(z, f, d, wave, all, v);
	free(wave);
	free(half);
	free(all);
	return good;
}

/* The energies along a direction. `white` is the variance of the mean along it if rows were independent, `now` with the fit. */
static void
take_direction(const struct noise *z, const struct noise_fit *how, const double *a, struct energy *e, double *white, double *now)
{
	size_t n = z->n;
	double wave[SPECTRA_WAVES], all = 0, left = 0, scale = 1 / (z->nu * (double)z->k);

	for (size_t i = 0; i < n; i++)
		if (a[i] < 0 || a[i] > 0) {
			all += a[i] * dot(a, z->all + i * n, n);
			left += a[i] * dot(a, z->left + i * n, n);
		}
	all = fmax(all, 0);
	left = fmax(left, 0) / how->others;
	for (size_t j = 0; j < z->waves; j++) {
		double of_left = dot(a, z->left_wave + j * n, n);

		wave[j] = dot(a, z->wave + j * n, n);
		left += of_left * of_left * (1 / how->wave[j] - 1 / how->others);
	}
	scalar_energy(z, wave, all, e);
	*white = all * scale;
	*now = fmax(left, 0) * how->zero * scale;
	for (size_t l = 0; l < z->n_loads; l++) {
		double along = dot(a, z->by + l * n, n);

		*now += how->of_load[l].factor * along * along * z->own[l] * scale;
	}
}

/* P(d² of r dimensions, one of which has `factor` times the variance, is at least d2), by a multiple of F with the same mean and variance. */
static double
tail_of_one(double d2, double r, double factor, double nu)
{
	double mean = r - 1 + factor, variance = 2 * (r - 1) + 2 * factor * factor, freedom = 2 * mean * mean / variance;
	double left = nu - r + 1, size = left > 1 ? left / nu : 0;

	return size > 0 ? fisher_tail(d2 * size / (variance / (2 * mean)) / freedom, freedom, left) : 1;
}

/* The largest p_θ over a family, by one kind of evidence. */
static struct noise_answer
worst(const struct noise *z, const struct spectra *f, const struct evidence *v, const struct energy *e, double d2_white, double extra_share, double r, bool one)
{
	struct noise_answer out = {.p = 0, .form = {.factor = 1}};

	for (size_t i = 0; i < f->n; i++) {
		const struct spectrum *s = &f->one[i];
		double factor = factor_of(e, s, f->waves, z->nu), by = (1 - extra_share) * factor + extra_share, p;

		p = one ? tail_of_one(d2_white, r, by, z->nu) : hotelling_tail(d2_white / by, r, z->nu);
		p *= exp(fmin(700, v->log_likelihood[i] - v->reference));
		if (p > out.p) {
			out.p = fmin(1, p);
			out.form = s->form;
			out.form.factor = factor;
		}
	}
	return out;
}

/* With more rows the distance grows like their number, over a factor that stays below that of an endless record, or grows itself where memory is long. */
static double
rows_to_tell(const struct noise *z, const struct noise_form *form, double d2_white, double r)
{
	double rho = form->time > 0 ? exp(-1 / form->time) : 0, endless = 1 - form->share + form->share * (1 + rho) / (1 - rho);
	double needed = chi2_quantile(TOLD, (size_t)fmax(1, r)) * (form->memory > 0 ? form->factor : endless) / fmax(d2_white, 1e-9);

	if (form->memory > 0)
		needed = pow(fmax(needed, 1), 1 / (2 - 2 * form->memory));
	return (double)z->k * fmax(needed, 1.5);
}

struct noise_answer
noise_ask(const struct noise *z, const struct noise_fit *how, const struct noise_question *q)
{
	struct spectra *f = spectra_new(z->k), *quick = q->direction && z->k < ALONE_BELOW ? spectra_new_quick(z->k) : NULL;
	struct evidence v = {.log_likelihood = mem_new_array(f->n, sizeof *v.log_likelihood)};
	struct noise_answer out = {.p = 1, .form = {.factor = 1}}, a;
	bool known = false;
	double white = 1, now = how->of_rest.factor, d2, share;
	struct energy e;

	if (q->direction)
		take_direction(z, how, q->direction, &e, &white, &now);
	else
		rest_energy(z, &e);
	share = white + q->extra > 0 ? q->extra / (white + q->extra) : 0;
	d2 = q->d2 * (now + q->extra) / (white + q->extra);
	if (evidence_of_rest(z, f, &v)) {
		out = worst(z, f, &v, &e, d2, share, q->dimensions, false);
		known = true;
	}
	if (evidence_of_normals(z, f, q, &v)) {
		a = worst(z, f, &v, &e, d2, share, q->dimensions, false);
		if (!known || a.p < out.p)
			out = a;
		known = true;
	}
	if (!known && q->direction) {
		evidence_of_energy(&e, f, z->nu, &v);
		out = worst(z, f, &v, &e, d2, share, q->dimensions, false);
	}
	if (quick) {
		evidence_of_energy(&e, quick, z->nu, &v);
		a = worst(z, quick, &v, &e, d2, share, q->dimensions, true);
		if (a.p > out.p)
			out = a;
	}
	out.rows = rows_to_tell(z, &out.form, d2, q->dimensions);
	out.d2 = d2;
	free(v.log_likelihood);
	spectra_free(f);
	spectra_free(quick);
	return out;
}
