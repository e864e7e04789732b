/* perf's top-down groups as a stack (work/metrics/metric_data.h): levels, parents and limits come from groups and
 * thresholds, and the nodes have the values of the metrics at random counts. Also, how counts become intervals
 * (core/stats/count_bounds.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "core/metric/metric.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/bounds.h"
#include "core/stack/stack.h"
#include "core/stats/count_bounds.h"
#include "event/table.h"
#include "test.h"
#include "text/diag.h"
#include "work/metrics/metric_data.h"

#define SLOTS "(topdown\\-fe\\-bound + topdown\\-bad\\-spec + topdown\\-retiring + topdown\\-be\\-bound)"

/* After tools/perf/pmu-events/arch/x86/sapphirerapids/spr-metrics.json of Linux 6.12, some shortened. The last rows
 * have what needs care: choices, "or", ">=", a node without a threshold, one in no group of a node. */
static const struct event_metric rows[] = {
	{.name = "tma_info_thread_slots", .expr = "TOPDOWN.SLOTS", .groups = "TmaL1;tma_L1_group"},
	{.name = "tma_info_thread_clks", .expr = "CPU_CLK_UNHALTED.THREAD", .groups = "Pipeline"},
	{.name = "tma_frontend_bound",
		.expr = "topdown\\-fe\\-bound / " SLOTS " - INT_MISC.UOP_DROPPING / tma_info_thread_slots",
		.groups = "PGO;TmaL1;TopdownL1;tma_L1_group",
		.threshold = "tma_frontend_bound > 0.15"},
	{.name = "tma_fetch_latency",
		.expr = "topdown\\-fetch\\-lat / " SLOTS " - INT_MISC.UOP_DROPPING / tma_info_thread_slots",
		.groups = "Frontend;TmaL2;TopdownL2;tma_L2_group;tma_frontend_bound_group",
		.threshold = "tma_fetch_latency > 0.1 & tma_frontend_bound > 0.15"},
	{.name = "tma_fetch_bandwidth",
		.expr = "max(0, tma_frontend_bound - tma_fetch_latency)",
		.groups = "FetchBW;Frontend;TmaL2;TopdownL2;tma_L2_group;tma_frontend_bound_group;tma_issueFB",
		.threshold = "tma_fetch_bandwidth > 0.2"},
	{.name = "tma_icache_misses",
		.expr = "ICACHE_DATA.STALLS / tma_info_thread_clks",
		.groups = "BigFootprint;FetchLat;IcMiss;TopdownL3;tma_L3_group;tma_fetch_latency_group",
		.threshold = "tma_icache_misses > 0.05 & (tma_fetch_latency > 0.1 & tma_frontend_bound > 0.15)"},
	{.name = "tma_retiring",
		.expr = "topdown\\-retiring / " SLOTS,
		.groups = "TopdownL1",
		.threshold = "tma_retiring > 0.7 | tma_frontend_bound > 0.1"},
	{.name = "tma_chosen",
		.expr = "d_ratio(cpu@UOPS\\,cmask\\=1@, tma_info_thread_clks) if tma_retiring > 0.1 & "
			"tma_frontend_bound < 0.9 "
			"else -(1 - tma_retiring) if UOPS | (1 if UOPS < 5 else 0) else min(UOPS, 2)",
		.groups = "TopdownL2;tma_retiring_group"},
	{.name = "tma_lost", .expr = "UOPS % 7", .groups = "TopdownL1"},
	{.name = "tma_most", .expr = "(1 if UOPS >= 3 else 0) + (2 if 3 <= UOPS else 4) + 8 * (UOPS <= 3)",
		.groups = "TopdownL1", .threshold = "tma_most >= 3"},
	{.name = "tma_nowhere", .expr = "UOPS / 2", .groups = "TopdownL2"},
};

static struct table_metrics *
made_metrics(struct event_table *table)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		event_table_add_metric(table, &rows[i]);
	event_table_sort(table);
	return table_metrics_new(table);
}

static struct stack *
made_stack(const struct table_metrics *metrics, unsigned levels)
{
	struct str text = {0};
	struct diags d = {0}, none = {0};
	struct err e = {0};
	struct stack *stack;
	char name[32];

	snprintf(name, sizeof name, "TopdownL%u", levels);
	CHECK(metric_tree_text(metrics, name, false, &text, &e));
	stack = stack_parse(mem_str("made"), mem_strn(str_text(&text), text.n), text.n, &d);
	if (!CHECK(stack != NULL) || !CHECK(d.n == 0)) {
		struct str said = {0};

		diags_print(&d, "# ", &said);
		printf("%s%s\n", str_text(&said), str_text(&text));
		str_free(&said);
	}
	diags_free(&d);
	diags_free(&none);
	str_free(&text);
	return stack;
}

static const struct stack_part *
part_called(const struct stack *stack, const char *name)
{
	for (size_t i = 0; i < stack->n_parts; i++)
		if (stack->part[i].name && strcmp(stack->part[i].name, name) == 0)
			return &stack->part[i];
	return NULL;
}

