/* Parts of the pipeline by themselves: the caches against a plain model, the stride prefetcher, code that was seen. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "made_traces.h"
#include "sim/event.h"
#include "sim/pipeline/memory.h"
#include "sim/pipeline/seen_code.h"
#include "sim/pipeline/stride.h"
#include "test.h"

/* --- caches ------------------------------------------------------------------------------------------------------ */

/* A cache as a list of lines, with the time of their last use, or of their arrival. */
struct plain {
	uint64_t bytes, line;
	unsigned ways;
	uint64_t *tag, *used, clock;
	bool fifo;
};

static void
plain_begin(struct plain *c, const struct sim_cache *size)
{
	c->line = size->line ? size->line : SIM_LINE;
	c->bytes = size->bytes;
	c->ways = size->ways;
	c->clock = 0;
	c->tag = mem_new_array(c->bytes / c->line, sizeof *c->tag);
	c->used = mem_new_array(c->bytes / c->line, sizeof *c->used);
}

static void
plain_end(struct plain *c)
{
	free(c->tag);
	free(c->used);
}

/* Touches the line of an address; false if it was not there. */
static bool
plain_touch(struct plain *c, uint64_t address)
{
	uint64_t tag = address / c->line + 1, sets = c->bytes / c->line / c->ways;
	uint64_t set = address / c->line % sets * c->ways, victim = set;

	c->clock++;
	for (uint64_t i = set; i < set + c->ways; i++) {
		if (c->tag[i] == tag) {
			c->used[i] = c->fifo ? c->used[i] : c->clock;
			return true;
		}
		if (c->used[i] < c->used[victim])
			victim = i;
	}
	c->tag[victim] = tag;
	c->used[victim] = c->clock;
	return false;
}

/* The machine of these tests: 8 lines of code, 16 of data, odd numbers of ways, and a third level with long lines. */
static const struct sim_machine of_tests = {
	.l1 = {64 * 12, 3, 4, 0}, .l2 = {64 * 40, 5, 14, 0}, .l3 = {128 * 96, 6, 44, 128}, .memory_latency = 204,
	.data_mlp = 4, .pipe = {.there = true, .l1i = {64 * 8, 2, 1, 0}},
};

static void
check_replacement(bool fifo)
{
	struct sim_machine machine = of_tests;
	uint64_t count[SIM_N_COUNTS] = {0}, seed = 3, misses[4] = {0}, time = 0;
	struct pipe_memory m;
	struct plain l1i, l1d, l2, l3;

	machine.pipe.replacement = fifo ? SIM_FIFO : SIM_LRU;
	pipe_memory_init(&m, &machine, 0, count);
	plain_begin(&l1i, &machine.pipe.l1i);
	plain_begin(&l1d, &machine.l1);
	plain_begin(&l2, &machine.l2);
	plain_begin(&l3, &machine.l3);
	l1i.fifo = l1d.fifo = l2.fifo = l3.fifo = fifo;
	for (int i = 0; i < 20000; i++) {
		bool code = test_random(&seed) % 3 == 0, hit;
		uint64_t at = test_random(&seed) % (test_random(&seed) % 4 ? 4096 : 65536);
		struct pipe_answer a;

		time += 1000; /* nothing is in flight */
		hit = plain_touch(code ? &l1i : &l1d, at);
		a = code ? pipe_memory_fetch(&m, at, time) : pipe_memory_data(&m, at, time, true);
		CHECK(a.missed == !hit);
		if (hit) {
			CHECK_INT(a.ready - time, code ? 0 : 4);
			continue;
		}
		misses[PIPE_L1]++;
		hit = plain_touch(&l2, at);
		if (hit) {
			CHECK_INT(a.by, PIPE_L2);
			CHECK_INT(a.ready - time, code ? 10 : 14);
			continue;
		}
		misses[PIPE_L2]++;
		hit = plain_touch(&l3, at);
		misses[PIPE_L3] += !hit;
		CHECK_INT(a.by, hit ? PIPE_L3 : PIPE_MEMORY);
		if (!CHECK_INT(a.ready - time, (hit ? 44 : 204) - (code ? 4 : 0)))
			break;
	}
	CHECK_INT(count[SIM_PIPE_L2_ACCESS], misses[PIPE_L1]);
	CHECK_INT(count[SIM_PIPE_L2_MISS], misses[PIPE_L2]);
	CHECK_INT(count[SIM_PIPE_L3_ACCESS], misses[PIPE_L2]);
	CHECK_INT(count[SIM_PIPE_L3_MISS], misses[PIPE_L3]);
	CHECK(misses[PIPE_L3] > 1000 && misses[PIPE_L3] < misses[PIPE_L2] && misses[PIPE_L2] < misses[PIPE_L1]);
	plain_end(&l1i);
	plain_end(&l1d);
	plain_end(&l2);
	plain_end(&l3);
	pipe_memory_free(&m);
}

