/* The stacks that hecate installs: they are valid, their events are in Intel's or Linux's lists (tests/data/perfmon),
 * and their bars have the values worked out by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/errors.h"
#include "core/stack/stack.h"
#include "core/tasktime/amounts.h"
#include "sim/event.h"
#include "test.h"
#include "text/diag.h"

static const struct {
	const char *name;
	const char *table[3]; /* every event is in the list of each processor named here, or in Linux's own */
} file[] = {
	{"topdown-l1-hsw", {"hsw", "hsx"}}, {"topdown-l2-hsw", {"hsw", "hsx"}}, {"topdown-l3-hsw", {"hsw", "hsx"}},
	{"naive-hsw", {"hsw", "hsx"}}, {"naive-retired-hsw", {"hsw", "hsx"}},
	{"topdown-l1-spr", {"spr", "emr", "linux-glc"}}, {"topdown-l2-spr", {"spr", "emr", "linux-glc"}},
	{"topdown-l3-spr", {"spr", "emr", "linux-glc"}},
	{"naive-spr", {"spr", "emr"}}, {"naive-retired-spr", {"spr", "emr"}},
};

static struct stack *
load(const char *name)
{
	char *path = str_format("../models/stacks/%s.stack", name);
	unsigned long n;
	char *text = test_read(path, &n);
	struct diags d = {0};
	struct stack *s = text ? stack_parse(mem_str(path), text, n, &d) : NULL;

	test_check(s && d.n == 0, __FILE__, __LINE__, "%s: %s", path, d.n ? d.item[0].text : "not read");
	diags_free(&d);
	free(path);
	return s;
}

/* True if the event is a whole line of the table. */
static bool
is_in(const char *table, const char *event)
{
	char *line = str_format("\n%s\n", event);
	bool found = strstr(table, line) != NULL;

	free(line);
	return found;
}

static void
every_event_exists(void)
{
	for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
		struct stack *s = load(file[i].name);
		char *table[3] = {NULL};
		size_t n = 0;

		for (size_t t = 0; t < 3 && file[i].table[t]; t++) {
			char *path = str_format("data/perfmon/%s.txt", file[i].table[t]);

			table[t] = test_read(path, NULL);
			free(path);
		}
		for (size_t c = 0; s && table[0] && table[1] && c < s->n_counters; c++)
			for (size_t k = 0; k < s->counter[c].n_choices; k++)
				for (size_t v = 0; v < s->counter[c].choice[k].n; v++) {
					const char *event = s->counter[c].choice[k].event[v].name;
					bool intel = is_in(table[0], event) && is_in(table[1], event),
					     linux_name = table[2] && is_in(table[2], event);

					test_check(intel || linux_name, __FILE__, __LINE__, "%s: no event %s",
						file[i].name, event);
					n++;
				}
		CHECK(n >= 6);
		for (size_t t = 0; t < 3; t++)
			free(table[t]);
		stack_free(s);
	}
}

/* Each choice of a counter of the simulated core's stacks is an event that the pipeline counts. */
static void
every_simulated_event_exists(void)
{
	static const char *const name[] = {"topdown-l1", "topdown-l2", "topdown-l3", "topdown-core", "naive",
		"naive-retired", "power5", "fmt", "sfmt", "tea", "slots", "truth", "truth-inverse"};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct stack *s = load(name[i]);
		enum sim_event event;

		for (size_t c = 0; s && c < s->n_counters; c++)
			for (size_t k = 0; k < s->counter[c].n_choices; k++)
				for (size_t v = 0; v < s->counter[c].choice[k].n; v++) {
					const char *word = s->counter[c].choice[k].event[v].name;

					test_check(sim_event_find(word, &event), __FILE__, __LINE__, "%s: no event %s",
						name[i], word);
				}
		CHECK(s && s->n_counters >= 6);
		stack_free(s);
	}
}

struct given {
	const char *counter;
	double value;
};

static struct stack_account *
account(const struct stack *s, const struct given *g, size_t n)
{
	double *v = mem_new_array(s->n_counters, sizeof *v);
	struct stack_account *a;

	for (size_t i = 0; i < s->n_counters; i++) {
		bool found = false;

		for (size_t k = 0; k < n; k++)
			if (strcmp(g[k].counter, s->counter[i].name) == 0) {
				v[i] = g[k].value;
				found = true;
			}
		test_check(found, __FILE__, __LINE__, "%s: nothing is given for %s", s->name, s->counter[i].name);
	}
	a = stack_account_new(s, v);
	free(v);
	return a;
}

