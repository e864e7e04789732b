/* Means with their spread instead of runs: false answers are rare, the interval is Welch's test turned around, and what
 * is not stated is not guessed. Page faults that must add up. */
#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "mutate.h"
#include "rivals.h"
#include "test.h"
#include "work/diff/measure.h"
#include "work/diff/sides.h"

enum { MOST = 16 };
static const struct diff_rule rule = {.confidence = 0.99, .threshold = 1e-9};

struct made {
	double run[2][MOST];
	size_t n;
};

static void
make_runs(struct made *m, size_t n, double ratio, double spread, uint64_t *seed)
{
	m->n = n;
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < n; i++)
			m->run[k][i] = 1000 * (k ? ratio : 1) * (1 + spread * test_normal(seed));
}

/* As perf stat -r states it: the share has two decimals, half of whose last digit the reader adds. As the robot does:
 * the deviation is cut to whole per cents, is left out up to 2 %, and the reader takes the most that it may be. */
static struct diff_stated
state_runs(const double *run, size_t n, bool robot)
{
	double sum = 0, square = 0, share;
	struct diff_stated s = {.runs = n, .of_runs = robot, .grain = robot ? 1 : 0.5};

	for (size_t i = 0; i < n; i++)
		sum += run[i];
	for (size_t i = 0; i < n; i++)
		square += pow(run[i] - sum / (double)n, 2);
	s.mean = robot ? floor(sum / (double)n) : round(sum / (double)n);
	share = sqrt(square / (double)(robot ? n : n - 1)) / (sum / (double)n);
	if (robot)
		share = share > 0.02 ? floor(100 * share) / 100 + 0.01 : 0.02;
	else
		share = round(1e4 * share / sqrt((double)n)) / 1e4 + 0.00005;
	s.spread = share * s.mean;
	return s;
}

static struct diff_found
judge(const struct diff_stated stated[2], const struct diff_rule *how)
{
	struct diff_stated own[2] = {stated[0], stated[1]};
	unsigned char is_b[] = {0, 1};
	double value[] = {stated[0].mean, stated[1].mean};
	struct diff_quantity quantity = {.name = "x", .unit = "", .value = value, .stated = own};
	struct diff_table table = {.n_runs = 2, .is_b = is_b, .quantity = &quantity, .n = 1};
	struct diff_report report;
	struct diff_found found;

	diff_judge_recorded(&table, how, &report);
	found = report.found[0];
	diff_report_clear(&report);
	return found;
}

static void
true_ratio_is_kept(void)
{
	static const size_t counts[] = {3, 5, 10};
	unsigned rounds = test_rounds(1000, 10000);
	uint64_t seed = 71;

	for (int robot = 0; robot < 2; robot++)
		for (size_t c = 0; c < 3; c++)
			for (double ratio = 1; ratio < 1.2; ratio += 0.1) {
				unsigned missed = 0;

				for (unsigned r = 0; r < rounds; r++) {
					struct made m;
					struct diff_stated stated[2];
					struct diff_found f;

					make_runs(&m, counts[c], ratio, 0.03, &seed);
					for (int k = 0; k < 2; k++)
						stated[k] = state_runs(m.run[k], m.n, robot);
					f = judge(stated, &rule);
					missed += f.low > ratio - 1 || f.high < ratio - 1;
				}
				test_label("%s, %zu runs, ratio %.1f: %u of %u", robot ? "robot" : "perf", counts[c],
					ratio, missed, rounds);
				CHECK(missed <= rounds / 100.0 + 3.1 * sqrt(rounds / 100.0));
			}
}

