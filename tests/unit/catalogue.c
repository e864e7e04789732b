/* All events of a machine: the tree by PMU and topic, what a few letters find and in which order, how events are
 * opened, and the time of a key with 5 000 events. The rows are made. */
#include "work/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "test.h"

static struct catalogue *
small(void)
{
	static const struct event_row row[] = {
		{.name = "dtlb_load_misses.walk_completed", .pmu = "cpu", .topic = "virtual memory",
			.text = "Load missed in all TLB levels, page walk completed", .code = "event=0x12,umask=0xe"},
		{.name = "dtlb_load_misses.walk_pending", .pmu = "cpu", .topic = "virtual memory",
			.text = "Outstanding page walks", .code = "event=0x12,umask=0x10"},
		{.name = "llc_misses.mem_read", .pmu = "uncore_cha", .topic = "cache", .text = "LLC misses",
			.code = "event=0x35"},
		{.name = "mem_walk.alias", .pmu = "cpu", .topic = "virtual memory", .text = "",
			.code = "event=0x12,umask=0xe"},
		{.name = "inst_retired.any", .pmu = "cpu", .topic = "", .text = "Instructions that retired"},
	};
	struct event_table table = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		event_table_add(&table, &row[i]);
	return catalogue_of(&table);
}

static void
tree_has_pmus_and_topics(void)
{
	static const struct { unsigned depth; const char *name; size_t below, events; } want[] = {
		{0, "cpu", 6, 4}, {1, "other", 1, 1}, {2, "inst_retired.any", 0, 0}, {1, "virtual memory", 3, 3},
		{2, "dtlb_load_misses.walk_completed", 0, 0}, {2, "dtlb_load_misses.walk_pending", 0, 0},
		{2, "mem_walk.alias", 0, 0}, {0, "uncore_cha", 2, 1}, {1, "cache", 1, 1},
		{2, "llc_misses.mem_read", 0, 0},
	};
	struct catalogue *c = small();

	if (CHECK_INT(c->n, sizeof want / sizeof *want))
		for (size_t i = 0; i < c->n; i++) {
			test_label("node %zu", i);
			CHECK_STR(c->node[i].name, want[i].name);
			CHECK_INT(c->node[i].depth, want[i].depth);
			CHECK_INT(c->node[i].below, want[i].below);
			CHECK_INT(c->node[i].events, want[i].events);
		}
	for (size_t i = 0; i < c->table.n; i++)
		CHECK_INT(c->node[c->node_of[i]].row, i);
	catalogue_free(c);
}

static void
words_find_names_then_descriptions(void)
{
	static const struct { const char *words, *want; } row[] = {
		{"walk dtlb", "dtlb_load_misses.walk_pending dtlb_load_misses.walk_completed "},
		{"WALK", "mem_walk.alias dtlb_load_misses.walk_pending dtlb_load_misses.walk_completed "},
		{"outstanding", "dtlb_load_misses.walk_pending "}, /* its description alone */
		{"dlmwp", "dtlb_load_misses.walk_pending dtlb_load_misses.walk_completed "}, /* its letters */
		{"zzz", ""}, {"", ""}, {"  ", ""},
	};
	struct catalogue *c = small();

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str got = {0};
		size_t n, *found = catalogue_find(c, row[i].words, &n);

		for (size_t k = 0; k < n; k++)
			str_addf(&got, "%s ", c->node[found[k]].name);
		test_label("%s", row[i].words);
		CHECK_STR(str_text(&got), row[i].want);
		str_free(&got);
		free(found);
	}
	catalogue_free(c);
}

static void
events_are_opened_by_their_code(void)
{
	struct catalogue *c = small();
	struct str t = {0};

	catalogue_event(event_table_find(&c->table, "mem_walk.alias", NULL), &t);
	CHECK_STR(str_text(&t), "cpu/event=0x12,umask=0xe/");
	str_clear(&t);
	catalogue_event(event_table_find(&c->table, "inst_retired.any", NULL), &t);
	CHECK_STR(str_text(&t), "inst_retired.any");
	str_clear(&t);
	catalogue_same_code(c, event_table_find(&c->table, "mem_walk.alias", NULL), &t);
	CHECK_STR(str_text(&t), "dtlb_load_misses.walk_completed");
	str_clear(&t);
	catalogue_same_code(c, event_table_find(&c->table, "inst_retired.any", NULL), &t);
	CHECK_STR(str_text(&t), ""); /* no code is known of it */
	str_free(&t);
	catalogue_free(c);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* 300 keys with 5 000 events. The time is the process's own, so that a busy machine does not count. */
static void
a_key_is_fast_with_5000_events(void)
{
	enum { EVENTS = 5000, KEYS = 300 };
	static const char *const word[] = {"dtlb", "load", "misses", "walk", "completed", "l2", "rqsts", "uops",
		"retired", "mem", "inst", "cycles", "stall", "branch", "offcore", "demand"};
	struct event_table table = {0};
	struct catalogue *c;
	uint64_t seed = 27;
	double ms[KEYS];

	for (size_t i = 0; i < EVENTS; i++) {
		char name[100], text[300];

		snprintf(name, sizeof name, "%s_%s.%s_%s_%zu", word[test_random(&seed) % 16],
			word[test_random(&seed) % 16], word[test_random(&seed) % 16], word[test_random(&seed) % 16], i);
		snprintf(text, sizeof text, "Counts the number of %s that %s while a %s was outstanding for the "
			"thread, including those caused by speculation and by prefetchers of the second level",
			word[test_random(&seed) % 16], word[test_random(&seed) % 16], word[test_random(&seed) % 16]);
		event_table_add(&table, &(struct event_row){.name = name, .pmu = i % 5 ? "cpu" : "uncore_cha",
			.topic = word[i % 7], .text = text, .code = "event=0x12"});
	}
	c = catalogue_of(&table);
	for (size_t i = 0; i < KEYS; i++) {
		const char *a = word[test_random(&seed) % 16], *b = word[test_random(&seed) % 16];
		struct timespec from, to;
		char words[40];
		size_t n, *found;

		snprintf(words, sizeof words, "%s %s", a, b);
		words[1 + test_random(&seed) % strlen(words)] = '\0'; /* as one types */
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		found = catalogue_find(c, words, &n);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		ms[i] = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
		test_label("%s", words);
		CHECK(n > 0);
		free(found);
	}
	qsort(ms, KEYS, sizeof *ms, by_value);
	printf("# %d events, %d keys: median %.2f ms, p99 %.2f ms of processor time\n", EVENTS, KEYS, ms[KEYS / 2],
		ms[KEYS * 99 / 100]);
	catalogue_free(c);
}

TEST_MAIN(CASE(tree_has_pmus_and_topics), CASE(words_find_names_then_descriptions),
	CASE(events_are_opened_by_their_code), CASE(a_key_is_fast_with_5000_events))
