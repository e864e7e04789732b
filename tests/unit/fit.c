/* Which events fit on counters at once: the matching against every assignment, and sets of a made processor. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "core/fit/holders.h"
#include "event/table.h"
#include "tests/lib/test.h"
#include "work/fit/fit.h"
#include "work/fit/fitting.h"
#include "work/run/counter_list.h"

static void
counters_are_read(void)
{
	static const struct {
		const char *text;
		uint64_t counters;
	} row[] = {{"0,1,2,3", 0xf}, {"2", 4}, {"0,1,2,3,4,5,6,7", 0xff}, {"Fixed counter 0", UINT64_C(1) << 32},
		{"Fixed counter 1", UINT64_C(1) << 33}, {"32", UINT64_C(1) << 32}, {"35", UINT64_C(1) << 35},
		{"fixed counter 2", UINT64_C(1) << 34}, {"", 0}, {"99", 0}, {"any", 0}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t got;

		test_label("'%s'", row[i].text);
		CHECK_INT(holders_read(row[i].text, &got), row[i].counters != 0);
		CHECK_INT(got, row[i].counters);
	}
}

/* Tries every counter for every event; those of PMU 1 begin at bit 8. */
static bool
fits_by_trial(const struct holder_event *event, size_t n, uint64_t taken)
{
	if (!n)
		return true;
	for (size_t c = 0; c < 6; c++)
		if (event->counters >> c & ~taken >> (c + 8 * event->pmu) & 1 &&
			fits_by_trial(event + 1, n - 1, taken | UINT64_C(1) << (c + 8 * event->pmu)))
			return true;
	return false;
}

static void
matching_is_exhaustive_search(void)
{
	uint64_t seed = 7;
	size_t fitting = 0, rounds = 20000;

	for (size_t round = 0; round < rounds; round++) {
		struct holder_event event[7] = {0};
		size_t which[7], n = 1 + random_next(&seed) % 7;

		for (size_t i = 0; i < n; i++) {
			event[i].counters = random_next(&seed) % 64 & random_next(&seed);
			event[i].pmu = round % 2 && random_next(&seed) % 4 == 0;
			which[i] = i;
		}
		fitting += fits_by_trial(event, n, 0);
		if (!CHECK_INT(holders_fit(event, which, n), fits_by_trial(event, n, 0)))
			return;
	}
	printf("# %zu of %zu random sets fit; none differs from exhaustive search\n", fitting, rounds);
	CHECK(fitting > rounds / 10 && fitting < rounds * 9 / 10);
}

/* Four counters and three fixed ones, of which some events need particular ones, as on Haswell. `core`: its PMU; next
 * to cpu_core there are small cores with two counters. */
static void
make_table(struct event_table *table, const char *core)
{
	static const struct event_row row[] = {
		{.name = "inst_retired.any", .pmu = "cpu", .counters = "Fixed counter 0"},
		{.name = "l1d_pend_miss.pending", .pmu = "cpu", .counters = "2"},
		{.name = "cycle_activity.stalls_l1d_pending", .pmu = "cpu", .counters = "2"},
		{.name = "a.a", .pmu = "cpu", .counters = "0,1,2,3"},
		{.name = "a.b", .pmu = "cpu", .counters = "0,1,2,3"},
		{.name = "a.c", .pmu = "cpu", .counters = "0,1,2,3"},
		{.name = "a.d", .pmu = "cpu", .counters = "0,1,2,3"},
		{.name = "ocr.x", .pmu = "cpu", .counters = "0,1,2,3", .taken_alone = true},
		{.name = "ocr.y", .pmu = "cpu", .counters = "0,1,2,3", .taken_alone = true},
		{.name = "nowhere.x", .pmu = "cpu"},
		{.name = "a.small", .pmu = "cpu_atom", .counters = "0,1"},
		{.name = "b.small", .pmu = "cpu_atom", .counters = "0,1"},
		{.name = "c.small", .pmu = "cpu_atom", .counters = "0,1"},
		{.name = "unc_cha_clockticks", .pmu = "uncore_cha", .counters = "0,1,2,3"},
	};

	memcpy(table->cpu, "made", 5);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event_row one = row[i];

		if (str_eq(one.pmu, "cpu"))
			one.pmu = core;
		if (!str_eq(one.pmu, "cpu_atom") || str_eq(core, "cpu_core"))
			event_table_add(table, &one);
	}
	event_table_sort(table);
}

