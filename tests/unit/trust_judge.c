/* The judgement of runs: slopes on made data, terms that were planted, and none invented. */
#include "core/trust/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/runs.h"
#include "core/trust/slope.h"
#include "tests/lib/test.h"

#define RUNS 10

static void
slopes(void)
{
	/* what remains is exactly 0; x without spread; two runs; one outlier of x; noise alone */
	static const struct {
		const char *name;
		double x[6], y[6];
		size_t n;
		bool known;
		double slope, within; /* the interval lies within this of the slope, and contains it */
	} row[] = {
		{"exact", {1, 2, 3, 4, 5, 9}, {11, 12, 13, 14, 15, 19}, 6, true, 1, 0.6},
		{"no spread of x", {4, 4, 4, 4, 4, 4}, {1, 2, 3, 4, 5, 6}, 6, false, 0, 0},
		{"two runs", {1, 2}, {1, 2}, 2, false, 0, 0},
		{"three runs", {1, 2, 300}, {1, 2, 300}, 3, true, 1, 0.2},
		{"slope 0", {1, 20, 3, 40, 5, 60}, {7, 7, 7, 7, 7, 7}, 6, true, 0, 0.1},
	};
	static const size_t test[6];

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct trust_slope s = trust_slope_fit(row[i].x, NULL, row[i].y, test, row[i].n, 1);

		test_label("%s", row[i].name);
		CHECK_INT(s.known, row[i].known);
		CHECK_NEAR(s.slope, row[i].slope, 1e-9);
		CHECK(s.low <= s.slope && s.slope <= s.high);
		CHECK(s.slope - s.low <= row[i].within && s.high - s.slope <= row[i].within);
	}
}

static void
slope_with_outlier(void)
{
	double x[30], y[30];
	size_t test[30];
	uint64_t seed = 7;
	struct trust_slope s;

	for (size_t i = 0; i < 30; i++) {
		test[i] = i / 10;
		x[i] = floor(1000 * test_uniform(&seed));
		y[i] = 1e9 * (double)test[i] + x[i] + floor(3 * test_uniform(&seed));
	}
	x[4] += 90000; /* one reading that is far off */
	s = trust_slope_fit(x, NULL, y, test, 30, 3);
	CHECK_NEAR(s.slope, 1, 0.01);
	CHECK(s.low <= 1 && 1 <= s.high);
	CHECK(s.share > 0.9);
}

/* Half of the points off by anything less than a quarter: the pairs still agree. */
static void
slope_of_pairs(void)
{
	double x[40], y[40];
	uint64_t seed = 3;
	struct trust_slope s;

	for (size_t i = 0; i < 40; i++) {
		x[i] = 100 * (double)i;
		y[i] = 2 * x[i] + test_normal(&seed) + (i % 5 == 0 ? 1e8 * test_uniform(&seed) : 0);
	}
	s = trust_slope_of_pairs(x, y, 40);
	CHECK(s.known);
	CHECK_NEAR(s.slope, 2, 0.05);
	CHECK(s.low <= 2 && 2 <= s.high);
	CHECK(!trust_slope_of_pairs(x, y, 2).known);
}

/* With the other sign the interval is the same one, mirrored: it leaves out as many slopes at each end. */
static void
slope_of_pairs_is_even(void)
{
	double x[12], y[12], other[12];
	uint64_t seed = 5;
	struct trust_slope s, t;

	for (size_t n = 6; n <= 12; n++) {
		for (size_t i = 0; i < n; i++) {
			x[i] = (double)i;
			y[i] = 3 * x[i] + 10 * test_normal(&seed);
			other[i] = -y[i];
		}
		s = trust_slope_of_pairs(x, y, n);
		t = trust_slope_of_pairs(x, other, n);
		test_label("%zu points", n);
		CHECK_NEAR(t.slope, -s.slope, 1e-12);
		CHECK_NEAR(t.low, -s.high, 1e-12);
		CHECK_NEAR(t.high, -s.low, 1e-12);
	}
}

struct plant {
	double interrupts, faults, constant, noise;
};

