/* Loads against older stores, banks, write-back and atomics: cycles worked out by hand on the bed of pipe_bed.c. A µop
 * without misses begins in cycle 7; a load knows its address a cycle later, and L1 answers after 4 more. */
#include "sim/pipeline/pipe.h"

#include "pipe_bed.h"
#include "test.h"

#define ENDS 7

/* A store whose address comes from a division, in cycle 27, and a younger load. */
static void
store_and_load(struct pipe_bed *b, const char *changes, sim_plants plants, uint64_t load)
{
	pipe_bed_init(b, changes);
	b->plants = plants;
	bed_op(b, SIM_OP_DIV, 1, BED_NONE);
	bed_write(b, 0x2000, 1, BED_NONE);
	bed_read(b, load, 2, BED_NONE);
	bed_op(b, SIM_OP_ALU, BED_NONE, 2);
}

static void
loads_of_other_words(void)
{
	static const struct {
		const char *changes;
		unsigned cycles;
	} row[] = {
		{NULL, 28},                           /* the load is long done when the store is */
		{"disambiguation oracle", 28},
		{"disambiguation wait", 27 + 5 + 1},  /* it begins with the store */
		{"disambiguation blind", 28},
		{"disambiguation blind; store_sets 16 entries", 28},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct pipe_bed b;

		test_label("%s", row[i].changes ? row[i].changes : "unchanged");
		store_and_load(&b, row[i].changes, 0, 0x1000);
		CHECK_INT(pipe_bed_run(&b), row[i].cycles);
		CHECK_INT(b.count[SIM_PIPE_CLEARS], 0);
		pipe_bed_free(&b);
	}
}

static void
loads_of_the_same_word(void)
{
	struct pipe_bed b;

	/* It waits for its store, which is done in cycle 28; or, without an oracle, begins with it. */
	store_and_load(&b, NULL, 0, 0x2000);
	CHECK_INT(pipe_bed_run(&b), 28 + 1);
	CHECK_INT(b.count[SIM_PIPE_FORWARDED], 1);
	pipe_bed_free(&b);
	store_and_load(&b, "disambiguation wait", 0, 0x2000);
	CHECK_INT(pipe_bed_run(&b), 28 + 5 + 1);
	CHECK_INT(b.count[SIM_PIPE_CLEARS], 0);
	pipe_bed_free(&b);
	/* It goes ahead, and is fetched again in cycle 27: dispatched in 32, begun in 33. */
	store_and_load(&b, "disambiguation blind", 0, 0x2000);
	CHECK_INT(pipe_bed_run(&b), 33 + 5 + 1);
	CHECK_INT(b.count[SIM_PIPE_CLEARS], 1);
	CHECK_INT(b.count[SIM_CLEARS], 1);
	CHECK_INT(b.count[SIM_PIPE_UOPS], 4);
	CHECK_INT(b.count[SIM_PIPE_FETCHED], 4 + 2);
	CHECK_INT(b.count[SIM_PIPE_DISPATCHED], 4 + 2);
	CHECK_INT(b.count[SIM_PIPE_ISSUED], 4 + 2);
	CHECK_INT(b.count[SIM_LOAD_RET], 1);
	pipe_bed_free(&b);
}

/* A load that is still under way needs not be fetched again: its line comes from memory long after the store. */
static void
a_load_under_way_is_replayed(void)
{
	struct pipe_bed b;

	store_and_load(&b, "disambiguation blind", PLANT(NUKE_REPLAY), 0x2000);
	b.perfect &= ~(PERFECT(L1D) | PERFECT(L2D) | PERFECT(L3D));
	CHECK_INT(pipe_bed_run(&b), 8 + 204 + 1);
	CHECK_INT(b.count[SIM_PIPE_CLEARS], 0);
	b.plants = 0;
	CHECK(pipe_bed_run(&b) != 8 + 204 + 1);
	CHECK_INT(b.count[SIM_PIPE_CLEARS], 1);
	pipe_bed_free(&b);
}

/* The store knows its address in cycle 27, and its data come in cycle 67. A load that begins between the two waits for
 * them, whether it went ahead or not. */
