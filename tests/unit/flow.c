/* Flows of tasks (core/network/flow.h): sequences of events worked out by hand, and random ones, in which every
 * count and all time are in exactly one flow and one snapshot. */
#include "core/network/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/flow_layout.h"
#include "core/network/flow_map.h"
#include "core/network/path_map.h"
#include "core/network/state.h"
#include "core/obs/rise.h"
#include "parsed.h"
#include "test.h"

enum { NEAR, FAR, DESTINATIONS };
enum { HITS, TO_NEAR, TO_FAR, CYCLES, COUNTERS };

static const struct flow_counter counters[COUNTERS] = {
	[HITS] = {.width = 64, .destination = FLOW_NOWHERE},
	[TO_NEAR] = {.width = 48, .destination = NEAR, .weighs = true},
	[TO_FAR] = {.width = 32, .destination = FAR, .weighs = true},
	[CYCLES] = {.width = 64, .destination = FLOW_NOWHERE},
};

static bool
take(struct flows *f, enum flow_kind kind, uint64_t ns, size_t core, int32_t task, const uint64_t *count)
{
	struct err e;

	if (flows_take(f, &(struct flow_event){.kind = kind, .ns = ns, .core = core, .task = task, .count = count}, &e))
		return true;
	test_check(false, __FILE__, __LINE__, "%s", e.what);
	return false;
}

static uint64_t
count_of(const struct flows *f, int32_t task, size_t core, size_t destination, size_t counter)
{
	const struct flow *k = flows_find(f, task, core, destination);

	return k ? k->count[counter] : UINT64_MAX;
}

struct closed {
	unsigned n[FLOW_AT_LOSS + 1];
	uint64_t last_from, last_to;
};

static void
note_closed(void *ctx, const struct flow_snapshot *s)
{
	struct closed *c = ctx;

	c->n[s->why]++;
	c->last_from = s->from_ns;
	c->last_to = s->to_ns;
}