/* Unrounded, the interval contains 1 where Welch's test of the runs has a chance above 1 %. */
static void
answer_is_that_of_welch(void)
{
	uint64_t seed = 72;
	unsigned differ = 0;

	for (unsigned r = 0; r < 400; r++) {
		struct made m;
		struct diff_stated stated[2];
		struct diff_found f;
		bool refuted;

		make_runs(&m, 3 + r % 8, 1.05, 0.03, &seed);
		for (int k = 0; k < 2; k++) {
			double sum = 0, square = 0;

			for (size_t i = 0; i < m.n; i++)
				sum += m.run[k][i];
			stated[k] = (struct diff_stated){.mean = sum / (double)m.n, .runs = m.n};
			for (size_t i = 0; i < m.n; i++)
				square += pow(m.run[k][i] - stated[k].mean, 2);
			stated[k].spread = sqrt(square / (double)(m.n - 1) / (double)m.n);
		}
		f = judge(stated, &rule);
		refuted = rival_welch(m.run[0], m.n, m.run[1], m.n) < 0.01;
		differ += refuted;
		test_label("round %u", r);
		CHECK((f.answer == DIFF_MORE || f.answer == DIFF_LESS) == refuted);
	}
	test_label("%u differ", differ);
	CHECK(differ > 50 && differ < 350); /* both answers occur */
}

/* Without the number of runs nothing is decided; the number from which on it would be is the least one. */
static void
unknown_runs_decide_nothing(void)
{
	struct diff_stated stated[2] = {{.mean = 1000, .spread = 30, .grain = 0.5, .of_runs = true},
		{.mean = 1100, .spread = 30, .grain = 0.5, .of_runs = true}};
	struct diff_found f = judge(stated, &rule);

	CHECK_INT(f.answer, DIFF_UNDECIDED);
	CHECK(isinf(f.low) && isinf(f.high));
	CHECK_INT(f.if_known, DIFF_MORE);
	CHECK(f.fewest_runs > 2);
	for (size_t n = f.fewest_runs - 1; n <= f.fewest_runs; n++) {
		stated[0].runs = stated[1].runs = n;
		CHECK_INT(judge(stated, &rule).answer, n < f.fewest_runs ? DIFF_UNDECIDED : DIFF_MORE);
	}
	stated[0].runs = stated[1].runs = 0;
	stated[0].spread = NAN; /* not stated at all */
	CHECK_INT(judge(stated, &rule).fewest_runs, 0);
	stated[0] = (struct diff_stated){.mean = 1000, .spread = 0, .runs = 1};
	stated[1] = (struct diff_stated){.mean = 1100, .spread = 1, .runs = 9};
	CHECK_INT(judge(stated, &rule).answer, DIFF_UNDECIDED); /* one run has no spread */
}

static void
odd_means(void)
{
	const struct diff_rule one = {.confidence = 0.99, .threshold = 0.01};
	struct diff_stated stated[2] = {{.mean = 0, .spread = 0, .runs = 5}, {.mean = 0, .spread = 0, .runs = 5}};

	CHECK_INT(judge(stated, &one).answer, DIFF_EQUAL); /* 0 and 0 */
	stated[1] = (struct diff_stated){.mean = 8, .spread = 0.5, .grain = 0.5, .runs = 5};
	CHECK_INT(judge(stated, &one).answer, DIFF_MORE);
	CHECK(judge(stated, &one).absolute);
	stated[0] = (struct diff_stated){.mean = 1, .spread = 3, .runs = 5}; /* A may be 0: any ratio */
	CHECK(isinf(judge(stated, &one).high));
	stated[0] = (struct diff_stated){.mean = -100, .spread = 1, .runs = 5};
	stated[1] = (struct diff_stated){.mean = -200, .spread = 1, .runs = 5};
	CHECK_INT(judge(stated, &one).answer, DIFF_LESS);
	CHECK_NEAR(judge(stated, &one).estimate, -1, 1e-12);
	stated[0] = (struct diff_stated){.mean = 1e6, .spread = 100, .runs = 20};
	stated[1] = (struct diff_stated){.mean = 1.0005e6, .spread = 100, .runs = 20};
	CHECK_INT(judge(stated, &one).answer, DIFF_MORE);
	stated[1].spread = 300;
	CHECK_INT(judge(stated, &one).answer, DIFF_EQUAL);
	CHECK(judge(stated, &one).within < 0.002);
}

