/* hecate diff against other tests, on made runs: `make bench-diff` prints what docs/diff.md sums up.
 *
 *   diff [COMPARISONS [PART]]    PART: level, pairs, equal, forecast
 *
 * hecate looks after each block of four runs, up to BLOCKS; the others after each of the first EACH blocks, then
 * whenever there are 5 % more. Other tests hold for one look; with these looks they have the same level if they ask for
 * a smaller chance. That is found on the kind of noise that needs the smallest: the group-sequential test with Pocock's
 * constant boundary (Biometrika 64, 1977), which ends after BLOCKS, while hecate's may go on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/diff/diff.h"
#include "made_runs.h"
#include "rivals.h"
#include "test.h"

#define ALPHA 0.01
#define BLOCKS 250
#define FIRST 2 /* blocks before the first look: four pairs */
#define EACH 50
#define LOOKS (EACH + 40)

enum rival { WELCH, MINISTAT, RANKS, SEQUENCE, RIVALS };
static const char *const rival_name[RIVALS] = {"Welch", "ministat", "Mann-Whitney", "sequence"};

/* --- one comparison, as all see it -------------------------------------------------------------------------------- */

/* The chance at which a confidence sequence for the mean of paired differences refutes 0, by the time-uniform central
 * limit theorem (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024, Theorem 2.2),
 * narrowest at 32 pairs. */
