/* Laws: their language, their judgement on exact, scaled, averaged and noisy counts, blame, and planted errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "core/laws/judge.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/stats/tails.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/files/laws_files.h"

static struct laws *
laws_of(const char *text, struct diags *diags)
{
	return laws_parse(mem_str("t.laws"), mem_str(text), strlen(text), diags);
}

static void
errors_have_places(void)
{
	static const struct {
		const char *text, *error;
		int line, col;
	} row[] = {
		{"law \"x\": a <= b, source \"s\";", "the file does not say which laws it has", 0, 0},
		{"laws t; laws u;", "a second name: a file of laws has one", 1, 9},
		{"laws t;\nlaw \"x\": a * b <= c, source \"s\";",
			"each side of a law is a sum of multiples of at most 64 events", 2, 10},
		{"laws t;\nlaw \"x\": 1 / a <= c, source \"s\";",
			"each side of a law is a sum of multiples of at most 64 events", 2, 10},
		{"laws t;\nlaw \"x\": a / 0 <= c, source \"s\";", "a division by zero", 0, 0},
		{"laws t;\nlaw \"x\": a <= a, source \"s\";",
			"each side of a law is a sum of multiples of at most 64 events", 2, 10},
		{"laws t;\nlaw \"x\": a < b, source \"s\";", NULL, 2, 14},
		{"laws t;\nlaw \"x\": a <= b;", NULL, 2, 16},
		{"laws t;\nlaw \"x\": a <= b, source;", NULL, 2, 24},
		{"laws t;\nlaw a <= b, source \"s\";", NULL, 2, 5},
		{"laws t;\nevent a or b;\nevent a or c;", "'a' was described before", 3, 7},
		{"laws t;\nrule;", NULL, 2, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags diags = {0};

		test_label("%s", row[i].text);
		CHECK(laws_of(row[i].text, &diags) == NULL);
		if (CHECK(diags.n > 0)) {
			if (row[i].error)
				CHECK_STR(diags.item[0].text, row[i].error);
			if (row[i].line) {
				CHECK_INT(diags.item[0].line, row[i].line);
				CHECK_INT(diags.item[0].col, row[i].col);
			}
		}
		diags_free(&diags);
	}
}

static void
forms_are_linear(void)
{
	struct diags diags = {0};
	struct laws *laws = laws_of("laws t;\nlaw \"x\": 0 <= 2 * (a - b) / 4 + 3 >= a, source \"s\";", &diags);

	if (!CHECK(laws && laws->n == 2))
		return;
	/* 0 ≤ a/2 − b/2 + 3 is −a/2 + b/2 − 3 ≤ 0, and a/2 − b/2 + 3 ≥ a is a/2 + b/2 − 3 ≤ 0 */
	for (size_t i = 0; i < 2; i++) {
		CHECK_INT(laws->law[i].form.n, 2);
		CHECK_NEAR(laws->law[i].form.term[0].times, i ? 0.5 : -0.5, 0);
		CHECK_NEAR(laws->law[i].form.term[1].times, 0.5, 0);
		CHECK_NEAR(laws->law[i].form.constant, -3, 0);
		CHECK_STR(laws->law[i].relation, "0 <= 2 * (a - b) / 4 + 3 >= a");
	}
	laws_free(laws);
	diags_free(&diags);
}

/* Judges a single observation of the columns a, b, c, d. */
#define COLUMNS 4
static struct laws_judgement *
judge_rows(const struct laws *laws, size_t rows, int64_t (*count)[COLUMNS], double (*running)[COLUMNS],
	double (*error)[COLUMNS], bool exact)
{
	static const char *const column[COLUMNS] = {"a", "b", "c", "d"};
	struct obs_table *table = obs_table_new(column, COLUMNS);
	struct obs *obs = obs_table_add(table, "o", "test");
	struct columns_match *match = laws_match(laws, table);
	struct laws_judgement *out;

	obs->exact = exact;
	obs->runs = error ? 10 : 0;
	for (size_t i = 0; i < rows; i++) {
		obs_add_row(obs, count[i], NULL, NAN);
		for (size_t k = 0; k < COLUMNS && (running || error); k++)
			obs_set_quality(obs, k, running ? running[i][k] : 1, error ? error[i][k] : 0);
	}
	out = laws_judge(laws, match, obs, &(const struct laws_how){.confidence = 0.99});
	columns_match_free(match);
	obs_table_free(table);
	return out;
}

