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

double
fisher_tail(double x, size_t n, double nu)
{
	gsl_error_handler_t *old;
	double p;

	if (!(x > 0) || n == 0)
		return 1;
	old = gsl_set_error_handler_off();
	p = gsl_cdf_fdist_Q(x, (double)n, nu);
	gsl_set_error_handler(old);
	return p;
}

/* Where a tail that falls has come down to `tail`, by halving the logarithm: GSL's inverses give up far out. With a nu of 0 it is χ²'s. */
static double
beyond(double tail, size_t n, double nu)
{
	double low = -50, high = 700;

	if (!(tail < 1))
		return 0;
	for (int step = 0; step < 64; step++) {
		double at = (low + high) / 2, x = exp(at);

		*((nu > 0 ? fisher_tail(x, n, nu) : chi2_tail(x, n)) > tail ? &low : &high) = at;
	}
	return exp(high);
}

double
fisher_beyond(double tail, size_t n, double nu)
{
	return beyond(tail, n, nu);
}

double
chi2_beyond(double tail, size_t n)
{
	return beyond(tail, n, 0);
}
