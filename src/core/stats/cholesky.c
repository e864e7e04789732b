#include "core/stats/cholesky.h"

#include <math.h>
#include <string.h>

#include "core/stats/dot.h"

/* Row by row from the top, each taken off all rows below it: long independent loops over what lies contiguous. They
 * make the upper factor, which is turned over at the end. */
bool
cholesky(size_t n, const double *a, double shift, double *l)
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
cholesky_forward(size_t n, const double *l, double *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = (x[i] - dot(l + i * n, x, i)) / l[i * n + i];
}

void
cholesky_backward(size_t n, const double *l, double *x)
{
	for (size_t i = n; i-- > 0;) {
		double s = x[i] / l[i * n + i];

		x[i] = s;
		for (size_t k = 0; k < i; k++)
			x[k] -= l[i * n + k] * s;
	}
}
