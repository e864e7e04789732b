#include "core/stats/cholesky.h"

#include <math.h>
#include <string.h>

bool
cholesky(size_t n, const double *a, double shift, double *l)
{
	memset(l, 0, n * n * sizeof *l);
	for (size_t i = 0; i < n; i++) {
		double *li = l + i * n;

		for (size_t j = 0; j <= i; j++) {
			const double *lj = l + j * n;
			double s = a[i * n + j] - (i == j ? shift : 0);

			for (size_t k = 0; k < j; k++)
				s -= li[k] * lj[k];
			if (i != j)
				li[j] = s / lj[j];
			else if (s > 0 && isfinite(s))
				li[j] = sqrt(s);
			else
				return false;
		}
	}
	return true;
}

void
cholesky_forward(size_t n, const double *l, double *x)
{
	for (size_t i = 0; i < n; i++) {
		double s = x[i];

		for (size_t k = 0; k < i; k++)
			s -= l[i * n + k] * x[k];
		x[i] = s / l[i * n + i];
	}
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
