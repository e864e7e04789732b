/* The simulated caches: which one serves a line and when, worked out by hand, and compared with a plain model of the
 * replacement rule. */
#include "sim/mmu/cache.h"

#include <string.h>

#include "base/mem.h"
#include "sim/mmu/walker.h"
#include "sim/workload.h"
#include "test.h"

/* Two sets of two ways, then 4 × 2, then 4 × 4; 4, 12, 40 and 200 cycles of two slots. */
static const struct sim_machine machine = {
	.l1 = {256, 2, 4, 0}, .l2 = {512, 2, 12, 0}, .l3 = {1024, 4, 40, 0}, .memory_latency = 200, .data_mlp = 2};

static void
asks(struct sim_caches *c, uint64_t line, uint64_t time, enum sim_served by, uint64_t after, const char *file, int at)
{
	struct sim_data d = sim_caches_ask(c, line, time, false);

	test_int(d.by, by, file, at, "served by");
	test_int((int64_t)d.ready, (int64_t)(time + after), file, at, "ready");
}
#define ASKS(line, time, by, after) asks(&c, line, time, SIM_BY_##by, after, __FILE__, __LINE__)

static void
lines_are_found_in_the_right_level(void)
{
	struct sim_caches c;

	sim_caches_init(&c, &machine, 2);
	ASKS(0, 10, MEMORY, 400);
	ASKS(0, 100, FILL, 310); /* waits for the same fill */
	ASKS(0, 410, L1, 8);
	ASKS(0, 405, FILL, 8);   /* the data have just come: not earlier, and no faster than L1 */
	ASKS(2, 1000, MEMORY, 400);
	/* the third line of a set of L1 with two ways: line 0 goes, which was used before line 2 */
	ASKS(4, 2000, MEMORY, 400);
	ASKS(0, 3000, L2, 24);      /* the set of L2 has 0 and 4 */
	ASKS(8, 4000, MEMORY, 400);
	ASKS(12, 5000, MEMORY, 400); /* the set of L2 has 8 and 12; set 0 of L3 has 0, 4, 8 and 12 */
	ASKS(0, 6000, L3, 80);
	sim_caches_free(&c);
}

static void
misses_wait_for_a_fill_buffer(void)
{
	struct sim_caches c;

	sim_caches_init(&c, &machine, 1);
	ASKS(0, 0, MEMORY, 200);
	ASKS(1, 1, MEMORY, 200);
	ASKS(2, 2, MEMORY, 398); /* begins at 200 */
	ASKS(3, 3, MEMORY, 398); /* begins at 201 */
	CHECK_INT(sim_caches_ask(&c, 10, 4, true).ready, 204); /* a walker's request takes no fill buffer */
	sim_caches_free(&c);
}

/* An earlier µop in program order asked for the line at a later time. For this one the line comes too late. */
static void
a_later_fill_is_no_hit(void)
{
	struct sim_caches c;

	sim_caches_init(&c, &machine, 1);
	ASKS(0, 5000, MEMORY, 200);
	ASKS(0, 100, MEMORY, 200);
	ASKS(0, 300, L1, 4);
	ASKS(0, 5000, L1, 4);
	sim_caches_free(&c);
}

static void
a_machine_may_have_one_level(void)
{
	struct sim_machine m = machine;
	struct sim_caches c;

	m.l2 = m.l3 = (struct sim_cache){0};
	sim_caches_init(&c, &m, 1);
	ASKS(0, 0, MEMORY, 200);
	ASKS(2, 1000, MEMORY, 200);
	ASKS(4, 2000, MEMORY, 200);
	ASKS(0, 3000, MEMORY, 200);
	sim_caches_free(&c);
}

#define WAYS SIM_WAYS_MAX

/* A set by the documented rule: each way has a bit `used`. When all bits are set, all are cleared but that of the way
 * just used. */
struct plain { uint64_t key[WAYS]; bool full[WAYS], used[WAYS]; };

static bool
plain_ask(struct plain *p, unsigned ways, uint64_t key)
{
	unsigned w = 0, n = 0;
	bool hit;

	while (w < ways && !(p->full[w] && p->key[w] == key))
		w++;
	hit = w < ways;
	if (!hit)
		for (w = 0; w + 1 < ways && p->used[w]; w++)
			;
	if (!hit && p->used[w])
		w = 0; /* one way only */
	p->key[w] = key;
	p->full[w] = p->used[w] = true;
	for (unsigned i = 0; i < ways; i++)
		n += p->used[i];
	if (n == ways)
		for (unsigned i = 0; i < ways; i++)
			p->used[i] = i == w;
	return hit;
}

