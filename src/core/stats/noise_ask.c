/* Tests a refutation against every form that noise may have. */
#include "core/stats/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/dot_product.h"
#include "core/stats/matrix.h"
#include "core/stats/noise_series.h"
#include "core/stats/tails.h"

/* the evidence counts as that of at most so many series, if independent rows explain them about as well as any form */
#define SERIES_IF_INDEPENDENT 12.0
#define SERIES_OTHERWISE 6.0 /* otherwise: no form fits well enough to trust hundreds of coefficients */
#define SUFFICIENT 0.999     /* probability with which a reported number of rows suffices */
/* weight of the doubt that only this direction is slow, although its own series looks like all counters */
#define NOISE_ALONE 0.15
#define ALONE_ROWS 60.0      /* below this number of rows, that weight grows as (ALONE_ROWS / rows)⁴ */
/* Weight of the best form in the reference. FEW: fewer than SPECTRA_MANY rows. With more rows, ALL: the evidence of all
 * counters; ONE: that of one series. `make bench-levels` shows the levels that result. */
#define BEST_OF_FEW 0.2
#define BEST_OF_ALL 0.3
#define BEST_OF_ONE 0.4
#define ENDLESS 1e3          /* nobody records so many times more rows */
#define MIXED_INDEPENDENT 0.5 /* weight of independent rows in the mixture; all other forms have equal weights */

/* What a set of series says about the forms of noise: ln L of each form, and the reference to compare it with. */
struct evidence {
	double *log_likelihood; /* of each form */
	double reference;       /* ln (v L of independent rows + w L of the best form) */
};

/* What a direction's own series says. */
struct own_series {
	struct evidence v;
	struct noise_energy e;
	double white, now; /* variance of the mean along the direction: for independent rows; with the fit */
	double of_loads;   /* share of `now` that comes from the loads; the other counters say nothing about it */
};

static void
noise_ask_compare(struct evidence *v, const struct spectra *f, double best)
{
	double most = -INFINITY;

	for (size_t i = 0; i < f->n; i++)
		most = fmax(most, v->log_likelihood[i]);
	v->reference = most + log(NOISE_INDEPENDENT * exp(v->log_likelihood[0] - most) + best);
}

static double
best_of_one(const struct noise *z)
{
	return z->k < SPECTRA_MANY ? BEST_OF_FEW : BEST_OF_ONE;
}

static double
best_of_all(const struct noise *z)
{
	return z->k < SPECTRA_MANY ? BEST_OF_FEW : BEST_OF_ALL;
}

static void
evidence_of_energy(const struct noise *z, const struct noise_energy *e, const struct spectra *f, double best,
	struct evidence *v)
{
	for (size_t i = 0; i < f->n; i++)
		v->log_likelihood[i] = noise_energy_likelihood(z, e, &f->one[i]);
	noise_ask_compare(v, f, best);
}

static double
log_determinant_of(const double *a, size_t n)
{
	double l[SPECTRA_WAVES * SPECTRA_WAVES], product = 1, sum = 0;

	if (!matrix_cholesky(n, a, 0, l))
		return INFINITY;
	for (size_t i = 0; i < n; i++) {
		product *= l[i * n + i];
		if (product > 1e100) {
			sum += log(product);
			product = 1;
		}
	}
	return 2 * (sum + log(product));
}

/* ln det(1 + rest · D Gram D) with D = diag(wave)^(−1/2), for the waves of a form. */
static double
by_waves(const double *gram, const struct spectrum *s, size_t waves)
{
	double a[SPECTRA_WAVES * SPECTRA_WAVES], scale[SPECTRA_WAVES];

	for (size_t i = 0; i < waves; i++)
		scale[i] = sqrt(s->rest / s->wave[i]);
	for (size_t i = 0; i < waves; i++)
		for (size_t j = 0; j <= i; j++)
			a[i * waves + j] = a[j * waves + i] = (i == j) + gram[i * waves + j] * scale[i] * scale[j];
	return log_determinant_of(a, waves);
}

/* The same number, cheaper when there are fewer series than waves: ln det(1 + rest · Σ_j Λ_j Λ_jᵀ / g_j). `white` holds
 * the waves in the metric of R. */
static double
by_series(const double *white, const struct spectrum *spectrum, size_t waves, size_t d)
{
	double a[SPECTRA_WAVES * SPECTRA_WAVES];

	memset(a, 0, d * d * sizeof *a);
	for (size_t j = 0; j < waves; j++)
		for (size_t i = 0; i < d; i++) {
			double by = spectrum->rest / spectrum->wave[j] * white[j * d + i];

			for (size_t k = 0; k <= i; k++)
				a[i * d + k] += by * white[j * d + k];
		}
	for (size_t i = 0; i < d; i++) {
		a[i * d + i] += 1;
		for (size_t k = 0; k < i; k++)
			a[k * d + i] = a[i * d + k];
	}
	return log_determinant_of(a, d);
}