static void
counts_by_hand(void)
{
	struct closed closed = {0};
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 2, .n_destinations = DESTINATIONS, .counter = counters, .n_counters = COUNTERS, .most = 64,
		.closed = note_closed, .ctx = &closed});
	const struct flow *k;

	/* Task 7 on core 0: 100 hits, and all that leaves the core goes to the near memory. At 30 task 8 replaces
	 * it, at 40 the interval ends. */
	take(f, FLOW_IN, 10, 0, 7, (uint64_t[]){1000, 50, 60, 0});
	take(f, FLOW_IN, 30, 0, 8, (uint64_t[]){1100, 55, 60, 20});
	take(f, FLOW_READ, 40, 0, 0, (uint64_t[]){1130, 55, 64, 30});
	CHECK_INT(count_of(f, 7, 0, FLOW_NOWHERE, HITS), 100);
	CHECK_INT(count_of(f, 7, 0, FLOW_NOWHERE, CYCLES), 20);
	CHECK_INT(count_of(f, 7, 0, FLOW_NOWHERE, TO_NEAR), 0);
	CHECK_INT(count_of(f, 7, 0, NEAR, TO_NEAR), 5);
	CHECK(!flows_find(f, 7, 0, FAR)); /* 7 never sent anything there */
	CHECK_INT(count_of(f, 8, 0, FAR, TO_FAR), 4);
	CHECK_INT(closed.n[FLOW_AT_SWITCH], 2);
	CHECK_INT(closed.n[FLOW_AT_INTERVAL], 2);
	CHECK_INT(closed.last_from, 30);
	CHECK_INT(closed.last_to, 40);
	/* 7 moves to core 1 and gets new flows; later it also sends to the far memory, which is one more. The flows
	 * of core 0 stay. */
	take(f, FLOW_MIGRATE, 41, 0, 7, NULL);
	CHECK(flow_is_over(flows_find(f, 7, 0, FLOW_NOWHERE)));
	take(f, FLOW_IN, 42, 1, 7, (uint64_t[]){0, 0, 0, 0});
	take(f, FLOW_READ, 50, 1, 0, (uint64_t[]){10, 6, 0, 8});
	CHECK(!flows_find(f, 7, 1, FAR));
	take(f, FLOW_READ, 60, 1, 0, (uint64_t[]){20, 6, 2, 16});
	k = flows_find(f, 7, 1, FAR);
	if (CHECK(k)) {
		CHECK_INT(k->since_ns, 50);
		CHECK_INT(k->until_ns, 60);
		CHECK_NEAR(flows_share(f, k), 2. / 8, 1e-15);
	}
	CHECK_NEAR(flows_share(f, flows_find(f, 7, 1, NEAR)), 6. / 8, 1e-15);
	CHECK(isnan(flows_share(f, flows_find(f, 7, 1, FLOW_NOWHERE))));
	CHECK_INT(flows_find(f, 7, 1, FLOW_NOWHERE)->life, flows_find(f, 7, 0, FLOW_NOWHERE)->life);
	/* 7 ends in the middle of an interval. Its flows have only its own time. Counts after its end belong to no
	 * task. */
	take(f, FLOW_EXIT, 65, 1, 7, (uint64_t[]){25, 6, 3, 21});
	take(f, FLOW_READ, 70, 1, 0, (uint64_t[]){26, 6, 3, 26});
	CHECK_INT(closed.n[FLOW_AT_EXIT], 3);
	CHECK(!flows_find(f, 7, 1, FAR)); /* from now on 7 may be another task */
	for (size_t i = FLOW_SPECIALS; i < flows_n(f); i++) {
		k = flows_at(f, i);
		if (k->task != 7)
			continue;
		CHECK(k->ended && flow_is_over(k));
		CHECK(k->core == 0 || k->until_ns == 65);
		if (k->core == 1 && k->destination == FLOW_NOWHERE) {
			CHECK_INT(k->count[HITS], 25);
			CHECK_INT(k->ran_ns, 65 - 42);
			CHECK_INT(k->snapshots, 3);
		}
	}
	CHECK_INT(flows_at(f, FLOW_UNFOLLOWED)->count[HITS], 1);
	CHECK_INT(flows_at(f, FLOW_UNFOLLOWED)->ran_ns, 5);
	/* The id 7 is used again: another life, other flows. */
	take(f, FLOW_IN, 80, 1, 7, (uint64_t[]){30, 6, 3, 40});
	take(f, FLOW_READ, 90, 1, 0, (uint64_t[]){31, 7, 3, 50});
	CHECK_INT(count_of(f, 7, 1, FLOW_NOWHERE, HITS), 1);
	CHECK(flows_find(f, 7, 1, FLOW_NOWHERE)->life != k->life);
	CHECK_NEAR(flows_share(f, flows_find(f, 7, 1, NEAR)), 1, 0);
	flows_free(f);
}

/* Counters were not read at some switches: counts then belong to several tasks together, times to each task. */
static void
unread_switches(void)
{
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 1, .n_destinations = DESTINATIONS, .counter = counters, .n_counters = COUNTERS, .most = 64});

	take(f, FLOW_IN, 0, 0, 1, (uint64_t[]){0, 0, 0, 0});
	take(f, FLOW_IN, 10, 0, 2, NULL);
	take(f, FLOW_IN, 30, 0, 1, NULL);
	take(f, FLOW_READ, 60, 0, 0, (uint64_t[]){5, 0, 0, 0});
	take(f, FLOW_READ, 70, 0, 0, (uint64_t[]){7, 0, 0, 0});
	CHECK_INT(flows_at(f, FLOW_MIXED)->count[HITS], 5);
	CHECK_INT(count_of(f, 1, 0, FLOW_NOWHERE, HITS), 2);
	CHECK_INT(flows_find(f, 1, 0, FLOW_NOWHERE)->ran_ns, 50);
	CHECK_INT(flows_find(f, 2, 0, FLOW_NOWHERE)->ran_ns, 20);
	flows_free(f);
}