#define OF_HYBRIDS 3 /* the last rows */

static void
sets_of_a_processor(const char *core, size_t without)
{
	static const struct {
		const char *name[9];
		size_t sets, room, counted, twice;
		int kind; /* of the last event; −1: not asked */
	} row[] = {
		{{"cycles", "instructions", "a.a", "a.b", "a.c", "a.d"}, 1, 6, 6, 0, FIT_COUNTED},
		{{"a.a", "a.b"}, 1, 4, 2, 0, FIT_COUNTED},
		{{"inst_retired.any", "a.a"}, 1, 5, 2, 0, FIT_COUNTED},
		/* one event too many */
		{{"a.a", "a.b", "a.c", "a.d", "l1d_pend_miss.pending"}, 2, 4, 5, 0, FIT_COUNTED},
		/* both need counter 2 */
		{{"l1d_pend_miss.pending", "cycle_activity.stalls_l1d_pending"}, 2, 4, 2, 0, FIT_COUNTED},
		{{"ocr.x", "ocr.y"}, 2, 4, 2, 0, FIT_COUNTED},
		/* a pinned event leaves three, and keeps the others from its counter */
		{{"a.a", "a.b", "a.c", "a.d:D"}, 1, 4, 4, 0, FIT_PINNED},
		{{"cycle_activity.stalls_l1d_pending", "l1d_pend_miss.pending:D"}, 1, 4, 2, 0, FIT_PINNED},
		{{"l1d_pend_miss.pending:D", "cycle_activity.stalls_l1d_pending:D"}, 1, 4, 2, 0, FIT_REFUSED},
		/* named twice, in one set */
		{{"a.a", "A.A", "a.a:p"}, 1, 4, 1, 2, FIT_COUNTED},
		{{"a.a", "unc_cha_clockticks"}, 1, 4, 1, 0, FIT_ELSEWHERE},
		{{"a.a", "page-faults"}, 1, 4, 1, 0, FIT_FREE},
		{{"a.a", "a.nothing"}, 1, 4, 1, 0, FIT_REFUSED},
		{{"nowhere.x", "a.a", "a.b", "a.c"}, 1, 4, 4, 0, FIT_COUNTED},
		/* two kinds of cores, each with counters of its own */
		{{"a.a", "a.b", "a.c", "a.d", "a.small", "b.small"}, 1, 6, 6, 0, FIT_COUNTED},
		{{"cycles", "instructions", "a.a", "a.small"}, 1, 8, 4, 0, FIT_COUNTED},
		{{"a.a", "a.small", "b.small", "c.small"}, 2, 6, 4, 0, FIT_COUNTED},
	};
	struct event_table table = {0};

	make_table(&table, core);
	for (size_t i = 0; i < sizeof row / sizeof *row - without; i++) {
		struct err e = {0};
		struct fit *fit;
		size_t n = 0;

		while (row[i].name[n])
			n++;
		test_label("%s, row %zu, %s …", core, i, row[i].name[0]);
		fit = fit_new(row[i].name, n, &table, true, &e);
		if (!CHECK(fit != NULL))
			continue;
		CHECK_INT(fit->n_sets, row[i].sets);
		CHECK_INT(fit->room, row[i].room);
		CHECK_INT(fit->counted, row[i].counted);
		CHECK_INT(fit->twice, row[i].twice);
		CHECK_INT(fit->event[fit->n - 1].kind, row[i].kind);
		fit_free(fit);
	}
	event_table_free(&table);
}

static void
one_kind_of_cores_and_two(void)
{
	sets_of_a_processor("cpu", OF_HYBRIDS);
	sets_of_a_processor("cpu_core", 0);
}

