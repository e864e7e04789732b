/* The bounds of all metrics that the installed perf has for three processors, against 10 000 points inside each box.
 * The values at points are held against Python's arithmetic by cli/metrics.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "core/metric/metric.h"
#include "event/table.h"
#include "test.h"
#include "work/machine.h"
#include "work/metrics/metric_data.h"

#define POINTS 10000

/* Intervals of up to a fifth on both sides; every tenth leaf is exact. */
static void
make_box(struct metric_value *box, size_t n, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++) {
		double x = (double)(100000 + random_below(seed, 10000000));
		double share = i % 10 ? (double)random_below(seed, 200) / 1000 : 0;

		box[i] = (struct metric_value){x * (1 - share), x, x * (1 + share)};
	}
}

/* A corner, an edge or the inside: each leaf is at an end as often as between them. */
static void
choose_point(const struct metric_value *box, struct metric_value *at, size_t n, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++) {
		double part = (double)random_below(seed, 1 << 20) / (1 << 19) - .5;
		double x = box[i].low + (box[i].high - box[i].low) * fmin(1, fmax(0, part));

		at[i] = (struct metric_value){x, x, x};
	}
}

static void
hold_bounds(const struct metric_set *set, const char *cpu, uint64_t seed)
{
	struct metric_value *box = mem_new_array(set->n_leaves + 1, sizeof *box);
	struct metric_value *at = mem_new_array(set->n_leaves + 1, sizeof *at);
	struct metric_result *bounds = mem_new_array(set->n + 1, sizeof *bounds);
	struct metric_result *value = mem_new_array(set->n + 1, sizeof *value);
	size_t held = 0, unbounded = 0;
	bool good = true;

	make_box(box, set->n_leaves, &seed);
	metric_compute_all(set, NULL, box, 32, bounds);
	for (size_t i = 0; i < set->n; i++)
		unbounded += bounds[i].lack != METRIC_LACKS_NOTHING;
	for (unsigned k = 0; k < POINTS && good; k++) {
		choose_point(box, at, set->n_leaves, &seed);
		metric_compute_all(set, NULL, at, 1, value);
		for (size_t i = 0; i < set->n && good; i++) {
			if (bounds[i].lack != METRIC_LACKS_NOTHING)
				continue;
			test_label("%s %s, point %u", cpu, set->metric[i].name, k);
			good = CHECK(value[i].lack == METRIC_LACKS_NOTHING) &&
				CHECK(value[i].value.high >= bounds[i].value.low &&
					value[i].value.low <= bounds[i].value.high);
			held++;
		}
	}
	printf("# %s: %zu metrics, %zu without bounds, %zu points within them\n", cpu, set->n, unbounded, held);
	CHECK(set->n > 10 && unbounded <= set->n / 20);
	free(box);
	free(at);
	free(bounds);
	free(value);
}

static void
bounds_of_perf_hold(void)
{
	static const char *const CPUS[] = {"GenuineIntel-6-8F-4", "GenuineIntel-6-3F-2", "AuthenticAMD-25-11-1"};
	unsigned boxes = test_rounds(1, 20);

	if (system("command -v perf >/dev/null 2>&1") != 0) {
		test_skip("perf is not installed");
		return;
	}
	for (size_t i = 0; i < sizeof CPUS / sizeof *CPUS; i++) {
		struct event_table table = {0};
		struct table_metrics *metrics;
		struct err e = {0};

		if (CHECK(machine_events(CPUS[i], &table, &e))) {
			metrics = table_metrics_new(&table);
			for (unsigned k = 0; k < boxes; k++)
				hold_bounds(metrics->set, CPUS[i], 31 + k);
			table_metrics_free(metrics);
		}
		event_table_free(&table);
	}
}

TEST_MAIN(CASE(bounds_of_perf_hold))