/* Counters that restart at 0, go backwards, or are missing for a while. */
static void
counters_that_jump(void)
{
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 1, .n_destinations = DESTINATIONS, .counter = counters, .n_counters = COUNTERS, .most = 64});
	unsigned char some[COUNTERS] = {1, 1, 0, 1};
	struct err e;
	const struct flow *k;

	take(f, FLOW_IN, 0, 0, 1, (uint64_t[]){100, (UINT64_C(1) << 48) - 2, 4294967290u, 7});
	take(f, FLOW_READ, 1, 0, 0, (uint64_t[]){50, 3, 4, 9}); /* hits went back; the others wrapped */
	k = flows_find(f, 1, 0, FLOW_NOWHERE);
	CHECK_INT(k->count[HITS], 0);
	CHECK_INT(k->lost[HITS], 1);
	CHECK_INT(k->count[CYCLES], 2);
	CHECK_INT(count_of(f, 1, 0, NEAR, TO_NEAR), 5);
	CHECK_INT(count_of(f, 1, 0, FAR, TO_FAR), 10);
	CHECK_INT(flows_trouble(f)->backwards, 1);
	CHECK_INT(flows_trouble(f)->wrapped, 2);
	take(f, FLOW_READ, 2, 0, 0, (uint64_t[]){60, 3, 4, 9}); /* counted from the new value on */
	CHECK_INT(k->count[HITS], 10);
	CHECK(flows_take(f,
		&(struct flow_event){
			.kind = FLOW_READ, .ns = 3, .core = 0, .count = (uint64_t[]){61, 4, 999, 10}, .counted = some},
		&e));
	CHECK_INT(flows_find(f, 1, 0, FAR)->lost[TO_FAR], 1);
	CHECK(isnan(flows_share(f, flows_find(f, 1, 0, NEAR)))); /* the whole is unknown */
	take(f, FLOW_READ, 4, 0, 0, (uint64_t[]){61, 4, 1000, 10}); /* a new base: the rise until here is unknown */
	take(f, FLOW_READ, 5, 0, 0, (uint64_t[]){61, 4, 1001, 10});
	CHECK_INT(flows_find(f, 1, 0, FAR)->lost[TO_FAR], 2);
	CHECK_INT(count_of(f, 1, 0, FAR, TO_FAR), 11);
	flows_free(f);
}

static void
every_rise(void)
{
	for (unsigned width = 1; width <= 6; width++)
		for (uint64_t before = 0; before < 80; before++)
			for (uint64_t now = 0; now < 80; now++) {
				uint64_t range = UINT64_C(1) << width, by = 99;
				enum rise r = rise_of(before, now, width, &by);

				test_label("width %u, %u to %u", width, (unsigned)before, (unsigned)now);
				if (before >= range || now >= range) {
					CHECK_INT(r, RISE_BACKWARDS);
				} else if (r != RISE_BACKWARDS) {
					CHECK_INT((before + by) % range, now);
					CHECK_INT(r == RISE_WRAPPED, now < before);
					CHECK(r == RISE_PLAIN || by <= range / 2);
				} else {
					CHECK(now < before && range - (before - now) >= range / 2);
				}
				CHECK(r != RISE_BACKWARDS || by == 0);
			}
}