static void
groups_and_thresholds_make_the_tree(void)
{
	static const struct {
		const char *name, *parent;
		double above;
		bool alone;
	} nodes[] = {
		{"tma_frontend_bound", NULL, .15, false},
		{"tma_fetch_latency", "tma_frontend_bound", .1, false},
		{"tma_fetch_bandwidth", "tma_frontend_bound", .2, true},
		{"tma_icache_misses", "tma_fetch_latency", .05, false},
		{"tma_retiring", NULL, .7, false},
		{"tma_chosen", "tma_retiring", NAN, false},
		{"tma_most", NULL, 3, false},
		{"tma_lost", NULL, NAN, false},
	};
	struct event_table table = {0};
	struct table_metrics *metrics = made_metrics(&table);
	struct stack *stack = made_stack(metrics, 6);

	CHECK_INT(stack->n_parts, sizeof nodes / sizeof *nodes);
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		const struct stack_part *part = part_called(stack, nodes[i].name);

		test_label("%s", nodes[i].name);
		if (!CHECK(part != NULL))
			continue;
		if (nodes[i].parent)
			CHECK(part->parent != STACK_TOP &&
				strcmp(stack->part[part->parent].name, nodes[i].parent) == 0);
		else
			CHECK(part->parent == STACK_TOP);
		CHECK(isnan(nodes[i].above) ? isnan(part->limit.above)
					    : fabs(part->limit.above - nodes[i].above) < 1e-12);
		CHECK_INT(part->limit.alone, nodes[i].alone);
	}
	stack_free(stack);
	stack = made_stack(metrics, 1);
	CHECK_INT(stack->n_parts, 4);
	stack_free(stack);
	table_metrics_free(metrics);
	event_table_free(&table);
}

static void
nodes_have_the_values_of_metrics(void)
{
	struct event_table table = {0};
	struct table_metrics *metrics = made_metrics(&table);
	const struct metric_set *set = metrics->set;
	struct stack *stack = made_stack(metrics, 6);
	double *count = mem_new_array(stack->n_counters + 1, sizeof *count);
	struct metric_value *leaf = mem_new_array(set->n_leaves + 1, sizeof *leaf);
	uint64_t seed = 17;
	size_t compared = 0;

	for (unsigned k = 0; k < 500; k++) {
		struct stack_account *account;

		for (size_t i = 0; i < set->n_leaves; i++) {
			double x = (double)(random_below(&seed, k % 3 ? 1000 : 10) + (k % 5 > 0));
			struct str name = {0};

			leaf[i] = (struct metric_value){x, x, x};
			metric_counter_name(&set->leaf[i], &name);
			for (size_t c = 0; c < stack->n_counters; c++)
				if (strcmp(stack->counter[c].name, str_text(&name)) == 0)
					count[c] = x;
			str_free(&name);
		}
		for (size_t c = 0; c < stack->n_counters; c++)
			if (strcmp(stack->counter[c].name, "unknown") == 0)
				count[c] = NAN;
		account = stack_account_new(stack, count);
		for (size_t i = 0; i < stack->n_parts; i++) {
			size_t metric = metric_set_find(set, stack->part[i].name);
			double got = account->amount[i].value, want = metric_compute(set, metric, leaf, 1).value.value;

			test_label("%s, vector %u", stack->part[i].name, k);
			/* a stack's "and" does not look at the second condition if the first does not hold */
			if (strcmp(stack->part[i].name, "tma_chosen") == 0 && isnan(want))
				continue;
			if (strcmp(stack->part[i].name, "tma_lost") == 0)
				CHECK(isnan(got));
			else
				CHECK(isnan(want) ? isnan(got) : fabs(got - want) <= 1e-9 * (1 + fabs(want)));
			compared += isnan(got) ? 0 : 1;
		}
		stack_account_free(account);
	}
	CHECK(compared > 2000);
	free(count);
	free(leaf);
	stack_free(stack);
	table_metrics_free(metrics);
	event_table_free(&table);
}

/* The bounds of a stack's parts are those of the metrics that it was made of. */
static void
nodes_have_the_bounds_of_metrics(void)
{
	struct event_table table = {0};
	struct table_metrics *metrics = made_metrics(&table);
	const struct metric_set *set = metrics->set;
	struct stack *stack = made_stack(metrics, 6);
	struct metric_value *count = mem_new_array(stack->n_counters + 1, sizeof *count);
	struct metric_value *leaf = mem_new_array(set->n_leaves + 1, sizeof *leaf);
	uint64_t seed = 29;
	unsigned compared = 0;

	for (unsigned k = 0; k < 100; k++) {
		struct stack_bounds *bounds;

		for (size_t i = 0; i < set->n_leaves; i++) {
			double x = (double)(1000 + random_below(&seed, 9000)),
			       share = (double)random_below(&seed, 20) / 100;
			struct str name = {0};

			leaf[i] = (struct metric_value){x * (1 - share), x, x * (1 + share)};
			metric_counter_name(&set->leaf[i], &name);
			for (size_t c = 0; c < stack->n_counters; c++)
				if (strcmp(stack->counter[c].name, str_text(&name)) == 0)
					count[c] = leaf[i];
			str_free(&name);
		}
		bounds = stack_bounds_new(stack, count);
		for (size_t i = 0; i < stack->n_parts; i++) {
			size_t metric = metric_set_find(set, stack->part[i].name);
			struct metric_result want = metric_compute(set, metric, leaf, 8);

			test_label("%s, box %u", stack->part[i].name, k);
			if (want.lack || want.enclosure || strcmp(stack->part[i].name, "tma_lost") == 0)
				continue;
			CHECK_NEAR(bounds[i].low, want.value.low, 1e-9);
			CHECK_NEAR(bounds[i].high, want.value.high, 1e-9);
			CHECK((bounds[i].widest == stack->n_counters) == (want.widest == METRIC_NONE));
			compared++;
		}
		free(bounds);
	}
	CHECK(compared > 400);
	free(count);
	free(leaf);
	stack_free(stack);
	table_metrics_free(metrics);
	event_table_free(&table);
}

