/* Curves with known knees, and without any: how many are found, invented, and whether the intervals hold them. All
 * curves are made. */
#include "core/curve/knee.h"

#include <math.h>

#include "core/curve/curve.h"
#include "test.h"

enum shape { FLAT, SLOPE, PARABOLA, STEP, RAMP, TWO_STEPS, BEND, STEP_DOWN, LONG_RAMP, LOW_RAMP, GENTLE_RAMP };

struct kind {
	const char *name;
	enum shape shape;
	size_t n;
	double noise;      /* standard deviation; the level is 100, and a step 50 */
	size_t spikes;     /* outliers, upwards */
	unsigned missed;   /* per thousand curves: wrong number of knees, at most */
	unsigned uncovered; /* per thousand: an interval without its knee, at most */
};

/* The shape without noise; `a` and `b` are where it changes. */
static double
level(enum shape shape, double x, double n, double a, double b)
{
	switch (shape) {
	case FLAT: return 100;
	case SLOPE: return 100 + 50 * x / n;
	case PARABOLA: return 100 + 80 * x * x / n / n;
	case STEP: return 100 + (x > a ? 50 : 0);
	case STEP_DOWN: return 150 - (x > a ? 50 : 0);
	case RAMP: return 100 + 50 * fmin(1, fmax(0, (x - a) / 6));
	case LONG_RAMP: return 100 + 50 * fmin(1, fmax(0, (x - a) / 20));
	case LOW_RAMP: return 100 + 20 * fmin(1, fmax(0, (x - a) / 20));
	case GENTLE_RAMP: return 100 + 50 * pow(fmin(1, fmax(0, (x - a) / 10)), 1.5);
	case TWO_STEPS: return 100 + (x > a ? 50 : 0) + (x > b ? 50 : 0);
	case BEND: return 200 * fmin(x, a) / a;
	}
	return NAN;
}

static size_t
knees_of(enum shape shape)
{
	return shape == TWO_STEPS ? 2 : shape >= STEP;
}

static void
add(struct curve *c, double x, double y)
{
	curve_add(c, &(struct curve_point){.x = x, .min = y, .mean = y, .max = y});
}

static struct curve
make(const struct kind *k, double a, double b, uint64_t *seed)
{
	struct curve c = {0};

	for (size_t i = 1; i <= k->n; i++) {
		double y = level(k->shape, (double)i, (double)k->n, a, b) + k->noise * test_normal(seed);

		curve_add(&c, &(struct curve_point){.x = (double)i, .min = y, .mean = y, .max = y});
	}
	for (size_t i = 0; i < k->spikes; i++)
		c.point[(size_t)(test_uniform(seed) * (double)k->n)].mean += 100 + 200 * test_uniform(seed);
	return c;
}

static bool
covers(const struct knees *found, double a, double b)
{
	return found->knee[0].low <= a && a <= found->knee[0].high &&
		(found->n < 2 || (found->knee[1].low <= b && b <= found->knee[1].high));
}

static void
finds_what_is_there(void)
{
	static const struct kind row[] = {
		{"flat, exact", FLAT, 60, 0, 0, 0, 0},
		{"flat", FLAT, 60, 2, 0, 1, 0},
		{"flat, noisy", FLAT, 240, 20, 0, 2, 0},
		{"flat, with spikes", FLAT, 100, 1, 3, 0, 0},
		{"slope", SLOPE, 100, 1, 0, 0, 0},
		{"parabola", PARABOLA, 100, 0.3, 0, 0, 0},
		{"step, exact", STEP, 60, 0, 0, 0, 0},
		{"step", STEP, 60, 2, 0, 1, 2},
		{"step, noisy", STEP, 240, 8, 0, 3, 8},
		{"step, with spikes", STEP, 100, 2, 3, 12, 4},
		{"step down", STEP_DOWN, 60, 2, 0, 0, 2},
		{"ramp of six points", RAMP, 240, 1, 0, 0, 0},
		{"two steps", TWO_STEPS, 120, 2, 0, 0, 2},
		{"bend", BEND, 60, 2, 0, 0, 4},
	};
	unsigned rounds = test_rounds(250, 2000);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned missed = 0, uncovered = 0;
		uint64_t seed = 11 + i;

		for (unsigned k = 0; k < rounds; k++) {
			double n = (double)row[i].n, a = floor(n * (0.2 + 0.25 * test_uniform(&seed)));
			double b = floor(n * (0.65 + 0.2 * test_uniform(&seed)));
			struct curve c = make(&row[i], a, b, &seed);
			struct knees *found = knees_find(&c);

			if (found->n != knees_of(row[i].shape))
				missed++;
			else if (found->n > 0)
				uncovered += !covers(found, a, b);
			knees_free(found);
			curve_free(&c);
		}
		test_label("%s: wrong number %u, outside its interval %u, of %u", row[i].name, missed, uncovered,
			rounds);
		CHECK(missed * 1000 <= row[i].missed * rounds);
		CHECK(uncovered * 1000 <= row[i].uncovered * rounds);
	}
}