static void
wide_rises(void)
{
	static const struct { uint64_t before, now; unsigned width; enum rise how; uint64_t by; } row[] = {
		{5, 5, 64, RISE_PLAIN, 0},
		{5, 9, 32, RISE_PLAIN, 4},
		{0, UINT64_MAX, 64, RISE_PLAIN, UINT64_MAX},
		{5, 4, 64, RISE_BACKWARDS, 0},
		{9, 5, 32, RISE_BACKWARDS, 0},
		{0xffffffff, 0, 32, RISE_WRAPPED, 1},
		{0xfffffff0, 16, 32, RISE_WRAPPED, 32},
		{0x80000001, 0, 32, RISE_WRAPPED, 0x7fffffff},
		{0x80000000, 0, 32, RISE_BACKWARDS, 0},
		{UINT64_MAX, 0, 64, RISE_BACKWARDS, 0},
		{UINT64_C(1) << 40, 3, 32, RISE_BACKWARDS, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t by = 77;

		test_label("%llu to %llu in %u bits", (unsigned long long)row[i].before,
			(unsigned long long)row[i].now, row[i].width);
		CHECK_INT(rise_of(row[i].before, row[i].now, row[i].width, &by), row[i].how);
		CHECK_INT(by, row[i].by);
	}
}

static void
a_core_is_lost(void)
{
	struct closed closed = {0};
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 1, .n_destinations = DESTINATIONS, .counter = counters, .n_counters = COUNTERS, .most = 64,
		.closed = note_closed, .ctx = &closed});

	take(f, FLOW_IN, 0, 0, 1, (uint64_t[]){0, 0, 0, 0});
	take(f, FLOW_READ, 10, 0, 0, (uint64_t[]){4, 1, 0, 10});
	take(f, FLOW_OFFLINE, 15, 0, 0, NULL);
	CHECK_INT(closed.n[FLOW_AT_LOSS], 2);
	CHECK_INT(flows_find(f, 1, 0, FLOW_NOWHERE)->lost[HITS], 1);
	CHECK_INT(flows_find(f, 1, 0, FLOW_NOWHERE)->lost[TO_FAR], 1); /* it may have sent something there */
	CHECK_INT(flows_find(f, 1, 0, NEAR)->lost[TO_NEAR], 1);
	CHECK_INT(flows_find(f, 1, 0, FLOW_NOWHERE)->ran_ns, 15);
	take(f, FLOW_IN, 5, 0, 2, (uint64_t[]){0, 0, 0, 0}); /* the core is back, with a clock of its own */
	take(f, FLOW_READ, 6, 0, 0, (uint64_t[]){3, 0, 0, 1});
	CHECK_INT(count_of(f, 2, 0, FLOW_NOWHERE, HITS), 3);
	CHECK_INT(flows_trouble(f)->backwards, 0);
	flows_free(f);
}

static void
bad_events(void)
{
	static const uint64_t zeros[COUNTERS];
	static const struct { struct flow_event e; const char *says; } row[] = {
		{{.kind = FLOW_READ, .ns = 99, .core = 0, .count = zeros}, "one at 99 ns is 1 ns before"},
		{{.kind = FLOW_READ, .ns = 100, .core = 1, .count = zeros}, "an event of core 1: there are 1"},
		{{.kind = FLOW_READ, .ns = 100, .core = 0}, "has no counts"},
		{{.kind = FLOW_IN, .ns = 100, .core = 0, .task = -1}, "is about task -1"},
		{{.kind = FLOW_EXIT, .ns = 100, .core = 0}, "is about task 0"},
		{{.kind = FLOW_MIGRATE, .ns = 100, .core = 0}, "is about task 0"},
	};
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 1, .n_destinations = DESTINATIONS, .counter = counters, .n_counters = COUNTERS, .most = 64});

	take(f, FLOW_IN, 100, 0, 1, (uint64_t[]){1, 0, 0, 0});
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err e = {0};

		test_label("%s", row[i].says);
		CHECK(!flows_take(f, &row[i].e, &e));
		if (!strstr(e.what, row[i].says))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
	}
	/* the bad events changed nothing; an equal time is in order */
	take(f, FLOW_READ, 100, 0, 0, (uint64_t[]){2, 0, 0, 0});
	CHECK_INT(count_of(f, 1, 0, FLOW_NOWHERE, HITS), 1);
	flows_free(f);
}

/* Random streams of events. The test keeps its own books: rises by core, and the snapshots of each flow by its
 * number. */
#define CORES 3
#define NUMBERS 100000

struct books {
	uint64_t total[CORES][COUNTERS], begun_ns[CORES], at_ns[CORES];
	bool based[CORES], on[CORES];
	uint64_t rise[COUNTERS], ns;
	uint64_t *of_flow; /* NUMBERS × COUNTERS, sums of snapshots */
	uint64_t *last_to; /* NUMBERS */
	size_t snapshots;
};