static void
a_load_waits_for_data_that_come_late(void)
{
	static const char *const changes[] = {NULL, "disambiguation wait", "disambiguation blind"};

	for (int i = 0; i < 3; i++) {
		struct pipe_bed b;

		test_label("%s", changes[i] ? changes[i] : "unchanged");
		pipe_bed_init(&b, changes[i]);
		b.plants = PLANT(STA_STD);
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		for (int k = 0; k < 20; k++)
			bed_op(&b, SIM_OP_MUL, 5, 5);
		bed_write(&b, 0x2000, 1, 5);
		bed_op(&b, SIM_OP_DIV, 2, 1);
		bed_read(&b, 0x2000, 3, 2); /* begins in cycle 47 */
		bed_op(&b, SIM_OP_MUL, BED_NONE, 3);
		CHECK_INT(pipe_bed_run(&b), 67 + 3);
		CHECK_INT(b.count[SIM_PIPE_CLEARS], 0);
		pipe_bed_free(&b);
	}
	/* One that is replayed waits for them, too; its line comes in cycle 57. */
	for (int i = 0; i < 2; i++) {
		struct pipe_bed b;

		test_label("replay %d", i);
		pipe_bed_init(&b, "disambiguation blind; l2 64 KiB, 4 ways, 44 cycles; l3 1 MiB, 8 ways, 60 cycles");
		b.perfect &= ~PERFECT(L1D);
		b.plants = PLANT(STA_STD) | PLANT(NUKE_REPLAY);
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		for (int k = 0; k < 20; k++)
			bed_op(&b, SIM_OP_MUL, 5, 5);
		bed_write(&b, 0x2000, 1, i ? 5 : BED_NONE);
		bed_read(&b, 0x2000, 3, BED_NONE);
		bed_op(&b, SIM_OP_MUL, BED_NONE, 3);
		CHECK_INT(pipe_bed_run(&b), i ? 67 + 3 : 67);
		CHECK_INT(b.count[SIM_PIPE_CLEARS], 0);
		pipe_bed_free(&b);
	}
}

/* The first load reads the second half of one word and the first half of the next one, to which a store goes. */
static void
loads_that_span_two_words(void)
{
	struct pipe_bed b;

	for (uint64_t at = 0x1ff8; at <= 0x2008; at += 4) {
		bool none = at < 0x1ffc || at > 0x2004;

		test_label("%#llx", (unsigned long long)at);
		store_and_load(&b, NULL, 0, at);
		CHECK_INT(pipe_bed_run(&b), none ? 28 : 28 + 1);
		CHECK_INT(b.count[SIM_PIPE_FORWARDED], !none);
		pipe_bed_free(&b);
	}
}

/* Two stores of 4 bytes to the halves of 8: a load of one half waits for its own store, which is not the younger. */
static void
loads_of_one_of_two_halves(void)
{
	struct pipe_bed b;

	for (uint64_t at = 0x2000; at <= 0x2004; at += 4) {
		bool first = at == 0x2000;

		test_label("%#llx", (unsigned long long)at);
		pipe_bed_init(&b, NULL);
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		bed_write(&b, 0x2000, 1, BED_NONE)->size = 4;
		bed_write(&b, 0x2004, BED_NONE, BED_NONE)->size = 4;
		bed_read(&b, at, 2, BED_NONE)->size = 4;
		bed_op(&b, SIM_OP_ALU, BED_NONE, 2);
		CHECK_INT(pipe_bed_run(&b), first ? 28 + 1 : 28);
		CHECK_INT(b.count[SIM_PIPE_FORWARDED], 1);
		pipe_bed_free(&b);
	}
}

/* A load is cleared that was too early, and what follows it: a load from another store, and a younger store to the
 * same word. The second time the load finds the older store again, not the younger one, which is not there yet. */
static void
a_clear_forgets_younger_stores(void)
{
	struct pipe_bed b;

	pipe_bed_init(&b, "disambiguation blind");
	bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
	bed_op(&b, SIM_OP_DIV, 3, 1); /* nothing commits meanwhile */
	bed_write(&b, 0x3000, BED_NONE, BED_NONE);
	bed_write(&b, 0x2000, 1, BED_NONE);
	bed_read(&b, 0x2000, 2, BED_NONE);
	bed_read(&b, 0x3000, 4, BED_NONE);
	bed_write(&b, 0x3000, BED_NONE, BED_NONE);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_PIPE_CLEARS], 1);
	CHECK_INT(b.count[SIM_PIPE_FORWARDED], 1 + 2); /* the second load each time */
	pipe_bed_free(&b);
}

/* The same load and store again and again: a store set makes the load wait from the second time on. */
static void
store_sets_learn(void)
{
	static const char *const changes[] = {"disambiguation blind", "disambiguation blind; store_sets 1024 entries"};

	for (int i = 0; i < 2; i++) {
		struct pipe_bed b;

		test_label("%s", changes[i]);
		pipe_bed_init(&b, changes[i]);
		for (unsigned k = 0; k < 50; k++) {
			b.pc = BED_CODE;
			bed_op(&b, SIM_OP_DIV, 1, 2);
			bed_write(&b, 0x2000 + 8 * k, 1, BED_NONE);
			bed_read(&b, 0x2000 + 8 * k, 2, BED_NONE);
			bed_branch(&b, SIM_JUMP, true, BED_CODE, 2);
		}
		pipe_bed_run(&b);
		CHECK_INT(b.count[SIM_PIPE_CLEARS], i ? 1 : 50);
		CHECK_INT(b.count[SIM_PIPE_UOPS], 200);
		CHECK_INT(b.count[SIM_PIPE_BRANCHES], 50);
		pipe_bed_free(&b);
	}
}

