/* Phases of a week at 1 Hz of 232 series, in memory: `make bench-phases`. The rows are added up to at most PHASES_ROWS;
 * then windows, seasons, forecasts, outliers and all pairs. Counts have a common load, noise of their own, a change of
 * level each day, and in a third of the series a season of an hour. An argument is the number of days (default 7). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench/bench.h"
#include "core/obs/obs.h"
#include "test.h"
#include "work/phases/phases.h"

#define SERIES 232
#define DAY 86400

/* Numbers that are quick to make: the sum of two uniform ones. */
static double
noise(uint64_t *seed)
{
	uint64_t bits = test_random(seed);

	return ((double)(bits >> 32) + (double)(bits & UINT32_MAX)) / 4294967296.0 - 1;
}

static struct obs_table *
make_week(size_t rows)
{
	char **name = mem_new_array(SERIES, sizeof *name);
	struct obs_table *table;
	struct obs *o;
	int64_t count[SERIES];
	uint64_t seed = 1;

	for (size_t i = 0; i < SERIES; i++) {
		name[i] = mem_new(16);
		snprintf(name[i], 16, "counter%zu", i);
	}
	table = obs_table_new((const char *const *)name, SERIES);
	o = obs_table_add(table, "week", "made");
	for (size_t row = 0; row < rows; row++) {
		double load = 1 + 0.05 * noise(&seed), wave = 1 + 0.1 * sin(2 * M_PI * (double)row / 3600),
		       level = row / DAY % 3 == 1 ? 1.1 : 1;

		for (size_t i = 0; i < SERIES; i++)
			count[i] = llround(1e6 * (double)(i + 1) * load * (1 + 0.02 * noise(&seed)) *
				(i % 3 ? 1 : wave) * (i % 5 ? 1 : level));
		obs_add_row(o, count, NULL, (double)row + 1);
	}
	for (size_t i = 0; i < SERIES; i++)
		free(name[i]);
	free(name);
	return table;
}

int
main(int argc, char **argv)
{
	size_t days = argc > 1 ? strtoul(argv[1], NULL, 10) : 7, n;
	struct obs_table *table = make_week(days * DAY);
	const struct phases_how all = {.pairs = true}, brief = {.brief = true};
	double begin = bench_processor_seconds(), read;
	struct series_set **set = series_sets(table, &(struct series_choice){0}, &n);
	struct phases *p;

	read = bench_processor_seconds();
	p = phases_new(set[0], &all);
	printf("%zu days of %d series: %.2f s to add up %zu rows to %zu, %.2f s for their phases (%zu windows, %zu "
	       "pairs)\n",
		days, SERIES, read - begin, days * (size_t)DAY, p->set->rows, bench_processor_seconds() - read,
		p->windows->n, p->n_pairs);
	phases_free(p);
	free(set);
	begin = bench_processor_seconds();
	set = series_sets(table, &(struct series_choice){.most_rows = 256}, &n);
	read = bench_processor_seconds();
	p = phases_new(set[0], &brief);
	phases_detail(p, 0);
	printf("as view 8 shows it: %.0f ms for %zu rows, once they are added up\n",
		1e3 * (bench_processor_seconds() - read), p->set->rows);
	phases_free(p);
	free(set);
	obs_table_free(table);
	return 0;
}