static void
keep(void *ctx, const struct flow_snapshot *s)
{
	struct books *b = ctx;

	if (!CHECK(s->flow->number < NUMBERS))
		return;
	b->snapshots++;
	CHECK(s->from_ns <= s->to_ns);
	if (s->flow->task) { /* a flow's snapshots do not overlap */
		CHECK(s->from_ns >= b->last_to[s->flow->number]);
		b->last_to[s->flow->number] = s->to_ns;
	}
	for (size_t i = 0; i < COUNTERS; i++) {
		size_t to = counters[i].destination;

		CHECK(!s->flow->task || s->count[i] == 0 || to == s->flow->destination);
		b->of_flow[s->flow->number * COUNTERS + i] += s->count[i];
	}
}

static void
random_event(struct books *b, struct flows *f, uint64_t *seed, unsigned tasks)
{
	size_t core = test_random(seed) % CORES;
	struct flow_event e = {.kind = FLOW_IN, .core = core, .ns = b->at_ns[core] + test_random(seed) % 50};
	unsigned what = (unsigned)(test_random(seed) % 40);
	bool read = test_random(seed) % 4 != 0;

	e.kind = what == 0  ? FLOW_OFFLINE
		: what < 4  ? FLOW_EXIT
		: what < 8  ? FLOW_MIGRATE
		: what < 16 ? FLOW_READ
			    : FLOW_IN;
	e.task = (int32_t)(test_random(seed) % tasks) + (e.kind == FLOW_EXIT || e.kind == FLOW_MIGRATE);
	if (!b->on[core])
		b->begun_ns[core] = e.ns;
	b->ns += b->on[core] ? e.ns - b->at_ns[core] : 0;
	b->at_ns[core] = e.ns;
	b->on[core] = e.kind != FLOW_OFFLINE;
	if (e.kind == FLOW_OFFLINE) {
		b->based[core] = false;
	} else if (read || e.kind == FLOW_READ) {
		for (size_t i = 0; i < COUNTERS; i++) {
			uint64_t by = test_random(seed) % 3 ? test_random(seed) % 100 : 0;

			b->total[core][i] += by;
			b->rise[i] += b->based[core] ? by : 0;
		}
		b->total[core][TO_FAR] &= UINT32_MAX;
		b->based[core] = true;
		e.count = b->total[core];
	}
	CHECK(flows_take(f, &e, NULL));
}

static void
check_books(const struct books *b, const struct flows *f, size_t most)
{
	uint64_t sum[COUNTERS] = {0}, ns = 0;

	CHECK(flows_n(f) <= most);
	for (size_t i = 0; i < flows_n(f); i++) {
		const struct flow *k = flows_at(f, i);

		ns += k->ran_ns;
		for (size_t c = 0; c < COUNTERS; c++) {
			sum[c] += k->count[c];
			if (i != FLOW_OTHERS) /* it also has the counts of flows that were folded into it */
				CHECK_INT(k->count[c], b->of_flow[k->number * COUNTERS + c]);
		}
		for (size_t j = FLOW_SPECIALS; j < i; j++) { /* no two flows have the same key */
			const struct flow *o = flows_at(f, j);

			CHECK(k->task != o->task || k->core != o->core || k->destination != o->destination ||
				k->life != o->life);
		}
	}
	for (size_t c = 0; c < COUNTERS; c++)
		CHECK_INT(sum[c], b->rise[c]);
	CHECK_INT(ns, b->ns);
}