static void
faults_add_up(void)
{
	double all[] = {100, 101, 102, 103}, minor[] = {98, 98, 101, 102}, major[] = {2, 2, 1, 1};
	unsigned char is_b[] = {0, 1, 1, 0};
	struct diff_stated stated[3][2] = {
		{{.grain = 1}, {.grain = 1}}, {{.grain = 0.5}, {.grain = 0.5}}, {{.grain = 0}, {.grain = 0}}};
	struct diff_quantity quantity[] = {{.name = "ps.page-faults:u", .unit = "", .value = all},
		{.name = "ps.minor-faults:u", .unit = "", .value = minor},
		{.name = "ps.major-faults:u", .unit = "", .value = major},
		{.name = "page-faults", .unit = "", .value = all},
		{.name = "minor-faults:u", .unit = "", .value = minor}};
	struct diff_table table = {.n_runs = 4, .is_b = is_b, .quantity = quantity, .n = 5};
	struct diff_faults f;

	CHECK(diff_faults_add_up(&table, 0, &f));
	CHECK_INT(f.checked, 4);
	CHECK_INT(f.differ[0], 0);
	CHECK_INT(f.differ[1], 1);
	CHECK(f.least == 0 && f.most == 1 && f.major == 2);
	CHECK(!diff_faults_add_up(&table, 1, &f)); /* no page faults */
	CHECK(!diff_faults_add_up(&table, 3, &f)); /* minor faults of user code are others */
	all[1] = NAN;
	CHECK(diff_faults_add_up(&table, 0, &f));
	CHECK(f.checked == 3 && f.differ[1] == 0);
	table.n = 2;
	CHECK(diff_faults_add_up(&table, 0, &f));
	CHECK(f.major == SIZE_MAX && f.differ[0] == 2 && f.most == 2);
	table.n_runs = 2;
	all[1] = 99;
	for (size_t i = 0; i < 3; i++)
		quantity[i].stated = stated[i];
	CHECK(diff_faults_add_up(&table, 0, &f));
	CHECK(f.differ[0] == 1 && f.differ[1] == 0); /* a difference of 2 and of 1, rounded by up to 1.5 */
}

static const char robot[] =
	"-1.5% regression of ops on:\n 11 22\n---------------- -----------------\n"
	"       fail:runs  %reproduction    fail:runs\n          1:4          -25%            :4     dmesg\n"
	"         %stddev     %change         %stddev     %change         %stddev\n"
	"     20000 \302\261147%    +200.0%      60000 \302\261 84%    +200.0%      60000 \302\261 84%  loose\n"
	"     25.00            -5.0       20.00            -5.0       20.00        share%\n"
	" 8.000e+09           -11.2%  7.104e+09           -11.2%  7.104e+09        ps.page-faults\n"
	"| a | 1,234 \302\261 0.4% | 1,300 ( +- 0.4% ) | +5% |\n";

/* Damaged tables are means or none, and what is judged of them is finite or unknown. */
static void
damaged_tables(void)
{
	static const char *const piece[] = {"\302\261", "%", "+-", "(", "|", "%stddev", "%change", "-------- ------",
		"fail:runs", "\n", "1e999", "-", "99999999999999999999", ":", "1:", "\t", "> ", "regression of "};
	unsigned rounds = test_rounds(3000, 60000), tables = 0;
	uint64_t seed = 73;

	for (unsigned r = 0; r < rounds; r++) {
		size_t n;
		char *text = mutate(robot, sizeof robot - 1, piece, sizeof piece / sizeof *piece, 60, &seed, &n);
		struct side side[2] = {{0}};
		struct recorded_diff notes = {0};
		struct err e = {0};

		test_label("round %u", r);
		tables += published_take("made", text, side, &notes, &e);
		CHECK_INT(side[0].n, side[1].n);
		for (size_t i = 0; i < side[0].n && i < side[1].n; i++) {
			struct diff_stated stated[2] = {side[0].part[i].stated, side[1].part[i].stated};
			struct diff_found f = judge(stated, &rule);

			CHECK(!isnan(f.low) && !isnan(f.high) && f.low <= f.high);
		}
		side_clear(&side[0]);
		side_clear(&side[1]);
		recorded_diff_clear(&notes);
		free(text);
	}
	test_label("%u of %u", tables, rounds);
	CHECK(tables > rounds / 2);
}

TEST_MAIN(CASE(damaged_tables), CASE(true_ratio_is_kept), CASE(answer_is_that_of_welch),
	CASE(unknown_runs_decide_nothing), CASE(odd_means), CASE(faults_add_up))
