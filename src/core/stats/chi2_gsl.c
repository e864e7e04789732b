#include "core/stats/region.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>

/* The quantile is found from the nearer tail, so that confidences close to 1 keep their digits. */
double
chi2_quantile(double confidence, size_t n)
{
	gsl_error_handler_t *old;
	double q;

	if (n == 0 || !(confidence > 0))
		return 0;
	if (confidence >= 1)
		return INFINITY;
	old = gsl_set_error_handler_off();
	q = confidence > 0.5 ? gsl_cdf_chisq_Qinv(1 - confidence, (double)n) : gsl_cdf_chisq_Pinv(confidence, (double)n);
	gsl_set_error_handler(old);
	return q;
}

double
chi2_tail(double x, size_t n)
{
	gsl_error_handler_t *old;
	double p;

	if (!(x > 0) || n == 0)
		return 1;
	old = gsl_set_error_handler_off();
	p = gsl_cdf_chisq_Q(x, (double)n);
	gsl_set_error_handler(old);
	return p;
}
