#include "core/stats/matrix.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <string.h>

#include "core/stats/dot_product.h"

/* Works from the top row down and subtracts each row from all rows below it: long independent loops over contiguous
 * numbers. This makes the upper factor, which is transposed at the end. */
bool
matrix_cholesky(size_t n, const double *a, double shift, double *l)
{
	memcpy(l, a, n * n * sizeof *l);
	for (size_t j = 0; j < n; j++) {
		double *row = l + j * n, d = row[j] - shift;

		if (!(d > 0) || !isfinite(d))
			return false;
		d = 1 / sqrt(d);
		row[j] = (row[j] - shift) * d;
		for (size_t k = j + 1; k < n; k++)
			row[k] *= d;
		for (size_t i = j + 1; i < n; i++)
			dot_subtract(l + i * n + i, row[i], row + i, n - i);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			l[k * n + i] = l[i * n + k];
			l[i * n + k] = 0;
		}
	return true;
}

void
matrix_forward(size_t n, const double *l, double *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = (x[i] - dot(l + i * n, x, i)) / l[i * n + i];
}

void
matrix_backward(size_t n, const double *l, double *x)
{
	for (size_t i = n; i-- > 0;) {
		double s = x[i] / l[i * n + i];

		x[i] = s;
		for (size_t k = 0; k < i; k++)
			x[k] -= l[i * n + k] * s;
	}
}

bool
matrix_eigen(size_t n, const double *a, double *value, double *vector)
{
	gsl_matrix *copy, *v;
	gsl_vector *e;
	gsl_eigen_symmv_workspace *w;
	bool good;

	gsl_set_error_handler_off();
	copy = gsl_matrix_alloc(n, n);
	v = gsl_matrix_alloc(n, n);
	e = gsl_vector_alloc(n);
	w = gsl_eigen_symmv_alloc(n);
	good = copy && v && e && w;
	if (good) {
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				gsl_matrix_set(copy, i, j, a[i * n + j]);
		good = gsl_eigen_symmv(copy, e, v, w) == GSL_SUCCESS &&
			gsl_eigen_symmv_sort(e, v, GSL_EIGEN_SORT_VAL_ASC) == GSL_SUCCESS;
	}
	for (size_t k = 0; good && k < n; k++) {
		value[k] = gsl_vector_get(e, k);
		for (size_t i = 0; i < n; i++)
			vector[k * n + i] = gsl_matrix_get(v, i, k);
	}
	if (w)
		gsl_eigen_symmv_free(w);
	if (e)
		gsl_vector_free(e);
	if (v)
		gsl_matrix_free(v);
	if (copy)
		gsl_matrix_free(copy);
	return good;
}