/* Runs of one event: so many counts for each interrupt and fault, a constant, and noise. */
static void
add_event(struct trust_runs *runs, const char *event, const char *test, double expected, const struct plant *p,
	uint64_t *seed)
{
	struct trust_group *g = trust_runs_group(runs, "made", event, test);

	g->expected = expected;
	for (int i = 0; i < RUNS; i++) {
		double h = 400 + floor(40 * test_uniform(seed));
		struct trust_run run = trust_run_of(expected + p->interrupts * h + p->faults + p->constant +
			floor(p->noise * test_uniform(seed)));

		run.beside[TRUST_BESIDE_INTERRUPTS] = h;
		trust_group_add(g, &run);
	}
}

static const struct trust_part *
part_of(const struct trust_judged *r, const char *by)
{
	for (size_t i = 0; i < r->n_parts; i++)
		if (str_eq(r->part[i].by, by))
			return &r->part[i];
	return NULL;
}

/* Random plants in three events: all are found, and no others. */
static void
plants(void)
{
	uint64_t seed = 11;

	for (int round = 0; round < 50; round++) {
		static const char *const event[] = {"instructions", "branches", "stores"};
		struct trust_runs runs = {0};
		struct trust_judgement *j;
		struct plant p[3];
		double faults = 500 + floor(3000 * test_uniform(&seed));

		test_label("round %d", round);
		for (int i = 0; i < 3; i++) {
			/* one event counts no interrupts, one is sure to count what it should */
			bool h = i < 2 || test_uniform(&seed) < 0.5;
			double rounds = floor(5 * test_uniform(&seed)) - 2;

			p[i] = (struct plant){.interrupts = h, .faults = h ? faults : 0,
				.constant = i == 1 ? 0 : rounds * 100000};
			add_event(&runs, event[i], "all", 1e8 * (i + 1), &p[i], &seed);
		}
		j = trust_judge(&runs, NULL, NULL);
		for (int i = 0; i < 3; i++) {
			trust_letters want = (p[i].interrupts > 0 ? TRUST_BIT(INTERRUPTS) | TRUST_BIT(FAULTS) : 0) |
				(p[i].constant > 0 ? TRUST_BIT(OVERCOUNT) : 0) |
				(p[i].constant < 0 ? TRUST_BIT(MISSED) : 0);
			const struct trust_part *part;

			CHECK_INT(j->group[i].letters, want);
			CHECK_NEAR(j->group[i].adjusted, runs.group[i].expected, 1);
			CHECK_INT(j->group[i].adjusted_spread, 0);
			part = part_of(&j->group[i], "page-faults");
			CHECK_NEAR(part ? part->slope : 0, p[i].faults, 1);
		}
		trust_judgement_free(j);
		trust_runs_free(&runs);
	}
}

/* Noise alone, of any size, is noise: no cause is invented. */
static void
noise(void)
{
	uint64_t seed = 5;

	for (int round = 0; round < 50; round++) {
		struct trust_runs runs = {0};
		struct trust_judgement *j;
		struct plant p = {.noise = pow(10, 1 + 4 * test_uniform(&seed))};

		test_label("round %d, noise %.0f", round, p.noise);
		add_event(&runs, "instructions", "all", 1e8, &p, &seed);
		add_event(&runs, "instructions", "part", 2e7, &p, &seed);
		j = trust_judge(&runs, NULL, NULL);
		for (int i = 0; i < 2; i++) {
			CHECK_INT(j->group[i].letters & (TRUST_BIT(INTERRUPTS) | TRUST_BIT(FAULTS)), 0);
			CHECK(j->group[i].letters & TRUST_BIT(NOISE));
			CHECK_INT(j->group[i].verdict, TRUST_NOISY);
		}
		trust_judgement_free(j);
		trust_runs_free(&runs);
	}
}

/* An offset that only one event shows, and that is no round number, is never subtracted. */
static void
no_fitting_of_offsets(void)
{
	struct trust_runs runs = {0};
	struct trust_judgement *j;
	struct plant p = {.interrupts = 1, .constant = 123457};
	uint64_t seed = 2;

	add_event(&runs, "instructions", "all", 1e8, &p, &seed);
	j = trust_judge(&runs, NULL, NULL);
	CHECK_NEAR(j->group[0].adjusted, 1e8 + 123457, 0.01);
	CHECK_INT(j->group[0].letters, TRUST_BIT(INTERRUPTS) | TRUST_BIT(OVERCOUNT));
	trust_judgement_free(j);
	trust_runs_free(&runs);
}

/* Page faults that were counted: how they vary shows their slope, else their level, and a level without them shows that
 * they are not counted. Runs of a program that touches 5000 pages, or up to 10 more. */