static double
value_of(const struct stack *s, const struct stack_account *a, const char *part)
{
	for (size_t i = 0; i < s->n_parts; i++)
		if (strcmp(s->part[i].name, part) == 0)
			return a->amount[i].value;
	return NAN;
}

#define VALUE(part, want) CHECK_NEAR(value_of(s, a, part), want, 1e-6)

/* Each counter of slots is one part: the n-th counts n slots, 378 in all. Speculation: 2 + 3 + 4; the front end: 5
 * to 11; the back end: 12 to 27, which are 312. */
static void
slots_are_counted_once(void)
{
	struct stack *s = load("slots");
	struct given given[64];
	struct stack_account *a;
	size_t leaves = 0;

	for (size_t i = 0; i < s->n_counters; i++)
		given[i] = (struct given){s->counter[i].name, i < 2 ? 100 : (double)(i - 1)};
	a = account(s, given, s->n_counters);
	CHECK_NEAR(a->whole, 378, 1e-9);
	VALUE("retiring", 1);
	VALUE("bad_speculation", 9);
	VALUE("front_end", 56);
	VALUE("back_end", 312);
	VALUE("LoadL1Bound", 12);
	VALUE("LoadMemBound", 15);
	VALUE("DTlbStall", 20);
	VALUE("FVDQBandwidth", 23);
	VALUE("MemCommitLimit", 27);
	for (size_t i = 0; i < s->n_parts; i++)
		if (!s->part[i].implied && (i + 1 == s->n_parts || s->part[i + 1].parent != i))
			leaves++;
	CHECK_INT(leaves, 27);
	stack_account_free(a);
	stack_free(s);
}

/* 1000 cycles are 4000 slots. Bad speculation: 1300 - 1000 + 4·20 = 380; back end: 4000 - 1000 - 380 - 600 = 2020. */
static void
topdown_on_haswell(void)
{
	static const struct given g[] = {
		{"cycles", 1000}, {"instructions", 800}, {"undelivered", 600}, {"issued", 1300}, {"retired",
			1000}, {"recovery", 20}, {"none", 90}, {"microcode", 130},
		{"mispredicted", 15}, {"clears", 4}, {"waits_loads", 200}, {"waits_stores", 50}, {"idle", 300},
			{"one_or_more", 700}, {"two_or_more", 550},
	};
	struct stack *s = load("topdown-l1-hsw");
	struct stack_account *a;

	if (s) {
		a = account(s, g, sizeof g / sizeof *g);
		CHECK(a->whole == 4000 && a->figure == 1.25);
		VALUE("retiring", 1000);
		VALUE("bad_spec", 380);
		VALUE("front_end", 600);
		VALUE("back_end", 2020);
		CHECK(a->fit[s->n_parts].over == 0);
		stack_account_free(a);
		stack_free(s);
	}
	s = load("topdown-l2-hsw");
	if (s) {
		a = account(s, g, sizeof g / sizeof *g);
		VALUE("microcoded", 1000 * 130. / 1300);
		VALUE("plain", 900);
		VALUE("mispredicts", 380 * 15. / 19);
		VALUE("machine_clears", 80);
		VALUE("latency", 360);
		VALUE("bandwidth", 240);
		VALUE("memory_bound", 2020 * 250. / 500);
		VALUE("core_bound", 1010);
		for (size_t i = 0; i <= s->n_parts; i++)
			CHECK(a->fit[i].over == 0 && a->fit[i].n_unknown == 0);
		stack_account_free(a);
		stack_free(s);
	}
}

static void
topdown_on_sapphire_rapids(void)
{
	static const struct given g[] = {
		{"cycles", 1000}, {"instructions", 2000}, {"all", 6000}, {"retired", 2000}, {"wrong", 500},
			{"undelivered", 1000}, {"refused", 2400}, {"heavy", 300},
		{"mispredicted", 400}, {"nothing", 700}, {"waits_memory", 1500},
	};
	struct stack *s = load("topdown-l1-spr");
	struct stack_account *a;

	if (s) {
		a = account(s, g, sizeof g / sizeof *g);
		CHECK(a->whole == 6000 && a->figure == 0.5);
		VALUE("unsplit", 100);
		stack_account_free(a);
		stack_free(s);
	}
	s = load("topdown-l2-spr");
	if (s) {
		a = account(s, g, sizeof g / sizeof *g);
		VALUE("light_ops", 1700);
		VALUE("machine_clears", 100);
		VALUE("bandwidth", 300);
		VALUE("core_bound", 900);
		VALUE("unsplit", 100);
		stack_account_free(a);
		stack_free(s);
	}
}

