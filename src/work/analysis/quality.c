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
mean_running(const struct prepared *prepared, size_t counter)
{
	const struct obs *obs = prepared->obs;
	double sum = 0, rows = 0;

	for (size_t row = 0; row < obs->n_rows; row++) {
		double least = 1;
		bool counted = true;

		for (size_t k = prepared->match->first[counter]; k < prepared->match->first[counter + 1]; k++) {
			size_t cell = row * obs->n_columns + prepared->match->column[k];

			counted &= obs->counted[cell] != 0;
			if (obs->running && obs->running[cell] < least)
				least = obs->running[cell];
		}
		if (counted) {
			sum += least;
			rows++;
		}
		if (counted && !obs->running) /* each row's share is 1, and so is their mean */
			break;
	}
	return rows > 0 ? sum / rows : NAN;
}

static double
least_running(const struct obs *o)
{
	double least = 1;

	for (size_t i = 0; o->running && i < o->n_rows * o->n_columns; i++)
		if (o->counted[i] && o->running[i] > 0)
			least = fmin(least, o->running[i]);
	return least;
}

/* Finds the two counters with the strongest correlation, and the mean strength over all pairs. */
static void
strongest_pair(const struct prepared *prepared, struct quality *quality, size_t n)
{
	const struct region *region = prepared->region;
	size_t *at = mem_new_array(region->n, sizeof *at);
	double sum = 0, pairs = 0;

	for (size_t i = 0, k = 0; i < n; i++)
		if (prepared->keep[i])
			at[k++] = i;
	for (size_t i = 0; i < region->n; i++)
		for (size_t j = i + 1; j < region->n; j++) {
			double c = spread_at(&region->spread, region->n, i, j) /
				sqrt(region->spread.variance[i] * region->spread.variance[j]);

			if (isfinite(c)) {
				sum += fabs(c);
				pairs++;
			}
			if (isfinite(c) && !(fabs(c) <= fabs(quality->correlation))) {
				quality->correlation = c;
				quality->correlated[0] = at[i];
				quality->correlated[1] = at[j];
			}
		}
	quality->correlation_mean = pairs > 0 ? fmin(1, sum / pairs) : NAN;
	free(at);
}

/* Adds a counter's counts in rows first … last − 1, in units of its mean; returns their number. */
static double
add_activity(const struct prepared *prepared, size_t counter, size_t first, size_t last, double *sum)
{
	const struct obs *o = prepared->obs;
	double mean = prepared->value[counter] * pow(10, o->decimals), n = 0;

	for (size_t k = prepared->match->first[counter]; mean > 0 && k < prepared->match->first[counter + 1]; k++)
		for (size_t row = first; row < last; row++) {
			size_t cell = row * o->n_columns + prepared->match->column[k];

			if (!o->counted[cell])
				continue;
			*sum += (double)o->count[cell] / mean /
				(double)obs_samples_in_cell(o, row, prepared->match->column[k]);
			n++;
		}
	return n;
}

/* Computes the activity over time: for each stretch of rows, the mean over the counters of count over mean count. */
static void
activity(const struct prepared *prepared, struct quality *quality, size_t n)
{
	const struct obs *obs = prepared->obs;
	size_t buckets = obs->n_rows < SERIES_MAX ? obs->n_rows : SERIES_MAX;
	double *weight;

	if (obs->n_rows < 2)
		return;
	quality->series = mem_new_array(buckets, sizeof *quality->series);
	quality->n_series = buckets;
	weight = mem_new_array(buckets, sizeof *weight);
	for (size_t b = 0, first = 0, last; b < buckets; b++, first = last) {
		for (last = first; last < obs->n_rows && last * buckets / obs->n_rows == b;)
			last++;
		for (size_t i = 0; i < n; i++)
			if (prepared->keep[i] &&
				!prepared->match->derived[i]) /* a derived one repeats what it is computed from */
				weight[b] += add_activity(prepared, i, first, last, &quality->series[b]);
	}
	for (size_t b = 0; b < buckets; b++)
		quality->series[b] = weight[b] > 0 ? quality->series[b] / weight[b] : NAN;
	free(weight);
}

void
prepare_quality(const struct analysis *analysis, struct prepared *prepared)
{
	size_t n = analysis->model->n_counters;
	struct quality *quality = &prepared->quality;

	prepared->least_running = least_running(prepared->obs);
	*quality = (struct quality){.correlation = NAN, .correlation_mean = NAN};
	quality->deviation = mem_new_array(n, sizeof *quality->deviation);
	quality->running = mem_new_array(n, sizeof *quality->running);
	for (size_t i = 0, k = 0; i < n; i++) {
		quality->deviation[i] = quality->running[i] = NAN;
		if (!prepared->keep[i])
			continue;
		quality->running[i] = mean_running(prepared, i);
		if (prepared->region && region_has_noise_model(prepared->region))
			quality->deviation[i] = sqrt(
				prepared->region->spread.variance[k] / prepared->region->inflation);
		k++;
	}
	if (prepared->region && region_has_noise_model(prepared->region))
		strongest_pair(prepared, quality, n);
	if (prepared->n_kept)
		activity(prepared, quality, n);
}

void
describe_slack(const struct analysis *analysis, const struct result *result, const struct prepared *prepared,
	struct finding *finding)
{
	size_t n = analysis->model->n_counters;
	int64_t *coef;

	if (!prepared->region)
		return;
	coef = mem_new_array(prepared->region->n, sizeof *coef);
	finding->slack = mem_new_array(result->n_constraints, sizeof *finding->slack);
	finding->n_slacks = result->n_constraints;
	for (size_t c = 0; c < result->n_constraints; c++) {
		bool whole = true;
		struct across x;

		for (size_t i = 0, k = 0; i < n; i++) {
			whole &= prepared->keep[i] || !result->constraint[c].coef[i];
			if (prepared->keep[i])
				coef[k++] = result->constraint[c].coef[i];
		}
		x = verdict_across(
			prepared->region, coef, (enum region_kind)analysis->opt.decides, finding->own.reach2);
		finding->slack[c] = (struct constraint_slack){
			.at = whole ? x.at : NAN, .reach = x.reach, .size = x.size};
	}
	free(coef);
}
