/* A counter explains the observations that are no longer refuted once this counter is ignored. Its error is the
 * distance from the constraint at the mean, divided by the counter's coefficient. */
#include "work/analysis/miscount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "shape/shape.h"
#include "work/analysis/describe.h"
#include "work/analysis/leaks.h"
#include "work/analysis/loss.h"
#include "work/analysis/zeros.h"

#define OBSERVATIONS_LEAST 3    /* observations needed before a miscount is attributed to a leak */
#define STEADY 1.25  /* largest ratio of the rates between those observations */

/* One observation that a counter would explain. */
struct explained {
	const struct analysis_table *table;
	const struct prepared *p;
	double off; /* error of the counter, in counts; above 0, it counts too much */
};

/* --- what a miscount is proportional to -------------------------------------------------------------------------- */

/* Finds the least and the greatest error of the counter per event, over the observations. False where one of them has
 * no event. */
static bool
rates(const struct explained *c, size_t n, const char *event, double rate[2])
{
	rate[0] = INFINITY;
	rate[1] = 0;
	for (size_t i = 0; i < n; i++) {
		double of = leaks_mean(c[i].table, c[i].p->obs, event), r = fabs(c[i].off) / of;

		if (!(of > 0))
			return false;
		rate[0] = fmin(rate[0], r);
		rate[1] = fmax(rate[1], r);
	}
	return true;
}

static void
take_if_steadier(struct miscount *m, double *steadiest, const char *name, const double rate[2])
{
	if (!(rate[1] / rate[0] < *steadiest))
		return;
	*steadiest = rate[1] / rate[0];
	free(m->leak);
	m->leak = mem_str(name);
	memcpy(m->rate, rate, sizeof m->rate);
}

/* Finds the event to which the error is most nearly proportional. None, if it fits the counter's own count better. */
static void
find_leak(const struct explained *explained, size_t n, struct miscount *m)
{
	double steadiest = fmin(STEADY, m->share[0] > 0 ? m->share[1] / m->share[0] : INFINITY), rate[2];
	const struct columns_match *match = explained[0].p->match;

	if (n < OBSERVATIONS_LEAST)
		return;
	for (size_t k = 0; k < match->n_extra; k++) {
		const char *event = explained[0].table->data->column[match->extra[k]];

		if (leaks_may(event) && rates(explained, n, event, rate))
			take_if_steadier(m, &steadiest, event, rate);
	}
	if (rates(explained, n, LEAK_SECONDS, rate))
		take_if_steadier(m, &steadiest, LEAK_SECONDS, rate);
}

/* --- words ------------------------------------------------------------------------------------------------------- */

/* Returns the number with three digits, never as 1e+04. The caller frees. */
static char *
number_text(double v)
{
	double unit = v > 0 ? pow(10, floor(log10(v)) - 2) : 1;

	return unit >= 1 ? str_format("%.0f", round(v / unit) * unit) : str_format("%.3g", v);
}

/* Appends a range, or one number where both ends print alike. */
static void
miscount_add_range(double least, double most, double times, struct str *out)
{
	char *a = number_text(least * times), *b = number_text(most * times);

	str_add(out, a);
	if (!str_eq(a, b))
		str_addf(out, " to %s", b);
	free(a);
	free(b);
}

bool
miscount_is_likely(const struct miscount *c)
{
	return c->zero || *c->leak || c->share[0] <= 1;
}

void
miscount_words(const struct udd_model *model, const struct miscount *miscount, bool equality, struct str *out)
{
	bool shares = isfinite(miscount->share[1]);

	if (miscount->zero) {
		str_addf(out, "%s reads 0 throughout; perhaps it was not counted",
			model->counter[miscount->counter].name);
		return;
	}
	str_addf(out, "%s too %s", model->counter[miscount->counter].name, miscount->high ? "high" : "low");
	if (*miscount->leak || shares)
		str_add(out, equality ? " by " : " by at least ");
	if (*miscount->leak) {
		miscount_add_range(miscount->rate[0], miscount->rate[1], 1, out);
		str_addf(out, " per %s%s", str_eq(miscount->leak, LEAK_SECONDS) ? "second" : miscount->leak,
			shares ? " (" : "");
	}
	if (shares) {
		miscount_add_range(miscount->share[0], miscount->share[1], 100, out);
		str_add(out, *miscount->leak ? " %)" : " %");
	}
}