static void
what_was_not_used_is_replaced(void)
{
	check_replacement(false);
	check_replacement(true);
}

/* At random, three lines stay in three ways. Four in turn are missed and found at times, each of them as often. */
static void
any_line_is_replaced(void)
{
	uint64_t count[SIM_N_COUNTS] = {0}, missed[4] = {0}, sets = of_tests.l1.bytes / SIM_LINE / of_tests.l1.ways;
	struct sim_machine machine = of_tests;
	struct pipe_memory m;

	machine.pipe.replacement = SIM_RANDOM;
	pipe_memory_init(&m, &machine, 0, count);
	for (uint64_t i = 0; i < 30; i++)
		CHECK(pipe_memory_data(&m, i % 3 * sets * SIM_LINE, 1000 * i, true).missed == (i < 3));
	for (uint64_t i = 30; i < 4000; i++)
		missed[i % 4] += pipe_memory_data(&m, i % 4 * sets * SIM_LINE, 1000 * i, true).missed;
	for (size_t i = 0; i < 4; i++)
		CHECK(missed[i] > 450 && missed[i] < 900);
	pipe_memory_free(&m);
}

/* A level that is perfect for data answers in its own time and counts nothing, and takes lines in all the same: code is
 * pushed out of the levels that it shares with data, as if none were perfect. */
static void
perfect_levels_hold_lines(void)
{
	static const uint32_t perfect[] = {0, 1u << SIM_PART_L2D, 1u << SIM_PART_L3D};
	static const struct { enum pipe_level by; uint64_t ready; } want[] = {
		{PIPE_MEMORY, 204}, {PIPE_L2, 14}, {PIPE_L3, 44},
	};
	const uint64_t code = 0x40000, step = 64 * 128; /* of the same set in all levels */

	for (size_t i = 0; i < sizeof perfect / sizeof *perfect; i++) {
		uint64_t count[SIM_N_COUNTS] = {0}, time = 0;
		struct pipe_memory m;
		struct pipe_answer a;

		test_label("perfect structures %x", perfect[i]);
		pipe_memory_init(&m, &of_tests, perfect[i], count);
		pipe_memory_fetch(&m, code, time += 1000);
		pipe_memory_fetch(&m, code + 512, time += 1000); /* two more of its set in L1I */
		pipe_memory_fetch(&m, code + 1024, time += 1000);
		CHECK_INT(pipe_memory_fetch(&m, code, time += 1000).by, PIPE_L2);
		pipe_memory_fetch(&m, code + 512, time += 1000);
		pipe_memory_fetch(&m, code + 1024, time += 1000);
		memset(count, 0, sizeof count);
		for (uint64_t line = 1; line <= 6; line++) {
			a = pipe_memory_data(&m, code + line * step, time += 1000, true);
			CHECK_INT(a.by, want[i].by);
			CHECK_INT(a.ready - time, want[i].ready);
		}
		CHECK_INT(count[SIM_PIPE_L2_ACCESS], 6);
		CHECK_INT(count[SIM_PIPE_L2_MISS], i == 1 ? 0 : 6);
		CHECK_INT(count[SIM_PIPE_L3_ACCESS], i == 1 ? 0 : 6);
		CHECK_INT(count[SIM_PIPE_L3_MISS], i == 0 ? 6 : 0);
		CHECK_INT(pipe_memory_fetch(&m, code, time += 1000).by, PIPE_MEMORY);
		pipe_memory_free(&m);
	}
}

