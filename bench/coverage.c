/* How often the region of one look misses a true mean that is known: `make bench-coverage` prints the table of docs/numerics.md. */
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "calibration.h"
#include "cover.h"

static const size_t counters[] = {1, 5, 26};
static const double lag[] = {0, 0.5, 0.9};
static const size_t rows[] = {25, 60, 200, 500, 2000};

static void
print_row(size_t n, double rho, size_t m, size_t streams)
{
	struct cover_count got = cover_run(n, rho, m, streams, 7000 + n + m);
	double percent = 100 / (double)streams;

	printf("%8zu %5g %6zu %9.2f%% %7.2f%% %8.0f%% %8.0f%% %9.1f %8.2f\n", n, rho, m, percent * (double)got.missed, 100 * calibration_upper(got.missed, streams),
	       percent * (double)got.found, percent * (double)got.shrunk, got.freedom, got.width);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	int64_t streams = 2000;

	if (argc > 1 && (!str_to_i64(argv[1], &streams) || streams < 20)) {
		fprintf(stderr, "usage: coverage [STREAMS]\n");
		return 2;
	}
	printf("%zu streams of normal counters a row, AR(1) in time: in how many %% the ellipsoid of one look, at 99 %%, misses the true mean, and the 95 %%\n"
	       "bound of that rate (Clopper and Pearson); in how many the correlation was found, and correlations between counters shrunk; the mean\n"
	       "degrees of freedom of the covariance; the half-width, by that of the ellipsoid whose covariance is known.\n\n", (size_t)streams);
	printf("%8s %5s %6s %10s %8s %9s %9s %9s %8s\n", "counters", "lag", "rows", "missed", "bound", "found", "shrunk", "freedom", "width");
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		for (size_t k = 0; k < sizeof lag / sizeof *lag; k++)
			for (size_t m = 0; m < sizeof rows / sizeof *rows; m++)
				print_row(counters[i], lag[k], rows[m], (size_t)streams);
	return 0;
}
