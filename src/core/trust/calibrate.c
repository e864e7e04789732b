/* An error is a sum of causes, each with a slope. The fewest causes that explain all runs to the last count are the
 * answer; of equally many, interrupts and faults come before a share. A leak that adds one count only sometimes never
 * fits exactly: then causes that explain nearly all of the errors' squares are the answer, with intervals. */
#include "core/trust/calibrate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"

#define CAUSES 3
#define EXACT 2.0          /* counts: a run may be off by so much, and by one interrupt either way */
#define NEARLY 0.999       /* of the sum of squares, that causes explain */
#define ABOUT 2.5          /* times the variance of the best set */
#define DEVIATIONS 6.0     /* standard errors of a slope on either side */
#define WHOLE 0.02         /* a slope per occurrence that is so close to a whole number may be that */
#define LEAST_SHARE -0.99  /* no event counts less than nothing */
#define DIGITS 1e6         /* ranges are rounded outward to six digits */
#define WIDER 0.5          /* of the range of shares, on either side */

/* Sets of causes, bit 1 << cause, in the order in which they are tried. */
enum { INTERRUPTS, FAULTS, SHARE };
static const unsigned sets[] = {0, 1 << INTERRUPTS, 1 << FAULTS, 1 << SHARE, 1 << INTERRUPTS | 1 << FAULTS,
	1 << INTERRUPTS | 1 << SHARE, 1 << FAULTS | 1 << SHARE, 1 << INTERRUPTS | 1 << FAULTS | 1 << SHARE};

#define SETS (sizeof sets / sizeof sets[0])

struct fit {
	double slope[CAUSES], error[CAUSES]; /* 0 for causes that are not in the set */
	double squares;                      /* what the set leaves of the sum of squares */
	bool exact;                          /* every run is explained */
};

static double
cause_of(const struct calibrate_run *r, unsigned cause)
{
	return cause == INTERRUPTS ? r->interrupts : cause == FAULTS ? r->faults : r->right;
}

static void
find_rest(const struct calibrate_run *run, size_t n, struct fit *fit)
{
	fit->squares = 0;
	fit->exact = true;
	for (size_t i = 0; i < n; i++) {
		double rest = run[i].count - run[i].right;

		for (unsigned c = 0; c < CAUSES; c++)
			rest -= fit->slope[c] * cause_of(&run[i], c);
		fit->squares += rest * rest;
		fit->exact &= fabs(rest) <= EXACT + 2 * fabs(fit->slope[INTERRUPTS]);
	}
}

/* Inverts the matrix of m causes, by Gauss and Jordan with pivots on the diagonal: it is positive definite, unless
 * causes go along with each other. Then false. */
static bool
invert(long double a[CAUSES][2 * CAUSES], size_t m)
{
	for (size_t k = 0; k < m; k++) {
		long double pivot = a[k][k];

		if (!(pivot > 1e-9L))
			return false;
		for (size_t c = 0; c < 2 * CAUSES; c++)
			a[k][c] /= pivot;
		for (size_t i = 0; i < m; i++) {
			long double times = a[i][k];

			for (size_t c = 0; c < 2 * CAUSES && i != k; c++)
				a[i][c] -= times * a[k][c];
		}
	}
	return true;
}

/* Least squares through the origin. Columns are scaled to length 1, so that pivots can be compared. */
static bool
fit_set(const struct calibrate_run *run, size_t n, unsigned set, struct fit *fit)
{
	long double a[CAUSES][2 * CAUSES] = {{0}}, y[CAUSES] = {0}, length[CAUSES] = {0};
	unsigned cause[CAUSES];
	size_t m = 0;

	*fit = (struct fit){0};
	for (unsigned c = 0; c < CAUSES; c++)
		if (set >> c & 1)
			cause[m++] = c;
	for (size_t k = 0; k < m; k++) {
		for (size_t i = 0; i < n; i++)
			length[k] += (long double)cause_of(&run[i], cause[k]) * cause_of(&run[i], cause[k]);
		length[k] = sqrtl(length[k]);
		if (!(length[k] > 0) || n <= m)
			return false;
	}
	for (size_t k = 0; k < m; k++) {
		a[k][CAUSES + k] = 1;
		for (size_t i = 0; i < n; i++) {
			long double x = cause_of(&run[i], cause[k]) / length[k];

			y[k] += x * (run[i].count - run[i].right);
			for (size_t q = 0; q < m; q++)
				a[k][q] += x * cause_of(&run[i], cause[q]) / length[q];
		}
	}
	if (!invert(a, m))
		return false;
	for (size_t k = 0; k < m; k++)
		for (size_t q = 0; q < m; q++)
			fit->slope[cause[k]] += (double)(a[k][CAUSES + q] * y[q] / length[k]);
	find_rest(run, n, fit);
	for (size_t k = 0; k < m; k++)
		fit->error[cause[k]] = fmax(1, sqrt(fit->squares / (double)(n - m))) *
			(double)(sqrtl(a[k][CAUSES + k]) / length[k]);
	return true;
}

