/* A small version of the table that `make bench-calibration` prints: true models survive in every setting, and false
 * ones are refuted in some. The data are generated, so the truth is known. */
#include "calibration.h"

#include "core/verdict/verdict.h"
#include "test.h"

static void
no_setting_refutes_true_models(void)
{
	struct calibration *c = calibration_new();
	size_t n = test_rounds(50, 2000), per_effect = test_rounds(12, 400), correlated = 0;

	if (!CHECK(c))
		return;
	for (size_t k = 0; k < calibration_n_settings; k++) {
		const struct calibration_setting *s = &calibration_setting[k];
		struct calibration_count got = calibration_run(c, s, n, per_effect);

		test_label(
			"%s: %zu, %zu, %zu of %zu refuted", s->name, got.refuted[0], got.refuted[1], got.refuted[2], n);
		/* The 95 % lower bound of the rate of false refutations is at most 1 %. */
		for (size_t d = 0; d < REGION_KINDS; d++)
			CHECK(calibration_lower(got.refuted[d], n) <= 0.01);
		CHECK(!s->lagged || got.lagged + got.phased + got.undecided >= n * 8 / 10);
		CHECK(s->most > 0 || s->lagged || got.lagged <= n / 20);
		/* The largest effect is found, with two exceptions: few rows cannot exclude slow noise, and of
		 * correlated or missing rows hardly one is worth an independent one. */
		CHECK(s->most > 0 || s->how.rows < 60 || s->how.absent > 0 ||
			got.found[REGION_CONE][CALIBRATION_EFFECTS - 1] > 0);
		correlated += s->lagged ? got.found[REGION_CONE][CALIBRATION_EFFECTS - 1] : 0;
	}
	CHECK(correlated > 20);
	calibration_free(c);
}

/* With 0 refutations of n a rate of 1 − 0.05^(1/n) is still possible. The two bounds mirror each other. */
static void
bounds_are_clopper_and_pearsons(void)
{
	CHECK_NEAR(calibration_upper(0, 2000), 0.001497, 1e-5);
	CHECK_NEAR(calibration_upper(3, 10), 0.6066, 1e-4);
	CHECK_NEAR(calibration_lower(3, 10), 0.0873, 1e-4);
	CHECK_NEAR(calibration_lower(0, 10), 0, 0);
	CHECK_NEAR(calibration_upper(10, 10), 1, 0);
}

TEST_MAIN(CASE(no_setting_refutes_true_models), CASE(bounds_are_clopper_and_pearsons))