/* A lookup and a use later are the same as a request, for lines that stay. */
static void
lookups_and_uses(void)
{
	uint64_t count[SIM_N_COUNTS] = {0};
	struct pipe_memory m;
	struct pipe_answer a;

	pipe_memory_init(&m, &of_tests, 0, count);
	a = pipe_memory_look(&m, 0x1000, 10);
	CHECK(a.missed);
	CHECK_INT(a.by, PIPE_MEMORY);
	CHECK(!pipe_memory_look(&m, 0x1008, 10).missed); /* the next access in program order hits */
	a = pipe_memory_use(&m, 0x1000, PIPE_MEMORY, 50);
	CHECK_INT(a.ready, 254);
	a = pipe_memory_use(&m, 0x1008, PIPE_MEMORY, 60); /* … and waits for the same line */
	CHECK_INT(a.ready, 254);
	a = pipe_memory_use(&m, 0x1008, PIPE_MEMORY, 260);
	CHECK_INT(a.ready, 264);
	/* A line that was replaced between the two costs what the lookup said. */
	a = pipe_memory_look(&m, 0x1000, 300);
	CHECK(!a.missed);
	for (uint64_t i = 1; i <= 3; i++)
		pipe_memory_data(&m, 0x1000 + 256 * i, 400, true);
	CHECK_INT(pipe_memory_use(&m, 0x1000, PIPE_L1, 2000).ready, 2004);
	pipe_memory_free(&m);
}

static void
prefetches_take_no_buffer(void)
{
	uint64_t count[SIM_N_COUNTS] = {0};
	struct pipe_memory m;

	pipe_memory_init(&m, &of_tests, 0, count);
	for (uint64_t i = 0; i < 6; i++)
		pipe_memory_prefetch(&m, 0x10000 + 4096 * i, 100);
	CHECK_INT(count[SIM_PIPE_PREFETCH], 6);
	CHECK_INT(count[SIM_PIPE_PREFETCH_MISS], 6);
	CHECK_INT(count[SIM_PIPE_L2_ACCESS], 0);
	for (uint64_t i = 0; i < 5; i++) /* four buffers */
		CHECK_INT(pipe_memory_data(&m, 0x40000 + 4096 * i, 100, true).ready, i < 4 ? 304 : 508);
	pipe_memory_free(&m);
}

static void
levels_are_components(void)
{
	struct pipe_memory m = {.has_l3 = true};

	CHECK_INT(pipe_memory_part(&m, PIPE_L1, true), SIM_PART_BASE);
	CHECK_INT(pipe_memory_part(&m, PIPE_L2, true), SIM_PART_L1D);
	CHECK_INT(pipe_memory_part(&m, PIPE_L3, true), SIM_PART_L2D);
	CHECK_INT(pipe_memory_part(&m, PIPE_MEMORY, true), SIM_PART_L3D);
	CHECK_INT(pipe_memory_part(&m, PIPE_MEMORY, false), SIM_PART_L3I);
	m.has_l3 = false;
	CHECK_INT(pipe_memory_part(&m, PIPE_MEMORY, true), SIM_PART_L2D);
	CHECK_INT(pipe_memory_part(&m, PIPE_MEMORY, false), SIM_PART_L2I);
}

/* --- the stride prefetcher --------------------------------------------------------------------------------------- */

