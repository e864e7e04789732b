/* How often true models are refuted, and false ones: `make bench-calibration` prints the table of docs/numerics.md. Each
 * setting is a row of data; its observations are flows of Haswell's m0, with and without flows that m0 does not know. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "calibration.h"
#include "core/cone/cone.h"

static void
heading(int observations)
{
	printf("%d feasible observations a setting: how many were refuted, by region, and the 95 %% bound of the ellipsoid's rate (Clopper and\n"
	       "Pearson); how many %% got a warning of correlation in time (lag), phases, shrinkage. Then %d for each share of the flow on\n"
	       "what the model does not know: %% refuted by the ellipsoid (e) and the rotated box (b). Confidence 0.99.\n\n",
		observations, observations / 5);
	printf("%-34s %-17s  %-6s  %-15s ", "", "false refutations", "bound", "warned, %");
	for (size_t e = 0; e < CALIBRATION_EFFECTS; e++)
		printf("  share %-5g", calibration_effect[e]);
	printf("\n%-34s %5s %5s %5s  %6s  %4s %5s %4s ", "setting, samples", "ellip", "box", "indep", "", "lag", "phase", "shr");
	for (size_t e = 0; e < CALIBRATION_EFFECTS; e++)
		printf("  %5s%5s ", "e", "b");
	printf("\n");
}

static void
print_row(const struct calibration_setting *s, const struct calibration_count *c)
{
	double percent = 100 / (double)c->observations;

	printf("%-34s %5zu %5zu %5zu  %5.2f%%  %4.0f %5.1f %4.0f ", s->name, c->refuted[0], c->refuted[1], c->refuted[2],
		100 * calibration_upper(c->refuted[0], c->observations), percent * (double)c->lagged, percent * (double)c->phased,
		percent * (double)c->shrunk);
	for (size_t e = 0; e < CALIBRATION_EFFECTS; e++)
		printf("  %5.1f%5.1f ", 100 * (double)c->found[0][e] / (double)c->tried, 100 * (double)c->found[1][e] / (double)c->tried);
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