/* Takes whole numbers for slopes that are close to them, if every run is explained then, too. */
static void
round_slopes(const struct calibrate_run *run, size_t n, struct fit *fit)
{
	for (unsigned c = 0; c < SHARE; c++) {
		struct fit whole = *fit;

		whole.slope[c] = round(fit->slope[c]);
		if (fabs(whole.slope[c] - fit->slope[c]) > fmax(WHOLE, DEVIATIONS * fit->error[c]))
			continue;
		find_rest(run, n, &whole);
		if (!whole.exact)
			continue;
		*fit = whole;
		fit->error[c] = 0;
	}
}

static double
sum_of_squares(const struct calibrate_run *r, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (r[i].count - r[i].right) * (r[i].count - r[i].right);
	return sum;
}

static double
variance(const struct fit *f, unsigned set, size_t n)
{
	return f->squares / (double)(n - (size_t)__builtin_popcount(set));
}

/* The first set that explains every run. Else the first that explains nearly all, about as well as the best one does.
 * False: none does. */
static bool
find_fit(const struct calibrate_run *run, size_t n, struct fit *best)
{
	double all = sum_of_squares(run, n), least = INFINITY;

	for (size_t s = 0; s < SETS; s++) {
		if (!fit_set(run, n, sets[s], best))
			continue;
		if (best->exact)
			return true;
		least = fmin(least, variance(best, sets[s], n));
	}
	for (size_t s = 0; s < SETS; s++)
		if (fit_set(run, n, sets[s], best) && best->squares <= (1 - NEARLY) * all &&
			variance(best, sets[s], n) <= ABOUT * least)
			return true;
	return false;
}

static void
calibrate_add_term(struct trust_entry *out, enum trust_cause cause, double slope, double width)
{
	struct trust_term t = {.cause = cause, .low = slope, .high = slope};

	if (width > 0) {
		t.low = floor((slope - width) * DIGITS) / DIGITS;
		t.high = ceil((slope + width) * DIGITS) / DIGITS;
	}
	out->term[out->n_terms++] = t;
	switch (cause) {
	case TRUST_PER_INTERRUPT:
		out->letters |= TRUST_BIT(INTERRUPTS);
		break;
	case TRUST_PER_FAULT:
		out->letters |= TRUST_BIT(FAULTS);
		break;
	case TRUST_PER_COUNT:
		out->letters |= slope > 0 ? TRUST_BIT(OVERCOUNT) : TRUST_BIT(MISSED);
		break;
	case TRUST_PER_EXCEPTION:
	case TRUST_PER_LAZY_FPU:
	case TRUST_PER_SWITCH:
	case TRUST_PER_RUN:
	case TRUST_N_CAUSES:
		break;
	}
}

/* Something that was not measured: the shares of the errors bound it. */
static void
bound_shares(const struct calibrate_run *run, size_t n, struct trust_entry *out)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (!(run[i].right > 0))
			continue;
		low = fmin(low, run[i].count / run[i].right - 1);
		high = fmax(high, run[i].count / run[i].right - 1);
	}
	out->verdict = TRUST_ELSE;
	out->note = mem_str("Interrupts, page faults and a share of its own count do not explain its error.");
	if (low <= high)
		calibrate_add_term(out, TRUST_PER_COUNT, (low + high) / 2, (0.5 + WIDER) * (high - low));
	out->letters = TRUST_BIT(OTHER);
	for (size_t i = 0; i < out->n_terms; i++)
		out->term[i].low = fmax(out->term[i].low, LEAST_SHARE);
}

void
calibrate_event(const struct calibrate_run *run, size_t n, struct trust_entry *out)
{
	static const enum trust_cause of[CAUSES] = {TRUST_PER_INTERRUPT, TRUST_PER_FAULT, TRUST_PER_COUNT};
	double counts = 0, right = 0;
	struct fit f;

	out->letters = 0;
	out->n_terms = 0;
	for (size_t i = 0; i < n; i++) {
		counts += run[i].count;
		right += run[i].right;
	}
	if (n < 2 || !(right > 0)) {
		out->verdict = TRUST_UNKNOWN;
		out->note = mem_str("No run has a count that is known.");
	} else if (!(counts > 0)) {
		out->verdict = TRUST_ELSE;
		out->letters = TRUST_BIT(MISSED);
		out->note = mem_str("The event counts nothing.");
	} else if (!find_fit(run, n, &f)) {
		bound_shares(run, n, out);
	} else {
		if (f.exact)
			round_slopes(run, n, &f);
		for (unsigned c = 0; c < CAUSES; c++)
			if (f.slope[c] != 0)
				calibrate_add_term(out, of[c], f.slope[c], DEVIATIONS * f.error[c]);
		out->verdict = out->n_terms ? TRUST_CORRECTABLE : TRUST_EXACT;
	}
}
