/* How changes of level are found:
 *
 *     rows    ▁▂▁▁▂▁▁▂▁▁▇▆▇▇▆▇▆▇▇▇▂▁▂▂▁▁▂▁▂▁
 *     blocks  |    phase 0    |   phase 1   |   phase 2   |      border[0], …, border[phases]
 *
 * has_candidate() looks for any step at all, and most observations have none. find_segments() then splits the blocks
 * at the largest step of any counter, and each part again, as long as a step exceeds CANDIDATE. This leaves too many
 * borders, because slow noise looks like steps. So prune() estimates what the phases leave of each counter: its
 * variance, and the correlation of neighbours. It removes the weakest border and estimates again, until all borders
 * exceed KEPT. */
#include "core/series/changes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/stats/centred.h"
#include "core/stats/region.h"

#define CANDIDATE 20.0 /* squared jump over its variance, from which a step is a candidate */
#define KEPT 65.0      /* the same, from which a candidate is kept; the variance allows for correlated noise */
#define LARGEST_LAG 0.97
#define LEVEL 1e-3     /* least deviation of a row, relative to the mean, below which a step does not matter */

struct segmentation {
	const struct centred *c;
	size_t n, k, least;
	double *variance; /* n: noise variance of one block */
	double *floor;    /* n: least value of it */
	double *sum;      /* n × (k + 1): cumulative sums */
	double *number;   /* n × (k + 1): cumulative number of blocks that counted; NULL: all did */
	size_t *border;   /* first blocks of phases: border[0] = 0 … border[phases] = k */
	size_t phases;
};

static bool
is_here(const struct centred *c, size_t i, size_t m)
{
	return !c->here || c->here[i * c->k + m];
}

/* The variance of a counter from differences of neighbours, which a few steps hardly change. */
static double
variance_by_differences(const struct centred *centred, size_t i)
{
	const double *x = centred->x + i * centred->k;
	double sum = 0, last = 0, n = 0;
	bool some = false;

	if (!centred->here) {
		for (size_t m = 1; m < centred->k; m++)
			sum += (x[m] - x[m - 1]) * (x[m] - x[m - 1]);
		return sum / (2 * (double)(centred->k - 1));
	}
	for (size_t m = 0; m < centred->k; m++) {
		if (!is_here(centred, i, m))
			continue;
		if (some) {
			sum += (x[m] - last) * (x[m] - last);
			n++;
		}
		last = x[m];
		some = true;
	}
	return n > 0 ? sum / (2 * n) : 0;
}

/* Returns whether any counter may have a step, by a quick test: S² k / (m (k − m)) for each cumulative sum S of m
 * blocks. Most observations have none. */
static bool
has_candidate(const struct segmentation *segmentation)
{
	double *factor = mem_new_array(segmentation->k, sizeof *factor), k = (double)segmentation->k;
	bool found = false;

	for (size_t m = segmentation->least; m + segmentation->least <= segmentation->k; m++)
		factor[m] = k / ((double)m * (k - (double)m));
	for (size_t i = 0; i < segmentation->n && !found; i++) {
		const double *x = segmentation->c->x + i * segmentation->k;
		double sum = 0, most = 0;

		for (size_t m = 0; m < segmentation->k; m++) {
			double t = sum * sum * factor[m];

			most = t > most ? t : most;
			sum += x[m];
		}
		/* With empty cells fewer blocks count, and steps look smaller. */
		found = most > CANDIDATE * segmentation->variance[i] * (segmentation->c->here ? 0.25 : 1);
	}
	free(factor);
	return found;
}

static void
accumulate(struct segmentation *segmentation)
{
	segmentation->sum = mem_new_array(segmentation->n * (segmentation->k + 1), sizeof *segmentation->sum);
	if (segmentation->c->here)
		segmentation->number = mem_new_array(
			segmentation->n * (segmentation->k + 1), sizeof *segmentation->number);
	for (size_t i = 0; i < segmentation->n; i++)
		for (size_t m = 0; m < segmentation->k; m++) {
			size_t at = i * (segmentation->k + 1) + m;

			segmentation->sum[at + 1] = segmentation->sum[at] + segmentation->c->x[i * segmentation->k + m];
			if (segmentation->number)
				segmentation->number[at + 1] = segmentation->number[at] +
					is_here(segmentation->c, i, m);
		}
}