static struct count_bounds
bounds_of(const int64_t *count, const double *running, size_t n, double error, double runs)
{
	const char *const name[] = {"a"};
	struct obs_table *table = obs_table_new(name, 1);
	struct obs *obs = obs_table_add(table, "o", "made");
	struct count_bounds bounds;

	for (size_t i = 0; i < n; i++) {
		unsigned char counted = count[i] < 0 ? OBS_EMPTY : OBS_COUNTED;

		obs_add_row(obs, &count[i], &counted, (double)i + 1);
		if (running && !obs->running)
			obs_set_running(obs);
		if (error > 0 && !obs->error)
			obs_set_error(obs);
		if (running || error > 0)
			obs_set_quality(obs, 0, running ? running[i] : 1, error);
	}
	obs->runs = runs;
	bounds = count_bounds(obs, 0, .99);
	obs_table_free(table);
	return bounds;
}

static void
counts_become_intervals(void)
{
	const int64_t three[] = {100, 130, 110}, hole[] = {100, -1, 110};
	const double quarter[] = {.25, .25, .25};
	struct count_bounds b = bounds_of(three, NULL, 3, 0, 0);

	/* exact */
	CHECK_NEAR(b.value, 340, 0);
	CHECK(b.low >= b.value && b.high <= b.value);
	/* a quarter of the time: 25 were seen, and at most 175 can be if the rate at most doubles */
	b = bounds_of(three, quarter, 1, 0, 0);
	CHECK_NEAR(b.low, 25, 1e-9);
	CHECK_NEAR(b.value, 100, 0);
	CHECK_NEAR(b.high, 175, 1e-9);
	/* a row that was not counted counts like one with no share of time */
	b = bounds_of(hole, NULL, 3, 0, 0);
	CHECK_NEAR(b.value, 315, 1e-9);
	CHECK_NEAR(b.low, 210, 1e-9);
	CHECK_NEAR(b.high, 420, 1e-9);
	/* Student's t at 99 %, 4 degrees of freedom: 4.604 (NIST/SEMATECH e-Handbook, 1.3.6.7.2); 1 degree: 63.657 */
	b = bounds_of(three, NULL, 1, 2, 5);
	CHECK_NEAR(b.low, 100 - 2 * 4.604, 1e-3);
	CHECK_NEAR(b.high, 100 + 2 * 4.604, 1e-3);
	b = bounds_of(three, NULL, 1, .5, 0);
	CHECK_NEAR(b.high, 100 + .5 * 63.657, 1e-2);
	b = bounds_of((const int64_t[]){-1}, NULL, 1, 0, 0);
	CHECK(isnan(b.value));
}

/* A program whose rate varies from row to row is counted for a part of each row, chosen at random. */
static void
intervals_of_scaled_counts_cover(void)
{
	enum { ROWS = 30 };
	unsigned rounds = test_rounds(2000, 20000), covered = 0;
	uint64_t seed = 23;

	for (unsigned k = 0; k < rounds; k++) {
		int64_t count[ROWS];
		double running[ROWS], truth = 0;
		struct count_bounds b;

		for (unsigned i = 0; i < ROWS; i++) {
			double seen = 0, whole = 0;

			for (unsigned part = 0; part < 8; part++) {
				double here = (double)(500 + random_below(&seed, 1000));

				whole += here;
				seen += part == i % 8 || part == (i + k) % 8 ? here : 0;
			}
			running[i] = i % 8 == (i + k) % 8 ? .125 : .25;
			truth += whole;
			count[i] = llround(seen / running[i]);
		}
		b = bounds_of(count, running, ROWS, 0, 0);
		covered += b.low <= truth && truth <= b.high;
	}
	printf("# %u of %u intervals at 99 %% have the true count\n", covered, rounds);
	CHECK(covered >= rounds * .98);
}

TEST_MAIN(CASE(groups_and_thresholds_make_the_tree), CASE(nodes_have_the_values_of_metrics),
	CASE(nodes_have_the_bounds_of_metrics), CASE(counts_become_intervals), CASE(intervals_of_scaled_counts_cover))
