/* Branch predictors on made sequences: what each kind can learn and what it cannot, targets, and histories that are
 * restored exactly after wrong paths. */
#include "sim/pipeline/predict.h"

#include <stdlib.h>

#include "test.h"

#define LENGTH 4
#define DELAY_MOST 256

/* A predictor, and the branches in flight between prediction and commit. */
struct bed {
	struct sim_predictor *p;
	unsigned delay;             /* branches in flight */
	struct sim_op op[DELAY_MOST];
	uint64_t ticket[DELAY_MOST];
	unsigned n;                 /* branches so far */
	unsigned wrong, wrong_way;  /* mispredicted since the last bed_reset() */
	struct sim_prediction last;
};

static void
bed_init(struct bed *b, struct sim_predictor_size size, unsigned delay)
{
	*b = (struct bed){.p = sim_predictor_new(&size), .delay = delay};
}

static void
bed_free(struct bed *b)
{
	sim_predictor_free(b->p);
}

static void
bed_reset(struct bed *b)
{
	b->wrong = b->wrong_way = 0;
}

/* A branch of the right path is predicted, recovers if that was wrong, and commits `delay` branches later. */
static bool
bed_op(struct bed *b, const struct sim_op *o)
{
	bool taken = o->flags & SIM_OP_TAKEN, way, right;
	unsigned place = b->n % DELAY_MOST, old = (b->n - b->delay) % DELAY_MOST;

	b->last = sim_predictor_ask(b->p, o);
	way = b->last.taken == taken;
	right = way && b->last.target == o->next;
	b->wrong += !right;
	b->wrong_way += !way;
	if (!right)
		sim_predictor_recover(b->p, b->last.ticket, o);
	b->op[place] = *o;
	b->ticket[place] = b->last.ticket;
	if (b->n >= b->delay)
		sim_predictor_commit(b->p, b->ticket[old], &b->op[old]);
	b->n++;
	return right;
}

static struct sim_op
branch(enum sim_branch kind, uint64_t pc, bool taken, uint64_t target)
{
	return (struct sim_op){
		.pc = pc, .length = LENGTH, .kind = SIM_OP_BRANCH, .branch = (uint8_t)kind,
		.flags = (uint8_t)(SIM_OP_LAST | (taken ? SIM_OP_TAKEN : 0)), .next = taken ? target : pc + LENGTH,
	};
}

/* A conditional branch that goes forward. Returns whether its direction was right. */
static bool
bed_if(struct bed *b, uint64_t pc, bool taken)
{
	struct sim_op o = branch(SIM_CONDITIONAL, pc, taken, pc + 64);
	unsigned before = b->wrong_way;

	bed_op(b, &o);
	return b->wrong_way == before;
}

/* A conditional branch that goes back: `trips` − 1 times taken, then not. */
static void
bed_loop(struct bed *b, uint64_t pc, unsigned trips)
{
	for (unsigned i = 1; i <= trips; i++) {
		struct sim_op o = branch(SIM_CONDITIONAL, pc, i < trips, pc - 64);

		bed_op(b, &o);
	}
}

static const struct sim_predictor_size bimodal = {.kind = SIM_PREDICT_BIMODAL, .entries = 4096};
static const struct sim_predictor_size gshare = {.kind = SIM_PREDICT_GSHARE, .entries = 4096, .history = 12};
static const struct sim_predictor_size hybrid = {.kind = SIM_PREDICT_HYBRID, .entries = 4096, .history = 12};
static const struct sim_predictor_size tage = {.kind = SIM_PREDICT_TAGE, .entries = 64, .history = 1500};

static struct sim_predictor_size
with_history(struct sim_predictor_size size, unsigned history)
{
	size.history = history;
	return size;
}

