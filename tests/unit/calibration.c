/* The table that `make bench-calibration` prints, in small: true models survive in every setting, false ones do not
 * always. */
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
		/* So many that a rate of `most` would hardly give them; none where none are allowed. */
		for (size_t d = 0; d < REGION_KINDS; d++)
			CHECK(calibration_lower(got.refuted[d], n) <= 0.01);
		CHECK(!s->lagged || got.lagged + got.phased + got.undecided >= n * 8 / 10);
		CHECK(s->most > 0 || s->lagged || got.lagged <= n / 20);
		/* The largest effect is seen, but from few rows, which cannot exclude slow noise, or where hardly one
		 * is worth an independent one. */
		CHECK(s->most > 0 || s->how.rows < 60 || s->how.absent > 0 ||
			got.found[REGION_CONE][CALIBRATION_EFFECTS - 1] > 0);
		correlated += s->lagged ? got.found[REGION_CONE][CALIBRATION_EFFECTS - 1] : 0;
	}
	CHECK(correlated > 20);
	calibration_free(c);
}

/* 0 of n leaves 1 − 0.05^(1/n) possible; the two bounds mirror each other. */
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
