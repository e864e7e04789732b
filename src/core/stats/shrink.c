#include "core/stats/shrink.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/dot.h"

/* With w_m = y_im y_jm of standardised samples: r = Σ w / (b − 1), and Var(r) = b / (b − 1)³ · Σ (w − w̄)², whose sum of squares
 * is a product of squares. */
double
shrink_intensity(const struct centred *c)
{
	double *y = mem_new_array(c->n * c->k, sizeof *y), *square = mem_new_array(c->n * c->k, sizeof *square);
	double variances = 0, squares = 0;

	for (size_t i = 0; i < c->n; i++) {
		double *x = c->x + i * c->k, both = (double)centred_together(c, i, i), s = dot(x, x, c->k);

		for (size_t m = 0; m < c->k && s > 0; m++) {
			y[i * c->k + m] = x[m] * sqrt((both - 1) / s);
			square[i * c->k + m] = y[i * c->k + m] * y[i * c->k + m];
		}
	}
	for (size_t i = 0; i < c->n; i++)
		for (size_t j = 0; j < i; j++) {
			double both = (double)centred_together(c, i, j), sum, less = both - 1;

			/* Two samples are always correlated fully, one way or the other: that says nothing, and says it with variance 0. */
			if (both < 3)
				continue;
			sum = dot(y + i * c->k, y + j * c->k, c->k);
			squares += sum * sum / (less * less);
			variances += both / (less * less * less)
				* fmax(0, dot(square + i * c->k, square + j * c->k, c->k) - sum * sum / both);
		}
	free(y);
	free(square);
	return squares > 0 ? fmin(1, variances / squares) : 1;
}
