/* How much an observation's numbers can be trusted, and where they lie relative to each constraint. */
#include "work/analysis/describe.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"

#define SERIES_MAX 120 /* no sparkline is wider */

/* Returns the share of the time that a counter of the model was counted by the hardware: the least of its columns, row
 * by row. */
static double
mean_running(const struct prepared *p, size_t counter)
{
	const struct obs *o = p->obs;
	double sum = 0, rows = 0;

	for (size_t row = 0; row < o->n_rows; row++) {
		double least = 1;
		bool counted = true;

		for (size_t k = p->match->first[counter]; k < p->match->first[counter + 1]; k++) {
			size_t cell = row * o->n_columns + p->match->column[k];

			counted &= o->counted[cell] != 0;
			if (o->running && o->running[cell] < least)
				least = o->running[cell];
		}
		if (counted) {
			sum += least;
			rows++;
		}
		if (counted && !o->running) /* each row's share is 1, and so is their mean */
			break;
	}
	return rows > 0 ? sum / rows : NAN;
}

/* Finds the two counters with the strongest correlation, and the mean strength over all pairs. */
static void
strongest_pair(const struct prepared *p, struct quality *f, size_t n)
{
	const struct region *r = p->region;
	size_t *at = mem_new_array(r->n, sizeof *at);
	double sum = 0, pairs = 0;

	for (size_t i = 0, k = 0; i < n; i++)
		if (p->keep[i])
			at[k++] = i;
	for (size_t i = 0; i < r->n; i++)
		for (size_t j = i + 1; j < r->n; j++) {
			double c = r->cov[i * r->n + j] / sqrt(r->cov[i * r->n + i] * r->cov[j * r->n + j]);

			if (isfinite(c)) {
				sum += fabs(c);
				pairs++;
			}
			if (isfinite(c) && !(fabs(c) <= fabs(f->correlation))) {
				f->correlation = c;
				f->correlated[0] = at[i];
				f->correlated[1] = at[j];
			}
		}
	f->correlation_mean = pairs > 0 ? fmin(1, sum / pairs) : NAN;
	free(at);
}

/* Adds a counter's counts in rows first … last − 1, in units of its mean; returns their number. */
static double
add_activity(const struct prepared *p, size_t counter, size_t first, size_t last, double *sum)
{
	const struct obs *o = p->obs;
	double mean = p->value[counter] * pow(10, o->decimals), n = 0;

	for (size_t k = p->match->first[counter]; mean > 0 && k < p->match->first[counter + 1]; k++)
		for (size_t row = first; row < last; row++) {
			size_t cell = row * o->n_columns + p->match->column[k];

			if (!o->counted[cell])
				continue;
			*sum += (double)o->count[cell] / mean /
				(double)obs_samples_in_cell(o, row, p->match->column[k]);
			n++;
		}
	return n;
}

/* Computes the activity over time: for each stretch of rows, the mean over the counters of count over mean count. */
static void
activity(const struct prepared *p, struct quality *f, size_t n)
{
	const struct obs *o = p->obs;
	size_t buckets = o->n_rows < SERIES_MAX ? o->n_rows : SERIES_MAX;
	double *weight;

	if (o->n_rows < 2)
		return;
	f->series = mem_new_array(buckets, sizeof *f->series);
	f->n_series = buckets;
	weight = mem_new_array(buckets, sizeof *weight);
	for (size_t b = 0, first = 0, last; b < buckets; b++, first = last) {
		for (last = first; last < o->n_rows && last * buckets / o->n_rows == b;)
			last++;
		for (size_t i = 0; i < n; i++)
			if (p->keep[i] && !p->match->derived[i]) /* a derived one repeats what it is computed from */
				weight[b] += add_activity(p, i, first, last, &f->series[b]);
	}
	for (size_t b = 0; b < buckets; b++)
		f->series[b] = weight[b] > 0 ? f->series[b] / weight[b] : NAN;
	free(weight);
}

void
prepare_quality(const struct analysis *a, struct prepared *p)
{
	size_t n = a->model->n_counters;
	struct quality *q = &p->quality;

	*q = (struct quality){.correlation = NAN, .correlation_mean = NAN};
	q->deviation = mem_new_array(n, sizeof *q->deviation);
	q->running = mem_new_array(n, sizeof *q->running);
	for (size_t i = 0, k = 0; i < n; i++) {
		q->deviation[i] = q->running[i] = NAN;
		if (!p->keep[i])
			continue;
		q->running[i] = mean_running(p, i);
		if (p->region && p->region->cov)
			q->deviation[i] = sqrt(p->region->cov[k * p->region->n + k] / p->region->inflation);
		k++;
	}
	if (p->region && p->region->cov)
		strongest_pair(p, q, n);
	if (p->n_kept)
		activity(p, q, n);
}

void
describe_slack(const struct analysis *a, const struct result *r, const struct prepared *p, struct finding *f)
{
	size_t n = a->model->n_counters;
	int64_t *coef;

	if (!p->region)
		return;
	coef = mem_new_array(p->region->n, sizeof *coef);
	f->slack = mem_new_array(r->n_constraints, sizeof *f->slack);
	f->n_slacks = r->n_constraints;
	for (size_t c = 0; c < r->n_constraints; c++) {
		bool whole = true;
		struct across x;

		for (size_t i = 0, k = 0; i < n; i++) {
			whole &= p->keep[i] || !r->constraint[c].coef[i];
			if (p->keep[i])
				coef[k++] = r->constraint[c].coef[i];
		}
		x = verdict_across(p->region, coef, (enum region_kind)a->opt.decides, f->own.reach2);
		f->slack[c] = (struct constraint_slack){.at = whole ? x.at : NAN, .reach = x.reach, .size = x.size};
	}
	free(coef);
}