static void
nothing_is_lost(void)
{
	unsigned rounds = test_rounds(40, 1000);
	uint64_t seed = 99, folded = 0;

	for (unsigned round = 0; round < rounds; round++) {
		size_t most = FLOW_SPECIALS + 1 + test_random(&seed) % (round % 2 ? 8 : 60);
		struct books b = {.of_flow = mem_new_array((size_t)NUMBERS * COUNTERS, sizeof *b.of_flow),
			.last_to = mem_new_array(NUMBERS, sizeof *b.last_to)};
		struct flows *f = flows_new(&(struct flow_spec){.n_cores = CORES,
			.n_destinations = DESTINATIONS,
			.counter = counters,
			.n_counters = COUNTERS,
			.most = most,
			.ended_most = round % 3 ? 0 : 1 + round % 5,
			.closed = keep,
			.ctx = &b});

		test_label("round %u, %zu flows", round, most);
		for (size_t i = 0; i < CORES; i++)
			b.total[i][TO_FAR] = UINT32_MAX - 500;
		for (unsigned i = 0; i < 600; i++) {
			random_event(&b, f, &seed, 5);
			if (i % 50 == 0)
				check_books(&b, f, most);
		}
		check_books(&b, f, most);
		CHECK(b.snapshots > 0);
		CHECK_INT(flows_trouble(f)->backwards, 0);
		CHECK(flows_trouble(f)->folded || flows_n(f) == most || !flows_at(f, FLOW_OTHERS)->count[HITS]);
		folded += flows_trouble(f)->folded;
		flows_free(f);
		free(b.of_flow);
		free(b.last_to);
	}
	CHECK(folded > 0);
}

/* Ten thousand tasks that end, beside one that stays: few flows of ended tasks are kept, its own always. */
static void
ended_are_folded(void)
{
	struct flows *f = flows_new(&(struct flow_spec){.n_cores = 2,
		.n_destinations = DESTINATIONS,
		.counter = counters,
		.n_counters = COUNTERS - 1,
		.most = 4096,
		.ended_most = 100});
	size_t most = 0, newest = 0;

	take(f, FLOW_IN, 0, 1, 9, (uint64_t[]){0, 0, 0});
	for (uint64_t i = 1; i <= 10000; i++) {
		take(f, FLOW_IN, 2 * i, 0, (int32_t)(10 + i), (uint64_t[]){i - 1, 0, 0});
		take(f, FLOW_EXIT, 2 * i + 1, 0, (int32_t)(10 + i), (uint64_t[]){i, 0, 0});
		most = flows_n(f) > most ? flows_n(f) : most;
	}
	take(f, FLOW_READ, 20002, 1, 0, (uint64_t[]){7, 0, 0});
	CHECK(most < 200);
	CHECK(flows_trouble(f)->folded > 9000);
	CHECK_NEAR((double)flows_find(f, 9, 1, FLOW_NOWHERE)->count[HITS], 7, 0);
	for (size_t i = 0; i < flows_n(f); i++)
		newest += flows_at(f, i)->task == 10010;
	CHECK_INT(newest, 1);
	CHECK_NEAR((double)flows_at(f, FLOW_OTHERS)->count[HITS], (double)flows_trouble(f)->folded, 0);
	flows_free(f);
}