/* Sum and number of blocks first … last − 1 of counter i. */
static double
changes_sum_of(const struct segmentation *w, size_t i, size_t first, size_t last, double *number)
{
	size_t row = i * (w->k + 1);

	*number = w->number ? w->number[row + last] - w->number[row + first] : (double)(last - first);
	return w->sum[row + last] - w->sum[row + first];
}

static double
changes_mean_of(const struct segmentation *w, size_t i, size_t first, size_t last)
{
	double n, s = changes_sum_of(w, i, first, last, &n);

	return n > 0 ? s / n : 0;
}

/* The squared jump of counter i between blocks first … at − 1 and at … last − 1, over its variance; 0 if too few blocks
 * were counted. */
static double
jump_of(const struct segmentation *w, size_t i, size_t first, size_t at, size_t last)
{
	double before, after, a = changes_sum_of(w, i, first, at, &before), b = changes_sum_of(w, i, at, last, &after),
			      d;

	if (before < 3 || after < 3)
		return 0;
	d = b / after - a / before;
	return d * d / (w->variance[i] * (1 / before + 1 / after));
}

/* Splits blocks 0 … k − 1 where a step is largest, then both sides of it, and so on. The sides wait on a stack, which
 * gets no deeper than there are borders. */
static void
find_segments(struct segmentation *segmentation)
{
	size_t *stack = mem_new_array(2 * (segmentation->k + 2), sizeof *stack), depth = 0;

	segmentation->border[0] = 0;
	segmentation->phases = 0;
	stack[depth++] = 0;
	stack[depth++] = segmentation->k;
	while (depth > 0) {
		size_t last = stack[--depth], first = stack[--depth], best = first;
		double most = CANDIDATE;

		for (size_t i = 0; i < segmentation->n; i++)
			for (size_t at = first + segmentation->least; at + segmentation->least <= last; at++) {
				double j = jump_of(segmentation, i, first, at, last);

				if (j > most) {
					most = j;
					best = at;
				}
			}
		if (best == first) {
			/* The left side is always treated first, so borders come in order. */
			segmentation->border[++segmentation->phases] = last;
			continue;
		}
		stack[depth++] = best;
		stack[depth++] = last;
		stack[depth++] = first;
		stack[depth++] = best;
	}
	free(stack);
}

/* Estimates the noise of each counter around its phases: its variance, and its lag-1 correlation, raised to that of all
 * counters together if that is higher. time[i] becomes 1 + 2 Σ ρ^k, the factor by which the variance of a mean exceeds
 * that of independent noise. */
static void
take_residuals(struct segmentation *w, double *time)
{
	double sum = 0, n_counters = 0, lost = (double)w->phases / (double)w->k, pooled;

	for (size_t i = 0; i < w->n; i++) {
		double zero = 0, one = 0, n = 0, pairs = 0, last = 0;

		for (size_t p = 0; p < w->phases; p++) {
			double mean = changes_mean_of(w, i, w->border[p], w->border[p + 1]);
			bool some = false;

			for (size_t m = w->border[p]; m < w->border[p + 1]; m++) {
				double d = w->c->x[i * w->k + m] - mean;

				if (!is_here(w->c, i, m))
					continue;
				zero += d * d;
				one += some ? d * last : 0;
				pairs += some;
				n++;
				last = d;
				some = true;
			}
		}
		w->variance[i] = fmax(w->floor[i], n > (double)w->phases ? zero / (n - (double)w->phases) : 0);
		time[i] = zero > 0 && pairs > 0 ? one / zero * n / pairs : 0;
		if (zero > 0) {
			sum += time[i];
			n_counters++;
		}
	}
	pooled = n_counters > 0 ? sum / n_counters : 0;
	for (size_t i = 0; i < w->n; i++) {
		double rho = fmax(pooled, time[i] - 1 / sqrt((double)w->k));

		rho = fmin(LARGEST_LAG, fmax(0, (rho + lost) / (1 - fmin(3 * lost, 0.5))));
		time[i] = (1 + rho) / (1 - rho);
	}
}