static void
one_direction(void)
{
	const struct sim_predictor_size sizes[] = {bimodal, gshare, hybrid, tage};

	for (unsigned k = 0; k < 4; k++)
		for (unsigned delay = 0; delay <= 32; delay += 32)
			for (int taken = 0; taken < 2; taken++) {
				struct bed b;

				test_label("kind %u, delay %u, taken %d", sizes[k].kind, delay, taken);
				bed_init(&b, sizes[k], delay);
				for (unsigned i = 0; i < 100; i++)
					bed_if(&b, 0x1000, taken);
				/* weakly not taken at first */
				CHECK(taken ? b.wrong_way >= 1 : b.wrong_way == 0);
				bed_reset(&b);
				for (unsigned i = 0; i < 200; i++)
					bed_if(&b, 0x1000, taken);
				CHECK_INT(b.wrong_way, 0);
				bed_free(&b);
			}
}

/* Bimodal counters cannot learn a pattern; a history can. */
static void
alternating(void)
{
	static const char *const patterns[] = {"10", "110", "11010", "1000000"};

	for (unsigned k = 0; k < 4; k++) {
		const struct sim_predictor_size sizes[] = {bimodal, gshare, hybrid, tage};

		for (unsigned row = 0; row < 4; row++) {
			struct bed b;
			const char *at = patterns[row];

			test_label("kind %u, pattern %s", sizes[k].kind, at);
			bed_init(&b, sizes[k], 8);
			for (unsigned i = 0; i < 6000; i++, at = at[1] ? at + 1 : patterns[row]) {
				if (i == 4000)
					bed_reset(&b);
				bed_if(&b, 0x1000, *at == '1');
			}
			if (sizes[k].kind == SIM_PREDICT_BIMODAL)
				CHECK(b.wrong_way >= 2000 / 7);
			else
				CHECK_INT(b.wrong_way, 0);
			bed_free(&b);
		}
	}
}

/* Runs a random branch, `between` branches that are always taken, and one that goes like the first. Returns how many of
 * the last 1000 of these were wrong. */
static unsigned
wrong_at_distance(struct sim_predictor_size size, unsigned between)
{
	uint64_t random = 7;
	unsigned wrong = 0;
	struct bed b;

	bed_init(&b, size, 4);
	for (unsigned round = 0; round < 3000; round++) {
		bool taken = test_random(&random) & 1;

		bed_if(&b, 0x1000, taken);
		for (unsigned i = 0; i < between; i++)
			bed_if(&b, 0x2000 + 16 * i, true);
		wrong += !bed_if(&b, 0x8000, taken) && round >= 2000;
	}
	bed_free(&b);
	return wrong;
}

static void
correlated(void)
{
	CHECK(wrong_at_distance(bimodal, 3) > 300);
	CHECK(wrong_at_distance(gshare, 3) < 30); /* some entries are shared with the random branch */
	CHECK(wrong_at_distance(hybrid, 3) < 30);
	CHECK_INT(wrong_at_distance(tage, 3), 0);
	CHECK(wrong_at_distance(tage, 40) < 10);
	CHECK(wrong_at_distance(tage, 300) < 100);
}

/* Small tables; a random branch at `sites` addresses, and for each of them one that goes like it; then the same at
 * other addresses. Writes how many of the last 1000 copies of each phase were wrong. */
static void
run_phases(unsigned sites, unsigned wrong[2])
{
	uint64_t random = 7;
	struct bed b;

	bed_init(&b, (struct sim_predictor_size){SIM_PREDICT_TAGE, .entries = 1, .history = 60}, 4);
	for (unsigned phase = 0; phase < 2; phase++)
		for (unsigned round = 0; round < 4000; round++) {
			uint64_t site = test_random(&random) % sites, first = 0x1000 + 0x9000 * (uint64_t)phase;
			bool taken = test_random(&random) & 1;

			bed_if(&b, first + 0x40 * site, taken);
			for (unsigned i = 0; i < 11; i++)
				bed_if(&b, first + 0x4000 + 16 * i, true);
			wrong[phase] += !bed_if(&b, first + 0x7000 + 0x44 * site, taken) && round >= 3000;
		}
	bed_free(&b);
}

/* Entries for random branches do not displace useful ones, until too many of these are in the way of a new phase. */
static void
useful_entries(void)
{
	unsigned few[2] = {0}, many[2] = {0};

	run_phases(16, few);
	CHECK(few[0] < 50);
	CHECK(few[1] < 100);
	run_phases(32, many);
	CHECK(many[0] < 120);
	CHECK(many[1] < 120);
}