static void
nothing_is_guessed(void)
{
	struct event_table table = {0};
	const char *name[] = {"a.a"}, *many[FIT_EVENTS_MAX + 1];
	struct err e = {0};

	event_table_add(&table, &(const struct event_row){.name = "a.a", .pmu = "cpu"});
	memcpy(table.cpu, "made", 5);
	CHECK(fit_new(name, 1, &table, true, &e) == NULL);
	CHECK_STR(e.what, "no source says which counters the events of made can use");
	for (size_t i = 0; i < FIT_EVENTS_MAX + 1; i++)
		many[i] = "a.a";
	CHECK(fit_new(many, FIT_EVENTS_MAX + 1, &table, true, &e) == NULL);
	event_table_free(&table);
}

/* Thirty events of another processor within a millisecond: the fastest of ten, as the machine may be busy. */
static void
thirty_events_have_their_sets(void)
{
	struct event_table table = {0};
	char text[30][16];
	const char *name[30];
	uint64_t best = UINT64_MAX;

	make_table(&table, "cpu");
	for (size_t i = 0; i < 30; i++) {
		snprintf(text[i], sizeof text[i], "b.%zu", i);
		name[i] = text[i];
		event_table_add(&table, &(const struct event_row){.name = name[i], .pmu = "cpu",
			.counters = i % 3 ? "0,1,2,3" : i % 2 ? "2" : "0,1"});
	}
	event_table_sort(&table);
	for (int i = 0; i < 10; i++) {
		uint64_t begin = clock_ns(), end;
		struct err e = {0};
		struct fit *fit = fit_new(name, 30, &table, true, &e);

		end = clock_ns();
		best = end - begin < best ? end - begin : best;
		CHECK(fit && fit->n_sets >= 8);
		fit_free(fit);
	}
	printf("# 30 events: %.3f ms\n", (double)best * 1e-6);
	event_table_free(&table);
}

/* What is said in one line, of a fit by a table to which the kernel's answers are added. */
static void
one_line_says_it(void)
{
	static const struct {
		const char *name[7], *brief;
		size_t held, idle;
		bool watchdog, cpus, tight;
	} row[] = {
		{.name = {"cycles", "instructions", "a.a", "a.b"}, .brief = "4 of 6 counters"},
		{.name = {"cycles", "instructions", "a.a", "a.b"},
			.brief = "4 of 6 counters; the NMI watchdog holds one more",
			.watchdog = true},
		{.name = {"a.a"}, .brief = "1 of 4 counters; other users hold 2 now", .held = 2, .tight = true},
		{.name = {"a.a", "a.b"}, .brief = "2 of 4 counters; 1 gets no counter", .idle = 1, .tight = true},
		{.name = {"a.a", "a.b", "a.c", "a.d", "l1d_pend_miss.pending"},
			.brief = "5 events in 2 sets that take turns, 4 at once",
			.tight = true},
		{.name = {"a.a", "a.a"}, .brief = "1 of 4 counters; 1 event is twice in it", .tight = true},
		{.name = {"page-faults"}, .brief = "no counter is needed: the kernel counts them all"},
		{.name = {"a.a", "unc_cha_clockticks"},
			.brief = "1 of 4 counters; 1 outside the cores, never counted for a command",
			.tight = true},
		{.name = {"a.a", "unc_cha_clockticks"}, .brief = "1 of 4 counters", .cpus = true},
		{.name = {"unc_cha_clockticks"},
			.brief = "1 outside the cores, never counted for a command",
			.tight = true},
		{.name = {"a.nothing"},
			.brief = "1 not counted: no source knows an event of that name for this processor"},
		{.name = {"a.a:D", "l1d_pend_miss.pending:D", "cycle_activity.stalls_l1d_pending:D"},
			.brief = "2 of 4 counters; 1 not counted: no counter is left beside the pinned events before "
				 "it",
			.tight = true},
		{.name = {NULL}, .brief = "no event is counted"},
	};
	struct event_table table = {0};

	make_table(&table, "cpu");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str brief = {0};
		struct err e = {0};
		struct fit *fit;
		size_t n = 0;

		while (row[i].name[n])
			n++;
		test_label("%s", row[i].brief);
		fit = fit_new(row[i].name, n, &table, true, &e);
		if (!CHECK(fit != NULL))
			continue;
		fit->held = row[i].held;
		fit->watchdog = row[i].watchdog;
		for (size_t k = 0; k < row[i].idle; k++)
			fit->event[k].idle = true;
		fit_write_brief(fit, row[i].cpus, &brief);
		CHECK_STR(str_text(&brief), row[i].brief);
		CHECK_INT(fit_is_tight(fit, row[i].cpus), row[i].tight);
		str_free(&brief);
		fit_free(fit);
	}
	event_table_free(&table);
}