static void
counted_faults(void)
{
	static const struct {
		const char *name;
		double interrupts, faults, constant; /* for each interrupt, each fault, each run */
		bool vary;                           /* the number of faults */
		const char *letters;
		double rest;                         /* of the adjusted count */
	} row[] = {
		{"they vary", 0, 3, 0, true, "p", 0},
		{"they vary, next to interrupts", 1, 2, 0, true, "hp", 0},
		{"they vary, next to a constant", 1, 1, 70000, true, "hpD", 70000},
		{"they vary, and are not counted", 1, 0, 0, true, "h", 0},
		{"a constant that their variation denies", 0, 0, 5005, true, "D", 5005},
		{"level", 0, 2, 0, false, "p", 0},
		{"level, next to interrupts", 1, 1, 0, false, "hp", 0},
		{"level without them", 1, 0, 0, false, "h", 0},
		{"no whole number of them", 0, 0, 12345, false, "D", 12345},
		{"more of them than one event can count", 0, 0, 50000, false, "D", 50000},
	};
	uint64_t seed = 17;

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct trust_runs runs = {0};
		struct trust_group *g = trust_runs_group(&runs, "made", "instructions", "all");
		struct trust_judgement *j;
		struct str letters = {0};

		test_label("%s", row[i].name);
		g->expected = 1e8;
		for (int k = 0; k < RUNS; k++) {
			double h = 400 + floor(40 * test_uniform(&seed));
			double f = 5000 + (row[i].vary ? floor(11 * test_uniform(&seed)) : 0);
			struct trust_run run = trust_run_of(
				1e8 + row[i].interrupts * h + row[i].faults * f + row[i].constant);

			run.beside[TRUST_BESIDE_INTERRUPTS] = h;
			run.beside[TRUST_BESIDE_FAULTS] = f;
			trust_group_add(g, &run);
		}
		j = trust_judge(&runs, NULL, NULL);
		trust_letters_print(j->group[0].letters, &letters);
		CHECK_STR(str_text(&letters), row[i].letters);
		CHECK_NEAR(j->group[0].adjusted, 1e8 + row[i].rest, 1);
		CHECK_INT(j->group[0].adjusted_spread, 0);
		str_free(&letters);
		trust_judgement_free(j);
		trust_runs_free(&runs);
	}
}

/* An event of a machine in one test: what is planted, and how its interrupts are counted. */
struct made {
	const char *machine, *event;
	double expected, interrupts, faults, constant; /* interrupts: counts for each; the others for each run */
	double noise, vary;        /* ranges of the count and of the number of interrupts */
	bool among;                /* the counter of interrupts counts the 10 021 page faults, too */
	double all_cpus;           /* interrupts of all CPUs; 0: not recorded */
	double disturbed;          /* added to one run */
	const char *letters;       /* those that must be found; "": none */
	const char *never;         /* those that must not be found */
};

static void
add_made(struct trust_runs *runs, const struct made *m, uint64_t *seed)
{
	struct trust_group *g = trust_runs_group(runs, m->machine, m->event, "all");

	g->expected = m->expected;
	for (int i = 0; i < RUNS; i++) {
		double h = 400 + floor((m->vary + 1) * test_uniform(seed));
		struct trust_run run = trust_run_of(m->expected + m->interrupts * h + m->faults + m->constant +
			floor(m->noise * test_uniform(seed)) + (i == 3 ? m->disturbed : 0));

		run.beside[TRUST_BESIDE_INTERRUPTS] = h + (m->among ? 10021 : 0);
		if (m->all_cpus > 0)
			run.beside[TRUST_BESIDE_ALL_INTERRUPTS] = m->all_cpus;
		trust_group_add(g, &run);
	}
}

/* Judges rows together, and compares letters. The caller frees both. */
static struct trust_judgement *
judge_made(const struct made *m, size_t n, struct trust_runs *runs)
{
	struct trust_judgement *j;
	uint64_t seed = 3;

	*runs = (struct trust_runs){0};
	for (size_t i = 0; i < n; i++)
		add_made(runs, &m[i], &seed);
	j = trust_judge(runs, NULL, NULL);
	for (size_t i = 0; i < n; i++) {
		struct str found = {0};

		test_label("%s %s", m[i].machine, m[i].event);
		trust_letters_print(j->group[i].letters, &found);
		if (m[i].never)
			CHECK_INT(strcspn(str_text(&found), m[i].never), found.n);
		for (const char *l = m[i].letters; *l; l++)
			test_check(strchr(str_text(&found), *l) != NULL, __FILE__, __LINE__, "%c is not in %s", *l,
				str_text(&found));
		if (!m[i].never)
			CHECK_STR(str_text(&found), m[i].letters);
		str_free(&found);
	}
	return j;
}