/* The evidence of d series with unknown covariance. wave is waves × d; all is d × d, the sums of their products.
 * Returns false when there are too few of the faster coefficients for so many series.
 *
 * det(Σ_j≤J Λ_j Λ_jᵀ / g_j + R / r) = det(R) r^(−d) det(1 + r D Λᵀ R⁻¹ Λ D), where R is the sum over the faster
 * coefficients. So one Gram matrix serves all forms. */
static bool
evidence_of_series(const struct noise *z, const struct spectra *spectra, size_t d, const double *wave,
	const double *all, struct evidence *evidence)
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
	/* The floor excludes directions in which the series do not vary. */
	for (size_t i = 0; i < d; i++)
		rest[i * d + i] += NOISE_GONE * all[i * d + i] + 1e-300;
	good = matrix_cholesky(d, rest, 0, factor);
	for (size_t j = 0; j < z->waves && good; j++)
		matrix_forward(d, factor, white + j * d);
	for (size_t i = 0; i < z->waves && good && d >= z->waves; i++)
		for (size_t j = 0; j <= i; j++)
			gram[i * z->waves + j] = gram[j * z->waves + i] = dot(white + i * d, white + j * d, d);
	for (size_t i = 0; i < spectra->n && good; i++) {
		const struct spectrum *s = &spectra->one[i];
		double determinant = d < z->waves ? by_series(white, s, z->waves, d) : by_waves(gram, s, z->waves);

		evidence->log_likelihood[i] =
			-0.5 * ((double)d * s->log_all + z->nu * (determinant - (double)d * s->log_rest));
		best = fmax(best, evidence->log_likelihood[i]);
	}
	weight = fmin(1,
		(evidence->log_likelihood[0] > best - NOISE_NOT_EXCLUDED ? SERIES_IF_INDEPENDENT : SERIES_OTHERWISE) /
			(double)d);
	for (size_t i = 0; i < spectra->n; i++)
		evidence->log_likelihood[i] *= weight;
	if (good)
		noise_ask_compare(evidence, spectra, best_of_all(z));
	free(rest);
	free(factor);
	free(white);
	return good;
}

static bool
find_evidence_of_rest(const struct noise *noise, const struct noise_left *left, const struct spectra *spectra,
	struct evidence *evidence)
{
	size_t d = 0, *which = mem_new_array(noise->n, sizeof *which);
	double *wave, *all;
	struct noise_energy e;
	bool good;

	for (size_t i = 0; i < noise->n; i++)
		if (noise->alive[i])
			which[d++] = i;
	wave = mem_new_array(noise->waves * d + 1, sizeof *wave);
	all = mem_new_array(d * d + 1, sizeof *all);
	for (size_t a = 0; a < d; a++) {
		for (size_t b = 0; b < d; b++)
			all[a * d + b] = left->all[which[a] * noise->n + which[b]];
		for (size_t j = 0; j < noise->waves; j++)
			wave[j * d + a] = left->wave[j * noise->n + which[a]];
	}
	good = evidence_of_series(noise, spectra, d, wave, all, evidence);
	if (!good && d > 0) {
		noise_energy_of_rest(noise, left, &e);
		evidence_of_energy(noise, &e, spectra, best_of_all(noise), evidence);
		good = true;
	}
	free(which);
	free(wave);
	free(all);
	return good;
}

/* The evidence of the other counters after the loads are taken out. It is the same for all questions, so it is kept. */
static bool
evidence_of_rest(const struct noise *noise, const struct noise_left *left, const struct spectra *spectra,
	struct evidence *evidence)
{
	struct noise_asked *asked = noise->asked;

	if (!asked->of_rest) {
		asked->nothing = !find_evidence_of_rest(noise, left, spectra, evidence);
		asked->of_rest = mem_copy(evidence->log_likelihood, spectra->n * sizeof *evidence->log_likelihood);
		asked->reference = evidence->reference;
	}
	memcpy(evidence->log_likelihood, asked->of_rest, spectra->n * sizeof *evidence->log_likelihood);
	evidence->reference = asked->reference;
	return !asked->nothing;
}

/* The energies and the variance along a direction. */
static void
take_direction(const struct noise *z, const struct noise_left *remains, const struct noise_fit *how, const double *a,
	struct own_series *own)
{
	size_t n = z->n;
	double wave[SPECTRA_WAVES], left = 0, loads = 0, scale = 1 / (z->nu * (double)z->k);