/* The first branch is `history` branches back, or one more. */
static void
length_of_history(void)
{
	static const struct row {
		enum sim_predictor_kind kind;
		unsigned history;
	} rows[] = {
		{SIM_PREDICT_GSHARE, 1}, {SIM_PREDICT_GSHARE, 2}, {SIM_PREDICT_GSHARE, 12}, {SIM_PREDICT_GSHARE, 30},
		{SIM_PREDICT_HYBRID, 6}, {SIM_PREDICT_TAGE, 1}, {SIM_PREDICT_TAGE, 5}, {SIM_PREDICT_TAGE, 16},
		{SIM_PREDICT_TAGE, 90},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sim_predictor_size size = {rows[i].kind, rows[i].kind == SIM_PREDICT_TAGE ? 64 : 4096,
			.history = rows[i].history};

		test_label("kind %u, history %u", rows[i].kind, rows[i].history);
		CHECK(wrong_at_distance(size, rows[i].history - 1) < 150);
		CHECK(wrong_at_distance(size, rows[i].history) > 400);
	}
}

static void
no_history_at_all(void)
{
	const struct sim_predictor_size sizes[] = {gshare, hybrid, tage};

	for (unsigned i = 0; i < 3; i++) {
		struct bed b;

		bed_init(&b, with_history(sizes[i], 0), 4);
		for (unsigned k = 0; k < 100; k++)
			bed_if(&b, 0x1000, true);
		bed_reset(&b);
		for (unsigned k = 0; k < 100; k++)
			bed_if(&b, 0x1000, true);
		CHECK_INT(b.wrong_way, 0);
		bed_free(&b);
	}
}

/* A loop that is longer than every history: only the loop predictor can know its end. */
static void
loops(void)
{
	static const unsigned rows[] = {9, 37, 200, 1000}, training = 60;

	for (unsigned row = 0; row < 4; row++)
		for (unsigned delay = 0; delay <= 250; delay += 125) {
			struct bed b;

			test_label("%u iterations, delay %u", rows[row], delay);
			bed_init(&b, with_history(tage, 4), delay);
			for (unsigned i = 0; i < training + delay / rows[row]; i++)
				bed_loop(&b, 0x1000, rows[row]);
			CHECK(b.wrong_way >= 2);
			bed_reset(&b);
			for (unsigned i = 0; i < 20; i++)
				bed_loop(&b, 0x1000, rows[row]);
			CHECK_INT(b.wrong_way, 0);
			bed_free(&b);
			bed_init(&b, gshare, delay);
			for (unsigned i = 0; i < training; i++)
				bed_loop(&b, 0x1000, rows[row]);
			bed_reset(&b);
			for (unsigned i = 0; i < 20; i++)
				bed_loop(&b, 0x1000, rows[row]);
			CHECK(rows[row] == 9 || b.wrong_way >= 20);
			bed_free(&b);
		}
}

/* A loop in a loop, and a random branch before each of its executions, so that no history repeats. Then the number of
 * iterations changes, and the new one is learnt. */
static void
loop_that_changes(void)
{
	uint64_t random = 5;
	unsigned wrong[4] = {0};
	struct bed b;

	bed_init(&b, with_history(tage, 8), 60);
	for (unsigned i = 0; i < 800; i++) {
		unsigned trips = i < 400 ? 20 : 33;

		bed_if(&b, 0x5000, test_random(&random) & 1);
		bed_reset(&b);
		bed_loop(&b, 0x1000, trips);
		wrong[i / 200] += b.wrong_way;
	}
	CHECK(wrong[0] > 0);
	CHECK_INT(wrong[1], 0);
	CHECK(wrong[2] > 0);
	CHECK_INT(wrong[3], 0);
	bed_free(&b);
}