/* The largest jump at border b, and the counter that makes it. */
static double
best_jump(const struct segmentation *w, size_t b, const double *time, size_t *counter)
{
	double most = 0;

	for (size_t i = 0; i < w->n; i++) {
		double j = jump_of(w, i, w->border[b - 1], w->border[b], w->border[b + 1]) / (time ? time[i] : 1);

		if (j > most) {
			most = j;
			*counter = i;
		}
	}
	return most;
}

/* Removes the weakest border until all that remain stand against the noise. */
static void
prune(struct segmentation *segmentation)
{
	double *time = mem_new_array(segmentation->n, sizeof *time);

	while (segmentation->phases > 1) {
		size_t weakest = 0, counter;
		double least = KEPT;

		take_residuals(segmentation, time);
		for (size_t b = 1; b < segmentation->phases; b++) {
			double j = best_jump(segmentation, b, time, &counter);

			if (j < least) {
				least = j;
				weakest = b;
			}
		}
		if (weakest == 0)
			break;
		for (size_t b = weakest; b < segmentation->phases; b++)
			segmentation->border[b] = segmentation->border[b + 1];
		segmentation->phases--;
	}
	free(time);
}

/* Mean per row of counter i in phase p. */
static double
level(const struct segmentation *w, const struct region *r, size_t i, size_t p)
{
	double rows_per_block = (double)r->rows / (double)w->k;

	return r->mean[i] + changes_mean_of(w, i, w->border[p], w->border[p + 1]) / rows_per_block;
}

static void
report_changes(const struct segmentation *segmentation, const struct region *region, struct changes *out)
{
	out->change = mem_new_array(segmentation->phases - 1, sizeof *out->change);
	for (size_t b = 1; b < segmentation->phases; b++) {
		struct change *change = &out->change[out->n++];

		best_jump(segmentation, b, NULL, &change->counter);
		/* The first row of a block. Row m belongs to block m · k / rows. */
		change->row = (segmentation->border[b] * region->rows + segmentation->k - 1) / segmentation->k;
		change->before = level(segmentation, region, change->counter, b - 1);
		change->after = level(segmentation, region, change->counter, b);
	}
}

struct changes *
changes_find(const struct samples *samples, const struct region *region)
{
	struct changes *out = mem_new(sizeof *out);
	struct centred *centred;
	struct segmentation w = {.n = samples->n_counters, .least = CHANGES_SHORTEST};

	if (samples->n_rows < 2 * CHANGES_SHORTEST || region->point || samples->n_counters == 0)
		return out;
	centred = centred_new(samples, region->sum, region->weight);
	w.c = centred;
	w.k = centred->k;
	w.variance = mem_new_array(w.n, sizeof *w.variance);
	w.floor = mem_new_array(w.n, sizeof *w.floor);
	for (size_t i = 0; i < w.n; i++) {
		double per_block = (double)samples->n_rows / (double)centred->k,
		       one = pow(10, -samples->decimals) + LEVEL * fabs(region->mean[i]);

		w.floor[i] = one * one * per_block;
		w.variance[i] = fmax(w.floor[i], variance_by_differences(centred, i));
	}
	if (has_candidate(&w)) {
		accumulate(&w);
		w.border = mem_new_array(w.k + 2, sizeof *w.border);
		find_segments(&w);
		prune(&w);
		report_changes(&w, region, out);
	}
	free(w.variance);
	free(w.floor);
	free(w.sum);
	free(w.number);
	free(w.border);
	centred_free(centred);
	return out;
}

void
changes_free(struct changes *c)
{
	if (!c)
		return;
	free(c->change);
	free(c);
}