/* The levels above as in topdown_on_haswell(). Intel's parts of latency overlap here: 360 slots, 160 + 140 + 960 of
 * them accounted for. */
static void
topdown_level_3_on_haswell(void)
{
	static const struct given g[] = {
		{"cycles", 1000}, {"instructions", 800}, {"undelivered", 600}, {"issued", 1300}, {"retired", 1000},
		{"recovery", 20}, {"none", 90}, {"microcode", 130}, {"mispredicted", 15}, {"clears", 4},
		{"waits_loads", 200}, {"waits_stores", 50}, {"idle", 300}, {"one_or_more", 700}, {"two_or_more", 550},
		{"icache_stalls", 40}, {"itlb_hits", 2}, {"itlb_walks", 7}, {"baclears", 1}, {"ms_switches", 0},
		{"lcp", 0}, {"dsb_switches", 0}, {"mite_any", 80}, {"mite_four", 30}, {"dsb_any", 90}, {"dsb_four", 60},
		{"waits_l1", 150}, {"waits_l2", 60}, {"l3_hits", 30}, {"l3_misses", 10}, {"divider_uops", 5},
	};
	struct stack *s = load("topdown-l3-hsw");
	struct stack_account *a;

	if (!s)
		return;
	a = account(s, g, sizeof g / sizeof *g);
	VALUE("icache", 160);
	VALUE("itlb", 4 * (14 * 2 + 7));
	VALUE("resteers", 4 * 12 * 20);
	CHECK_NEAR(a->fit[stack_part_called(s, "latency")].over, 160 + 140 + 960 - 360, 1e-6);
	VALUE("decoders", 100);
	VALUE("uop_cache", 60);
	VALUE("l1_bound", 1010 * 50. / 250);
	VALUE("l2_bound", 1010 * 90. / 250);
	VALUE("l3_bound", 1010 * 60. / 250 * 0.3);
	VALUE("dram_bound", 1010 * 60. / 250 * 0.7);
	VALUE("store_bound", 1010 * 50. / 250);
	VALUE("divider", 1010 * 50. / 300);
	VALUE("ports", 1010 * 250. / 300);
	CHECK(a->fit[stack_part_called(s, "memory_bound")].over == 0);
	stack_account_free(a);
	stack_free(s);
}

static void
topdown_level_3_on_sapphire_rapids(void)
{
	static const struct given g[] = {
		{"cycles", 1000}, {"instructions", 2000}, {"all", 6000}, {"retired", 2000}, {"wrong", 500},
		{"undelivered", 1000}, {"refused", 2400}, {"heavy", 300}, {"mispredicted", 400}, {"nothing", 700},
		{"waits_memory", 1500}, {"icache_stalls", 20}, {"itlb_stalls", 10}, {"clear_resteers", 30},
		{"unknown", 5}, {"lcp", 1}, {"dsb_switches", 2}, {"mite_any", 40}, {"mite_ok", 10}, {"dsb_any", 90},
		{"dsb_ok", 60}, {"mispredictions", 8}, {"clears_all", 14}, {"clears", 4}, {"clears_order", 1},
		{"microcode", 100}, {"fp_scalar", 50}, {"fp_vector", 60}, {"fp_scalar_16", 0}, {"fp_vector_16", 10},
		{"memory_uops", 600}, {"fused", 200}, {"branches", 300}, {"waits_loads", 200}, {"waits_stores", 50},
		{"waits_l1", 150}, {"waits_l2", 60}, {"waits_l3", 40}, {"dividing", 20}, {"scoreboard", 10}, {"amx", 0},
		{"no_port", 30}, {"rs_empty", 30}, {"stalls", 300}, {"one_port", 60}, {"few_ports", 90},
	};
	struct stack *s = load("topdown-l3-spr");
	struct stack_account *a;

	if (!s)
		return;
	a = account(s, g, sizeof g / sizeof *g);
	VALUE("microcoded", 100);
	VALUE("few_uops", 200);
	VALUE("fp_arith", 120);
	VALUE("memory_ops", 1700 * 0.3);
	VALUE("branch_ops", 1700 * 0.05);
	VALUE("mispredicts_other", 400 * 0.2);
	VALUE("clears_memory", 100 * 0.25);
	VALUE("icache", 120);
	VALUE("resteers", 210);
	VALUE("decoders", 90);
	VALUE("l1_bound", 1500 * 50. / 250);
	VALUE("l3_bound", 1500 * 20. / 250);
	VALUE("l3_miss_bound", 1500 * 40. / 250);
	/* 20 + 10 + 60 + 90 / 3 + (30 + 20) / 10 = 125 cycles */
	VALUE("divider", 900 * 20. / 125);
	VALUE("serializing", 900 * 10. / 125);
	VALUE("ports", 900 * 95. / 125);
	for (size_t i = 0; i <= s->n_parts; i++)
		CHECK(a->fit[i].over == 0 && a->fit[i].n_unknown == 0);
	stack_account_free(a);
	stack_free(s);
}