static void
returns(void)
{
	for (unsigned room = 1; room <= 16; room *= 4)
		for (unsigned deep = 1; deep <= room + 2; deep++) {
			struct bed b;
			unsigned wrong = 0;

			test_label("%u entries, %u calls", room, deep);
			bed_init(&b, (struct sim_predictor_size){.kind = SIM_PREDICT_PERFECT, .returns = room}, 3);
			for (unsigned round = 0; round < 3; round++) {
				for (unsigned i = 0; i < deep; i++) {
					struct sim_op o = branch(SIM_CALL, 0x1000 + 256 * i, true, 0x1100 + 256 * i);

					CHECK(bed_op(&b, &o));
				}
				for (unsigned i = deep; i-- > 0;) {
					struct sim_op o =
						branch(SIM_RETURN, 0x1180 + 256 * i, true, 0x1000 + 256 * i + LENGTH);

					wrong += !bed_op(&b, &o);
					/* The oldest ones were overwritten, and nothing is left to predict. */
					CHECK_INT(b.last.target, i + room >= deep ? o.next : 0);
				}
			}
			CHECK_INT(wrong, deep > room ? 3 * (deep - room) : 0);
			bed_free(&b);
		}
}

static bool
jump_is_known(struct bed *b, unsigned number)
{
	struct sim_op o = branch(SIM_JUMP, 0x10000 * (uint64_t)(number + 1), true, 0x500 + 16 * number);

	return bed_op(b, &o);
}

/* All jumps of jump_is_known() share a set. */
static void
ways(void)
{
	for (unsigned n = 1; n <= 8; n *= 2) {
		struct bed b;
		struct sim_predictor_size size = {.kind = SIM_PREDICT_PERFECT, .btb = 32, .btb_ways = n};

		test_label("%u ways", n);
		bed_init(&b, size, 0);
		for (unsigned i = 0; i < n; i++)
			CHECK(!jump_is_known(&b, i));
		for (unsigned i = 0; i < n; i++)
			CHECK(jump_is_known(&b, i));
		jump_is_known(&b, 0);
		/* One more replaces that which was not used for longest: number 1, or the only one. */
		CHECK(!jump_is_known(&b, n));
		for (unsigned i = 2; i < n; i++)
			CHECK(jump_is_known(&b, i));
		CHECK(n == 1 || jump_is_known(&b, 0));
		CHECK(!jump_is_known(&b, n == 1 ? 0 : 1));
		bed_free(&b);
	}
}

static void
capacity(void)
{
	struct bed b;
	unsigned wrong = 0;

	bed_init(&b, (struct sim_predictor_size){.kind = SIM_PREDICT_PERFECT, .btb = 64, .btb_ways = 4}, 0);
	for (unsigned round = 0; round < 4; round++)
		for (unsigned i = 0; i < 64; i++) {
			struct sim_op o = branch(i & 1 ? SIM_JUMP : SIM_CALL, 0x1000 + 4 * i, true, 0x9000 + i);

			wrong += !bed_op(&b, &o);
		}
	CHECK_INT(wrong, 64);
	/* Twice as many in the order of least recent use: none survives. */
	bed_reset(&b);
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < 128; i++) {
			struct sim_op o = branch(SIM_JUMP, 0x8000 + 4 * i, true, 0x9000 + i);

			bed_op(&b, &o);
		}
	CHECK_INT(b.wrong, 256);
	bed_free(&b);
}

/* A branch that is not taken needs no target, and gets none. */
static void
targets_of_conditionals(void)
{
	struct sim_op taken = branch(SIM_CONDITIONAL, 0x1000, true, 0x2000),
		      not = branch(SIM_CONDITIONAL, 0x1000, false, 0);
	struct bed b;

	bed_init(&b, (struct sim_predictor_size){.kind = SIM_PREDICT_PERFECT, .btb = 16, .btb_ways = 2}, 0);
	CHECK(bed_op(&b, &not));
	CHECK_INT(b.last.target, 0x1000 + LENGTH);
	CHECK(!bed_op(&b, &taken));
	CHECK(b.last.taken);
	CHECK_INT(b.last.target, 0);
	CHECK(bed_op(&b, &taken));
	CHECK_INT(b.last.target, 0x2000);
	CHECK(bed_op(&b, &not));
	CHECK(bed_op(&b, &taken));
	bed_free(&b);
}

