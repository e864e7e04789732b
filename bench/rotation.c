/* How often a true model is refuted if counters take turns and the program has a period: `make bench-rotation` prints
 * what docs/rotation.md sums up. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "calibration.h"
#include "turning.h"

static void
print_row(const struct turning_setting *s, enum rotation_how how, const struct turning_count *c,
	const struct turning_count *shifted)
{
	double percent = 100 / (double)c->runs;

	printf("%-8s %-8s %7.1f %8.1f (%4.1f) %10.1f %8.1f %12.2g %11.1f\n", s->name,
		how == ROTATION_KERNEL ? "kernel" : "random", percent * (double)c->blind,
		percent * (double)c->refuted, 100 * calibration_lower(c->refuted, c->runs),
		percent * (double)c->undecided, percent * (double)c->warned,
		100 * c->period_off, 100 * (double)shifted->refuted / (double)shifted->runs);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	int64_t runs = 200;
	struct turning *t;

	if (argc > 1 && (!str_to_i64(argv[1], &runs) || runs < 5)) {
		fprintf(stderr, "usage: rotation [RUNS [RATIO]]\n");
		return 2;
	}
	printf("%% of %d runs a row, each of 60 samples of 25 turns, three counters on one: refuted by the test "
		"of the cone alone; refuted (and the lower 95 %% bound of that rate,\n"
	       "Clopper and Pearson) and undecided by hecate, which looks for the period; warned; the largest error of "
	       "the period that the warning names, in %%; and how many of\n"
	       "a quarter as many runs are refuted when one counter is off by 30 %%.\n\n", (int)runs);
	printf("%-8s %-8s %7s %8s %6s %10s %8s %12s %11s\n", "ratio", "rotation", "blind", "refuted", "",
		"undecided", "warned", "period off", "false found");
	t = turning_new();
	for (size_t k = 0; k < turning_n_settings; k++)
		for (enum rotation_how how = ROTATION_RANDOM; how <= ROTATION_KERNEL; how++) {
			struct turning_count c, shifted;

			if (argc > 2 && strcmp(turning_setting[k].name, argv[2]) != 0)
				continue;
			c = turning_run(t, &turning_setting[k], how, (size_t)runs, 1, 0);
			shifted = turning_run(t, &turning_setting[k], how, (size_t)runs / 4, 100001, 0.3);
			print_row(&turning_setting[k], how, &c, &shifted);
		}
	turning_free(t);
	return 0;
}
