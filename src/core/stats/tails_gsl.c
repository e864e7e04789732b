#include "core/stats/tails.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#define REMEMBERED ((size_t)64)

/* GSL would abort on an underflow. Its handler is global, so it is switched off and not restored. */

/* Wilson and Hilferty's cube (Proceedings of the National Academy of Sciences 17, 1931), improved by Newton's method on
 * the logarithm of the tail until it is exact. That is several times as fast as GSL's inverse. Quantiles below the
 * median need no speed here and are GSL's. */
double
chi2_quantile(double confidence, size_t n)
{
	double tail = 1 - confidence, nu = (double)n, root, x;

	if (n == 0 || !(confidence > 0))
		return 0;
	if (!(tail > 0))
		return INFINITY;
	gsl_set_error_handler_off();
	if (confidence < 0.5)
		return gsl_cdf_chisq_Pinv(confidence, nu);
	root = 1 - 2 / (9 * nu) + gsl_cdf_ugaussian_Qinv(tail) * sqrt(2 / (9 * nu));
	x = nu * root * root * root;
	for (int step = 0; step < 20 && x > 0; step++) {
		double q = gsl_cdf_chisq_Q(x, nu), by = log(q / tail) * q / (x * gsl_ran_chisq_pdf(x, nu));

		x *= exp(fmax(-1, fmin(1, by)));
		if (fabs(by) < 1e-14)
			return x;
	}
	return gsl_cdf_chisq_Qinv(tail, nu);
}

double
chi2_tail(double x, size_t n)
{
	if (!(x > 0) || n == 0)
		return 1;
	gsl_set_error_handler_off();
	return gsl_cdf_chisq_Q(x, (double)n);
}

double
fisher_tail(double x, double n, double nu)
{
	if (!(x > 0) || !(n > 0))
		return 1;
	gsl_set_error_handler_off();
	return gsl_cdf_fdist_Q(x, n, nu);
}

/* Paulson's transformation of F to a normal variable (Annals of Mathematical Statistics 13, 1942), solved for F. It is
 * within 1 % from nu = 10 on, and about a hundred times as fast as the inverse of the exact distribution. */
static double
paulson(double z, double n, double nu)
{
	double va = 2 / (9 * n), vb = 2 / (9 * nu), a = 1 - va, b = 1 - vb;
	double lead = b * b - z * z * vb;
	double root = (a * b + z * sqrt(a * a * vb + b * b * va - z * z * va * vb)) / lead;

	return root * root * root;
}

/* Paulson's value, improved by Newton's method on the logarithm of the tail until it is exact. */
double
fisher_quantile(double confidence, double n, double nu)
{
	double tail = 1 - confidence, x;

	if (!(confidence > 0) || !(n > 0))
		return 0;
	if (!(tail > 0))
		return INFINITY;
	gsl_set_error_handler_off();
	x = nu < 10 ? NAN : paulson(gsl_cdf_ugaussian_Qinv(tail), n, nu);
	for (int step = 0; step < 20 && x > 0; step++) {
		double q = gsl_cdf_fdist_Q(x, n, nu), by = log(q / tail) * q / (x * gsl_ran_fdist_pdf(x, n, nu));

		x *= exp(fmax(-1, fmin(1, by)));
		if (fabs(by) < 1e-13)
			return x;
	}
	return gsl_cdf_fdist_Qinv(tail, n, nu);
}

/* The last quantiles. Verdicts ask for the same few repeatedly, and one takes as long as the rest of a verdict. */
static double
remembered_quantile(double confidence, double n, double nu)
{
	static _Thread_local struct {
		double asked[3], value;
	} known[REMEMBERED];
	const double asked[3] = {confidence, n, nu};
	size_t at = ((size_t)n * 31 + (size_t)nu) % REMEMBERED;

	if (memcmp(asked, known[at].asked, sizeof asked) != 0) {
		memcpy(known[at].asked, asked, sizeof asked);
		known[at].value = fisher_quantile(confidence, n, nu);
	}
	return known[at].value;
}

double
hotelling_quantile(double confidence, double n, double nu)
{
	double left = nu - n + 1;

	if (!(n > 0))
		return 0;
	return left < 1 ? INFINITY : nu * n / left * remembered_quantile(confidence, n, left);
}

double
hotelling_tail(double d2, double n, double nu)
{
	double left = nu - n + 1;

	return left < 1 ? 1 : fisher_tail(d2 * left / (nu * n), n, left);
}

/* The value at which a falling tail has come down to `tail`, by bisection of its logarithm, because GSL's inverses fail
 * far out. nu = 0 means χ². */
static double
beyond(double tail, double n, double nu)
{
	double low = -50, high = 700;

	if (!(tail < 1))
		return 0;
	for (int step = 0; step < 64; step++) {
		double at = (low + high) / 2, x = exp(at);

		*((nu > 0 ? fisher_tail(x, n, nu) : chi2_tail(x, (size_t)n)) > tail ? &low : &high) = at;
	}
	return exp(high);
}

double
fisher_beyond(double tail, double n, double nu)
{
	return beyond(tail, n, nu);
}

double
chi2_beyond(double tail, size_t n)
{
	return beyond(tail, (double)n, 0);
}