/* 100 hits in the core; 3 of 4 requests that leave it go to the near memory. */
static void
map_of_a_flow(void)
{
	static const char text[] = "network t; kind r; counter near = \"a\" per core unit requests; counter hits = "
				   "\"b\" per core unit requests; counter far = \"c\" per core unit requests;\n"
				   "counter all = \"d\" per system unit requests;\n"
				   "stage c { module cache per core { r { hit = hits; miss = near + far; } } }\n"
				   "stage m { module near_memory per core { r { hit = near; } } module far_memory per "
				   "core { r { hit = far; } } module any { r { hit = all; } } }\n"
				   "link cache -> near_memory { r = near; } link cache -> far_memory { r = far; } link "
				   "cache -> any { r = far; }\n";
	static const size_t socket[] = {0, 0}, number[COUNTERS - 1] = {1, 0, 2};
	static const struct net_shape shape = {.n = {[SCOPE_CORE] = 1, [SCOPE_SOCKET] = 1, [SCOPE_SYSTEM] = 1},
					      .part_of = {[SCOPE_CORE] = socket}};
	struct network *n = parsed_network("t", text);
	struct flows *f = flows_new(&(struct flow_spec){.n_cores = 2,
		.n_destinations = DESTINATIONS,
		.counter = counters,
		.n_counters = COUNTERS - 1,
		.most = 64});
	struct net_state *s;
	struct net_path_map *m;
	double *count;

	if (!n)
		return;
	s = net_state_new(n, &shape);
	take(f, FLOW_IN, 0, 1, 9, (uint64_t[]){0, 0, 0});
	take(f, FLOW_READ, 100, 1, 0, (uint64_t[]){100, 30, 10});
	count = flow_counts(f, flows_find(f, 9, 1, FLOW_NOWHERE));
	CHECK_NEAR(count[HITS], 100, 0);
	CHECK_NEAR(count[TO_NEAR], 30, 0);
	CHECK_NEAR(count[TO_FAR], 10, 0);
	free(count);
	count = flow_counts(f, flows_find(f, 9, 1, NEAR));
	CHECK_NEAR(count[HITS], 75, 1e-12);
	CHECK_NEAR(count[TO_NEAR], 30, 0);
	CHECK_NEAR(count[TO_FAR], 0, 0);
	free(count);
	/* All of the task on its core, and next to it what others count of the whole machine. */
	m = flow_task_map(f, flows_find(f, 9, 1, NEAR), number, (double[]){NAN, NAN, NAN, 7}, s);
	if (CHECK(m) && CHECK_INT(m->n_rows, 4)) {
		CHECK_NEAR(net_state_seconds(s), 100e-9, 1e-20);
		CHECK_NEAR(m->row[0].cell[0].hits, 100, 0);
		CHECK_NEAR(m->row[1].cell[0].hits, 30, 0);
		CHECK_NEAR(m->row[3].cell[0].hits, 7, 0);
	}
	net_path_map_free(m);
	/* a flow's own counts come from the flow only */
	m = flow_task_map(f, flows_find(f, 9, 1, NEAR), number, (double[]){1, 1, 1, NAN}, s);
	if (CHECK(m))
		CHECK(m->row[0].cell[0].hits == 100 && m->row[3].cell[0].unknown == 1);
	net_path_map_free(m);
	CHECK(!flow_task_map(f, flows_at(f, FLOW_MIXED), number, (double[]){1, 1, 1, 1}, s));
	take(f, FLOW_OFFLINE, 101, 1, 0, NULL); /* unknown counts stay unknown */
	count = flow_counts(f, flows_find(f, 9, 1, NEAR));
	CHECK(isnan(count[HITS]) && isnan(count[TO_NEAR]));
	free(count);
	net_state_free(s);
	flows_free(f);
	network_free(n);
}

/* A counter shows a destination if hits there, outside of the cores, are sums that contain it, and hits elsewhere
 * are not. */
static void
layout_of_a_network(void)
{
	static const char text[] =
		"network t; kind r; kind w; counter a = \"a\" per core unit requests; counter b = \"b\" per thread "
		"unit requests; counter c = \"c\" per core unit requests;\n"
		"counter d = \"d\" per core unit requests; counter e = \"e\" per core unit requests; counter f = \"f\" "
		"per core unit cycles; counter g = \"g\" per socket unit requests;\n"
		"counter h = unresolved per core unit requests; counter i = \"i\" per core unit requests;\n"
		"stage c { module l1 per core { r { hit = a; miss = b; stall = f; } w { miss = c; } } }\n"
		"stage b { module buffer per core { r { hit = i; } } } stage m { module home per socket { r { hit = d "
		"- c; miss = c; } } }\n"
		"stage e { module near per socket { r { hit = b + c; } w { hit = e; } } module far per socket { r { "
		"hit = e; hit \"more\" = 2 * d; } w { hit = g + d; } } }\n"
		"link l1 -> home { r = b; w = c; } link l1 -> buffer { r = i; } link home -> near { r = b; w = e; } "
		"link home -> far { r = e; }\n";
	static const struct { const char *name; size_t destination; bool weighs; } row[] = {
		{"a", FLOW_NOWHERE, true}, /* counted in the core */
		{"b", 0, true}, {"c", 0, true}, /* parts of a hit's sum; that home uses c, too, does not matter */
		{"d", 1, true}, {"e", FLOW_NOWHERE, true}, /* e: in the sums of near and of far */
		{"f", FLOW_NOWHERE, false},
		{"i", FLOW_NOWHERE, true}, /* a buffer of the core is no destination */
	};
	struct network *n = parsed_network("t", text);
	struct flow_layout *f;

	if (!n)
		return;
	f = flow_layout_new(n, 48);
	if (CHECK_INT(f->n_destinations, 2)) {
		CHECK_STR(n->module[f->destination[0]].name, "near");
		CHECK_STR(n->module[f->destination[1]].name, "far");
	}
	if (CHECK_INT(f->n_counters, sizeof row / sizeof *row))
		for (size_t i = 0; i < f->n_counters; i++) {
			test_label("%s", row[i].name);
			CHECK_STR(n->counter[f->number[i]].name, row[i].name);
			CHECK_INT(f->counter[i].destination, row[i].destination);
			CHECK_INT(f->counter[i].weighs, row[i].weighs);
			CHECK_INT(f->counter[i].width, 48);
		}
	flow_layout_free(f);
	network_free(n);
}

