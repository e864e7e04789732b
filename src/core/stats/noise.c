/* Chooses the forms of noise that fit the rows best, and computes the covariance that they give. */
#include "core/stats/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/dot_product.h"
#include "core/stats/noise_series.h"

#define MIDDLE 0.7     /* quantile of the variance factor, weighted by the forms' likelihood, that the fit takes */
/* standard deviations by which slow coefficients must exceed 1 before forms are compared at all */
#define SUSPICIOUS 2.0

/* Returns whether the slow coefficients are larger than those of independent rows usually are. */
static bool
is_suspicious(const struct noise *noise, const struct noise_energy *energy)
{
	double sum = 0;

	for (size_t j = 0; j < noise->waves; j++) {
		double terms = energy->dims * (double)(j + 1);

		sum += energy->wave[j];
		if (((j + 1) & j) == 0 && sum > terms * (1 + SUSPICIOUS * sqrt(2 / terms)))
			return true;
	}
	return sum > 0 && sum > energy->dims * noise->nu * 0.75;
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

/* A share with long memory can hardly be told from one that forgets: refutations are tested against it, but it is no
 * fit. */
static bool
is_fitted(const struct noise_form *form)
{
	return !(form->memory > 0 && form->share < 1);
}

/* Fits one set of series. If independent rows have at least half of the likelihood, they are the fit. Otherwise the fit
 * is the form at the quantile MIDDLE of the others, ordered by how much they increase the variance of the mean. */
static const struct spectrum *
fit(const struct noise *noise, const struct noise_energy *energy, const struct spectra *spectra, struct noise_form *out)
{
	struct weighed *weighed = mem_new_array(spectra->n, sizeof *weighed);
	double most = -INFINITY, all = 0, sum = 0,
	       preferred = log(NOISE_INDEPENDENT / (1 - NOISE_INDEPENDENT) * (double)(spectra->n - 1));
	const struct spectrum *form;
	size_t i = 0;

	for (size_t k = 0; k < spectra->n; k++) {
		weighed[k] = (struct weighed){fmax(1, noise_energy_factor(noise, energy, &spectra->one[k])),
			is_fitted(&spectra->one[k].form)
				? noise_energy_likelihood(noise, energy, &spectra->one[k]) + (k ? 0 : preferred)
				: -INFINITY,
			&spectra->one[k]};
		most = fmax(most, weighed[k].weight);
	}
	for (size_t k = 0; k < spectra->n; k++)
		all += weighed[k].weight = exp(weighed[k].weight - most);
	if (weighed[0].weight > all / 2) {
		free(weighed);
		*out = (struct noise_form){.factor = 1};
		return &spectra->one[0];
	}
	qsort(weighed, spectra->n, sizeof *weighed, compare_factors);
	while (i + 1 < spectra->n && (sum += weighed[i].weight) < MIDDLE * all)
		i++;
	form = weighed[i].form;
	*out = form->form;
	out->factor = weighed[i].factor;
	free(weighed);
	return form;
}

/* Takes the forms that forget quickly and explain the rows nearly as well as the best one; returns the one with the
 * largest factor. */
static const struct spectrum *
worst_fit(
	const struct noise *noise, const struct noise_energy *e, const struct spectra *spectra, struct noise_form *out)
{
	const struct spectrum *form = &spectra->one[0];
	double best = -INFINITY;

	*out = (struct noise_form){.factor = 1};
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < spectra->n; i++) {
			const struct spectrum *s = &spectra->one[i];
			double l = noise_energy_likelihood(noise, e, s), factor = noise_energy_factor(noise, e, s);

			if (i && (s->form.share < 1 || s->form.memory > 0))
				continue;
			if (pass == 0)
				best = fmax(best, l);
			if (pass == 1 && l > best - NOISE_NOT_EXCLUDED && factor > out->factor) {
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
noise_fit(const struct noise *noise, bool cautious)
{
	struct noise_fit out = noise_no_fit();
	struct noise_energy e[NOISE_LOADS + 1];
	bool slow[NOISE_LOADS + 1], some = false;
	struct noise_left left = noise_left_new(noise);
	struct spectra *spectra;

	for (size_t i = 0; i <= noise->n_loads; i++) {
		if (i < noise->n_loads)
			noise_energy_of_load(noise, i, &e[i]);
		else
			noise_energy_of_rest(noise, &left, &e[i]);
		slow[i] = e[i].dims > 0 && (cautious || is_suspicious(noise, &e[i]));
		some |= slow[i];
	}
	noise_left_free(&left);
	if (!some)
		return out;
	spectra = spectra_hold(noise->book, noise->k, 0);
	for (size_t i = 0; i <= noise->n_loads; i++) {
		const struct spectrum *spectrum;

		if (!slow[i])
			continue;
		spectrum = (cautious ? worst_fit : fit)(
			noise, &e[i], spectra, i < noise->n_loads ? &out.of_load[i] : &out.of_rest);
		if (i == noise->n_loads) {
			out.zero = spectrum->zero;
			out.others = spectrum->rest;
			memcpy(out.wave, spectrum->wave, noise->waves * sizeof *out.wave);
		}
	}
	spectra_drop(noise->book, spectra);
	return out;
}

/* The coefficients are scaled to equal size before their products are summed. So all of them contribute to the
 * covariance between counters, and not only the few slow ones that are large. */
void
noise_apply(const struct noise *noise, const struct noise_fit *how, double *cov)
{
	size_t n = noise->n;
	double scale = 1 / (noise->nu * (double)noise->k), f = how->zero / how->others * scale;
	bool same = how->of_rest.factor <= 1;
	struct noise_left left;

	for (size_t l = 0; l < noise->n_loads; l++)
		same &= how->of_load[l].factor <= 1;
	if (same)
		return;
	left = noise_left_new(noise);
	for (size_t i = 0; i < n * n; i++)
		cov[i] = left.all[i] * f;
	for (size_t j = 0; j < noise->waves; j++)
		for (size_t i = 0; i < n; i++)
			dot_subtract(cov + i * n, f * (1 - how->others / how->wave[j]) * left.wave[j * n + i],
				left.wave + j * n, n);
	noise_left_free(&left);
	for (size_t l = 0; l < noise->n_loads; l++)
		for (size_t i = 0; i < n; i++)
			dot_subtract(cov + i * n,
				-how->of_load[l].factor * noise->own[l] * scale * noise->by[l * n + i],
				noise->by + l * n, n);
}
