#include "core/stats/region.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>

/* GSL would abort on an underflow. Its handler is one for all threads, so it is taken away and not put back. */

/* The quantile is found from the nearer tail, so that confidences close to 1 keep their digits. */
double
chi2_quantile(double confidence, size_t n)
{
	if (n == 0 || !(confidence > 0))
		return 0;
	if (confidence >= 1)
		return INFINITY;
	gsl_set_error_handler_off();
	return confidence > 0.5 ? gsl_cdf_chisq_Qinv(1 - confidence, (double)n) : gsl_cdf_chisq_Pinv(confidence, (double)n);
}

double
chi2_tail(double x, size_t n)
{
	if (!(x > 0) || n == 0)
		return 1;
	gsl_set_error_handler_off();
	return gsl_cdf_chisq_Q(x, (double)n);
}

/* Paulson's transformation of F to a normal variable (Annals of Mathematical Statistics 13, 1942), solved for F: within 1 % from nu =
 * 10 on, and some hundred times as fast as the inverse of the exact distribution. */
static double
paulson(double z, double n, double nu)
{
	double va = 2 / (9 * n), vb = 2 / (9 * nu), a = 1 - va, b = 1 - vb;
	double lead = b * b - z * z * vb;
	double root = (a * b + z * sqrt(a * a * vb + b * b * va - z * z * va * vb)) / lead;

	return root * root * root;
}

double
fisher_quantile(double confidence, size_t n, double nu)
{
	gsl_set_error_handler_off();
	return nu < 10 ? gsl_cdf_fdist_Qinv(1 - confidence, (double)n, nu) : paulson(gsl_cdf_ugaussian_Qinv(1 - confidence), (double)n, nu);
}
