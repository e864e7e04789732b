#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

#define WARM_UP_PART 4   /* at most one of so many blocks can be warm-up */
#define WARM_UP_JUMP 6.0 /* deviations */
#define STATED 3.3       /* standard errors from which a drift or an effect of order is stated: two in 1000 */
#define EXACT_BLOCKS 2   /* the counter is exact, but the program may vary: so many blocks must be constant */
#define MORE_MOST 1e6    /* blocks */

const char *const diff_answer_word[DIFF_ANSWERS] = {
	[DIFF_UNDECIDED] = "undecided", [DIFF_EQUAL] = "equal", [DIFF_MORE] = "more", [DIFF_LESS] = "less"};

double
diff_alpha(const struct diff_rule *options, size_t i, size_t n)
{
	double alpha = 1 - options->confidence;

	if (n <= 1)
		return alpha;
	return i == 0 ? alpha / 2 : alpha / 2 / (double)(n - 1);
}

double
diff_median(double *value, size_t n)
{
	if (!n)
		return NAN;
	sort_doubles(value, n);
	return value[(n - 1) / 2] + (value[n / 2] - value[(n - 1) / 2]) / 2;
}

/* --- one quantity ------------------------------------------------------------------------------------------------- */

/* The blocks of a quantity in which all runs were counted. */
struct series {
	double *value;
	unsigned char *is_b;
	size_t blocks;
	bool positive;
};

static struct series
series_of(const struct diff_table *table, const struct diff_quantity *quantity)
{
	size_t blocks = table->n_runs / SHIFT_BLOCK;
	struct series s = {.value = mem_new_array(table->n_runs + 1, sizeof *s.value),
		.is_b = mem_new_array(table->n_runs + 1, 1),
		.positive = true};

	for (size_t b = 0; b < blocks; b++) {
		const double *value = quantity->value + b * SHIFT_BLOCK;
		bool whole = true;

		for (size_t i = 0; i < SHIFT_BLOCK; i++)
			whole = whole && isfinite(value[i]);
		for (size_t i = 0; whole && i < SHIFT_BLOCK; i++) {
			s.value[s.blocks * SHIFT_BLOCK + i] = value[i];
			s.is_b[s.blocks * SHIFT_BLOCK + i] = table->is_b[b * SHIFT_BLOCK + i];
			s.positive = s.positive && value[i] > 0;
		}
		s.blocks += whole;
	}
	return s;
}

static void
series_clear(struct series *s)
{
	free(s->value);
	free(s->is_b);
}

/* Of the blocks from `first` on. */
static double
median_of(const struct series *s, size_t first, bool b)
{
	size_t n = 0;
	double *value = mem_new_array(s->blocks * SHIFT_BLOCK + 1, sizeof *value), m;

	for (size_t i = first < s->blocks ? first * SHIFT_BLOCK : 0; i < s->blocks * SHIFT_BLOCK; i++)
		if (s->is_b[i] == b)
			value[n++] = s->value[i];
	m = diff_median(value, n);
	free(value);
	return m;
}

/* All runs of A have one count, and all of B have one. */
static bool
both_constant(const struct series *s)
{
	double of[2] = {NAN, NAN};

	for (size_t i = 0; i < s->blocks * SHIFT_BLOCK; i++) {
		if (isnan(of[s->is_b[i]]))
			of[s->is_b[i]] = s->value[i];
		if (of[s->is_b[i]] != s->value[i])
			return false;
	}
	return s->blocks > 0;
}

#define HALF_ERRORS 3.5   /* an interval's half is so many standard errors */
#define FORECAST_LOST 1.0 /* blocks that tell nothing, because the noise is not known yet */

/* Blocks until the interval excludes 0 or lies within the threshold: it shrinks with the root of their number. The
 * difference that the estimate stands for is not known, so this is the median over what it may be. */
static size_t
forecast_blocks(const struct diff_found *found, double threshold)
{
	/* tenths of a normal distribution: their middles */
	static const double normal[] = {-1.645, -1.036, -0.674, -0.385, -0.126, 0.126, 0.385, 0.674, 1.036, 1.645};
	enum { TENTHS = sizeof normal / sizeof *normal };
	double half = (found->high - found->low) / 2, aim[TENTHS], ratio, more;

	if (!isfinite(half) || half <= 0)
		return 0;
	for (size_t i = 0; i < TENTHS; i++) {
		double shift = fabs(found->estimate + normal[i] * half / HALF_ERRORS);

		aim[i] = fmax(shift, found->absolute ? 0 : threshold - shift);
	}
	ratio = half / diff_median(aim, TENTHS);
	more = fmax(1, (double)found->blocks - FORECAST_LOST) * ratio * ratio + FORECAST_LOST - (double)found->blocks;
	return more < 1 ? 1 : more <= MORE_MOST ? (size_t)ceil(more) : 0;
}