static void
strides_become_steady(void)
{
	struct pipe_stride *s = pipe_stride_new(16, 2);
	uint64_t address = 0;

	/* The first load is only noted; the second's stride is new, the third's the same: the next load asks. */
	for (uint64_t i = 0; i < 3; i++) {
		pipe_stride_load(s, 0x400, 0x1000 + 100 * i, i);
		CHECK(!pipe_stride_waits(s));
	}
	pipe_stride_load(s, 0x400, 0x1000 + 300, 3);
	CHECK(pipe_stride_waits(s));
	CHECK(pipe_stride_take(s, 3, &address));
	CHECK_INT(address, 0x1000 + 200 + 2 * 100); /* two strides from the last address that it knew */
	CHECK(!pipe_stride_take(s, 3, &address));
	/* One exception does not end it. */
	pipe_stride_load(s, 0x400, 0x9000, 4);
	CHECK(pipe_stride_take(s, 4, &address));
	pipe_stride_load(s, 0x400, 0x9064, 5);
	CHECK(!pipe_stride_take(s, 5, &address));
	pipe_stride_load(s, 0x400, 0x90c8, 6);
	CHECK(pipe_stride_take(s, 6, &address));
	CHECK_INT(address, 0x9064 + 200);
	/* Downwards. */
	for (uint64_t i = 0; i < 4; i++)
		pipe_stride_load(s, 0x500, 0x8000 - 64 * i, 7);
	CHECK(pipe_stride_take(s, 7, &address));
	CHECK_INT(address, 0x8000 - 128 - 128);
	pipe_stride_free(s);
}

static void
requests_are_given_up(void)
{
	struct pipe_stride *s = pipe_stride_new(64, 1);
	uint64_t address;
	unsigned taken = 0;

	/* A stride of 0 asks for nothing. */
	for (uint64_t i = 0; i < 10; i++)
		pipe_stride_load(s, 0x400, 0x1000, i);
	CHECK(!pipe_stride_take(s, 10, &address));
	for (uint64_t i = 0; i < 4; i++)
		pipe_stride_load(s, 0x404, 0x1000 + 64 * i, 10);
	CHECK(!pipe_stride_take(s, 30, &address)); /* too old */
	for (uint64_t i = 4; i < 5; i++)
		pipe_stride_load(s, 0x404, 0x1000 + 64 * i, 40);
	CHECK(pipe_stride_take(s, 48, &address));
	/* Requests for one line are one; the queue holds 32. */
	for (uint64_t i = 0; i < 12; i++)
		pipe_stride_load(s, 0x408, 0x2000 + 4 * i, 50);
	CHECK(pipe_stride_take(s, 50, &address));
	CHECK(!pipe_stride_take(s, 50, &address));
	for (uint64_t i = 0; i < 100; i++)
		pipe_stride_load(s, 0x40c, 0x10000 + 64 * i, 60);
	while (pipe_stride_take(s, 60, &address))
		taken++;
	CHECK_INT(taken, 32);
	CHECK_INT(address, 0x10000 + 64 * 99);
	pipe_stride_free(s);
}

/* More loads than entries: none of them is known when it comes again. */
static void
few_entries(void)
{
	static const struct {
		unsigned loads;
		bool known;
	} row[] = {{16, true}, {17, false}};

	for (int r = 0; r < 2; r++) {
		struct pipe_stride *s = pipe_stride_new(16, 1);

		test_label("%u loads", row[r].loads);
		for (uint64_t i = 0; i < 6; i++)
			for (uint64_t k = 0; k < row[r].loads; k++)
				pipe_stride_load(s, 0x400 + 4 * k, 0x100000 * k + 64 * i, i);
		CHECK(pipe_stride_waits(s) == row[r].known);
		pipe_stride_free(s);
	}
}

/* --- code that was seen ------------------------------------------------------------------------------------------ */

static struct sim_op
access_of(uint64_t pc, uint64_t at)
{
	return (struct sim_op){.pc = pc,
		.next = pc + 4,
		.length = 4,
		.kind = SIM_OP_LOAD,
		.flags = SIM_OP_LAST,
		.at = at,
		.size = 8,
		.dst = 1,
		.src = {2, SIM_NO_REGISTER, SIM_NO_REGISTER}};
}