/* A switch whose case depends on two branches before it. */
static void
indirect(void)
{
	for (unsigned delay = 0; delay <= 20; delay += 20) {
		uint64_t random = 3;
		struct bed b;
		unsigned wrong = 0, same = 0;
		struct sim_predictor_size size = {.kind = SIM_PREDICT_PERFECT, .indirect = 256};

		bed_init(&b, size, delay);
		for (unsigned i = 0; i < 2000; i++) {
			unsigned which = (unsigned)(test_random(&random) & 3);
			struct sim_op o = branch(SIM_INDIRECT, 0x3000, true, 0x4000 + 0x100 * which);
			struct sim_op call = branch(SIM_INDIRECT_CALL, 0x7000, true, 0x8000);

			bed_if(&b, 0x1000, which & 1);
			bed_if(&b, 0x2000, which >> 1);
			wrong += !bed_op(&b, &o) && i >= 1000;
			same += !bed_op(&b, &call);
		}
		CHECK(wrong < 10);
		CHECK(same >= 1 && same <= delay + 1);
		bed_free(&b);
	}
}

/* A branch with random targets does not displace what the other one needs. */
static void
indirect_under_pressure(void)
{
	uint64_t random = 3;
	struct bed b;
	unsigned wrong = 0;

	bed_init(&b, (struct sim_predictor_size){.kind = SIM_PREDICT_PERFECT, .indirect = 32}, 8);
	for (unsigned i = 0; i < 4000; i++) {
		uint64_t which = test_random(&random) & 1, any = test_random(&random) & 7;
		struct sim_op o = branch(SIM_INDIRECT, 0x3000, true, 0x4000 + 0x100 * which);
		struct sim_op noise = branch(SIM_INDIRECT, 0x5000, true, 0x6000 + 0x100 * any);

		bed_if(&b, 0x1000, which);
		wrong += !bed_op(&b, &o) && i >= 1000;
		bed_op(&b, &noise);
		for (unsigned k = 0; k < 2; k++)
			bed_if(&b, 0x7000 + 16 * k, true);
	}
	CHECK(wrong < 100);
	bed_free(&b);
}

/* Branches without any pattern: a predictor should predict their more frequent direction. */
static void
biased_noise(void)
{
	const struct sim_predictor_size sizes[] = {bimodal, gshare, hybrid, tage};
	/* Of the branches that go the other way. The outcomes are of no use, and fill gshare's table. */
	static const double most[] = {1.2, 0, 1.3, 1.1};

	for (unsigned k = 0; k < 4; k++) {
		uint64_t random = 13;
		struct bed b;
		unsigned rare = 0;

		bed_init(&b, sizes[k], 20);
		for (unsigned i = 0; i < 20000; i++) {
			unsigned site = (unsigned)(test_random(&random) % 20);
			bool unusual = test_random(&random) % 10 == 0;

			if (i == 10000)
				bed_reset(&b);
			rare += unusual && i >= 10000;
			bed_if(&b, 0x1000 + 20 * site, (site & 1) ^ unusual);
		}
		test_label("kind %u", sizes[k].kind);
		CHECK(most[k] > 0 ? b.wrong_way < most[k] * rare : b.wrong_way > 3 * rare);
		bed_free(&b);
	}
}

/* The state of a made program: branches of all kinds, whose outcomes depend on those before and a little on chance. */
struct program {
	uint64_t random, past, stack[64];
	unsigned deep, count[64];
};

static struct sim_op
next_branch(struct program *g)
{
	unsigned site = (unsigned)(g->past >> 3 ^ g->past >> 7) & 15, chance = (unsigned)(test_random(&g->random) & 15);
	uint64_t pc = 0x40000 + 256 * (uint64_t)site + 64 * (g->past & 3);
	struct sim_op o;

	if (g->deep && chance == 0) {
		o = branch(SIM_RETURN, pc + 4, true, g->stack[--g->deep]);
	} else if (g->deep < 64 && site == 3) {
		g->stack[g->deep++] = pc + 8 + LENGTH;
		o = branch(chance < 4 ? SIM_INDIRECT_CALL : SIM_CALL, pc + 8, true, chance < 2 ? 0x90000 : 0x80000);
	} else if (site == 5)
		o = branch(chance < 8 ? SIM_INDIRECT : SIM_JUMP, pc + 12, true, 0x70000 + 64 * (g->past & 1));
	else {
		bool taken = site & 1 ? ++g->count[site] % (site + 3) != 0
				      : (g->past >> site & 1) != (uint64_t)(chance == 1);

		o = branch(SIM_CONDITIONAL, pc + 16, taken, pc - 64 * (uint64_t)(site & 2) + 32);
	}
	g->past = g->past << 1 | (o.branch == SIM_CONDITIONAL ? o.flags & SIM_OP_TAKEN : (o.next >> 6 & 1));
	return o;
}