static double
sequence_p(const double *a, const double *b, size_t n)
{
	double mean = 0, square = 0, rho, bound;

	for (size_t i = 0; i < n; i++)
		mean += (b[i] - a[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (b[i] - a[i] - mean) * (b[i] - a[i] - mean) / (double)(n - 1);
	if (square <= 0)
		return fabs(mean) > 0 ? 0 : 1;
	rho = (-2 * log(ALPHA) + log(1 - 2 * log(ALPHA))) / 32;
	/* α at which the bound is the mean */
	bound = mean * mean / square * (double)n * (double)n * rho / (2 * ((double)n * rho + 1));
	return fmin(1, sqrt((double)n * rho + 1) * exp(-bound));
}

struct watched {
	double p[RIVALS][LOOKS]; /* at each look; 1 before FIRST */
	size_t blocks[LOOKS], n; /* after which the looks are */
	double after[RIVALS];    /* of as many runs, first all of A, then all of B */
	size_t found;            /* blocks after which hecate refuted 0; 0: never */
};

static void
rivals_ask(const double *a, const double *b, size_t n, double p[RIVALS])
{
	p[WELCH] = rival_welch(a, n, b, n);
	p[MINISTAT] = rival_ministat(a, n, b, n);
	p[RANKS] = rival_mann_whitney(a, n, b, n);
	p[SEQUENCE] = sequence_p(a, b, n);
}

static void
one_after_the_other(enum made_noise kind, uint64_t *seed, double p[RIVALS])
{
	struct made_noise_state state = {0};
	double v[2][BLOCKS * 2];

	for (size_t i = 0; i < 4 * BLOCKS; i++)
		do
			v[i / (2 * BLOCKS)][i % (2 * BLOCKS)] = made_noise(&state, kind, seed);
		while (isnan(v[i / (2 * BLOCKS)][i % (2 * BLOCKS)]));
	rivals_ask(v[0], v[1], 2 * BLOCKS, p);
}

static void
watch(enum made_noise kind, double shift, struct made_runs *m, uint64_t *seed, struct watched *w)
{
	double v[2][BLOCKS * 2];
	size_t n[2] = {0};

	m->blocks = 0;
	m->state = (struct made_noise_state){0};
	w->n = 0;
	for (size_t b = 1, next = 1; b <= BLOCKS; b++) {
		double p[RIVALS] = {1, 1, 1, 1};

		made_block(m, kind, shift, seed);
		for (size_t i = (b - 1) * SHIFT_BLOCK; i < b * SHIFT_BLOCK; i++)
			v[m->is_b[i]][n[m->is_b[i]]++] = m->value[i];
		if (b < next && b < BLOCKS)
			continue;
		next = b < EACH ? b + 1 : b + b / 20;
		if (b >= FIRST)
			rivals_ask(v[0], v[1], n[0], p);
		for (enum rival r = 0; r < RIVALS; r++)
			w->p[r][w->n] = p[r];
		w->blocks[w->n++] = b;
	}
	w->found = made_refuted(m, 0, ALPHA);
}

static double
least(const double *p, size_t n)
{
	double l = 1;

	for (size_t i = 0; i < n; i++)
		l = fmin(l, p[i]);
	return l;
}

/* --- level -------------------------------------------------------------------------------------------------------- */

#define QUANTITIES 5

/* Several quantities that share the noise, each by a factor of its own, next to noise of its own. */
static bool
any_is_refuted(enum made_noise kind, struct made_runs *m, uint64_t *seed)
{
	static const double factor[QUANTITIES] = {1, 0.5, -1, 2, 0};
	static const struct diff_rule rule = {.confidence = 1 - ALPHA};
	double *common;
	bool any = false;

	m->blocks = 0;
	m->state = (struct made_noise_state){0};
	for (size_t b = 0; b < BLOCKS; b++)
		made_block(m, kind, 0, seed);
	common = mem_new_array(BLOCKS * SHIFT_BLOCK, sizeof *common);
	memcpy(common, m->value, BLOCKS * SHIFT_BLOCK * sizeof *common);
	for (size_t q = 0; q < QUANTITIES && !any; q++) {
		struct shift_runs runs = made_shift_runs(m);
		double alpha = diff_alpha(&rule, q, QUANTITIES);

		for (size_t i = 0; i < BLOCKS * SHIFT_BLOCK; i++)
			m->value[i] = factor[q] * common[i] + (q ? test_normal(seed) / 2 : 0);
		any = shift_evidence(&runs, 0, alpha) >= log(1 / alpha);
	}
	free(common);
	return any;
}

/* Prints the table; returns for each rival the chance that it may ask for at most. */
static void
level(size_t comparisons, double calibrated[RIVALS])
{
	struct made_runs *m = mem_new(sizeof *m);
	struct watched *w = mem_new(sizeof *w);
	double *smallest[RIVALS];
	size_t all_one = 0, all_any = 0;

	for (enum rival r = 0; r < RIVALS; r++) {
		smallest[r] = mem_new_array(comparisons, sizeof(double));
		calibrated[r] = ALPHA;
	}
	printf("A against A: per cent of %zu comparisons with a false answer at 1 %%. hecate diff: one quantity, and "
	       "any "
	       "of %d, with a look after each of %d blocks.\nThe others on the same runs: with one look at the end, "
	       "with "
	       "looks, and with one look at runs that were made one after\nthe other, first all of A.\n\n",
		comparisons, QUANTITIES, BLOCKS);
	printf("| noise | one | any |");
	for (enum rival r = 0; r < RIVALS; r++)
		printf(" %s |", rival_name[r]);
	printf("\n| --- | --- | --- | --- | --- | --- | --- |\n");
	for (enum made_noise kind = 0; kind < MADE_NOISES; kind++) {
		size_t ours = 0, any = 0, once[RIVALS] = {0}, ever[RIVALS] = {0}, after[RIVALS] = {0};
		uint64_t seed = 1000 + kind;

		for (size_t c = 0; c < comparisons; c++) {
			double p[RIVALS];

			watch(kind, 0, m, &seed, w);
			one_after_the_other(kind, &seed, p);
			ours += w->found > 0;
			any += any_is_refuted(kind, m, &seed);
			for (enum rival r = 0; r < RIVALS; r++) {
				smallest[r][c] = least(w->p[r], w->n);
				once[r] += w->p[r][w->n - 1] < ALPHA;
				ever[r] += smallest[r][c] < ALPHA;
				after[r] += p[r] < ALPHA;
			}
		}
		all_one += ours;
		all_any += any;
		printf("| %s | %.2f | %.2f |", made_noise_name[kind], 100.0 * (double)ours / (double)comparisons,
			100.0 * (double)any / (double)comparisons);
		for (enum rival r = 0; r < RIVALS; r++) {
			double *s = smallest[r];

			printf(" %.1f, %.1f, %.0f |", 100.0 * (double)once[r] / (double)comparisons,
				100.0 * (double)ever[r] / (double)comparisons,
				100.0 * (double)after[r] / (double)comparisons);
			bench_median(s, comparisons); /* sorts */
			calibrated[r] = fmin(calibrated[r], s[(size_t)(ALPHA * (double)comparisons)]);
		}
		printf("\n");
		fflush(stdout);
	}
	printf("\nhecate diff, all kinds together: one %.2f %%, any %.2f %%.\nLevel 1 %% with looks, whatever the "
	       "noise of this table, needs",
		100.0 * (double)all_one / (double)(MADE_NOISES * comparisons),
		100.0 * (double)all_any / (double)(MADE_NOISES * comparisons));
	for (enum rival r = 0; r < RIVALS; r++) {
		printf(" %s p < %.2g%s", rival_name[r], calibrated[r], r + 1 < RIVALS ? "," : ".\n\n");
		free(smallest[r]);
	}
	free(m);
	free(w);
}

/* --- pairs until a difference is found ---------------------------------------------------------------------------- */

static const double deviations[] = {0.25, 0.5, 1, 2, 5, 10};
#define SHIFTS (sizeof deviations / sizeof *deviations)

struct times {
	double ours, rival[RIVALS]; /* pairs in the mean; who has not found it at the end is counted with that */
};

static struct times
time_to_find(enum made_noise kind, double shift, size_t comparisons, const double calibrated[RIVALS])
{
	struct made_runs *m = mem_new(sizeof *m);
	struct watched *w = mem_new(sizeof *w);
	struct times t = {0};
	uint64_t seed = 5000 + kind;

	for (size_t c = 0; c < comparisons; c++) {
		watch(kind, shift, m, &seed, w);
		t.ours += 2.0 * (double)(w->found ? w->found : BLOCKS) / (double)comparisons;
		for (enum rival r = 0; r < RIVALS; r++) {
			size_t i = 0;

			while (i + 1 < w->n && w->p[r][i] >= calibrated[r])
				i++;
			t.rival[r] += 2.0 * (double)w->blocks[i] / (double)comparisons;
		}
	}
	free(m);
	free(w);
	return t;
}

/* Pairs after which the best bets on these orders find a shift of normal noise, in the mean: those of one who knows the
 * noise and the size of the shift, but not its sign. No fair bets win more in a block than likelihoods (Kelly 1956). */
static double
least_pairs(double shift, size_t comparisons)
{
	uint64_t seed = 6000;
	double sum = 0;

	for (size_t c = 0; c < comparisons; c++) {
		double up = 0, down = 0;

		while (exp(up) + exp(down) < 2 / ALPHA) {
			double y[SHIFT_BLOCK], x[3], mean = 0;

			for (size_t i = 0; i < SHIFT_BLOCK; i++)
				y[i] = test_normal(&seed) + (i < 2 ? 0 : shift);
			/* by the partner of the last value */
			for (size_t j = 0; j < 3; j++) {
				x[j] = shift / 2 * (y[3] + 2 * y[j] - y[0] - y[1] - y[2]);
				mean += cosh(x[j]) / 3;
			}
			up += x[2] - log(mean);
			down -= x[2] + log(mean);
			sum += 2;
		}
	}
	return sum / (double)comparisons;
}

static void
pairs(size_t comparisons, const double calibrated[RIVALS])
{
	printf("A against B: pairs until a shift of so many deviations is found, in the mean of %zu comparisons of at "
	       "most "
	       "%d pairs, at the same level\nof 1 %% with looks: hecate diff / Welch / Mann-Whitney / sequence.\n\n",
		comparisons, 2 * BLOCKS);
	printf("| noise |");
	for (size_t k = 0; k < SHIFTS; k++)
		printf(" %g |", deviations[k]);
	printf("\n| --- |");
	for (size_t k = 0; k < SHIFTS; k++)
		printf(" --- |");
	printf("\n");
	for (enum made_noise kind = 0; kind < MADE_NOISES; kind++) {
		printf("| %s |", made_noise_name[kind]);
		for (size_t k = 0; k < SHIFTS; k++) {
			struct times t = time_to_find(kind, deviations[k], comparisons, calibrated);

			printf(" %.0f / %.0f / %.0f / %.0f |", t.ours, t.rival[WELCH], t.rival[RANKS],
				t.rival[SEQUENCE]);
			fflush(stdout);
		}
		printf("\n");
	}
	printf("\nNormal noise, the best bets on these orders, by one who knows the noise and the size of the shift:");
	for (size_t k = 0; k < SHIFTS; k++)
		printf("%s %.1f", k ? "," : "", least_pairs(deviations[k], 4 * comparisons));
	printf(".\n\n");
}

/* --- equal -------------------------------------------------------------------------------------------------------- */

/* Judges at looks a tenth apart, until something is decided; returns the answer at that look. */
static struct diff_found
judge_until_decided(enum made_noise kind, double truth, struct made_runs *m, uint64_t *seed)
{
	static const struct diff_rule rule = {.confidence = 1 - ALPHA, .threshold = 0.01};
	double *value = mem_new_array(MADE_MOST * SHIFT_BLOCK, sizeof *value);
	struct diff_quantity quantity = {.name = "time", .unit = "s", .is_time = true, .value = value};
	struct diff_found found = {0};

	m->blocks = 0;
	m->state = (struct made_noise_state){0};
	for (size_t next = 4; next < 500 && found.answer == DIFF_UNDECIDED; next += next / 10 + 1) {
		struct diff_table table = {.is_b = m->is_b, .quantity = &quantity, .n = 1};
		struct diff_report report;

		while (m->blocks < next)
			made_block(m, kind, 0, seed);
		table.n_runs = next * SHIFT_BLOCK;
		for (size_t i = 0; i < table.n_runs; i++)
			value[i] = exp(0.01 * m->value[i] + (m->is_b[i] ? log1p(truth) : 0));
		diff_judge(&table, &rule, &report);
		found = report.found[0];
		diff_report_clear(&report);
	}
	free(value);
	return found;
}

static void
equal(size_t comparisons)
{
	static const double truth[] = {0, 0.003, 0.009, 0.011};
	static const enum made_noise kinds[] = {MADE_NORMAL, MADE_SKEWED, MADE_BURSTS, MADE_SLOW, MADE_MEMORY};
	struct made_runs *m = mem_new(sizeof *m);
	size_t all = 0, wrong = 0;

	printf("Times with noise of 1 %%, threshold 1 %%, until something is decided, at most 500 blocks: of %zu "
	       "comparisons, slower or faster / equal / equal\nwithin less than the truth.\n\n| noise |",
		comparisons);
	for (size_t k = 0; k < sizeof truth / sizeof *truth; k++)
		printf(" B takes %g %% more |", 100 * truth[k]);
	printf("\n| --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		printf("| %s |", made_noise_name[kinds[i]]);
		for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
			size_t differs = 0, same = 0, false_same = 0;
			uint64_t seed = 7000 + i;

			for (size_t c = 0; c < comparisons; c++) {
				struct diff_found f = judge_until_decided(kinds[i], truth[k], m, &seed);

				differs += f.answer == DIFF_MORE || f.answer == DIFF_LESS;
				same += f.answer == DIFF_EQUAL;
				false_same += f.answer == DIFF_EQUAL && f.within < truth[k];
			}
			all += same;
			wrong += false_same;
			printf(" %zu / %zu / %zu |", differs, same, false_same);
			fflush(stdout);
		}
		printf("\n");
	}
	printf("\nEqual: %zu answers, %zu wrong.\n\n", all, wrong);
	free(m);
}

/* --- forecast ----------------------------------------------------------------------------------------------------- */

#define FORECAST_NOISE 0.02
#define FORECAST_BLOCKS 1000
#define FARTHEST 200.0 /* deviations, so that Cauchy's noise makes times */

static struct diff_found
judge_at(struct made_runs *m, size_t blocks)
{
	static const struct diff_rule rule = {.confidence = 1 - ALPHA, .threshold = 0.01};
	double *value = mem_new_array(blocks * SHIFT_BLOCK, sizeof *value);
	struct diff_quantity quantity = {.name = "time", .unit = "s", .is_time = true, .value = value};
	struct diff_table table = {.is_b = m->is_b, .quantity = &quantity, .n = 1, .n_runs = blocks * SHIFT_BLOCK};
	struct diff_report report;
	struct diff_found found;

	for (size_t i = 0; i < table.n_runs; i++)
		value[i] = exp(FORECAST_NOISE * m->value[i]);
	diff_judge(&table, &rule, &report);
	found = report.found[0];
	diff_report_clear(&report);
	free(value);
	return found;
}

/* The blocks after which 0 is refuted, or both thresholds are; INFINITY: more than were made. */
static double
blocks_to_answer(const struct made_runs *m)
{
	size_t differs = made_refuted(m, 0, ALPHA), more = made_refuted(m, log1p(0.01) / FORECAST_NOISE, ALPHA),
	       less = made_refuted(m, log1p(-0.01) / FORECAST_NOISE, ALPHA);
	double equal = more && less ? fmax((double)more, (double)less) : INFINITY;

	return differs ? fmin((double)differs, equal) : equal;
}

static void
forecast(size_t comparisons)
{
	static const double truth[] = {0, 0.003, 0.01, 0.03};
	static const size_t look[] = {10, 40};
	struct made_runs *m = mem_new(sizeof *m);

	printf("Forecasts: times with noise of 2 %%, threshold 1 %%, %zu comparisons in which B takes 0, 0.3, 1 and 3 "
	       "%% more. Of those undecided\nafter 20 and after 80 pairs: more pairs until the answer, forecast / "
	       "needed, in the median; shares of answers within the forecast and within\ntwice that.\n\n| noise |",
		comparisons);
	for (size_t k = 0; k < 2; k++)
		printf(" after %zu pairs | answered |", 2 * look[k]);
	printf("\n| --- | --- | --- | --- | --- |\n");
	for (enum made_noise kind = 0; kind < MADE_NOISES; kind++) {
		double *said[2], *took[2];
		size_t n[2] = {0}, within[2] = {0}, twice[2] = {0};
		uint64_t seed = 8000 + kind;

		for (size_t k = 0; k < 2; k++) {
			said[k] = mem_new_array(comparisons, sizeof(double));
			took[k] = mem_new_array(comparisons, sizeof(double));
		}
		for (size_t c = 0; c < comparisons; c++) {
			double answered;

			m->blocks = 0;
			m->state = (struct made_noise_state){0};
			while (m->blocks < FORECAST_BLOCKS)
				made_block(m, kind, log1p(truth[c % 4]) / FORECAST_NOISE, &seed);
			for (size_t i = 0; i < FORECAST_BLOCKS * SHIFT_BLOCK; i++)
				m->value[i] = fmax(-FARTHEST, fmin(FARTHEST, m->value[i]));
			answered = blocks_to_answer(m);
			for (size_t k = 0; k < 2; k++) {
				double first = (double)look[k], more;
				struct diff_found found;

				if (answered <= first)
					continue;
				found = judge_at(m, look[k]);
				if (found.answer != DIFF_UNDECIDED)
					continue;
				more = found.more_blocks ? (double)found.more_blocks : INFINITY;
				within[k] += answered - first <= more;
				twice[k] += answered - first <= 2 * more;
				said[k][n[k]] = 2 * more;
				took[k][n[k]++] = 2 * (answered - first);
			}
		}
		printf("| %s |", made_noise_name[kind]);
		for (size_t k = 0; k < 2; k++) {
			double s = n[k] ? bench_median(said[k], n[k]) : NAN;
			double t = n[k] ? bench_median(took[k], n[k]) : NAN;

			printf(" %zu: %.0f / %.0f = %.2f | %.0f %%, %.0f %% |", n[k], s, t, s / t,
				100.0 * (double)within[k] / (double)n[k], 100.0 * (double)twice[k] / (double)n[k]);
			free(said[k]);
			free(took[k]);
		}
		printf("\n");
		fflush(stdout);
	}
	free(m);
}

int
main(int argc, char **argv)
{
	int64_t n = 2000;
	double calibrated[RIVALS];
	const char *part = argc > 2 ? argv[2] : "";

	if (argc > 1 && (!str_to_i64(argv[1], &n) || n < 100)) {
		fprintf(stderr, "usage: diff [COMPARISONS [level|pairs|equal|forecast]]\n");
		return 2;
	}
	if (!*part || str_eq(part, "level") || str_eq(part, "pairs"))
		level((size_t)n, calibrated);
	if (!*part || str_eq(part, "pairs"))
		pairs((size_t)n / 4, calibrated);
	if (!*part || str_eq(part, "equal"))
		equal((size_t)n / 20);
	if (!*part || str_eq(part, "forecast"))
		forecast((size_t)n);
	return 0;
}
