#include "core/stats/eigen.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

bool
eigen_symmetric(size_t n, const double *a, double *value, double *vector)
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