	own->white = noise_variance(z, a);
	for (size_t i = 0; i < n; i++)
		if (a[i] < 0 || a[i] > 0)
			left += a[i] * dot(a, remains->all + i * n, n);
	left = fmax(left, 0) / how->others;
	for (size_t j = 0; j < z->waves; j++) {
		double of_left = dot(a, remains->wave + j * n, n);

		wave[j] = dot(a, z->wave + j * n, n);
		left += of_left * of_left * (1 / how->wave[j] - 1 / how->others);
	}
	noise_energy_of_series(z, wave, own->white / scale, &own->e);
	for (size_t l = 0; l < z->n_loads; l++) {
		double along = dot(a, z->by + l * n, n);

		loads += how->of_load[l].factor * along * along * z->own[l] * scale;
	}
	own->now = fmax(left, 0) * how->zero * scale + loads;
	own->of_loads = own->now > 0 ? loads / own->now : 0;
}

/* P(d² ≥ d2), where d² has r dimensions, one of them with `factor` times the variance. Approximated by a multiple of F
 * with the same mean and variance. */
static double
tail_of_one(double d2, double r, double factor, double nu)
{
	double mean = r - 1 + factor, variance = 2 * (r - 1) + 2 * factor * factor,
	       freedom = 2 * mean * mean / variance;
	double left = nu - r + 1, size = left > 1 ? left / nu : 0;

	return size > 0 ? fisher_tail(d2 * size / (variance / (2 * mean)) / freedom, freedom, left) : 1;
}

static double
likelihood_ratio(const struct evidence *v, size_t form)
{
	return exp(fmin(700, v->log_likelihood[form] - v->reference));
}

/* The largest p_θ over a family of forms, by the evidence of `v` and, with a weight, of `w`: both ratios L(φ)/L(θ)
 * expect 1 under θ, so their mean does. */
static struct noise_answer
worst(const struct noise *noise, const struct spectra *spectra, const struct evidence *v, const struct evidence *w,
	double weight, const struct noise_energy *e, double d2_white, double extra_share, double r, bool one)
{
	struct noise_answer out = {.p = 0, .form = {.factor = 1}};

	for (size_t i = 0; i < spectra->n; i++) {
		const struct spectrum *s = &spectra->one[i];
		double factor = noise_energy_factor(noise, e, s), by = (1 - extra_share) * factor + extra_share, p;
		double likelihood = likelihood_ratio(v, i);

		if (weight > 0)
			likelihood = 1 / ((1 - weight) / likelihood + weight / likelihood_ratio(w, i));
		if (likelihood <= out.p)
			continue;
		p = likelihood *
			(one ? tail_of_one(d2_white, r, by, noise->nu) : hotelling_tail(d2_white / by, r, noise->nu));
		if (p > out.p) {
			out.p = fmin(1, p);
			out.form = s->form;
			out.form.factor = factor;
		}
	}
	return out;
}

/* How many rows would refute even under this form; NAN: far too many. The distance grows as the number of rows divided
 * by the variance factor. That factor stays below its value for an endless record; with long memory it grows, too. */
static double
rows_to_refute(const struct noise *z, const struct noise_form *form, double d2_white, double r)
{
	double rho = form->time > 0 ? exp(-1 / form->time) : 0,
	       endless = 1 - form->share + form->share * (1 + rho) / (1 - rho);
	double needed = chi2_quantile(SUFFICIENT, (size_t)fmax(1, r)) * (form->memory > 0 ? form->factor : endless) /
		fmax(d2_white, 1e-9);

	if (form->memory > 0)
		needed = pow(fmax(needed, 1), 1 / (2 - 2 * form->memory));
	return needed < ENDLESS ? (double)z->k * fmax(needed, 1.5) : NAN;
}

static const struct spectra *
all_forms(const struct noise *z)
{
	if (!z->asked->forms)
		z->asked->forms = spectra_hold(z->book, z->k, 0);
	return z->asked->forms;
}

/* The weight of the doubt that the direction alone is slow: how much its own series differs from all counters. */
static double
own_weight(const struct noise *noise, const struct spectra *spectra, const struct evidence *own)
{
	size_t pooled = 0, best = 0;

	if (noise->asked->nothing)
		return 1;
	for (size_t i = 0; i < spectra->n; i++) {
		pooled = noise->asked->of_rest[i] > noise->asked->of_rest[pooled] ? i : pooled;
		best = own->log_likelihood[i] > own->log_likelihood[best] ? i : best;
	}
	return fmin(1, NOISE_ALONE * pow(fmax(1, ALONE_ROWS / (double)noise->k), 4) *
		exp(own->log_likelihood[best] - own->log_likelihood[pooled]));
}