/* 5·12 + 8·11 + 2·23 + (3·8 + 1·30) + 10·11 + 4·23 + 1·166 + (9·8 + 3·30) = 778 of 1000 cycles. With ten misses of L3
 * more it is too much. */
static void
naive_on_haswell(void)
{
	struct given g[] = {
		{"cycles", 1000}, {"instructions", 800}, {"mispredicted", 5}, {"l1i_misses", 8}, {"l2i_misses", 2},
		{"itlb_hits", 3}, {"itlb_walks", 1}, {"l1d_misses", 10}, {"l2d_misses", 4}, {"l3_misses", 1},
		{"dtlb_hits", 9}, {"dtlb_walks", 3},
	};
	struct stack *s = load("naive-hsw");
	struct stack_account *a;

	if (!s)
		return;
	a = account(s, g, sizeof g / sizeof *g);
	VALUE("branch", 60);
	VALUE("l1i", 88);
	VALUE("l2i", 46);
	VALUE("itlb", 54);
	VALUE("l1d", 110);
	VALUE("l2d", 92);
	VALUE("l3d", 166);
	VALUE("dtlb", 162);
	VALUE("base", 222);
	stack_account_free(a);
	g[9].value = 11;
	a = account(s, g, sizeof g / sizeof *g);
	VALUE("base", -1438);
	stack_account_free(a);
	stack_free(s);
}

/* Haswell cannot say which instructions that retired missed on the instruction side: three parts are unknown. */
static void
naive_of_retired_instructions(void)
{
	static const struct given hsw[] = {
		{"cycles", 1000}, {"instructions", 800}, {"mispredicted", 5}, {"l1i_misses", NAN}, {"l2i_misses", NAN},
		{"itlb_misses", NAN}, {"l1d_misses", 10}, {"l2d_misses", 4}, {"l3d_misses", 1}, {"dtlb_walks", 3},
	}, spr[] = {
		{"cycles", 1000}, {"instructions", 800}, {"mispredicted", 5}, {"l1i_misses", 8}, {"l2i_misses", 2},
		{"itlb_misses", 4}, {"itlb_walks", 1}, {"l1d_misses", 10}, {"l2d_misses", 4}, {"l3d_misses", 1},
		{"dtlb_walks", 3},
	};
	struct stack *s = load("naive-retired-hsw");
	struct stack_account *a;

	if (s) {
		size_t unresolved = 0;

		for (size_t i = 0; i < s->n_counters; i++)
			unresolved += s->counter[i].unresolved != NULL;
		CHECK(unresolved == 3);
		a = account(s, hsw, sizeof hsw / sizeof *hsw);
		CHECK(a->fit[s->n_parts].n_unknown == 3);
		VALUE("base", 1000 - 60 - 110 - 92 - 166 - 90);
		stack_account_free(a);
		stack_free(s);
	}
	s = load("naive-retired-spr");
	if (s) {
		a = account(s, spr, sizeof spr / sizeof *spr);
		VALUE("itlb", 3 * 7 + 30);
		VALUE("base", 1000 - 85 - 120 - 110 - 51 - 150 - 220 - 230 - 90);
		stack_account_free(a);
		stack_free(s);
	}
}

/* The stacks of the simulated core: all of one figure and scope, whose parts have the names of the reference's, so that
 * they can be compared; and the arithmetic of the naive one. */