/* What disturbs curves of real machines: odd and even points on levels of their own, and interrupts, which leave the
 * minimum alone. */
struct disturbance {
	struct kind kind;
	double zigzag;   /* between odd and even points */
	double bursts;   /* share of the points that begin one, of one or two points */
	bool only_means; /* no minimum tells which points are disturbed */
};

static struct curve
make_disturbed(const struct disturbance *d, double a, double b, uint64_t *seed)
{
	struct curve c = make(&d->kind, a, b, seed);
	double last = 0;

	c.means_of_all = true;
	for (size_t i = 0; i < c.n; i++) {
		struct curve_point *p = &c.point[i];
		double burst = test_uniform(seed) < d->bursts ? 5 + 150 * test_uniform(seed) : 0;

		p->mean += i % 2 ? d->zigzag : 0;
		p->min = p->mean;
		p->mean += burst + last;
		last = test_uniform(seed) < 0.4 ? burst / 2 : 0;
		if (d->only_means)
			p->min = p->mean;
	}
	return c;
}

static void
finds_what_is_disturbed(void)
{
	static const struct disturbance row[] = {
		{{"zig-zag without a knee", FLAT, 240, 0.5, 0, 0, 0}, 20, 0, false},
		{{"zig-zag", STEP, 240, 0.5, 0, 0, 0}, 20, 0, false},
		{{"zig-zag of few points", STEP, 24, 0.3, 0, 4, 0}, 12, 0, false},
		{{"interrupts without a knee", FLAT, 240, 0.5, 0, 0, 0}, 0, 0.1, false},
		{{"interrupts", STEP, 240, 0.5, 0, 1, 0}, 0, 0.1, false},
		{{"interrupts, means only", STEP, 240, 0.5, 0, 20, 50}, 0, 0.05, true},
		{{"long ramp", LONG_RAMP, 240, 0.5, 0, 0, 30}, 0, 0, false},
		{{"long ramp that rises little", LOW_RAMP, 240, 0.1, 0, 0, 8}, 0, 0, false},
		{{"ramp with a gentle foot", GENTLE_RAMP, 240, 0.2, 0, 0, 8}, 0, 0, false},
	};
	unsigned rounds = test_rounds(250, 2000);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct kind *k = &row[i].kind;
		unsigned missed = 0, uncovered = 0;
		uint64_t seed = 101 + i;

		for (unsigned round = 0; round < rounds; round++) {
			double a = floor((double)k->n * (0.25 + 0.4 * test_uniform(&seed)));
			struct curve c = make_disturbed(&row[i], a, 0, &seed);
			struct knees *found = knees_find(&c);

			if (found->n != knees_of(k->shape))
				missed++;
			else if (found->n > 0)
				uncovered += !covers(found, a, 0);
			knees_free(found);
			curve_free(&c);
		}
		test_label("%s: wrong number %u, outside its interval %u, of %u", k->name, missed, uncovered, rounds);
		CHECK(missed * 1000 <= k->missed * rounds);
		CHECK(uncovered * 1000 <= k->uncovered * rounds);
	}
}

/* The minimum of a pair is the least time of one fill less the largest of the other, so an interrupt lowers it, and the
 * mean of native times leaves disturbed ones out: only means of all repetitions need the minimum. */
static void
low_minima_change_nothing(void)
{
	static const struct kind step = {.shape = STEP, .n = 100, .noise = 1};

	for (uint64_t seed = 1; seed <= 50; seed++) {
		uint64_t s = seed;
		struct curve c = make(&step, 50, 0, &s);
		struct knees *clean = knees_find(&c), *k;

		for (size_t i = seed % 5; i < c.n; i += 5)
			c.point[i].min -= 100;
		k = knees_find(&c);
		test_label("seed %u", (unsigned)seed);
		if (CHECK_INT(k->n, 1) && CHECK_INT(clean->n, 1)) {
			CHECK_NEAR(k->knee[0].x, clean->knee[0].x, 0);
			CHECK_NEAR(k->knee[0].after, clean->knee[0].after, 0);
		}
		knees_free(clean);
		knees_free(k);
		curve_free(&c);
	}
}

/* The unit of a curve changes its numbers, not its knees. */
static void
units_do_not_matter(void)
{
	static const struct kind step = {.shape = STEP, .n = 48};
	static const double unit[] = {1e-300, 1e-9, 1e18, 1e300};

	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
		uint64_t seed = 1;
		struct curve c = make(&step, 24, 0, &seed);
		struct knees *k;

		for (size_t j = 0; j < c.n; j++)
			c.point[j].min = c.point[j].max = c.point[j].mean *= unit[i];
		k = knees_find(&c);
		test_label("unit %g", unit[i]);
		if (CHECK_INT(k->n, 1)) {
			CHECK_NEAR(k->knee[0].x, 24, 0);
			CHECK_NEAR(k->knee[0].after / unit[i], 150, 1e-9);
		}
		knees_free(k);
		curve_free(&c);
	}
}

