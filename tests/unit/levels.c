/* A small version of the table that `make bench-levels` prints. Whatever the noise, at most 1 % of true models are
 * refuted. Where the noise is independent, few are undecided. False models are found. The data are generated, so the
 * truth is known. */
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "core/verdict/verdict.h"
#include "hard.h"
#include "test.h"

/* The 95 % lower bound of the rate of false refutations is at most 1.2 %. All settings of the
 * review of 0.1.0 are tried. */
static void
levels_hold(void)
{
	const size_t n = test_rounds(100, 2000);
	struct hard *h = hard_new();
	size_t found = 0;

	for (size_t k = 0; k < hard_n_settings; k++) {
		const struct hard_setting *s = &hard_setting[k];

		found += s->finding != NULL;
		for (enum hard_model m = 0; m < HARD_MODELS; m++) {
			struct hard_count c;

			if (!(s->models & 1u << m) || s->shift > 0 || s->limit || (s->rows > 300 && n < 2000))
				continue;
			c = hard_run(h, s, m, n, k * HARD_MODELS + m);
			test_label("%s, %s: %zu refuted, %zu undecided, of %zu", s->name, hard_model_name(m),
				c.refuted[REGION_CONE], c.undecided[REGION_CONE], n);
			for (size_t r = 0; r < REGION_KINDS; r++)
				CHECK(calibration_lower(c.refuted[r], n) <= 0.012);
			/* The test of the cone refutes what the ellipsoid refutes. */
			CHECK(c.refuted[REGION_CONE] >= c.refuted[REGION_ELLIPSOID] &&
				c.refuted[REGION_ELLIPSOID] >= c.refuted[REGION_BOX]);
			CHECK(!s->independent || c.undecided[REGION_CONE] * 20 <= n);
		}
	}
	CHECK(found >= 18);
	hard_free(h);
}

static void
power_is_kept(void)
{
	static const struct { const char *name; enum hard_model model; double least; } row[] = {
		{"power: independent, 60 rows", HARD_RAY5, 0.45}, {"power: independent, 60 rows", HARD_TREE, 0.38},
		{"power: independent, 60 rows", HARD_FAULTS, 0.38}, {"power: independent, 60 rows", HARD_M0, 0.22},
		{"power: independent, 200 rows", HARD_RAY5, 0.88}, {"power: slow load (0.97), 60 rows", HARD_TREE, 0.3},
		{"power: autoregression 0.5, 200 rows", HARD_RAY5, 0.15},
	};
	const size_t n = test_rounds(200, 2000);
	struct hard *h = hard_new();

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (size_t k = 0; k < hard_n_settings; k++) {
			struct hard_count c;

			if (strcmp(hard_setting[k].name, row[i].name) != 0)
				continue;
			c = hard_run(h, &hard_setting[k], row[i].model, n, i);
			test_label("%s, %s: %zu of %zu", row[i].name, hard_model_name(row[i].model),
				c.refuted[REGION_CONE], n);
			CHECK((double)c.refuted[REGION_CONE] >= row[i].least * (double)n);
		}
	hard_free(h);
}

TEST_MAIN(CASE(levels_hold), CASE(power_is_kept))