static void
of_the_simulated_core(void)
{
	static const char *const name[] = {"truth", "truth-inverse", "power5", "fmt", "sfmt", "tea", "naive",
		"naive-retired"};
	static const struct given g[] = {
		{"cycles", 10000}, {"instructions", 8000}, {"branch_misses", 20}, {"l1i_misses", 30}, {"l2i_misses", 2},
		{"l3i_misses", 0}, {"itlb_misses", 3}, {"l1d_misses", 40}, {"l2d_misses", 5}, {"l3d_misses", 0},
		{"dtlb_misses", 7},
		{"branch_retired", 20}, {"l1i_retired", 30}, {"l2i_retired", 2}, {"l3i_retired", 0},
		{"itlb_retired", 3}, {"l1d_retired", 40}, {"l2d_retired", 5}, {"l3d_retired", 0}, {"dtlb_retired", 7},
	};
	struct stack *truth = load("truth");

	for (size_t i = 0; truth && i < sizeof name / sizeof *name; i++) {
		struct stack *s = load(name[i]);

		CHECK(s && s->per == SCOPE_CORE && s->reference == (i == 0) && strcmp(s->figure_text, "CPI") == 0);
		for (size_t k = 0; s && k < s->n_parts; k++)
			CHECK(s->part[k].implied || strcmp(s->part[k].name, "unit") == 0 ||
				stack_part_called(truth, s->part[k].name) < truth->n_parts);
		if (s && strncmp(name[i], "naive", 5) == 0) {
			struct stack_account *a = account(s, g, sizeof g / sizeof *g);

			VALUE("branch", 20 * 7);
			VALUE("l1i", 30 * 9);
			VALUE("l2d", 5 * 230);
			VALUE("base", 10000 - 140 - 270 - 460 - 57 - 360 - 1150 - 133);
			stack_account_free(a);
		}
		stack_free(s);
	}
	stack_free(truth);
}

/* Where the time of tasks goes: a live source gives each counter, and the parts use every amount that it gives. */
static void
stall_sources(void)
{
	struct stack *s = load("stall-sources");
	uint64_t seed = 5;
	bool used[TASKTIME_AMOUNTS] = {false};

	if (!s)
		return;
	for (size_t i = 0; i < s->n_counters; i++) {
		int amount =
			s->counter[i].n_choices == 1 && s->counter[i].choice[0].n == 1 && s->counter[i].choice[0].source
			? tasktime_amount_find(s->counter[i].choice[0].event[0].name)
			: -1;

		if (CHECK(amount >= 0))
			used[amount] = true;
	}
	for (int a = 0; a < TASKTIME_AMOUNTS; a++)
		/* time asleep without a finer class is the remainder */
		CHECK(used[a] || a == TASKTIME_ASLEEP || a == TASKTIME_SCHED_RUN || a == TASKTIME_SCHED_WAIT);
	for (unsigned round = 0; round < test_rounds(300, 10000); round++) {
		struct tasktime_row r = {.to_ns = 1};
		struct tasktime_amounts a;
		struct stack_account *account;
		double *v = mem_new_array(s->n_counters, sizeof *v), sum = 0;

		for (int c = 0; c < TASKTIME_CLASSES; c++)
			r.ns[c] = test_random(&seed) % 3 ? test_random(&seed) >> 20 : 0;
		tasktime_amounts_of_row(&r, NULL, 0, &a);
		for (size_t i = 0; i < s->n_counters; i++)
			v[i] = (double)a.ns[tasktime_amount_find(s->counter[i].choice[0].event[0].name)];
		account = stack_account_new(s, v);
		/* To the nanosecond: whole numbers below 2^53. */
		for (size_t i = 0; i < s->n_parts; i++)
			sum += s->part[i].parent == STACK_TOP ? account->amount[i].value : 0;
		CHECK(account->whole == (double)a.ns[TASKTIME_ELAPSED] && sum == account->whole);
		CHECK(value_of(s, account, "run_untold") == 0 && value_of(s, account, "wait_untold") == 0 &&
			value_of(s, account, "io_untold") == 0);
		CHECK(value_of(s, account, "asleep_untold") == (double)a.ns[TASKTIME_ASLEEP]);
		for (size_t i = 0; i <= s->n_parts; i++)
			CHECK(account->fit[i].over == 0);
		stack_account_free(account);
		free(v);
	}
	stack_free(s);
}

TEST_MAIN(CASE(stall_sources), CASE(every_event_exists), CASE(every_simulated_event_exists),
	CASE(slots_are_counted_once), CASE(topdown_on_haswell), CASE(topdown_on_sapphire_rapids),
	CASE(topdown_level_3_on_haswell), CASE(topdown_level_3_on_sapphire_rapids), CASE(naive_on_haswell),
	CASE(naive_of_retired_instructions), CASE(of_the_simulated_core))
