/* Programs with a period, and whether rhythm finds the periods that keep step with a rotation, and no others. The
 * period of each program is known. */
#include "core/series/rhythm.h"

#include <math.h>

#include "test.h"

#define TURN 4e6 /* ns */
#define STEP (TURN / RHYTHM_LOOKS)

/* A program that is busy for a share of its period (0: it has no period), sampled for so many turns at random
 * distances. */
static struct rhythm *
watch(double period, double busy, double noise, size_t turns, bool regular, uint64_t seed)
{
	struct rhythm *r = rhythm_new(STEP);
	double now = 0, end = TURN * (double)turns, count = 0;
	uint64_t last = 0;

	rhythm_add(r, 0, 0);
	while (now < end) {
		double next = now + STEP * (regular ? 1 : 0.5 + test_uniform(&seed)), from = now;

		for (; now < next; now += STEP / 50)
			count += STEP / 50 * (1 + (period > 0 && fmod(now, period) < busy * period ? 0.5 : 0));
		now = next;
		rhythm_add(r, (uint64_t)now, (uint64_t)fmax(0,
			count - (double)last + noise * (now - from) * test_normal(&seed)));
		last = (uint64_t)count;
	}
	return r;
}

static void
finds_what_keeps_step(void)
{
	static const struct { double ratio; size_t turns; bool locked; } row[] = {
		{1, 2000, true}, {1.0003, 2000, true}, {1.003, 2000, true}, {1.02, 2000, false}, {0.5, 2000, true},
			{2, 2000, true}, {3, 2000, true}, {0.97, 2000, false}, {1.37, 2000, false},
		{0.8213, 2000, false},
		{1.0 / 3, 2000, false}, /* each turn sees all phases of it */
		{1, 600, true}, {1, 20, false /* too short to decide */},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		double period = row[i].ratio * 3 * TURN;
		struct rhythm *r = watch(period, 0.4, 0.1, row[i].turns, false, i);
		struct rhythm_lock k = rhythm_locked(r, 3 * TURN, 3);

		test_label("ratio %g, %zu turns", row[i].ratio, row[i].turns);
		CHECK_INT(k.period_ns > 0, row[i].locked);
		if (row[i].locked)
			CHECK_NEAR(k.period_ns / period, 1, 0.003);
		if (row[i].locked && row[i].turns == 2000 && row[i].ratio <= 1.003 && row[i].ratio >= 1)
			CHECK_NEAR(k.beats, (double)row[i].turns / 3 * (1 - 1 / row[i].ratio), 0.6);
		rhythm_free(r);
	}
}

/* Programs without a period: chance must not show one. */
static void
finds_nothing_in_noise(void)
{
	unsigned found = 0, rounds = test_rounds(60, 1000);

	for (unsigned i = 0; i < rounds; i++) {
		struct rhythm *r = watch(0, 0, 0.3, 700, false, 1000 + i);

		found += rhythm_locked(r, 3 * TURN, 3).period_ns > 0;
		rhythm_free(r);
	}
	CHECK_INT(found, 0);
}

/* Samples are taken at random distances because of aliases: at regular distances another period looks the same. */
static void
random_samples_have_no_aliases(void)
{
	/* sampled regularly, it looks like a period of 3 turns */
	double alias = 1 / (RHYTHM_LOOKS / TURN + 1 / (3 * TURN));
	struct rhythm *regular = watch(alias, 0.5, 0.01, 3000, true, 1), *random = watch(alias, 0.5, 0.01, 3000,
		false, 1);

	CHECK(rhythm_locked(regular, 3 * TURN, 3).period_ns > 0);
	CHECK(!(rhythm_locked(random, 3 * TURN, 3).period_ns > 0));
	rhythm_free(regular);
	rhythm_free(random);
}

/* A long record keeps its newest part. The last finding is given again until the record has grown by an eighth. */
static void
long_records_go_on(void)
{
	struct rhythm *r = watch(3 * TURN, 0.5, 0.01, 12000, false, 2);

	CHECK_NEAR(rhythm_locked_lately(r, 3 * TURN, 3).period_ns / TURN, 3, 0.01);
	CHECK_NEAR(rhythm_locked_lately(r, 1, 3).period_ns / TURN, 3, 0.01);
	rhythm_free(r);
}

TEST_MAIN(CASE(finds_what_keeps_step), CASE(finds_nothing_in_noise), CASE(random_samples_have_no_aliases),
	CASE(long_records_go_on))
