/* Recorded runs, whose order nobody drew: Welch's interval for the difference of the means of logarithms, with as many
 * degrees of freedom as the runs are worth. A slow change between the recordings counts as a difference; no test can
 * tell. */
#include "core/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/series/mean.h"
#include "core/stats/tails.h"

struct sample {
	double *value;
	size_t n;
	bool positive;
	double mean, variance; /* variance: of the mean */
	double freedom;
};

/* The values of one side, in their order. */
static struct sample
sample_of(const struct diff_table *table, const struct diff_quantity *quantity, bool b)
{
	struct sample s = {.value = mem_new_array(table->n_runs + 1, sizeof *s.value), .positive = true};

	for (size_t i = 0; i < table->n_runs; i++)
		if (table->is_b[i] == b && isfinite(quantity->value[i])) {
			s.value[s.n++] = quantity->value[i];
			s.positive = s.positive && quantity->value[i] > 0;
		}
	return s;
}

/* How many times larger the variance of the mean is than that of independent values: for an autoregression of first
 * order (1 + r) / (1 - r), where the estimate of r is corrected for its bias (Kendall 1954). */
static double
slowness(const double *v, size_t n, double mean)
{
	double own = 0, next = 0, r;

	for (size_t i = 0; i < n; i++)
		own += (v[i] - mean) * (v[i] - mean);
	for (size_t i = 1; i < n; i++)
		next += (v[i] - mean) * (v[i - 1] - mean);
	if (own <= 0 || n < 8)
		return 1;
	r = next / own;
	r += (1 + 3 * r) / (double)n;
	r = fmin(r, 0.99);
	return r > 0 ? (1 + r) / (1 - r) : 1;
}

static void
sample_measure(struct sample *s, bool logarithm)
{
	double sum = 0, square = 0, slow;

	for (size_t i = 0; i < s->n; i++) {
		if (logarithm)
			s->value[i] = log(s->value[i]);
		sum += s->value[i];
	}
	s->mean = sum / (double)s->n;
	for (size_t i = 0; i < s->n; i++)
		square += (s->value[i] - s->mean) * (s->value[i] - s->mean);
	slow = slowness(s->value, s->n, s->mean);
	if (s->n >= SERIES_FEWEST_FOR_BOUNDS) {
		double *lifted = mem_new_array(s->n, sizeof *lifted), least = INFINITY;
		struct series_mean m;

		/* the values must not be negative there */
		for (size_t i = 0; i < s->n; i++)
			least = fmin(least, s->value[i]);
		for (size_t i = 0; i < s->n; i++)
			lifted[i] = s->value[i] - least;
		m = series_mean(lifted, s->n, 0.99);
		if (m.effective > 0)
			slow = fmax(slow, (double)s->n / m.effective);
		free(lifted);
	}
	s->freedom = fmax(1, (double)s->n / slow - 1);
	s->variance = square / (double)(s->n - 1) / (double)s->n * slow;
}

static double
sample_median(const struct diff_table *table, const struct diff_quantity *quantity, bool b)
{
	struct sample s = sample_of(table, quantity, b);
	double m = diff_median(s.value, s.n);

	free(s.value);
	return m;
}

static void
judge_recorded(const struct diff_table *table, size_t i, const struct diff_rule *rule, struct diff_found *found)
{
	const struct diff_quantity *quantity = &table->quantity[i];
	struct sample a = sample_of(table, quantity, false), b = sample_of(table, quantity, true);
	bool ratio = a.positive && b.positive;

	*found = (struct diff_found){.low = -INFINITY, .high = INFINITY, .counted = a.n && b.n, .a = NAN, .b = NAN};
	if (found->counted) {
		double shift, by, half = INFINITY;

		found->a = sample_median(table, quantity, false);
		found->b = sample_median(table, quantity, true);
		found->absolute = !ratio && found->a == 0;
		by = found->absolute ? 1 : found->a;
		if (a.n > 1 && b.n > 1) {
			double variance, freedom;

			sample_measure(&a, ratio);
			sample_measure(&b, ratio);
			variance = a.variance + b.variance;
			freedom = variance > 0 ? variance * variance /
					(a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom)
					       : a.freedom + b.freedom;
			half = sqrt(variance * fisher_beyond(diff_alpha(rule, i, table->n), 1, freedom));
			shift = b.mean - a.mean;
		} else {
			shift = ratio ? log(found->b / found->a) : found->b - found->a;
		}
		diff_found_set(found, shift, shift - half, shift + half, ratio, by);
		found->blocks = (a.n + b.n) / SHIFT_BLOCK;
		diff_found_answer(found, rule);
	}
	free(a.value);
	free(b.value);
}

void
diff_judge_recorded(const struct diff_table *table, const struct diff_rule *rule, struct diff_report *report)
{
	*report = (struct diff_report){
		.n = table->n, .found = mem_new_array(table->n + 1, sizeof *report->found), .drift = NAN, .carry = NAN};
	for (size_t i = 0; i < table->n; i++)
		(table->quantity[i].stated ? diff_judge_stated : judge_recorded)(table, i, rule, &report->found[i]);
}