/* A point at the end that is off, as what is measured first may be, changes no point of an exact slope. */
static void
slopes_stay_exact(void)
{
	for (double first = -60; first <= 150; first += 2) {
		struct curve c = {0};
		struct knees *k;

		for (double x = 32; x <= 512; x += 16)
			add(&c, x, x);
		c.point[0].min = c.point[0].mean = c.point[0].max = first;
		k = knees_find(&c);
		test_label("the first point is %g", first);
		CHECK_INT(k->n, 0);
		if (CHECK_INT(k->n_trends, 1))
			CHECK_NEAR(k->trend[0].slope, 1, 0.01);
		knees_free(k);
		curve_free(&c);
	}
}

/* Steps between points that double, with a point between: the slope is no zig-zag. */
static void
uneven_points_have_no_parity(void)
{
	struct curve c = {0};
	struct knees *k;

	for (double x = 32; x < 100000; x *= 2) {
		add(&c, x, 5 + 3 * x);
		add(&c, 1.5 * x, 5 + 4.5 * x);
	}
	k = knees_find(&c);
	CHECK_INT(k->n, 0);
	if (CHECK_INT(k->n_trends, 1)) {
		CHECK_NEAR(k->trend[0].slope, 3, 1e-9);
		CHECK_NEAR(k->trend[0].a, 5, 1e-6);
	}
	knees_free(k);
	curve_free(&c);
}

/* A clean step says how many fit, and what they cost. */
static void
reports_what_fits(void)
{
	static const struct kind step = {.shape = STEP, .n = 48};
	uint64_t seed = 1;
	struct curve c = make(&step, 24, 0, &seed);
	struct knees *k = knees_find(&c);

	if (CHECK_INT(k->n, 1)) {
		CHECK_NEAR(k->knee[0].x, 24, 0);
		CHECK_NEAR(k->knee[0].low, 24, 0);
		CHECK_NEAR(k->knee[0].high, 25, 0);
		CHECK_NEAR(k->knee[0].before, 100, 1e-9);
		CHECK_NEAR(k->knee[0].after, 150, 1e-9);
		CHECK_INT(k->n_trends, 2);
	}
	knees_free(k);
	curve_free(&c);
}

static void
few_points_show_nothing(void)
{
	for (size_t n = 0; n <= KNEE_FEWEST; n++) {
		struct kind step = {.shape = STEP, .n = n};
		uint64_t seed = 1;
		struct curve c = make(&step, 4, 0, &seed);
		struct knees *k = knees_find(&c);

		test_label("%zu points", n);
		CHECK_INT(k->few, n < KNEE_FEWEST);
		CHECK_INT(k->n, n == KNEE_FEWEST);
		knees_free(k);
		curve_free(&c);
	}
}

/* Stairs at the end, too few for trends: a TLB and a cache that are full at 1 MiB, in doublings of four steps. The
 * first trend has all points that are on it. */
static void
stairs_begin_after_the_trend(void)
{
	static const double stairs[] = {4.308, 20.431, 20.721, 23.253, 23.341};
	struct curve c = {0};
	struct knees *k;

	for (size_t i = 0; i < 29; i++)
		add(&c, (double)((4 + i % 4) << i / 4), i < 24 ? 4 : stairs[i - 24]);
	k = knees_find(&c);
	CHECK_INT(k->n, 0);
	if (CHECK_INT(k->n_trends, 1)) {
		CHECK_NEAR(k->trend[0].last, 224, 0);
		CHECK_NEAR(k->rest_x, 256, 0);
	}
	knees_free(k);
	curve_free(&c);
}

/* Points in any order, and several at the same x. */
static void
sorts_and_joins(void)
{
	static const struct curve_point point[] = {{3, 1, 2, 3}, {1, 5, 6, 7}, {3, 0, 4, 9}, {2, 1, 1, 1}};
	struct curve c = {0};

	for (size_t i = 0; i < 4; i++)
		curve_add(&c, &point[i]);
	curve_sort(&c);
	if (CHECK_INT(c.n, 3)) {
		CHECK_NEAR(c.point[0].x, 1, 0);
		CHECK_NEAR(c.point[2].min, 0, 0);
		CHECK_NEAR(c.point[2].mean, 3, 0);
		CHECK_NEAR(c.point[2].max, 9, 0);
	}
	curve_free(&c);
}

TEST_MAIN(CASE(finds_what_is_there), CASE(finds_what_is_disturbed), CASE(low_minima_change_nothing),
	CASE(units_do_not_matter), CASE(reports_what_fits), CASE(slopes_stay_exact), CASE(uneven_points_have_no_parity),
	CASE(few_points_show_nothing), CASE(stairs_begin_after_the_trend), CASE(sorts_and_joins))