/* Returns true if one of the slowest forms explains the series best, and much better than independent rows do. */
static bool
is_at_edge(const struct spectra *f, const struct evidence *v)
{
	size_t best = 0;

	for (size_t i = 0; i < f->n; i++)
		best = v->log_likelihood[i] > v->log_likelihood[best] ? i : best;
	return f->one[best].form.edge && v->log_likelihood[best] > v->log_likelihood[0] + NOISE_NOT_EXCLUDED;
}

/* Adds what the direction's own series says: it alone may be slow. */
static void
ask_direction(const struct noise *noise, const struct spectra *spectra, const struct own_series *own, double share,
	const struct noise_question *question, struct noise_answer *out)
{
	struct noise_answer a = worst(
		noise, spectra, &own->v, NULL, 0, &own->e, out->d2, share, question->dimensions, true);

	a.p *= own_weight(noise, spectra, &own->v);
	if (a.p > out->p) {
		out->p = a.p;
		out->form = a.form;
	}
	if (is_at_edge(spectra, &own->v)) {
		out->why = NOISE_AT_EDGE;
		out->form = a.form;
		out->p = 1;
	}
}

struct noise_answer
noise_ask(const struct noise *noise, const struct noise_fit *how, const struct noise_question *question)
{
	const struct spectra *spectra = all_forms(noise);
	struct noise_left left = noise_left_new(noise);
	struct evidence rest = {.log_likelihood = mem_new_array(spectra->n, sizeof *rest.log_likelihood)};
	struct noise_answer out = {.p = 0, .form = {.factor = 1}, .why = NOISE_POSSIBLE};
	struct own_series own = {.white = 1, .now = how->of_rest.factor};
	double d2, share;

	own.v.log_likelihood = mem_new_array(spectra->n, sizeof *own.v.log_likelihood);
	if (question->direction) {
		take_direction(noise, &left, how, question->direction, &own);
		evidence_of_energy(noise, &own.e, spectra, best_of_one(noise), &own.v);
	} else {
		noise_energy_of_rest(noise, &left, &own.e);
	}
	share = own.white + question->extra > 0 ? question->extra / (own.white + question->extra) : 0;
	d2 = question->d2 * (own.now + question->extra) / (own.white + question->extra);
	if (evidence_of_rest(noise, &left, spectra, &rest))
		out = worst(
			noise, spectra, &rest, &own.v, own.of_loads, &own.e, d2, share, question->dimensions, false);
	else if (!question->direction)
		out.p = 1;
	out.why = NOISE_POSSIBLE;
	out.d2 = d2;
	if (question->direction)
		ask_direction(noise, spectra, &own, share, question, &out);
	out.rows = out.why == NOISE_AT_EDGE ? NAN : rows_to_refute(noise, &out.form, d2, question->dimensions);
	out.p_independent = hotelling_tail(d2, question->dimensions, noise->nu);
	noise_left_free(&left);
	free(rest.log_likelihood);
	free(own.v.log_likelihood);
	return out;
}

/* For a form θ, T² has the probability P(T² ≥ d²) independently of the likelihoods, which do not depend on the series'
 * scale (Basu). The reference is a fixed mixture of all forms, so the expectation of reference / L_θ under θ is 1. */
double
noise_reach2(const struct noise *noise, double records, double extra, double level)
{
	struct spectra *spectra = spectra_hold(NULL, noise->k, records * (double)noise->k);
	double *l = mem_new_array(spectra->n, sizeof *l), best = -INFINITY, mixture = 0, reach2 = 0,
	       white = noise_variance(noise, (const double[]){1});
	struct noise_energy energy;

	noise_energy_of_series(noise, noise->wave, noise->all[0], &energy);
	for (size_t i = 0; i < spectra->n; i++)
		best = fmax(best, l[i] = noise_energy_likelihood(noise, &energy, &spectra->one[i]));
	for (size_t i = 0; i < spectra->n; i++)
		mixture += exp(l[i] - best) *
			(i ? (1 - MIXED_INDEPENDENT) / (double)(spectra->n - 1) : MIXED_INDEPENDENT);
	for (size_t i = 0; i < spectra->n; i++) {
		double tail = level * mixture / exp(l[i] - best),
		       variance = white * noise_energy_factor(noise, &energy, &spectra->one[i]) + extra;

		if (tail < 1 && fisher_tail(reach2 / variance, 1, noise->nu) > tail)
			reach2 = variance * fisher_beyond(tail, 1, noise->nu);
	}
	free(l);
	spectra_drop(NULL, spectra);
	return reach2;
}
