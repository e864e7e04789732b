/* How the noise of the observations was taken, in a sentence for each thing that a reader of verdicts must know. */
#include <math.h>
#include <stdlib.h>

#include "app/judge/describe.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/series/changes.h"
#include "core/stats/region.h"
#include "core/udd/model.h"

#define WIDE 1.5 /* as much wider as must be said */

/* How many observations something is true of, and the one where it is worst. */
struct tally {
	size_t n;
	const struct prepared *worst;
	double most;
};

static void
count(struct tally *t, const struct prepared *p, double how)
{
	if (!(how > 0))
		return;
	t->n++;
	if (!t->worst || how > t->most) {
		t->worst = p;
		t->most = how;
	}
}

/* "in NAME: " or "in 12 of 300 observations, most in NAME: ". */
static void
add_where(const struct tally *t, size_t of, struct str *s)
{
	if (of == 1)
		str_addf(s, "%s: ", t->worst->obs->name);
	else if (t->n == 1)
		str_addf(s, "in %s: ", t->worst->obs->name);
	else
		str_addf(s, "in %zu of %zu observations, most in %s: ", t->n, of, t->worst->obs->name);
}

static void
note_lag(struct result *r, const struct tally *t, size_t of)
{
	struct str s = {0};
	const struct region *g;

	if (!t->n)
		return;
	g = t->worst->region;
	add_where(t, of, &s);
	str_addf(&s, "neighbouring samples resemble each other (correlation %.2g), so that %zu are worth about %.3g", g->lag, g->rows, g->effective);
	if (g->batches)
		str_addf(&s, "; the region comes from the means of %zu batches and is wider", g->batches);
	else
		str_add(&s, "; the region is wider by that");
	str_add(&s, ". Longer intervals or several runs tell more");
	describe_note(r, "autocorrelated", str_take(&s));
}

static void
note_few(struct result *r, const struct tally *t, size_t of)
{
	struct str s = {0};
	const struct region *g;

	if (!t->n)
		return;
	g = t->worst->region;
	add_where(t, of, &s);
	str_addf(&s, "%zu samples are few for %zu counters: correlations are shrunk by %.2g, and the region has %.3g times the "
		 "variance. Take %zu or more",
		 g->rows, g->n, g->shrinkage, g->inflation, 2 * g->n > REGION_FEW ? 2 * g->n : REGION_FEW);
	describe_note(r, "few-samples", str_take(&s));
}

static void
note_phases(const struct analysis *a, struct result *r, const struct tally *t, size_t of)
{
	struct str s = {0};
	const struct changes *c;

	if (!t->n)
		return;
	c = t->worst->changes;
	add_where(t, of, &s);
	str_addf(&s, "%zu phases", c->n + 1);
	for (size_t i = 0; i < c->n && i < 3; i++) {
		const struct change *k = &c->change[i];
		const double *time = t->worst->obs->time;

		str_addf(&s, "%s%s goes from %.4g to %.4g at sample %zu", i ? "; " : ": ", a->model->counter[k->counter].name, k->before, k->after,
			 obs_first_sample(t->worst->obs, k->row) + 1);
		if (time && isfinite(time[k->row]))
			str_addf(&s, " (%.6g s)", time[k->row]);
	}
	if (c->n > 3)
		str_addf(&s, "; and %zu more", c->n - 3);
	str_add(&s, ". A mean over phases can hide what one of them violates: --split-phases judges each by itself");
	describe_note(r, "phased", str_take(&s));
}

/* The least share of the time in which a kept counter's column ran; 1 when all ran all the time. */
static double
least_running(const struct obs *o)
{
	double least = 1;

	for (size_t i = 0; o->running && i < o->n_rows * o->n_columns; i++)
		if (o->counted[i] && o->running[i] > 0)
			least = fmin(least, o->running[i]);
	return least;
}

static void
note_multiplexed(struct result *r, const struct tally *t, size_t of)
{
	struct str s = {0};

	if (!t->n)
		return;
	add_where(t, of, &s);
	str_addf(&s, "counts were extrapolated from as little as %.3g %% of the time; their error is in the region, as far as samples and "
		     "shares show it",
		 100 * least_running(t->worst->obs));
	if (t->worst->was_exact)
		str_add(&s, ", and they are no exact totals");
	str_add(&s, ". Fewer events at once need no extrapolation");
	describe_note(r, "multiplexed", str_take(&s));
}

static double
largest_slack(const struct region *g)
{
	double most = 0;

	for (size_t i = 0; i < g->n && g->slack; i++)
		most = fmax(most, g->slack[i]);
	return most;
}

static void
note_torn(struct result *r, const struct tally *t, size_t of)
{
	struct str s = {0};

	if (!t->n)
		return;
	add_where(t, of, &s);
	str_addf(&s, "its rows were read while up to %.4g task%s ran, each perhaps half-way through what is counted: a mean may be off by up "
		 "to %.3g besides its noise, and regions are wider by that",
		 t->worst->obs->tasks, t->worst->obs->tasks > 1 ? "s" : "", t->most);
	describe_note(r, "torn", str_take(&s));
}

static void
note_stated(struct result *r, const struct tally *t, size_t of)
{
	struct str s = {0};

	if (!t->n)
		return;
	add_where(t, of, &s);
	str_add(&s, "a single row, with the standard errors that its source states; how counters vary together is not known and taken as not at "
		    "all. Samples tell more");
	describe_note(r, "stated-errors", str_take(&s));
}

void
describe_noise(const struct analysis *a, struct result *r)
{
	struct tally lag = {0}, few = {0}, phases = {0}, part = {0}, torn = {0}, stated = {0};
	size_t n = total_observations(a);

	for (size_t i = 0; i < n; i++) {
		const struct prepared *p = nth_observation(a, i);
		const struct region *g = p->region;

		count(&part, p, 1 - least_running(p->obs));
		if (!g || !region_has_noise_model(g))
			continue;
		count(&lag, p, g->lag);
		count(&few, p, !g->batches && !g->stated && (g->shrinkage > 0 || g->inflation > WIDE) ? 1 / (double)g->rows : 0);
		count(&phases, p, p->changes ? (double)p->changes->n : 0);
		count(&torn, p, largest_slack(g));
		count(&stated, p, g->stated);
	}
	note_lag(r, &lag, n);
	note_phases(a, r, &phases, n);
	note_few(r, &few, n);
	note_multiplexed(r, &part, n);
	note_torn(r, &torn, n);
	note_stated(r, &stated, n);
}