/* A model's counters as a run opens them: an event of two counters is there twice, kernel files take no counter. */
static void
counters_are_asked_as_a_run_opens_them(void)
{
	static const struct event_item two[] = {{.name = "page-faults"}, {.name = "cycles:u"}},
				       fault = {.name = "no.such.event"}, cycles = {.name = "cycles:u"},
				       kernel = {.name = "cycles:k"}, disk = {.name = "vmstat:pgfault"};
	struct event_sum first = {two, 2, false}, choice[] = {{&fault, 1, false}, {&cycles, 1, false}},
			 other = {&kernel, 1, false}, file = {&disk, 1, false};
	struct counter_list_item item[] = {{.name = "a", .choice = &first, .n_choices = 1},
		{.name = "b", .choice = choice, .n_choices = 2}, {.name = "c", .choice = &other, .n_choices = 1},
		{.name = "d", .choice = &file, .n_choices = 1}};
	struct counter_list list = {.counter = item, .n = 4};
	bool asked[] = {true, false, true, true};
	struct err e = {0};
	char **name = fit_counter_events(&list, asked);
	struct fit *fit;

	CHECK(name[0] && name[1] && name[2] && !name[3]);
	CHECK_STR(name[1], "cycles:u");
	CHECK_STR(name[2], "cycles:k");
	str_split_free(name);
	fit = fit_of_counters(&list, NULL, &e);
	if (CHECK(fit != NULL)) {
		CHECK_INT(fit->n, 4);
		CHECK_INT(fit->twice, 1);
		CHECK_STR(fit->event[2].name, "cycles:u"); /* the first choice of b is unknown */
		CHECK_INT(fit->event[0].kind, FIT_FREE);
	}
	fit_free(fit);
}

static struct counter_list *
list_of(const char *event)
{
	struct counter_list *list = mem_new(sizeof *list);

	counter_list_add(list, "one", event);
	return list;
}

static void
ask(struct fitting *f, const char *event, const char *while_asked)
{
	struct counter_list *list = list_of(event);
	struct pollfd p;

	fitting_ask(f, list, NULL, false);
	counter_list_free(list); /* the process has its own */
	CHECK_STR(fitting_line(f), while_asked);
	for (p = (struct pollfd){fitting_fd(f), POLLIN, 0}; p.fd >= 0; p.fd = fitting_fd(f)) {
		if (!CHECK_INT(poll(&p, 1, 60000), 1))
			return;
		fitting_poll(f);
	}
}

/* In a process of its own. An answer stays while the same is asked again, and no longer. */
static void
another_process_asks_the_kernel(void)
{
	static const char none[] = "no counter is needed: the kernel counts them all";
	struct fitting *f = fitting_new();
	struct str words = {0};

	CHECK(!fitting_write(NULL, &words));
	CHECK_STR(fitting_line(NULL), "");
	CHECK_INT(fitting_fd(f), -1);
	ask(f, "page-faults", "");
	CHECK_STR(fitting_line(f), none);
	CHECK_STR(fitting_short(f), "no counter is needed");
	CHECK(!fitting_write(f, &words));
	CHECK_STR(str_text(&words), "Fit: no counter is needed: the kernel counts them all.");
	ask(f, "page-faults", none);
	ask(f, "no.such.event", "");
	CHECK_STR(fitting_short(f), "1 not counted");
	CHECK(fitting_write(f, &words));
	str_free(&words);
	fitting_ask(f, NULL, NULL, false);
	CHECK_STR(fitting_line(f), "");
	CHECK_INT(fitting_fd(f), -1);
	fitting_free(f);
}

TEST_MAIN(CASE(counters_are_read), CASE(matching_is_exhaustive_search), CASE(one_kind_of_cores_and_two),
	CASE(nothing_is_guessed), CASE(thirty_events_have_their_sets), CASE(one_line_says_it),
	CASE(counters_are_asked_as_a_run_opens_them), CASE(another_process_asks_the_kernel))
