/* How long the metrics of three processors take, with bounds, all at once. Needs perf. */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "bench/bench.h"
#include "core/metric/metric.h"
#include "event/table.h"
#include "work/machine.h"
#include "work/metrics/metric_data.h"

enum { ROUNDS = 100, GOAL_METRICS = 941 };

/* Counts that had a counter for `share` of the time. */
static void
fill(struct metric_value *leaf, size_t n, double share)
{
	uint64_t seed = 3;

	for (size_t i = 0; i < n; i++) {
		double count = (double)(100000 + random_below(&seed, 10000000));

		leaf[i] = (struct metric_value){count * share, count, count * (2 - share)};
	}
}

/* Returns the milliseconds that one round takes. */
static double
time_of(const struct metric_set *set, const struct metric_value *leaf, size_t pieces)
{
	struct metric_result *result = mem_new_array(set->n + 1, sizeof *result);
	double begin = bench_processor_seconds();

	for (unsigned i = 0; i < ROUNDS; i++)
		metric_compute_all(set, NULL, leaf, pieces, result);
	free(result);
	return (bench_processor_seconds() - begin) * 1e3 / ROUNDS;
}

static void
measure(const char *cpu)
{
	static const double SHARES[] = {1, .98, .75};
	struct event_table table = {0};
	struct err e = {0};

	if (!machine_events(cpu, &table, &e)) {
		printf("%s: %s\n", cpu, e.what);
		return;
	}
	struct table_metrics *metrics = table_metrics_new(&table);
	struct metric_value *leaf = mem_new_array(metrics->set->n_leaves + 1, sizeof *leaf);

	for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES; i++) {
		double one, many;

		fill(leaf, metrics->set->n_leaves, SHARES[i]);
		one = time_of(metrics->set, leaf, 1);
		many = time_of(metrics->set, leaf, 32);
		printf("%-22s %zu metrics, counted %3.0f %% of the time: %.2f ms, with up to 32 pieces %.2f ms; %d "
		       "take %.2f, %.2f ms\n",
			cpu, metrics->n, SHARES[i] * 100, one, many, GOAL_METRICS,
			one * GOAL_METRICS / (double)metrics->n, many * GOAL_METRICS / (double)metrics->n);
	}
	free(leaf);
	table_metrics_free(metrics);
	event_table_free(&table);
}

int
main(void)
{
	measure("GenuineIntel-6-8F-4");
	measure("GenuineIntel-6-3F-2");
	measure("AuthenticAMD-25-11-1");
	return 0;
}
