/* How often true models are refuted under hard noise, and false ones found: `make bench-levels` prints the tables of docs/numerics.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "calibration.h"
#include "core/verdict/verdict.h"
#include "hard.h"

static void
print_row(const struct hard_setting *s, enum hard_model m, const struct hard_count *c)
{
	double percent = 100 / (double)c->observations;

	printf("%-3s %-44s %-13s %6.2f (%5.2f) %6.1f   %6.2f %6.1f   %6.2f  %6.2f   %5.0f\n", s->finding ? s->finding : "", s->name, hard_model_name(m),
		percent * (double)c->refuted[REGION_CONE], 100 * calibration_lower(c->refuted[REGION_CONE], c->observations),
		percent * (double)c->undecided[REGION_CONE], percent * (double)c->refuted[REGION_ELLIPSOID],
		percent * (double)c->undecided[REGION_ELLIPSOID], percent * (double)c->refuted[REGION_BOX],
		percent * (double)c->refuted[REGION_INDEPENDENT], percent * (double)c->warned);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	int64_t observations = 2000, seed = 1;
	struct hard *h;

	if ((argc > 1 && (!str_to_i64(argv[1], &observations) || observations < 5)) || (argc > 3 && !str_to_i64(argv[3], &seed))) {
		fprintf(stderr, "usage: levels [OBSERVATIONS [SETTING [SEED]]]\n");
		return 2;
	}
	printf("%% of %d observations a row at 99 %% confidence: by the test of the cone refuted (and the lower 95 %% bound of that rate, Clopper and Pearson) and\n"
	       "undecided; by the ellipsoid refuted and undecided; by both boxes refuted; with noise seen that is not independent.\n\n",
		(int)observations);
	printf("%-3s %-44s %-13s %-15s %6s   %6s %6s   %6s  %6s   %5s\n", "", "setting", "model", " cone", "undec.", "ellip.", "undec.", "box", "indep.", "seen");
	h = hard_new();
	for (size_t k = 0; k < hard_n_settings; k++)
		for (enum hard_model m = 0; m < HARD_MODELS; m++) {
			struct hard_count c;

			if (!(hard_setting[k].models & 1u << m) || (argc > 2 && !strstr(hard_setting[k].name, argv[2])))
				continue;
			c = hard_run(h, &hard_setting[k], m, (size_t)observations, (uint64_t)seed * 1000 + k * HARD_MODELS + m);
			print_row(&hard_setting[k], m, &c);
		}
	hard_free(h);
	return 0;
}