#define STREAM 20000

/* Loops with fixed numbers of iterations, one of `loops` at a time, and a random branch before each. */
static struct sim_op *
new_loops(unsigned loops)
{
	struct sim_op *o = calloc(STREAM, sizeof *o);
	uint64_t random = 17;
	unsigned n = 0;

	while (n < STREAM) {
		uint64_t which = test_random(&random) % loops, pc = 0x10000 + 0x1000 * which;

		o[n++] = branch(SIM_CONDITIONAL, 0x1000, test_random(&random) & 1, 0x1040);
		for (unsigned i = 1; i <= 11 + which && n < STREAM; i++, n++)
			o[n] = branch(SIM_CONDITIONAL, pc, i < 11 + which, pc - 64);
	}
	return o;
}

static struct sim_op *
new_stream(void)
{
	struct sim_op *o = calloc(STREAM, sizeof *o);
	struct program g = {.random = 11};

	for (unsigned i = 0; i < STREAM; i++)
		o[i] = next_branch(&g);
	return o;
}

/* Follows a wrong path of up to `most` branches after the newest one; some turn out to be mispredicted, too. */
static void
wander(struct bed *b, const struct sim_op *stream, unsigned most, uint64_t *random)
{
	unsigned n = (unsigned)(test_random(random) % most);

	for (unsigned i = 0; i < n; i++) {
		uint64_t r = test_random(random);
		struct sim_op o = stream[r % STREAM];
		struct sim_prediction a;

		if (r >> 40 & 1) {
			o.pc += 4;
			o.next = 0;
		}
		a = sim_predictor_ask(b->p, &o);
		if ((r >> 41 & 7) == 0) {
			o.flags ^= o.branch == SIM_CONDITIONAL ? SIM_OP_TAKEN : 0;
			o.next = 0x123450;
			sim_predictor_recover(b->p, a.ticket - (a.ticket > b->last.ticket + 2) * (r >> 45 & 1), &o);
		}
	}
}

/* Whether two predictors say the same of a stream when one of them also follows wrong paths of up to `most` branches,
 * after every one of `rarely` branches. */
static void
same_with_wrong_paths(struct sim_predictor_size size, const struct sim_op *stream, unsigned most, unsigned rarely)
{
	struct bed straight, other;
	uint64_t random = 23;
	unsigned different = 0, followed = 0;

	bed_init(&straight, size, 100);
	bed_init(&other, size, 100);
	for (unsigned i = 0; i < STREAM; i++) {
		struct bed *b = &other;

		bed_op(&straight, &stream[i]);
		bed_op(b, &stream[i]);
		different += b->last.taken != straight.last.taken || b->last.target != straight.last.target;
		/* The branch was recovered already if it was wrong: once more, after younger ones, changes nothing. */
		if (test_random(&random) % rarely)
			continue;
		wander(b, stream, most, &random);
		sim_predictor_recover(b->p, b->last.ticket, &stream[i]);
		followed++;
	}
	CHECK_INT(different, 0);
	CHECK(followed > STREAM / rarely / 2);
	CHECK_INT(other.wrong, straight.wrong);
	CHECK(size.kind == SIM_PREDICT_PERFECT || (straight.wrong_way > 100 && straight.wrong_way < STREAM / 3));
	bed_free(&straight);
	bed_free(&other);
}

