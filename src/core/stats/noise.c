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

/* Whether the slow coefficients are larger than those of independent rows usually are. */
static bool
is_suspicious(const struct noise *z, const struct noise_energy *e)
{
	double sum = 0;

	for (size_t j = 0; j < z->waves; j++) {
		double terms = e->dims * (double)(j + 1);

		sum += e->wave[j];
		if (((j + 1) & j) == 0 && sum > terms * (1 + SUSPICIOUS * sqrt(2 / terms)))
			return true;
	}
	return sum > 0 && sum > e->dims * z->nu * 0.75;
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
fit(const struct noise *z, const struct noise_energy *e, const struct spectra *f, struct noise_form *out)
{
	struct weighed *w = mem_new_array(f->n, sizeof *w);
	double most = -INFINITY, all = 0, sum = 0,
	       preferred = log(NOISE_INDEPENDENT / (1 - NOISE_INDEPENDENT) * (double)(f->n - 1));
	const struct spectrum *form;
	size_t i = 0;

	for (size_t k = 0; k < f->n; k++) {
		w[k] = (struct weighed){fmax(1, noise_energy_factor(z, e, &f->one[k])),
			is_fitted(&f->one[k].form) ? noise_energy_likelihood(z, e, &f->one[k]) + (k ? 0 : preferred)
						   : -INFINITY,
			&f->one[k]};
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

/* Takes the forms that forget quickly and explain the rows nearly as well as the best one; returns the one with the
 * largest factor. */
static const struct spectrum *
worst_fit(const struct noise *z, const struct noise_energy *e, const struct spectra *f, struct noise_form *out)
{
	const struct spectrum *form = &f->one[0];
	double best = -INFINITY;

	*out = (struct noise_form){.factor = 1};
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < f->n; i++) {
			const struct spectrum *s = &f->one[i];
			double l = noise_energy_likelihood(z, e, s), factor = noise_energy_factor(z, e, s);

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
noise_fit(const struct noise *z, bool cautious)
{
	struct noise_fit out = noise_no_fit();
	struct noise_energy e[NOISE_LOADS + 1];
	bool slow[NOISE_LOADS + 1], some = false;
	struct spectra *f;

	for (size_t i = 0; i <= z->n_loads; i++) {
		if (i < z->n_loads)
			noise_energy_of_load(z, i, &e[i]);
		else
			noise_energy_of_rest(z, &e[i]);
		slow[i] = e[i].dims > 0 && (cautious || is_suspicious(z, &e[i]));
		some |= slow[i];
	}
	if (!some)
		return out;
	f = spectra_new(z->k);
	for (size_t i = 0; i <= z->n_loads; i++) {
		const struct spectrum *s;

		if (!slow[i])
			continue;
		s = (cautious ? worst_fit : fit)(z, &e[i], f, i < z->n_loads ? &out.of_load[i] : &out.of_rest);
		if (i == z->n_loads) {
			out.zero = s->zero;
			out.others = s->rest;
			memcpy(out.wave, s->wave, z->waves * sizeof *out.wave);
		}
	}
	spectra_free(f);
	return out;
}

/* The coefficients are scaled to equal size before their products are summed. So all of them contribute to the
 * covariance between counters, and not only the few slow ones that are large. */
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
			dot_subtract(cov + i * n, f * (1 - how->others / how->wave[j]) * z->left_wave[j * n + i],
				z->left_wave + j * n, n);
	for (size_t l = 0; l < z->n_loads; l++)
		for (size_t i = 0; i < n; i++)
			dot_subtract(cov + i * n, -how->of_load[l].factor * z->own[l] * scale * z->by[l * n + i],
				z->by + l * n, n);
}
