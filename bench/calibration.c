/* How often true and false models are refuted: `make bench-calibration` prints what docs/numerics.md sums up. Each
 * setting is a row of data; its observations are flows of Haswell's m0, with and without flows that m0 does not
 * know. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "calibration.h"
#include "core/cone/cone.h"
#include "core/verdict/verdict.h"

static void
heading(int observations)
{
	printf("%d feasible observations a setting: how many were refuted, by the test of the cone and by region, and "
	       "the 95 %% bound of the test's rate (Clopper\n"
	       "and Pearson); how many %% the test left undecided, and how many got a warning of correlation in time "
	       "(lag) or phases. Then %d for each share of\n"
	       "the flow on µpaths that the model lacks: %% refuted by the test of the cone (c) and the ellipsoid "
	       "(e). Confidence 0.99.\n\n",
		observations, observations / 5);
	printf("%-34s %-23s  %-6s %5s  %-10s ", "", "false refutations", "bound", "undec", "warned, %");
	for (size_t e = 0; e < CALIBRATION_EFFECTS; e++)
		printf("  share %-5g", calibration_effect[e]);
	printf("\n%-34s %5s %5s %5s %5s  %6s %5s  %4s %5s ", "setting, samples", "cone", "ellip", "box", "indep", "",
		"%", "lag", "phase");
	for (size_t e = 0; e < CALIBRATION_EFFECTS; e++)
		printf("  %5s%5s ", "c", "e");
	printf("\n");
}

static void
print_row(const struct calibration_setting *s, const struct calibration_count *c)
{
	double percent = 100 / (double)c->observations;

	printf("%-34s %5zu %5zu %5zu %5zu  %5.2f%% %5.1f  %4.0f %5.1f ", s->name, c->refuted[REGION_CONE],
		c->refuted[REGION_ELLIPSOID], c->refuted[REGION_BOX], c->refuted[REGION_INDEPENDENT],
		100 * calibration_upper(c->refuted[REGION_CONE], c->observations), percent * (double)c->undecided,
		percent * (double)c->lagged, percent * (double)c->phased);
	for (size_t e = 0; e < CALIBRATION_EFFECTS; e++)
		printf("  %5.1f%5.1f ", 100 * (double)c->found[REGION_CONE][e] / (double)c->tried,
			100 * (double)c->found[REGION_ELLIPSOID][e] / (double)c->tried);
	printf("\n");
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	int64_t observations = 2000;
	struct calibration *c;

	if (argc > 1 && (!str_to_i64(argv[1], &observations) || observations < 5)) {
		fprintf(stderr, "usage: calibration [OBSERVATIONS [SETTING]]\n");
		return 2;
	}
	c = calibration_new();
	if (!c)
		return 2;
	heading((int)observations);
	for (size_t k = 0; k < calibration_n_settings; k++) {
		struct calibration_count n;

		if (argc > 2 && !strstr(calibration_setting[k].name, argv[2]))
			continue;
		n = calibration_run(c, &calibration_setting[k], (size_t)observations, (size_t)observations / 5);
		print_row(&calibration_setting[k], &n);
	}
	calibration_free(c);
	return 0;
}