static void
totals(void)
{
	static const struct {
		const char *law;
		int64_t count[COLUMNS];
		double running[COLUMNS], error[COLUMNS];
		enum law_state state;
		double least;
	} row[] = {
		{"a <= b", {5, 5}, {0}, {0}, LAW_HOLDS, 0},
		{"a <= b", {6, 5}, {0}, {0}, LAW_BROKEN, 1},
		{"a = b + c", {10, 5, 4}, {0}, {0}, LAW_BROKEN, 1},
		{"a = b + c", {8, 5, 4}, {0}, {0}, LAW_BROKEN, -1},
		{"a = b + c", {9, 5, 4}, {0}, {0}, LAW_HOLDS, 0},
		{"a <= 4 * b", {21, 5}, {0}, {0}, LAW_BROKEN, 1},
		{"a <= 10", {11}, {0}, {0}, LAW_BROKEN, 1},
		/* the right side was counted for two thirds of the time: it may be as large as the left */
		{"a <= b", {1168, 1000}, {1, 0.6667, 1, 1}, {0}, LAW_STRAINED, -INFINITY},
		{"a <= b", {1168, 1000}, {0.6665, 0.6667, 1, 1}, {0}, LAW_STRAINED, -INFINITY},
		/* the left side alone: what was counted of it, less the rounding of the share, is more than the right
		 */
		{"a <= b", {3000, 1000}, {0.5, 1, 1, 1}, {0}, LAW_BROKEN, 499.85},
		{"a <= b", {1900, 1000}, {0.5, 1, 1, 1}, {0}, LAW_STRAINED, -50.095},
		/* Means of 10 runs with standard errors, which add up: 40. Student's t with 9 degrees of freedom is
		 * 2.82 at 0.99, one-sided; the level of one law is 0.009. */
		{"a <= b", {1060, 1000}, {1, 1, 1, 1}, {20, 20, 1, 1}, LAW_STRAINED, 0},
		{"a <= b", {1110, 1000}, {1, 1, 1, 1}, {20, 20, 1, 1}, LAW_STRAINED, 0},
		{"a <= b", {1120, 1000}, {1, 1, 1, 1}, {20, 20, 1, 1}, LAW_BROKEN, 0},
		/* an error that is too small to be printed */
		{"a <= b", {1110, 1000}, {1, 1, 1, 1}, {40, 0, 1, 1}, LAW_STRAINED, 0},
		/* and scaled up: what all runs missed has no error */
		{"a <= b", {1300, 1000}, {1, 0.5, 1, 1}, {20, 20, 1, 1}, LAW_STRAINED, 0},
		{"a <= b", {2200, 1000}, {0.5, 1, 1, 1}, {20, 20, 1, 1}, LAW_STRAINED, 0},
		{"a <= b", {3000, 1000}, {0.5, 1, 1, 1}, {20, 20, 1, 1}, LAW_BROKEN, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str text = {0};
		struct diags diags = {0};
		struct laws *laws;
		struct laws_judgement *j;
		int64_t count[1][COLUMNS];
		double running[1][COLUMNS], error[1][COLUMNS];

		str_addf(&text, "laws t; law \"x\": %s, source \"s\";", row[i].law);
		laws = laws_of(str_text(&text), &diags);
		memcpy(count, row[i].count, sizeof count);
		memcpy(running, row[i].running, sizeof running);
		memcpy(error, row[i].error, sizeof error);
		test_label("row %zu: %s", i, row[i].law);
		j = judge_rows(laws, 1, count, row[i].running[0] > 0 ? running : NULL,
			row[i].error[0] > 0 ? error : NULL, true);
		if (CHECK_INT(j->n, 1)) {
			CHECK_INT(j->finding[0].sum.state, row[i].state);
			if (!(row[i].error[0] > 0) && row[i].state != LAW_HOLDS && isfinite(row[i].least))
				CHECK_NEAR(j->finding[0].sum.least, row[i].least, 1e-9);
		}
		laws_judgement_free(j);
		laws_free(laws);
		diags_free(&diags);
		str_free(&text);
	}
}

static void
blame(void)
{
	/* the events to blame, one letter each; sets are joined by '|' */
	static const struct {
		const char *laws;
		int64_t count[COLUMNS];
		const char *blame;
	} row[] = {
		{"law \"1\": a <= b, source \"s\";", {9, 5, 0, 0}, "a|b"},
		/* b = c + d says that b is right */
		{"law \"1\": a <= b, source \"s\"; law \"2\": b = c + d, source \"s\";", {9, 5, 3, 2}, "a"},
		/* c is below b, so b is at fault */
		{"law \"1\": a <= b, source \"s\"; law \"2\": c <= b, source \"s\";", {9, 5, 8, 0}, "b"},
		{"law \"1\": a <= b, source \"s\"; law \"2\": b <= c, source \"s\";", {9, 5, 7, 0}, "a"},
		{"law \"1\": a <= b, source \"s\"; law \"2\": b <= c, source \"s\";", {9, 5, 12, 0}, "a|b"},
		/* two broken laws without a common event */
		{"law \"1\": a <= b, source \"s\"; law \"2\": c <= d, source \"s\";", {9, 5, 9, 5}, "ac|ad|bc|bd"},
		/* the sum is too small for c alone, whatever d is */
		{"law \"1\": a = c + d, source \"s\"; law \"2\": b = c, source \"s\";", {5, 9, 9, 0}, "a"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str text = {0}, got = {0};
		struct diags diags = {0};
		struct laws *laws;
		struct laws_judgement *j;
		int64_t count[1][COLUMNS];

		str_addf(&text, "laws t; event a; event b; event c; event d; %s", row[i].laws);
		laws = laws_of(str_text(&text), &diags);
		memcpy(count, row[i].count, sizeof count);
		test_label("row %zu", i);
		j = judge_rows(laws, 1, count, NULL, NULL, true);
		for (size_t b = 0; b < j->n_blames; b++) {
			str_add(&got, b ? "|" : "");
			for (size_t k = 0; k < j->blame[b].n; k++)
				str_add(&got, laws->event[j->blame[b].event[k]].name);
		}
		CHECK_STR(str_text(&got), row[i].blame);
		laws_judgement_free(j);
		laws_free(laws);
		diags_free(&diags);
		str_free(&text);
		str_free(&got);
	}
}

/* --- planted errors under noise ----------------------------------------------------------------------------------- */

/* The events of a processor's walks and loads, which obey laws of intel.laws. */
enum {
	LOADS,
	L1_HIT,
	L1_MISS,
	L2_MISS,
	L3_MISS,
	STLB_MISS,
	CAUSES,
	DONE,
	DONE_4K,
	DONE_2M,
	DONE_1G,
	HIT,
	HIT_4K,
	HIT_2M,
	EVENTS
};
static const char *const event_name[EVENTS] = {"mem_uops_retired.all_loads", "mem_load_uops_retired.l1_hit",
	"mem_load_uops_retired.l1_miss", "mem_load_uops_retired.l2_miss", "mem_load_uops_retired.l3_miss",
	"mem_uops_retired.stlb_miss_loads", "dtlb_load_misses.miss_causes_a_walk", "dtlb_load_misses.walk_completed",
	"dtlb_load_misses.walk_completed_4k", "dtlb_load_misses.walk_completed_2m_4m",
	"dtlb_load_misses.walk_completed_1g", "dtlb_load_misses.stlb_hit", "dtlb_load_misses.stlb_hit_4k",
	"dtlb_load_misses.stlb_hit_2m"};

/* Noise of findings.md, A: white; one slow cause with a factor per counter; a slow counter among white ones; two
 * counters up and down together; a slow part of the variance; two states of a gain; turns (share of time). */
enum noise_kind { EXACT, WHITE, COMMON, ONE, PAIR, PART, STATES, DRIFT, TURNS, NOISES };
static const char *const noise_name[NOISES] = {
	"exact", "white", "one slow cause", "one slow counter", "a pair", "a slow part", "two states", "a drift",
	"turns"};

enum plant { CLEAN, OVERCOUNT, DEAD, DUPLICATED, SHARE, PLANTS };
static const char *const plant_name[PLANTS] = {
	"clean", "an overcount", "a dead event", "an event that counts twice", "a share above 100 %"};

static double
uniform(uint64_t *seed)
{
	return ((double)(random_next(seed) >> 11) + 0.5) * 0x1p-53;
}

static double
normal(uint64_t *seed)
{
	return sqrt(-2 * log(uniform(seed))) * cos(2 * M_PI * uniform(seed));
}

/* Counts of one row, in proportions that are the same in all rows of an observation. */
static void
draw_truth(double load, const double *part, double *v)
{
	v[LOADS] = load;
	v[L1_MISS] = load * part[0];
	v[L1_HIT] = (load - v[L1_MISS]) * 0.95;
	v[L2_MISS] = v[L1_MISS] * part[1];
	v[L3_MISS] = v[L2_MISS] * part[2];
	v[STLB_MISS] = v[L1_MISS] * part[3];
	v[DONE_4K] = load * 0.02 * part[4];
	v[DONE_2M] = load * 0.02 * part[5];
	v[DONE_1G] = load * 0.02 * part[6];
	v[DONE] = v[DONE_4K] + v[DONE_2M] + v[DONE_1G];
	v[CAUSES] = v[DONE] * 1.1;
	v[HIT_4K] = load * 0.05 * part[4];
	v[HIT_2M] = load * 0.05 * part[5];
	v[HIT] = v[HIT_4K] + v[HIT_2M];
}

/* Returns the event that is wrong; EVENTS if none is. */
static size_t
plant_error(enum plant plant, uint64_t *seed, double *factor, size_t *also)
{
	static const size_t sums[] = {DONE, HIT, DONE_4K, HIT_4K, HIT_2M};
	size_t event = sums[random_below(seed, sizeof sums / sizeof *sums)];

	*also = EVENTS;
	*factor = 1;
	switch (plant) {
	case CLEAN:
	case PLANTS:
		return EVENTS;
	case OVERCOUNT:
		*factor = 1.3;
		return event;
	case DEAD:
		*factor = 0;
		return event;
	case DUPLICATED:
		*factor = 2;
		return event;
	case SHARE:
		*factor = 0;
		*also = LOADS; /* it reads 1.2 times what it is a share of */
		return L1_MISS;
	}
	return EVENTS;
}

#define SEED 20000000 /* seeds that were drawn once, after the test was written */
#define ROWS 60
#define LAG 0.95
#define DRIFTS exp(-1 / (2.0 * ROWS)) /* a correlation time of two records */
#define STAYS 0.8 /* correlation of the two states in neighbouring rows */

/* Variance of the mean over a record of the slow noise, whose rows have the variance 1 after a while. */
static double
variance_of_slow(void)
{
	double left = 0, all = 0;

	for (size_t row = ROWS; row-- > 0;) {
		left = LAG * left + 1;
		all += (1 - LAG * LAG) * left * left / ROWS / ROWS;
	}
	return all;
}

/* bench/laws-power.py printed this before any of the errors was planted: the per cent of errors that are found, by the
 * time within which noise forgets, the share of the variance that is slow, and the size, in deviations of the noise's
 * mean. */
#define SIZES 13
#define POWERS 6
static const double sizes[SIZES] = {4, 6, 8, 10, 12, 14, 17, 20, 25, 30, 40, 60, 100};
static const double shares[POWERS] = {0, 0.1, 0.3, 0.55, 0.8, 1};
enum slowness { STATES_LAST, LAG_LASTS, DRIFT_LASTS, SLOWNESSES };
static const int found_per_cent[SLOWNESSES][POWERS][SIZES] = {
	{{0, 0, 0, 0, 0, 0, 0, 0, 2, 17, 63, 91, 100}, {0, 0, 0, 0, 0, 0, 0, 2, 18, 37, 59, 95, 100},
		{0, 0, 0, 0, 0, 0, 4, 9, 17, 26, 60, 98, 100}, {0, 0, 0, 0, 0, 1, 2, 4, 11, 27, 69, 94, 100},
		{0, 0, 0, 0, 0, 0, 0, 2, 12, 23, 45, 96, 100}, {0, 0, 0, 0, 0, 0, 0, 1, 3, 8, 41, 99, 100}},
	{{0, 0, 0, 0, 0, 0, 0, 0, 2, 16, 64, 91, 100}, {0, 0, 0, 0, 0, 3, 19, 38, 56, 71, 94, 99, 100},
		{0, 0, 1, 7, 14, 21, 33, 48, 79, 97, 99, 100, 100},
		{0, 0, 3, 7, 13, 24, 53, 81, 94, 98, 100, 100, 100},
		{0, 0, 2, 9, 25, 40, 57, 74, 95, 99, 100, 100, 100},
		{0, 0, 0, 4, 21, 57, 96, 99, 100, 100, 100, 100, 100}},
	{{0, 0, 0, 0, 0, 0, 0, 0, 2, 16, 62, 90, 99}, {0, 0, 0, 4, 19, 41, 62, 73, 89, 97, 100, 100, 100},
		{0, 8, 32, 52, 65, 79, 93, 99, 99, 99, 100, 100, 100},
		{8, 28, 48, 73, 92, 99, 99, 99, 100, 100, 100, 100, 100},
		{13, 44, 82, 96, 98, 99, 100, 100, 100, 100, 100, 100, 100},
		{44, 95, 99, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100}},
};

/* Probability with which an error of at least this size is found; the smaller one of both neighbouring shares. */
static double
found_at_least(enum slowness slow, double share, double size)
{
	size_t i = 0, k = 0;

	while (i + 1 < SIZES && sizes[i + 1] <= size)
		i++;
	while (k + 2 < POWERS && shares[k + 1] < share)
		k++;
	return size < sizes[0] ? 0 : fmin(found_per_cent[slow][k][i], found_per_cent[slow][k + 1][i]) / 100;
}

/* The probability with which at least the law that shows the error best is broken. `v` are the wrong counts of a row,
 * `by` the factors of a common cause, `one` and `other` the slow counters. */
static double
planted_power(const struct laws *laws, enum noise_kind noise, const double *v, const double *by, size_t one,
	size_t other)
{
	const double mean[SLOWNESSES] = {
		(1 + STAYS) / (1 - STAYS) / ROWS, variance_of_slow(), 4 * (1 - 2 * (1 - exp(-0.5)))};
	enum slowness kind = noise == DRIFT ? DRIFT_LASTS : noise == STATES ? STATES_LAST : LAG_LASTS;
	double most = 0;

	for (size_t i = 0; i < laws->n; i++) {
		const struct law_form *form = &laws->law[i].form;
		double at = 0, white = 0, slow = 0, common = 0;

		for (size_t k = 0; k < form->n; k++) {
			size_t event = 0;
			double part;

			while (event < EVENTS && !str_eq(event_name[event], laws->event[form->term[k].event].name))
				event++;
			if (event == EVENTS) {
				at = NAN;
				break;
			}
			part = form->term[k].times * v[event];
			at += part;
			white += part * part * 1e-4;
			common += noise == COMMON || noise == DRIFT ? 0.02 * by[event] * part : 0;
			common += noise == PAIR && event == one ? 0.01 * part : 0;
			common -= noise == PAIR && event == other ? 0.01 * part : 0;
			slow += (noise == ONE || noise == STATES) && event == one ? part * part * 4e-4 : 0;
			slow += noise == PART ? part * part * 1e-4 * 0.65 * 0.65 : 0;
		}
		slow += common * common;
		white += 0.01 * at * at;
		at = form->equality ? fabs(at) : at;
		if (at > 0)
			most = fmax(most, found_at_least(kind, slow / (slow + white),
				at / sqrt(slow * mean[kind] + white / ROWS)));
	}
	return most;
}

static struct obs_table *
make_observation(const struct laws *laws, enum noise_kind noise, enum plant plant, uint64_t seed, size_t *wrong,
	double *power)
{
	struct obs_table *table = obs_table_new(event_name, EVENTS);
	struct obs *obs = obs_table_add(table, "o", "planted");
	double part[8], by[EVENTS], mean[EVENTS], slow[EVENTS] = {0}, common = 0, drift, state = 1, factor;
	size_t also, one = random_below(&seed, EVENTS), other = (one + 1 + random_below(&seed, EVENTS - 1)) % EVENTS;

	for (size_t i = 0; i < 8; i++)
		part[i] = 0.2 + 0.6 * uniform(&seed);
	for (size_t i = 0; i < EVENTS; i++)
		by[i] = normal(&seed);
	drift = normal(&seed);
	*wrong = plant_error(plant, &seed, &factor, &also);
	for (size_t row = 0; row < ROWS; row++) {
		double v[EVENTS];
		int64_t count[EVENTS];
		double load = 1e8 * (1 + 0.1 * normal(&seed)), fresh = sqrt(1 - LAG * LAG);

		common = LAG * common + fresh * normal(&seed);
		drift = DRIFTS * drift + sqrt(1 - DRIFTS * DRIFTS) * normal(&seed);
		state = uniform(&seed) < (1 - STAYS) / 2 ? -state : state;
		draw_truth(fmax(load, 1e7), part, v);
		if (*wrong < EVENTS)
			v[*wrong] = v[*wrong] * factor + (also < EVENTS ? 1.2 * v[also] : 0);
		for (size_t i = 0; i < EVENTS; i++) {
			double e = noise == EXACT ? 0 : 0.01 * normal(&seed);

			slow[i] = LAG * slow[i] + fresh * normal(&seed);
			e += noise == COMMON ? 0.02 * by[i] * common : 0;
			e += noise == DRIFT ? 0.02 * by[i] * drift : 0;
			e += noise == ONE && i == one ? 0.02 * slow[i] : 0;
			e += noise == PAIR && i == one        ? 0.01 * common
				: noise == PAIR && i == other ? -0.01 * common
							      : 0;
			e += noise == PART ? 0.01 * 0.65 * slow[i] : 0;
			e += noise == STATES && i == one ? 0.02 * state : 0;
			count[i] = llround(fmax(0, v[i] * (1 + e)));
		}
		if (noise == EXACT) { /* sums of whole numbers */
			if (*wrong != DONE && *wrong != DONE_4K)
				count[DONE] = count[DONE_4K] + count[DONE_2M] + count[DONE_1G];
			if (*wrong != HIT && *wrong != HIT_4K && *wrong != HIT_2M)
				count[HIT] = count[HIT_4K] + count[HIT_2M];
		}
		obs_add_row(obs, count, NULL, 0.1 * (double)(row + 1));
		for (size_t i = 0; i < EVENTS && noise == TURNS; i++)
			obs_set_quality(obs, i, 0.4, 0);
	}
	if (noise == TURNS)
		obs->rotation = (struct obs_rotation){.period = 0.02, .seed = 1};
	draw_truth(1e8, part, mean);
	if (*wrong < EVENTS)
		mean[*wrong] = mean[*wrong] * factor + (also < EVENTS ? 1.2 * mean[also] : 0);
	*power = planted_power(laws, noise, mean, by, one, other);
	return table;
}

struct planted_score {
	size_t n, broken, strained, named;
	double power, variance; /* of the number that must be found */
};

static struct planted_score
judge_planted(const struct laws *laws, enum noise_kind noise, enum plant plant, size_t n)
{
	struct planted_score score = {.n = n};

	for (size_t i = 0; i < n; i++) {
		double power;
		size_t wrong;
		struct obs_table *table =
			make_observation(laws, noise, plant, SEED + 1000 * (uint64_t)plant + i, &wrong, &power);
		struct columns_match *match = laws_match(laws, table);
		struct laws_judgement *j =
			laws_judge(laws, match, table->obs[0], &(const struct laws_how){.confidence = 0.99});
		bool named = false;

		for (size_t b = 0; b < j->n_blames && wrong < EVENTS; b++)
			named |= j->blame[b].n == 1 &&
				str_eq(laws->event[j->blame[b].event[0]].name, event_name[wrong]);
		score.broken += j->n_broken > 0;
		score.strained += !j->n_broken && j->n_strained > 0;
		score.named += named;
		if (plant != CLEAN) {
			score.power += power;
			score.variance += power * (1 - power);
		}
		laws_judgement_free(j);
		columns_match_free(match);
		obs_table_free(table);
	}
	return score;
}

static struct laws *
shipped(const char *name)
{
	struct diags diags = {0};
	struct err e = {0};
	size_t n;
	struct laws **list = laws_files_load(name, &n, &diags, &e), *out = list ? list[0] : NULL;

	CHECK(out != NULL);
	free(list);
	diags_free(&diags);
	return out;
}

/* The number of n observations that 1 % each break in 999 of 1000 cases at most. */
static size_t
most_by_chance(size_t n)
{
	double term = pow(0.99, (double)n), sum = term;
	size_t k = 0;

	for (; sum < 0.999; k++)
		sum += term *= (double)(n - k) / (double)(k + 1) * 0.01 / 0.99;
	return k;
}

static void
planted_errors_are_found(void)
{
	struct laws *laws = shipped("intel");
	size_t n = test_rounds(50, 500);

	for (int noise = 0; laws && noise < NOISES; noise++) {
		for (int plant = 0; plant < PLANTS; plant++) {
			struct planted_score s = judge_planted(laws, (enum noise_kind)noise, (enum plant)plant,
				plant == CLEAN ? n : n / 5);

			printf("# %s, %s: %zu of %zu broken (at least %.1f), %zu more strained, %zu name the event\n",
				noise_name[noise], plant_name[plant], s.broken, s.n, s.power, s.strained, s.named);
			test_label("%s, %s", noise_name[noise], plant_name[plant]);
			/* 99 % for all laws of an observation together. Rows of turns are known to be independent, so
			 * that the level is reached; all else is less likely than 1 %, and none of 50 breaks a law. */
			if (plant == CLEAN) {
				CHECK(s.broken <= most_by_chance(s.n));
				CHECK(s.n > 50 || noise == TURNS || !s.broken);
				continue;
			}
			if (noise == EXACT || noise == TURNS)
				CHECK_INT(s.broken, s.n);
			else
				CHECK((double)s.broken >= s.power - 3 * sqrt(s.variance) - 0.5);
			CHECK(s.named >= s.broken - s.broken / 50);
		}
	}
	laws_free(laws);
}

/* Every installed file is well formed, and each law has a source. */
static void
shipped_laws_are_sound(void)
{
	struct diags diags = {0};
	struct err e = {0};
	size_t n, all = 0;
	struct laws **laws = laws_files_load(NULL, &n, &diags, &e);

	CHECK(laws && n >= 6);
	for (size_t i = 0; i < n; i++) {
		CHECK(*laws[i]->text);
		all += laws[i]->n;
		for (size_t k = 0; k < laws[i]->n; k++)
			CHECK(*laws[i]->law[k].source);
	}
	printf("# %zu laws in %zu files\n", all, n);
	laws_files_free(laws, n);
	diags_free(&diags);
}

TEST_MAIN(CASE(errors_have_places), CASE(forms_are_linear), CASE(totals), CASE(blame), CASE(planted_errors_are_found),
	CASE(shipped_laws_are_sound))
