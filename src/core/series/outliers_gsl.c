#include "core/series/outliers.h"

#include <gsl/gsl_filter.h>
#include <gsl/gsl_statistics_double.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/stats/tails.h"

#define FALSE_FAMILIES 0.01
#define LEAST_LEVEL 1e-3 /* least noise, relative to the median: smaller deviations do not matter */
#define LEAST_ROWS ((size_t)8)
/* The deviation of 31 rows is known to a sixth. With 1.5 times the normal quantile, normal noise makes no more outliers
 * than its tail (tests/unit/phases_parts.c). */
#define SPREAD 1.25

/* The known rows of a series, and where they are. */
static size_t
known_rows(const double *v, size_t n, double *out, size_t *row)
{
	size_t known = 0;

	for (size_t m = 0; m < n; m++)
		if (!isnan(v[m])) {
			out[known] = v[m];
			row[known++] = m;
		}
	return known;
}

/* The standard deviation of normal noise with the median absolute deviation of the residuals. */
static double
noise_of(const gsl_vector *x, const gsl_vector *median, double *work)
{
	for (size_t m = 0; m < x->size; m++)
		work[m] = fabs(gsl_vector_get(x, m) - gsl_vector_get(median, m));
	return 1.4826 * gsl_stats_median(work, 1, x->size);
}

struct outliers
outliers_find(const double *v, size_t n, size_t tried)
{
	struct outliers out = {0};
	double *work = mem_new_array(n, sizeof *work);
	size_t *row = mem_new_array(n, sizeof *row), known = known_rows(v, n, work, row), cap = 0;

	if (known >= LEAST_ROWS) {
		gsl_filter_impulse_workspace *w = gsl_filter_impulse_alloc(2 * OUTLIERS_AROUND + 1);
		gsl_vector *x = gsl_vector_alloc(known), *y = gsl_vector_alloc(known),
			   *median = gsl_vector_alloc(known);
		gsl_vector *sigma = gsl_vector_alloc(known);
		size_t changed;
		double noise;

		out.most = SPREAD * sqrt(chi2_beyond(FALSE_FAMILIES / (double)(tried ? tried : 1), 1));
		for (size_t m = 0; m < known; m++)
			gsl_vector_set(x, m, work[m]);
		gsl_filter_impulse(
			GSL_FILTER_END_TRUNCATE, GSL_FILTER_SCALE_MAD, 0, x, y, median, sigma, &changed, NULL, w);
		noise = noise_of(x, median, work);
		for (size_t m = 0; m < known; m++) {
			double middle = gsl_vector_get(median, m), off = gsl_vector_get(x, m) - middle;
			double s = fmax(fmax(noise, gsl_vector_get(sigma, m)), LEAST_LEVEL * fabs(middle));

			if (!(s > 0) || fabs(off) <= out.most * s)
				continue;
			mem_grow(&out.outlier, &cap, out.n + 1, sizeof *out.outlier);
			out.outlier[out.n++] = (struct outlier){row[m], gsl_vector_get(x, m), middle, off / s};
		}
		gsl_vector_free(x);
		gsl_vector_free(y);
		gsl_vector_free(median);
		gsl_vector_free(sigma);
		gsl_filter_impulse_free(w);
	}
	free(work);
	free(row);
	return out;
}

void
outliers_free(struct outliers *o)
{
	free(o->outlier);
	*o = (struct outliers){0};
}