void
diff_found_answer(struct diff_found *found, const struct diff_rule *options)
{
	double t = options->threshold;

	found->within = fmax(fabs(found->low), fabs(found->high));
	if (found->low > 0 || found->high < 0) {
		found->answer = found->low > 0 ? DIFF_MORE : DIFF_LESS;
		found->above = fmin(fabs(found->low), fabs(found->high)) > t;
		return;
	}
	if (!found->absolute && found->within <= t) {
		found->answer = DIFF_EQUAL;
		return;
	}
	if (found->absolute && found->low == 0 && found->high == 0) {
		found->answer = DIFF_EQUAL;
		return;
	}
	found->more_blocks = forecast_blocks(found, t);
}

/* Shifts of logarithms are ratios; differences are divided by A's median, unless that is 0. */
static double
share(double shift, bool ratio, double by)
{
	return isinf(shift) ? shift : ratio ? expm1(shift) : shift / by;
}

void
diff_found_set(struct diff_found *found, double estimate, double low, double high, bool ratio, double by)
{
	found->estimate = share(estimate, ratio, by);
	found->low = share(low, ratio, by);
	found->high = share(high, ratio, by);
}

static void
judge_quantity(const struct diff_table *table, size_t i, size_t first, const struct diff_rule *options,
	struct diff_found *found)
{
	struct series s = series_of(table, &table->quantity[i]);
	struct shift_runs runs = {.value = s.value, .is_b = s.is_b, .blocks = s.blocks};
	bool ratio = s.positive;
	struct shift shift;
	double by;

	found->blocks = s.blocks;
	found->counted = s.blocks > 0;
	found->low = -INFINITY;
	found->high = INFINITY;
	if (!s.blocks) {
		series_clear(&s);
		return;
	}
	found->a = median_of(&s, first, false);
	found->b = median_of(&s, first, true);
	found->absolute = !ratio && found->a == 0;
	by = found->absolute ? 1 : found->a;
	found->constant = s.blocks >= EXACT_BLOCKS && both_constant(&s);
	found->exact = found->constant && table->quantity[i].exact;
	if (found->exact) {
		shift.estimate = shift.low = shift.high = found->b - found->a;
		ratio = false;
	} else {
		for (size_t k = 0; ratio && k < s.blocks * SHIFT_BLOCK; k++)
			s.value[k] = log(s.value[k]);
		shift = shift_interval(&runs, diff_alpha(options, i, table->n));
	}
	diff_found_set(found, shift.estimate, shift.low, shift.high, ratio, by);
	diff_found_answer(found, options);
	if (found->answer == DIFF_UNDECIDED && isinf(found->high) && !found->more_blocks) {
		/* So many blocks are needed before there is a bound. */
		double least = ceil((log(1 / diff_alpha(options, i, table->n)) + log(5)) / log(6));

		found->more_blocks = least > (double)s.blocks ? (size_t)least - s.blocks : 1;
	}
	series_clear(&s);
}

/* --- warm-up, drift, order ---------------------------------------------------------------------------------------- */

/* Levels of the blocks of the first quantity: medians of logarithms, or of values. The caller frees. */
static double *
levels_of(const struct diff_table *table, size_t *n, bool *ratio)
{
	struct series s = series_of(table, &table->quantity[0]);
	double *level = mem_new_array(s.blocks + 1, sizeof *level);

	*n = s.blocks;
	*ratio = s.positive;
	for (size_t b = 0; b < s.blocks; b++) {
		double v[SHIFT_BLOCK];

		for (size_t i = 0; i < SHIFT_BLOCK; i++)
			v[i] = *ratio ? log(s.value[b * SHIFT_BLOCK + i]) : s.value[b * SHIFT_BLOCK + i];
		level[b] = diff_median(v, SHIFT_BLOCK);
	}
	series_clear(&s);
	return level;
}

static double
median_part(const double *level, size_t first, size_t end, double *deviation)
{
	size_t n = end - first;
	double *v = mem_new_array(n + 1, sizeof *v), m, d;

	for (size_t i = 0; i < n; i++)
		v[i] = level[first + i];
	m = diff_median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - m);
	d = diff_median(v, n) * 1.4826;
	free(v);
	if (deviation)
		*deviation = d;
	return m;
}