static void
code_is_what_was_seen(void)
{
	struct pipe_code *c = pipe_code_new();
	struct sim_op o = access_of(0x400, 0), out;

	CHECK(!pipe_code_find(c, 0x400, 0, &out));
	pipe_code_learn(c, &o, 0);
	CHECK(pipe_code_find(c, 0x400, 0, &out));
	CHECK(made_same_op(&out, &o));
	CHECK(!pipe_code_find(c, 0x400, 1, &out)); /* its second µop is not known */
	CHECK(!pipe_code_find(c, 0x404, 0, &out));
	CHECK(!pipe_code_find(c, 0, 0, &out));
	/* A branch keeps where it last went. */
	o = (struct sim_op){.pc = 0x500, .next = 0x600, .length = 2, .kind = SIM_OP_BRANCH, .branch = SIM_INDIRECT,
		.flags = SIM_OP_TAKEN | SIM_OP_LAST};
	pipe_code_learn(c, &o, 0);
	o.next = 0x700;
	pipe_code_learn(c, &o, 0);
	CHECK(pipe_code_find(c, 0x500, 0, &out));
	CHECK_INT(out.next, 0x700);
	CHECK_INT(pipe_code_target(c, 0x500, 0), 0x700);
	/* … also when it was not taken since, and none before it is taken. */
	o = (struct sim_op){.pc = 0x600, .next = 0x604, .length = 4, .kind = SIM_OP_BRANCH, .branch = SIM_CONDITIONAL,
		.flags = SIM_OP_LAST};
	pipe_code_learn(c, &o, 0);
	CHECK_INT(pipe_code_target(c, 0x600, 0), 0);
	o.flags |= SIM_OP_TAKEN;
	o.next = 0x800;
	pipe_code_learn(c, &o, 0);
	o.flags &= (uint8_t)~SIM_OP_TAKEN;
	o.next = 0x604;
	pipe_code_learn(c, &o, 0);
	CHECK_INT(pipe_code_target(c, 0x600, 0), 0x800);
	CHECK_INT(pipe_code_target(c, 0x600, 1), 0);
	CHECK_INT(pipe_code_target(c, 0x604, 0), 0);
	pipe_code_free(c);
}

static void
addresses_follow_the_stride_or_the_range(void)
{
	struct pipe_code *c = pipe_code_new();
	uint64_t seed = 1, low = UINT64_MAX, high = 0;
	struct sim_op out, o;

	for (uint64_t i = 0; i < 10; i++) {
		o = access_of(0x400, 0x10000 + 24 * i);
		pipe_code_learn(c, &o, 0);
	}
	CHECK(pipe_code_find(c, 0x400, 0, &out));
	CHECK_INT(out.at, 0x10000 + 24 * 10);
	o = access_of(0x404, 0x5000); /* once only */
	pipe_code_learn(c, &o, 0);
	CHECK(pipe_code_find(c, 0x404, 0, &out));
	CHECK_INT(out.at, 0x5000);
	for (int i = 0; i < 100; i++) {
		o = access_of(0x408, 0x20000 + test_random(&seed) % 4096);
		low = o.at < low ? o.at : low;
		high = o.at > high ? o.at : high;
		pipe_code_learn(c, &o, 0);
	}
	for (int i = 0; i < 100; i++) {
		CHECK(pipe_code_find(c, 0x408, 0, &out));
		CHECK(out.at + 8 > low && out.at <= high);
	}
	pipe_code_free(c);
}

TEST_MAIN(CASE(what_was_not_used_is_replaced), CASE(any_line_is_replaced), CASE(perfect_levels_hold_lines),
	CASE(lookups_and_uses), CASE(prefetches_take_no_buffer),
	CASE(levels_are_components), CASE(strides_become_steady), CASE(requests_are_given_up), CASE(few_entries),
	CASE(code_is_what_was_seen), CASE(addresses_follow_the_stride_or_the_range))