/* A cache of one level and a table of translations compared with that rule, for each number of ways. */
static void
replacement_is_as_documented(void)
{
	uint64_t seed = 7;

	for (unsigned ways = 1; ways <= WAYS; ways += ways < 20 ? 1 : 11) {
		struct sim_machine m = {
			.l1 = {(uint64_t)64 * 4 * ways, ways, 1, 0}, .memory_latency = 10, .data_mlp = 1};
		struct plain set[4] = {0}, table[4] = {0};
		struct sim_caches c;
		struct sim_tags s;
		unsigned hits = 0, wrong = 0;

		sim_caches_init(&c, &m, 1);
		sim_tags_init(&s, (struct sim_ways){4 * ways, ways});
		for (uint64_t i = 0; i < 10000; i++) {
			uint64_t line = test_random(&seed) % (6 * ways);
			bool hit = plain_ask(&set[line % 4], ways, line),
			     in_table = plain_ask(&table[line % 4], ways, line);

			hits += hit;
			wrong += hit != (sim_caches_ask(&c, line, i * 100, false).by == SIM_BY_L1);
			wrong += in_table != sim_tags_hit(&s, line, i * 100);
			if (!in_table)
				sim_tags_fill(&s, line, i * 100);
		}
		test_label("%u ways", ways);
		CHECK_INT(wrong, 0);
		CHECK(hits > 1000);
		sim_tags_free(&s);
		sim_caches_free(&c);
	}
}

static void
entries_hit_when_they_are_ready(void)
{
	struct sim_tags s;

	sim_tags_init(&s, (struct sim_ways){8, 2});
	CHECK(!sim_tags_hit(&s, 0, 1000)); /* an empty entry is not an entry of key 0 */
	sim_tags_fill(&s, 0, 500);
	CHECK(!sim_tags_hit(&s, 0, 499));
	CHECK(sim_tags_hit(&s, 0, 500));
	CHECK(sim_tags_has(&s, 0, 500) && !sim_tags_has(&s, 0, 499));
	sim_tags_fill(&s, 0, 300); /* the earlier of both times counts */
	CHECK(sim_tags_hit(&s, 0, 300));
	sim_tags_fill(&s, 0, 900);
	CHECK(sim_tags_hit(&s, 0, 300));
	sim_tags_free(&s);
	sim_tags_init(&s, (struct sim_ways){0, 0}); /* no such table */
	sim_tags_fill(&s, 3, 0);
	CHECK(!sim_tags_hit(&s, 3, 1000));
	sim_tags_free(&s);
	sim_tags_init(&s, (struct sim_ways){64, 64});
	for (uint64_t i = 0; i < 65; i++)
		sim_tags_fill(&s, i, 0);
	CHECK(!sim_tags_hit(&s, 0, 1));
	CHECK(sim_tags_hit(&s, 63, 1) && sim_tags_hit(&s, 64, 1));
	sim_tags_free(&s);
}

static void
walkers_are_free_between_walks(void)
{
	struct sim_walkers w = {.n = 1, .least = 10};
	struct sim_walker *which;

	CHECK_INT(sim_walkers_free(&w, 100, 0, &which), 100);
	sim_walker_take(which, 100, 200);
	CHECK_INT(sim_walkers_free(&w, 150, 0, &which), 200);
	CHECK_INT(sim_walkers_free(&w, 89, 0, &which), 89);
	CHECK_INT(sim_walkers_free(&w, 91, 0, &which), 200); /* the gap is shorter than any walk */
	sim_walker_take(which, 300, 400);
	CHECK_INT(sim_walkers_free(&w, 150, 0, &which), 200);
	CHECK_INT(sim_walkers_free(&w, 290, 0, &which), 290);
	CHECK_INT(sim_walkers_free(&w, 295, 0, &which), 400);
	sim_walker_take(which, 200, 300); /* the three walks are one interval now */
	CHECK_INT(which->n, 1);
	CHECK_INT(sim_walkers_free(&w, 150, 0, &which), 400);
	CHECK_INT(sim_walkers_free(&w, 500, 450, &which), 500);
	CHECK_INT(which->n, 0); /* no request comes before 450 any more */
	for (uint64_t i = 0; i < 2 * SIM_BUSY; i++)
		sim_walker_take(which, 1000 * i + 500, 1000 * i + 600);
	CHECK(which->n <= SIM_BUSY);
	CHECK_INT(sim_walkers_free(&w, 1000 * (2 * SIM_BUSY - 1) + 550, 0, &which), 1000 * (2 * SIM_BUSY - 1) + 600);
}