/* Where an event's interrupts hardly vary, another one's slope shows that both count the same faults. */
static void
a_slope_that_is_open(void)
{
	static const struct made row[] = {
		{"a", "instructions", 1e8, .interrupts = 1, .faults = 1234, .vary = 40, .letters = "hp"},
		{"a", "branches", 1e7, .interrupts = 1, .faults = 1234, .vary = 2, .noise = 4, .letters = "hp"},
		{"a", "stores", 2e7, .noise = 4, .vary = 2, .letters = "n"},
	};
	struct trust_runs runs;

	trust_judgement_free(judge_made(row, sizeof row / sizeof *row, &runs));
	trust_runs_free(&runs);
}

/* Starting a program adds a few faults, not the same on each machine. The machine's own number tells a constant of
 * −300 000 with 10 009 faults from one of −290 000 without. */
static void
faults_of_the_machine(void)
{
	static const struct made row[] = {
		{"a", "instructions", 1e8, .interrupts = 1, .faults = 10021, .vary = 40, .letters = "hp"},
		{"a", "branches", 1e7, .interrupts = 1, .faults = 10021, .vary = 40, .letters = "hp"},
		{"b", "instructions", 1e8, .interrupts = 1, .faults = 10023, .vary = 40, .letters = "hp"},
		{"b", "branches", 1e7, .interrupts = 1, .faults = 10023, .vary = 40, .letters = "hp"},
		{"c", "instructions", 1e8, .interrupts = 1, .faults = 10009, .vary = 40, .letters = "hp"},
		{"c", "branches", 1e7, .interrupts = 1, .faults = 10009, .vary = 40, .letters = "hp"},
		{"c", "loads", 5e7, .interrupts = 1, .faults = 10009, .constant = -300000, .vary = 40,
			.letters = "hpM"},
	};
	struct trust_runs runs;

	trust_judgement_free(judge_made(row, sizeof row / sizeof *row, &runs));
	trust_runs_free(&runs);
}

/* A counter of interrupts that counts page faults, too: next to other machines, which show their number, and alone. */
static void
faults_among_interrupts(void)
{
	static const struct made row[] = {
		{"a", "instructions", 1e8, .interrupts = 1, .faults = 10021, .vary = 40, .letters = "hp"},
		{"a", "branches", 1e7, .interrupts = 1, .faults = 10021, .vary = 40, .letters = "hp"},
		{"b", "instructions", 1e8, .interrupts = 1, .faults = 10021, .vary = 40, .letters = "hp"},
		{"b", "branches", 1e7, .interrupts = 1, .faults = 10021, .vary = 40, .letters = "hp"},
		{"c", "branches", 1e7, .interrupts = 1, .faults = 10021, .vary = 40, .among = true, .all_cpus = 1500,
			.letters = "hp"},
		{"c", "instructions", 1e8, .interrupts = 1, .faults = 10021, .constant = 10000, .vary = 40,
			.among = true, .all_cpus = 1500, .letters = "hpD"},
		{"c", "cond_branches", 8e6, .interrupts = 1, .constant = -1370000, .vary = 40, .among = true,
			.all_cpus = 1500, .letters = "hM"},
	};
	struct trust_runs runs;
	struct trust_judgement *j = judge_made(row, sizeof row / sizeof *row, &runs);

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		CHECK_NEAR(j->group[i].adjusted, row[i].expected, 1);
	trust_judgement_free(j);
	trust_runs_free(&runs);
	trust_judgement_free(judge_made(row + 4, 1, &runs));
	trust_runs_free(&runs);
	j = judge_made(row + 6, 1, &runs);
	CHECK_INT(j->group[0].letters & TRUST_BIT(FAULTS), 0);
	trust_judgement_free(j);
	trust_runs_free(&runs);
}