static void
recovery(void)
{
	const struct sim_predictor_size sizes[] = {bimodal, gshare, hybrid, tage, {.kind = SIM_PREDICT_PERFECT}};
	struct sim_op *stream = new_stream();

	for (unsigned i = 0; i < 5; i++)
		for (unsigned targets = 0; targets < 2; targets++) {
			struct sim_predictor_size size = sizes[i];

			test_label("kind %u, %s targets", size.kind, targets ? "predicted" : "known");
			if (targets) {
				size.btb = 64;
				size.btb_ways = 4;
				size.indirect = 64;
				size.returns = 8;
			}
			same_with_wrong_paths(size, stream, 40, 4);
		}
	free(stream);
}

/* The longest wrong paths do not overwrite what the longest history needs: a branch that goes like one 2000 branches
 * before it is predicted. */
static void
deep_recovery(void)
{
	uint64_t random = 7;
	unsigned wrong = 0;
	struct bed b;

	bed_init(&b, with_history(tage, 3000), 4);
	for (unsigned round = 0; round < 60; round++) {
		bool taken = test_random(&random) & 1;

		bed_if(&b, 0x1000, taken);
		for (unsigned i = 0; i < 2000; i++) {
			struct sim_op o = branch(SIM_CONDITIONAL, 0x2000, true, 0x2040), other = o;

			bed_op(&b, &o);
			if (i != 1000)
				continue;
			for (unsigned k = 0; k < SIM_PREDICTOR_FLIGHTS - 4; k++) {
				other.pc = 0x9000 + 4 * (test_random(&random) & 63);
				sim_predictor_ask(b.p, &other);
			}
			sim_predictor_recover(b.p, b.last.ticket, &o);
		}
		wrong += !bed_if(&b, 0x8000, taken) && round >= 40;
	}
	CHECK_INT(wrong, 0);
	bed_free(&b);
}

/* An unknown target of a direct branch may be found at decoding: histories are the same without a recovery. */
static void
targets_found_at_decoding(void)
{
	struct sim_op *stream = new_stream();
	struct sim_predictor_size size = tage;
	struct bed straight;
	struct sim_predictor *p;
	unsigned different = 0, unknown = 0;

	size.btb = size.btb_ways = 4;
	size.indirect = 64;
	p = sim_predictor_new(&size);
	bed_init(&straight, size, 100);
	for (unsigned i = 0; i < STREAM; i++) {
		const struct sim_op *o = &stream[i];
		bool direct = o->branch == SIM_CONDITIONAL || o->branch == SIM_JUMP || o->branch == SIM_CALL;
		struct sim_prediction a = sim_predictor_ask(p, o);

		bed_op(&straight, o);
		different += a.taken != straight.last.taken || a.target != straight.last.target;
		if (a.target == 0 && direct && o->flags & SIM_OP_TAKEN)
			unknown++;
		else if (a.target != o->next)
			sim_predictor_recover(p, a.ticket, o);
		if (i >= 100)
			sim_predictor_commit(p, i - 100, &stream[i - 100]);
	}
	CHECK_INT(different, 0);
	CHECK(unknown > 1000);
	bed_free(&straight);
	sim_predictor_free(p);
	free(stream);
}

/* Iterations of wrong paths do not count, and those in flight do. With 8 loops, all are predicted in the end. With 40,
 * they take each other's entries while they are in flight. */
static void
recovery_of_loops(void)
{
	for (unsigned loops = 8; loops <= 40; loops += 32)
		for (unsigned kib = 8; kib <= 64; kib *= 8) {
			struct sim_predictor_size size = {.kind = SIM_PREDICT_TAGE, .entries = kib, .history = 4};
			struct sim_op *stream = new_loops(loops);

			test_label("%u loops, %u KiB", loops, kib);
			same_with_wrong_paths(size, stream, 40, 4);
			free(stream);
		}
}

static void
perfect(void)
{
	struct sim_op *stream = new_stream();
	struct bed b;

	bed_init(&b, (struct sim_predictor_size){.kind = SIM_PREDICT_PERFECT}, 50);
	for (unsigned i = 0; i < STREAM; i++)
		bed_op(&b, &stream[i]);
	CHECK_INT(b.wrong, 0);
	CHECK_INT(sim_predictor_bits(b.p), 0);
	bed_free(&b);
	free(stream);
}