/* A clear while fetch is on a wrong path of a branch behind the load: all is right afterwards. */
static void
a_clear_forgets_a_wrong_path(void)
{
	struct pipe_bed b;

	store_and_load(&b, "disambiguation blind", PLANT(WRONG_PATH), 0x2000);
	b.perfect &= ~PERFECT(BRANCH);
	bed_op(&b, SIM_OP_DIV, 3, 2);
	bed_branch(&b, SIM_CONDITIONAL, true, BED_CODE, 3); /* predicted as not taken; waits for the load */
	for (int i = 0; i < 3; i++)
		bed_op(&b, SIM_OP_ALU, 4, 4);
	pipe_bed_run(&b);
	CHECK_INT(b.count[SIM_PIPE_CLEARS], 1);
	CHECK_INT(b.count[SIM_PIPE_BRANCH], 1);
	CHECK_INT(b.count[SIM_PIPE_BRANCH_RETIRED], 1);
	CHECK_INT(b.count[SIM_PIPE_UOPS], 9);
	pipe_bed_free(&b);
}

static uint64_t
cycles_of_loads(const char *changes, unsigned stride)
{
	struct pipe_bed b;
	uint64_t cycles;

	pipe_bed_init(&b, changes);
	for (unsigned i = 0; i < 40; i++)
		bed_read(&b, 0x1000 + stride * i, (uint8_t)(1 + i), BED_NONE);
	cycles = pipe_bed_run(&b);
	pipe_bed_free(&b);
	return cycles;
}

static void
banks_conflict(void)
{
	CHECK_INT(cycles_of_loads(NULL, 32), 10 + 4 + ENDS);
	CHECK_INT(cycles_of_loads("banks 4", 8), 10 + 4 + ENDS);
	CHECK_INT(cycles_of_loads("banks 4", 32), 40 + 4 + ENDS); /* all in one bank */
	CHECK_INT(cycles_of_loads("banks 4", 16), 20 + 4 + ENDS); /* in two */
	CHECK_INT(cycles_of_loads("banks 4", 0), 10 + 4 + ENDS);  /* one word */
	CHECK_INT(cycles_of_loads("banks 1", 8), 40 + 4 + ENDS);
}

static void
results_are_written_back(void)
{
	CHECK_INT(cycles_of_loads("write_back 4", 8), 10 + 4 + ENDS);
	CHECK_INT(cycles_of_loads("write_back 1", 8), 40 + 4 + ENDS);
	CHECK_INT(cycles_of_loads("write_back 3", 8), 13 + 1 + 4 + ENDS);
}

/* An atomic begins when it is the oldest µop, whatever loads do otherwise. */
static void
atomics_wait_until_they_are_oldest(void)
{
	static const char *const changes[] = {NULL, "disambiguation wait", "disambiguation blind"};

	for (int i = 0; i < 3; i++) {
		struct pipe_bed b;
		struct sim_op *o;

		test_label("%s", changes[i] ? changes[i] : "unchanged");
		pipe_bed_init(&b, changes[i]);
		bed_op(&b, SIM_OP_DIV, 1, BED_NONE);
		for (int k = 0; k < 2; k++) {
			o = bed_op(&b, SIM_OP_ATOMIC, 2, BED_NONE);
			o->at = 0x1000 + 64 * (uint64_t)k;
			o->size = 8;
		}
		CHECK_INT(pipe_bed_run(&b), 27 + 5 + 5);
		CHECK_INT(b.count[SIM_LOAD_RET], 2);
		CHECK_INT(b.count[SIM_STORE_RET], 2);
		pipe_bed_free(&b);
	}
}

TEST_MAIN(CASE(loads_of_other_words), CASE(loads_of_the_same_word), CASE(a_load_under_way_is_replayed),
	CASE(a_load_waits_for_data_that_come_late), CASE(loads_that_span_two_words), CASE(loads_of_one_of_two_halves),
	CASE(a_clear_forgets_younger_stores), CASE(store_sets_learn), CASE(a_clear_forgets_a_wrong_path),
	CASE(banks_conflict), CASE(results_are_written_back), CASE(atomics_wait_until_they_are_oldest))