/* One run of ten that something disturbed is noise, and no constant of all runs. */
static void
a_disturbed_run(void)
{
	static const struct made row[] = {
		{"a", "instructions", 1e8, .interrupts = 1, .faults = 1234, .vary = 200, .disturbed = 1000,
			.letters = "p", .never = "DM"},
		{"a", "branches", 1e7, .interrupts = 1, .faults = 1234, .vary = 200, .letters = "hp"},
		{"a", "stores", 1e7, .interrupts = 1, .faults = 1234, .constant = 400000, .vary = 200,
			.letters = "hpD"},
	};
	struct trust_runs runs;

	trust_judgement_free(judge_made(row, sizeof row / sizeof *row, &runs));
	trust_runs_free(&runs);
}

/* Less than half of what is expected, and different in each run, is another event; always the same, instructions are
 * missed. */
static void
less_than_half(void)
{
	static const struct made row[] = {
		{"a", "loads", 1e8, .constant = -7e7, .noise = 2000, .vary = 40, .letters = "!"},
		{"a", "stores", 1e8, .constant = -7e7, .vary = 40, .letters = "M"},
		{"a", "branches", 1e8, .constant = -4e7, .noise = 2000, .vary = 40, .letters = "n", .never = "!"},
	};
	struct trust_runs runs;

	trust_judgement_free(judge_made(row, sizeof row / sizeof *row, &runs));
	trust_runs_free(&runs);
}

static const struct trust_entry known = {
	.letters = TRUST_BIT(INTERRUPTS) | TRUST_BIT(FAULTS) | TRUST_BIT(EXCEPTIONS) | TRUST_BIT(LAZY_FPU)};

static const struct trust_entry *
look_up(void *ctx, const char *machine, const char *event, const char *counter)
{
	(void)ctx;
	(void)counter;
	return str_eq(machine, "made") && str_eq(event, "instructions") ? &known : NULL;
}

/* Letters that totals cannot show come from a book; letters that they could show do not. */
static void
from_a_book(void)
{
	struct trust_runs runs = {0};
	struct trust_judgement *j;
	struct plant p = {.interrupts = 0}, q = {.interrupts = 1};
	uint64_t seed = 2;

	add_event(&runs, "instructions", "all", 1e8, &p, &seed);
	add_event(&runs, "branches", "all", 1e8, &q, &seed);
	j = trust_judge(&runs, look_up, NULL);
	CHECK_INT(j->group[0].measured, 0);
	CHECK_INT(j->group[0].letters & TRUST_BIT(INTERRUPTS), 0);
	CHECK_INT(j->group[0].letters & TRUST_BIT(EXCEPTIONS), TRUST_BIT(EXCEPTIONS));
	CHECK_INT(j->group[1].letters, TRUST_BIT(INTERRUPTS));
	trust_judgement_free(j);
	trust_runs_free(&runs);
}

static void
classes(void)
{
	static const char *const row[][2] = {
		{"inst_retired", "instructions"},
		{"retired_instr", "instructions"},
		{"Instructions:u", "instructions"},
		{"branches:uk", "branches"},
		{"loads_retired", "loads"},
		{"MEM_INST_RETIRED:STORES", "mem_inst_retired:stores"},
		{"r5000c8:u", "r5000c8"},
	};

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		char *class = trust_event_class(row[i][0]);

		CHECK_STR(class, row[i][1]);
		free(class);
	}
}

/* What should not be counted at all is no multiple of anything. */
static void
expected_nothing(void)
{
	static const double count[] = {5, 5, 6, 5};
	struct trust_runs runs = {0};
	struct trust_group *g = trust_runs_group(&runs, "made", "loads", "none");
	struct trust_judgement *j;

	g->expected = 0;
	for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
		struct trust_run run = trust_run_of(count[i]);

		trust_group_add(g, &run);
	}
	j = trust_judge(&runs, NULL, NULL);
	CHECK_INT(j->group[0].letters, 0);
	CHECK_INT(j->group[0].verdict, TRUST_CONSTANT);
	CHECK(j->group[0].note == NULL);
	trust_judgement_free(j);
	trust_runs_free(&runs);
}

TEST_MAIN(CASE(slopes), CASE(slope_with_outlier), CASE(slope_of_pairs), CASE(slope_of_pairs_is_even),
	CASE(plants), CASE(noise), CASE(no_fitting_of_offsets), CASE(counted_faults), CASE(from_a_book), CASE(classes),
	CASE(a_slope_that_is_open), CASE(faults_of_the_machine), CASE(faults_among_interrupts), CASE(a_disturbed_run),
	CASE(less_than_half), CASE(expected_nothing))