/* The memory and file path of Linux. The block layer counts requests to a disk, though no hit there is a sum of
 * them. Swapping out is counted where it is sent. */
static void
layout_of_linux(void)
{
	static const struct { const char *name, *destination; } row[] = {
		{"start.read", "disk"}, {"start.ahead", "disk"}, {"start.write", "disk"}, {"swap.outs", "zram"},
			{"starts", NULL}, {"lookups", NULL}, {"minor", NULL}, {"dirtied", NULL},
	};
	char *text = test_read("../models/networks/linux-vm.net", NULL);
	struct network *n = text ? parsed_network("linux-vm", text) : NULL;
	struct flow_layout *f;

	free(text);
	if (!n)
		return;
	f = flow_layout_new(n, 64);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		size_t at = 0;

		test_label("%s", row[i].name);
		while (at < f->n_counters && !str_eq(n->counter[f->number[at]].name, row[i].name))
			at++;
		if (!CHECK(at < f->n_counters))
			continue;
		if (row[i].destination && CHECK(f->counter[at].destination != FLOW_NOWHERE))
			CHECK_STR(n->module[f->destination[f->counter[at].destination]].name, row[i].destination);
		CHECK(row[i].destination || f->counter[at].destination == FLOW_NOWHERE);
	}
	flow_layout_free(f);
	network_free(n);
}

/* While the running task is unknown, counts and time are kept apart. This ends when a known task is switched in. */
static void
gaps(void)
{
	struct flows *f = flows_new(&(struct flow_spec){
		.n_cores = 1, .n_destinations = DESTINATIONS, .counter = counters, .n_counters = COUNTERS, .most = 64});

	take(f, FLOW_IN, 0, 0, 1, (uint64_t[]){0, 0, 0, 0});
	take(f, FLOW_GAP, 10, 0, 0, (uint64_t[]){5, 0, 0, 0});
	take(f, FLOW_READ, 20, 0, 0, (uint64_t[]){7, 0, 0, 0}); /* a read does not name the task */
	take(f, FLOW_READ, 25, 0, 0, (uint64_t[]){8, 0, 0, 0});
	take(f, FLOW_IN, 30, 0, 1, (uint64_t[]){11, 0, 0, 0});
	take(f, FLOW_READ, 40, 0, 0, (uint64_t[]){12, 0, 0, 0});
	CHECK_INT(count_of(f, 1, 0, FLOW_NOWHERE, HITS), 5 + 1);
	CHECK_INT(flows_find(f, 1, 0, FLOW_NOWHERE)->ran_ns, 20);
	CHECK_INT(flows_at(f, FLOW_MIXED)->count[HITS], 6);
	CHECK_INT(flows_at(f, FLOW_MIXED)->ran_ns, 20);
	CHECK_INT(flows_at(f, FLOW_UNFOLLOWED)->snapshots, 0);
	flows_free(f);
}

TEST_MAIN(CASE(counts_by_hand), CASE(unread_switches), CASE(counters_that_jump), CASE(every_rise), CASE(wide_rises),
	CASE(a_core_is_lost), CASE(bad_events), CASE(nothing_is_lost), CASE(ended_are_folded), CASE(map_of_a_flow),
	CASE(layout_of_a_network), CASE(layout_of_linux), CASE(gaps))