/* The leading blocks that each take longer than the last three quarters, if together they surely do. Both commands run
 * in each block, so the answer holds with these blocks, too; only the medians are without them. */
static void
find_warm_up(const double *level, size_t n, bool ratio, struct diff_report *report)
{
	double deviation, rest = median_part(level, n / WARM_UP_PART, n, &deviation), lead;
	size_t k = 0;

	while (k < n / WARM_UP_PART && level[k] - rest > 3 * deviation)
		k++;
	if (!k)
		return;
	lead = median_part(level, 0, k, NULL);
	if ((lead - rest) / fmax(deviation, 1e-12) * sqrt((double)k) <= WARM_UP_JUMP)
		return;
	report->warm_up = k;
	report->warm_up_by = ratio ? expm1(lead - rest) : (lead - rest) / fmax(fabs(rest), 1e-12);
}

static void
find_drift(const double *level, size_t n, bool ratio, struct diff_report *report)
{
	size_t third = n / 3;
	double before, after, first, last, error;

	report->drift = NAN;
	if (third < 3)
		return;
	first = median_part(level, 0, third, &before);
	last = median_part(level, n - third, n, &after);
	/* a median's standard error is 1.2533 times a mean's */
	error = 1.2533 * hypot(before, after) / sqrt((double)third);
	if (fabs(last - first) > STATED * error && fabs(last - first) > 0)
		report->drift = ratio ? expm1(last - first) : (last - first) / fmax(fabs(first), 1e-12);
}

/* Runs after one of B against runs after one of A, each less the median of its block and of its kind. */
static void
find_carry(const struct diff_table *table, const struct diff_found *found, struct diff_report *report)
{
	struct series s = series_of(table, &table->quantity[0]);
	double *after[2], centre[2], deviation[2], error;
	size_t n[2] = {0};

	report->carry = NAN;
	after[0] = mem_new_array(s.blocks * SHIFT_BLOCK + 1, sizeof *after[0]);
	after[1] = mem_new_array(s.blocks * SHIFT_BLOCK + 1, sizeof *after[1]);
	for (size_t i = 1; s.positive && i < s.blocks * SHIFT_BLOCK; i++) {
		size_t block = i / SHIFT_BLOCK * SHIFT_BLOCK;
		double middle[SHIFT_BLOCK], v;
		int before = s.is_b[i - 1];

		for (size_t k = 0; k < SHIFT_BLOCK; k++)
			middle[k] = log(s.value[block + k]) - (s.is_b[block + k] ? log1p(found->estimate) : 0);
		v = middle[i - block];
		after[before][n[before]++] = v - diff_median(middle, SHIFT_BLOCK);
	}
	if (n[0] >= 16 && n[1] >= 16) {
		for (int k = 0; k < 2; k++)
			centre[k] = median_part(after[k], 0, n[k], &deviation[k]);
		error = 1.2533 * hypot(deviation[0] / sqrt((double)n[0]), deviation[1] / sqrt((double)n[1]));
		if (fabs(centre[1] - centre[0]) > STATED * error && fabs(centre[1] - centre[0]) > 1e-3)
			report->carry = expm1(centre[1] - centre[0]);
	}
	free(after[0]);
	free(after[1]);
	series_clear(&s);
}

void
diff_judge(const struct diff_table *table, const struct diff_rule *options, struct diff_report *report)
{
	double *level;
	size_t n;
	bool ratio;

	*report = (struct diff_report){.n = table->n, .found = mem_new_array(table->n + 1, sizeof *report->found)};
	report->drift = report->carry = NAN;
	if (!table->n)
		return;
	level = levels_of(table, &n, &ratio);
	find_warm_up(level, n, ratio, report);
	find_drift(level + report->warm_up, n - report->warm_up, ratio, report);
	free(level);
	for (size_t i = 0; i < table->n; i++)
		judge_quantity(table, i, report->warm_up, options, &report->found[i]);
	find_carry(table, &report->found[0], report);
}

void
diff_report_clear(struct diff_report *report)
{
	free(report->found);
	*report = (struct diff_report){0};
}

bool
diff_is_decided(const struct diff_found *f, const struct diff_rule *rule, double until)
{
	bool known = f->answer == DIFF_EQUAL ||
		(f->answer != DIFF_UNDECIDED &&
			(f->above || fmax(fabs(f->low), fabs(f->high)) <= rule->threshold));

	return known && (until <= 0 || (f->high - f->low) / 2 <= until);
}