/* Busy intervals in random order compared with a plain list of busy times. */
static void
walkers_are_never_given_twice(void)
{
	static bool busy[4096];
	uint64_t seed = 3;

	for (int round = 0; round < 200; round++) {
		struct sim_walkers w = {.n = 1, .least = 4};
		struct sim_walker *which;
		unsigned twice = 0;

		memset(busy, 0, sizeof busy);
		for (int i = 0; i < 24; i++) {
			uint64_t t = sim_walkers_free(&w, test_random(&seed) % 2048, 0, &which);

			for (uint64_t k = t; k < t + 4; k++) {
				twice += busy[k];
				busy[k] = true;
			}
			sim_walker_take(which, t, t + 4);
		}
		CHECK_INT(twice, 0);
	}
}

static void
requests_are_found_while_in_flight(void)
{
	struct sim_mshrs m;
	const uint64_t far = 5 + ((uint64_t)1 << 32); /* tags have 32 bits */

	sim_mshrs_init(&m, 2);
	CHECK_INT(sim_mshrs_find(&m, 0, 0), 0);
	sim_mshrs_take(&m, 5, 100, 200);
	CHECK_INT(sim_mshrs_room(&m), 0);
	sim_mshrs_take(&m, far, 110, 300);
	CHECK_INT(sim_mshrs_room(&m), 200);
	CHECK_INT(sim_mshrs_find(&m, 5, 99), 0);
	CHECK_INT(sim_mshrs_find(&m, 5, 100), 200);
	CHECK_INT(sim_mshrs_find(&m, 5, 199), 200);
	CHECK_INT(sim_mshrs_find(&m, 5, 200), 0);
	CHECK_INT(sim_mshrs_find(&m, far, 250), 300);
	CHECK_INT(sim_mshrs_find(&m, 2, 150), 0);
	sim_mshrs_take(&m, 2, 210, 400); /* takes the place of the first one */
	CHECK_INT(sim_mshrs_find(&m, 5, 150), 0);
	CHECK_INT(sim_mshrs_find(&m, 2, 399), 400);

	sim_mshrs_init(&m, SIM_MOST_MSHRS);
	for (uint64_t i = 0; i < SIM_MOST_MSHRS; i++)
		sim_mshrs_take(&m, i, i, 1000 + i);
	for (uint64_t i = 0; i < SIM_MOST_MSHRS; i++)
		CHECK_INT(sim_mshrs_find(&m, i, 900), 1000 + i);
	CHECK_INT(sim_mshrs_room(&m), 1000);
}

static void
accessed_bits_are_sparse(void)
{
	struct sim_memory touched = {.base = 1ull << 30, .bytes = 1ull << 30, .page = SIM_4K, .touched = true},
			  fresh = touched;
	uint64_t first = touched.base >> 12, last = (touched.base + touched.bytes - 1) >> 12;
	struct sim_pages p;

	sim_pages_init(&p, &touched);
	CHECK(sim_pages_accessed(&p, first) && sim_pages_accessed(&p, last));
	CHECK(!sim_pages_accessed(&p, first - 1) && !sim_pages_accessed(&p, last + 1));
	CHECK(sim_pages_access(&p, last + 1));
	CHECK(!sim_pages_access(&p, last + 1));
	CHECK(sim_pages_accessed(&p, last + 1));
	sim_pages_clear(&p);
	CHECK(!sim_pages_accessed(&p, first) && !sim_pages_accessed(&p, last + 1));
	CHECK(!sim_pages_access(&p, first)); /* accessed before */
	CHECK(!sim_pages_access(&p, last + 1));
	CHECK(sim_pages_accessed(&p, first) && sim_pages_accessed(&p, last + 1) && !sim_pages_accessed(&p, first + 1));
	sim_pages_free(&p);

	fresh.touched = false;
	sim_pages_init(&p, &fresh);
	CHECK(!sim_pages_accessed(&p, first));
	CHECK(sim_pages_access(&p, first));
	CHECK(sim_pages_accessed(&p, first));
	CHECK(sim_pages_access(&p, ((uint64_t)1 << 36) - 1)); /* the last page of 2^48 bytes */
	CHECK(sim_pages_accessed(&p, ((uint64_t)1 << 36) - 1));
	sim_pages_free(&p);

	fresh.page = SIM_1G;
	sim_pages_init(&p, &fresh);
	CHECK(sim_pages_access(&p, ((uint64_t)1 << 18) - 1));
	CHECK(sim_pages_accessed(&p, ((uint64_t)1 << 18) - 1));
	sim_pages_free(&p);
}

TEST_MAIN(CASE(lines_are_found_in_the_right_level), CASE(misses_wait_for_a_fill_buffer),
	CASE(a_later_fill_is_no_hit), CASE(a_machine_may_have_one_level), CASE(replacement_is_as_documented),
	CASE(entries_hit_when_they_are_ready), CASE(walkers_are_free_between_walks),
	CASE(walkers_are_never_given_twice), CASE(requests_are_found_while_in_flight),
	CASE(accessed_bits_are_sparse))
