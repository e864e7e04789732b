/* The cost of looking at samples while they come: `make bench-peeking` prints what docs/numerics.md sums up. Streams of
 * samples have a verdict after each sample, by the threshold of one look and by that of a confidence sequence: how many
 * true models are ever refuted, and after how many samples false ones are. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "core/stats/sequence.h"
#include "peeks.h"

#define ROWS 500

static const double share[] = {0.03, 0.1, 0.3};
#define SHARES (sizeof share / sizeof *share)

static void
print_cover(size_t n, double lag, size_t streams)
{
	struct peeks_count got = peeks_cover(n, lag, streams, ROWS, 5000 + n);

	printf("%3zu counters, lag %-4g %12zu %12zu %12zu %11.2f%%\n", n, lag, got.last[PEEKS_FIXED],
		got.ever[PEEKS_FIXED], got.ever[PEEKS_SEQUENCE],
		100 * calibration_upper(got.ever[PEEKS_SEQUENCE], streams));
	fflush(stdout);
}

/* The regions alone: how often they miss the mean, without a model. */
static void
print_covers(size_t streams)
{
	static const struct {
		size_t n;
		double lag;
	} row[] = {{1, 0}, {2, 0}, {5, 0}, {26, 0}, {1, 0.5}, {5, 0.5}, {10, 0.5}, {26, 0.5}, {1, 0.9}, {5, 0.9},
		{26, 0.9}};

	printf("\n%zu streams of normal counters, with a region after each of %zu to %d samples: in how many the "
	       "region "
	       "misses the true mean, of one look\n"
	       "at the last sample alone, of one look at some sample, of the sequence at some sample, and the latter's "
	       "95 %% bound.\n\n",
		streams, (size_t)SEQUENCE_FIRST, ROWS);
	printf("%-23s %12s %12s %12s %12s\n", "", "at the end", "one look", "sequence", "bound");
	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		print_cover(row[k].n, row[k].lag, streams);
}

static void
heading(size_t streams)
{
	printf("%zu feasible streams a setting, with a verdict after each of %zu to %d samples: how many were ever "
	       "refuted "
	       "by the threshold of one look, how\n"
	       "many by that of the confidence sequence, and the 95 %% bound of the latter's rate (Clopper and "
	       "Pearson). Then %zu for each share of the\n"
	       "flow on µpaths that the model lacks: samples at the first refutation of the median stream, one look / "
	       "sequence. Confidence 0.99.\n\n",
		streams, (size_t)SEQUENCE_FIRST, ROWS, streams / 10);
	printf("%-36s %9s %9s %7s ", "setting", "one look", "sequence", "bound");
	for (size_t k = 0; k < SHARES; k++)
		printf("   share %-5g", share[k]);
	printf("\n");
}

static void
print_median(const struct peeks_count *n)
{
	printf("   ");
	for (int kind = 0; kind < PEEKS_KINDS; kind++) {
		if (n->median[kind])
			printf("%4zu", n->median[kind]);
		else
			printf("%4s", "-");
		printf("%s", kind ? "  " : " /");
	}
}

static void
print_row(const struct calibration *c, const struct calibration_setting *k, size_t streams)
{
	struct peeks_count n = peeks_run(c, k, streams, ROWS, 0, 1000 + (uint64_t)(k - peeks_setting));

	printf("%-36s %9zu %9zu %6.2f%% ", k->name, n.ever[PEEKS_FIXED], n.ever[PEEKS_SEQUENCE],
		100 * calibration_upper(n.ever[PEEKS_SEQUENCE], streams));
	for (size_t i = 0; i < SHARES; i++) {
		struct peeks_count some =
			peeks_run(c, k, streams / 10, ROWS, share[i], 2000 + 100 * i + (uint64_t)(k - peeks_setting));

		print_median(&some);
	}
	printf("\n");
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	int64_t streams = 2000;
	struct calibration *c;

	if (argc > 1 && (!str_to_i64(argv[1], &streams) || streams < 20)) {
		fprintf(stderr, "usage: peeking [STREAMS [SETTING | normal]]\n");
		return 2;
	}
	c = calibration_new();
	if (!c)
		return 2;
	heading((size_t)streams);
	for (size_t k = 0; k < peeks_n_settings; k++)
		if (argc <= 2 || strstr(peeks_setting[k].name, argv[2]))
			print_row(c, &peeks_setting[k], (size_t)streams);
	if (argc <= 2 || strstr("normal counters", argv[2]))
		print_covers((size_t)streams);
	calibration_free(c);
	return 0;
}