/* Predictions do not depend on what ran before in this process, and a better predictor is better. */
static void
deterministic(void)
{
	const struct sim_predictor_size sizes[] = {bimodal, gshare, hybrid, tage};
	struct sim_op *stream = new_stream();
	unsigned wrong[4];

	for (unsigned i = 0; i < 4; i++) {
		struct bed a, b;

		bed_init(&a, sizes[i], 100);
		for (unsigned k = 0; k < STREAM; k++)
			bed_op(&a, &stream[k]);
		wrong[i] = a.wrong_way;
		bed_init(&b, sizes[i], 100);
		for (unsigned k = 0; k < STREAM; k++)
			bed_op(&b, &stream[k]);
		CHECK_INT(b.wrong_way, wrong[i]);
		CHECK_INT(b.last.ticket, STREAM - 1);
		bed_free(&a);
		bed_free(&b);
	}
	CHECK(wrong[2] < wrong[0]);
	CHECK(wrong[3] < wrong[2]);
	free(stream);
}

static void
tickets(void)
{
	struct sim_predictor *p = sim_predictor_new(&tage);
	struct sim_op o = branch(SIM_CONDITIONAL, 0x1000, true, 0x2000);

	for (uint64_t i = 0; i < SIM_PREDICTOR_FLIGHTS; i++)
		CHECK_INT(sim_predictor_ask(p, &o).ticket, i);
	sim_predictor_recover(p, 1000, &o);
	CHECK_INT(sim_predictor_ask(p, &o).ticket, 1001);
	for (uint64_t i = 0; i <= 1001; i++)
		sim_predictor_commit(p, i, &o);
	for (uint64_t i = 0; i < SIM_PREDICTOR_FLIGHTS; i++)
		CHECK_INT(sim_predictor_ask(p, &o).ticket, 1002 + i);
	sim_predictor_recover(p, 1002, &o);
	sim_predictor_free(p);
	sim_predictor_free(NULL);
}

static uint64_t
bits_of(struct sim_predictor_size size)
{
	struct sim_predictor *p = sim_predictor_new(&size);
	uint64_t bits = sim_predictor_bits(p);

	sim_predictor_free(p);
	return bits;
}

static void
bits(void)
{
	CHECK_INT(bits_of(bimodal), 2 * 4096);
	CHECK_INT(bits_of(gshare), 2 * 4096);
	CHECK_INT(bits_of(hybrid), 3 * 2 * 4096);
	/* valid, 48 bits of address and target, 2 bits of order */
	CHECK_INT(bits_of((struct sim_predictor_size){.btb = 64, .btb_ways = 4}), 64 * (1 + 48 + 48 + 2));
	CHECK_INT(bits_of((struct sim_predictor_size){.btb = 64, .btb_ways = 1}), 64 * (1 + 48 + 48));
	/* four tables of target and trust; three of them with a tag of 10 bits and a useful bit */
	CHECK_INT(bits_of((struct sim_predictor_size){.indirect = 64}), 64 * (48 + 2) + 48 * (10 + 1));
	CHECK_INT(bits_of((struct sim_predictor_size){.returns = 16}), 16 * 48);
	for (unsigned kib = 8; kib <= 512; kib *= 2) {
		struct sim_predictor_size size = tage;

		test_label("%u KiB", kib);
		size.entries = kib;
		CHECK(bits_of(size) <= 8192 * (uint64_t)kib);
		CHECK(bits_of(size) >= 8192 * (uint64_t)kib * 98 / 100);
	}
}

TEST_MAIN(CASE(one_direction), CASE(alternating), CASE(correlated), CASE(useful_entries), CASE(length_of_history),
	CASE(no_history_at_all), CASE(loops), CASE(loop_that_changes), CASE(returns), CASE(ways), CASE(capacity),
	CASE(targets_of_conditionals), CASE(indirect), CASE(indirect_under_pressure), CASE(biased_noise),
	CASE(recovery), CASE(deep_recovery), CASE(recovery_of_loops),
	CASE(targets_found_at_decoding), CASE(perfect), CASE(deterministic), CASE(tickets),
	CASE(bits))
