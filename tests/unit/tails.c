/* Quantiles and tails compared with GSL's inverses and with each other. */
#include "core/stats/tails.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "test.h"

static void
chi_square_has_its_textbook_values(void)
{
	CHECK_NEAR(chi2_quantile(0.95, 1), 3.841458820694124, 1e-9);
	CHECK_NEAR(chi2_quantile(0.99, 26), 45.64168266628317, 1e-8);
	CHECK_NEAR(chi2_quantile(0.5, 2), 1.386294361119891, 1e-12);
	CHECK_NEAR(chi2_quantile(0.01, 10), 2.558212160187175, 1e-9);
	CHECK_NEAR(chi2_quantile(0, 10), 0, 0);
	CHECK_NEAR(chi2_quantile(0.99, 0), 0, 0);
	CHECK(isinf(chi2_quantile(1, 3)));
	CHECK_NEAR(chi2_tail(2, 2), exp(-1), 1e-15);
	CHECK_NEAR(chi2_tail(0, 5), 1, 0);
	CHECK_NEAR(log(chi2_tail(1400, 2)), -700, 1e-9);
	CHECK(chi2_tail(1e9, 26) >= 0);
}

/* The quantile is where the tail has the given size, for any dimension and however small the tail is. */
static void
quantiles_invert_their_tails(void)
{
	for (size_t n = 1; n < 200; n += n < 30 ? 1 : 17)
		for (double tail = 0.4; tail > 1e-12; tail /= 3) {
			double asked = 1 - (1 - tail); /* the tail, rounded as a confidence rounds it */

			test_label("%zu, tail %g", n, tail);
			CHECK_NEAR(chi2_tail(chi2_quantile(1 - tail, n), n) / asked, 1, 1e-9);
			for (double nu = 1; nu < 3000; nu *= 2.1)
				CHECK_NEAR(fisher_tail(fisher_quantile(1 - tail, (double)n, nu), (double)n, nu) / asked,
					1, 1e-9);
		}
	CHECK_NEAR(fisher_quantile(0.99, 26, 34), gsl_cdf_fdist_Qinv(0.01, 26, 34), 1e-9);
	CHECK_NEAR(fisher_quantile(0.99, 2.5, 4.5), gsl_cdf_fdist_Qinv(0.01, 2.5, 4.5), 1e-9);
	CHECK_NEAR(fisher_quantile(0, 3, 4), 0, 0);
	CHECK(isinf(fisher_quantile(1, 3, 4)));
}

/* T² of one dimension is the square of Student's t. With many degrees of freedom it is χ²; with too few, every value is
 * possible. */
static void
hotelling_is_student_and_chi_square(void)
{
	for (double nu = 1; nu < 100; nu *= 1.7) {
		double t = gsl_cdf_tdist_Qinv(0.005, nu);

		CHECK_NEAR(hotelling_quantile(0.99, 1, nu) / (t * t), 1, 1e-9);
		CHECK_NEAR(hotelling_tail(t * t, 1, nu), 0.01, 1e-10);
	}
	CHECK_NEAR(hotelling_quantile(0.99, 5, 1e7) / chi2_quantile(0.99, 5), 1, 1e-5);
	CHECK(isinf(hotelling_quantile(0.99, 5, 4.5)) && !isinf(hotelling_quantile(0.99, 5, 5)));
	CHECK_NEAR(hotelling_tail(1e9, 6, 5), 1, 0);
	CHECK_NEAR(hotelling_quantile(0.99, 0, 5), 0, 0);
	for (double n = 1; n < 20; n++)
		CHECK_NEAR(hotelling_tail(hotelling_quantile(0.99, n, 25), n, 25), 0.01, 1e-11);
}

/* Far out, where inverses fail. */
static void
tails_are_found_however_small(void)
{
	CHECK_NEAR(chi2_tail(chi2_beyond(1e-200, 5), 5) / 1e-200, 1, 1e-9);
	CHECK_NEAR(fisher_tail(fisher_beyond(1e-30, 5, 40), 5, 40) / 1e-30, 1, 1e-9);
	CHECK_NEAR(chi2_beyond(1, 5), 0, 0);
}

TEST_MAIN(CASE(chi_square_has_its_textbook_values), CASE(quantiles_invert_their_tails),
	CASE(hotelling_is_student_and_chi_square), CASE(tails_are_found_however_small))