/* --- which counters ---------------------------------------------------------------------------------------------- */

static const struct analysis_table *
table_of(const struct analysis *a, const struct prepared *p)
{
	return &a->table[p->from.table];
}

/* Returns the counter's error if it is the only wrong counter; NAN where the observation lacks a counter of the
 * constraint. */
static double
off_by(const struct analysis *a, const struct prepared *p, const int64_t *coef, size_t counter)
{
	double sum = 0;

	for (size_t i = 0; i < a->model->n_counters; i++)
		if (coef[i])
			sum += p->keep[i] ? (double)coef[i] * p->value[i] : NAN;
	return sum / (double)coef[counter];
}

static struct miscount
test_counter(struct analysis *analysis, const struct fset *on, const int64_t *coef, const bool *breaking,
	size_t counter, struct explained *explained)
{
	struct miscount m = {.counter = counter, .zero = true, .share = {INFINITY, 0}};
	bool one_way = true;

	for (size_t i = 0; i < analysis_n_observations(analysis); i++) {
		const struct prepared *p = breaking[i] ? analysis_observation(analysis, i) : NULL;
		double off = p ? off_by(analysis, p, coef, counter) : NAN, share;

		if (!p || isnan(off) || off == 0 ||
			loss_refuted_without(analysis, on, table_of(analysis, p), p, counter, analysis->opt.confidence))
			continue;
		share = fabs(off) / p->value[counter];
		m.high = off > 0;
		m.zero &= off < 0 && table_of(analysis, p)->zero[counter];
		one_way &= !m.enough || (explained[0].off > 0) == m.high;
		m.share[0] = fmin(m.share[0], share);
		m.share[1] = fmax(m.share[1], share);
		explained[m.enough++] = (struct explained){.table = table_of(analysis, p), .p = p, .off = off};
	}
	if (!one_way)
		m.enough = 0; /* a counter that leaks always errs in one direction */
	if (m.enough)
		find_leak(explained, m.enough, &m);
	if (!m.leak)
		m.leak = mem_str("");
	return m;
}

/* Order: counters that explain most observations; then those that read 0; then those with a leak; then those with the
 * smallest error. */
static int
miscount_compare(const void *va, const void *vb)
{
	const struct miscount *a = va, *b = vb;

	if (a->enough != b->enough)
		return a->enough > b->enough ? -1 : 1;
	if (a->zero != b->zero)
		return a->zero ? -1 : 1;
	if (!*a->leak != !*b->leak)
		return *a->leak ? -1 : 1;
	if (a->share[1] < b->share[1] || a->share[1] > b->share[1])
		return a->share[1] < b->share[1] ? -1 : 1;
	return a->counter < b->counter ? -1 : a->counter > b->counter;
}

struct miscount *
miscounts_find(struct analysis *analysis, const struct fset *on, const int64_t *coef, const bool *breaking, size_t *n)
{
	struct miscount *list = mem_new_array(analysis->model->n_counters, sizeof *list);
	struct explained *explained = mem_new_array(analysis_n_observations(analysis), sizeof *explained);

	*n = 0;
	for (size_t i = 0; i < analysis->model->n_counters; i++) {
		if (!coef[i])
			continue;
		list[*n] = test_counter(analysis, on, coef, breaking, i, explained);
		if (list[*n].enough)
			++*n;
		else
			free(list[*n].leak);
	}
	qsort(list, *n, sizeof *list, miscount_compare);
	free(explained);
	return list;
}

static const struct shape_row MISCOUNT_ROWS[] = {
	{SHAPE_FIELD(struct miscount, counter)}, {SHAPE_FIELD(struct miscount, high)},
	{SHAPE_FIELD(struct miscount, zero)}, {SHAPE_FIELD(struct miscount, enough)},
	{SHAPE_FIELD(struct miscount, leak)}, {SHAPE_EACH(struct miscount, share)},
	{SHAPE_EACH(struct miscount, rate)},
};
const struct shape miscount_shape = SHAPE(struct miscount, MISCOUNT_ROWS);
