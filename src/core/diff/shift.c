#include "core/diff/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SCORE_MOST 3.0
/* The median deviation is that of the last so many blocks, taken anew whenever the number of blocks has doubled. */
#define SCALE_BLOCKS ((size_t)256)
#define SIZES 5

/* Sizes of λ are 1, 1/3, 1/9 …, and these are their weights. With scores of unit deviation, x has variance 4, and the
 * best λ for a shift of d deviations is d/2 (large shifts: the largest). */
static const double weight[SIZES] = {0.4, 0.2, 0.16, 0.14, 0.1};
#define SMALLEST (1.0 / 81)

/* --- scores ------------------------------------------------------------------------------------------------------- */

static void
swap_if(double *a, double *b)
{
	if (*a > *b) {
		double t = *a;

		*a = *b;
		*b = t;
	}
}

/* The values of a block with the shift taken from B's, less their median. */
static void
shift_residuals(const struct shift_runs *runs, size_t block, double shift, double out[SHIFT_BLOCK])
{
	const double *value = runs->value + block * SHIFT_BLOCK;
	const unsigned char *is_b = runs->is_b + block * SHIFT_BLOCK;
	double sorted[SHIFT_BLOCK], middle;

	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		sorted[i] = out[i] = value[i] - (is_b[i] ? shift : 0);
	swap_if(&sorted[0], &sorted[1]);
	swap_if(&sorted[2], &sorted[3]);
	swap_if(&sorted[0], &sorted[2]);
	swap_if(&sorted[1], &sorted[3]);
	swap_if(&sorted[1], &sorted[2]);
	middle = sorted[1] + (sorted[2] - sorted[1]) / 2;
	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		out[i] -= middle;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of the absolute residuals of blocks `first` to `end` - 1, as a normal deviation. */
static double
shift_deviation(const struct shift_runs *runs, size_t first, size_t end, double shift)
{
	size_t n = (end - first) * SHIFT_BLOCK;
	double *all = mem_new_array(n, sizeof *all), median;

	for (size_t b = first; b < end; b++)
		shift_residuals(runs, b, shift, all + (b - first) * SHIFT_BLOCK);
	for (size_t i = 0; i < n; i++)
		all[i] = fabs(all[i]);
	qsort(all, n, sizeof *all, ascending);
	median = (all[n / 2 - 1] + all[n / 2]) / 2;
	free(all);
	return median * 1.4826;
}

/* Walks over blocks and gives their scores. */
struct scorer {
	const struct shift_runs *runs;
	double shift, deviation;
	size_t block, renew; /* the next block; the deviation is taken anew before this one */
};

static bool
next_scores(struct scorer *s, double score[SHIFT_BLOCK])
{
	double deviation;

	if (s->block >= s->runs->blocks)
		return false;
	if (s->block == s->renew) {
		size_t first = s->block > SCALE_BLOCKS ? s->block - SCALE_BLOCKS : 0;

		s->deviation = shift_deviation(s->runs, first, s->block, s->shift);
		s->renew *= 2;
	}
	shift_residuals(s->runs, s->block, s->shift, score);
	deviation = s->deviation;
	/* Before the first block, and where all runs before were equal, the block's own largest residual. */
	for (size_t i = 0; s->deviation <= 0 && i < SHIFT_BLOCK; i++)
		deviation = fmax(deviation, fabs(score[i]));
	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		score[i] = deviation > 0 ? fmax(-SCORE_MOST, fmin(SCORE_MOST, score[i] / deviation)) : 0;
	s->block++;
	return true;
}

static double
b_less_a(const struct shift_runs *runs, size_t block, const double score[SHIFT_BLOCK])
{
	const unsigned char *is_b = runs->is_b + block * SHIFT_BLOCK;
	double x = 0;

	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		x += is_b[i] ? score[i] : -score[i];
	return x;
}

/* --- evidence ----------------------------------------------------------------------------------------------------- */

/* Products over blocks, one for each size of λ. They are moved to `log` before they leave the range of a double: one
 * block changes them by at most exp(±12). */
#define MOVE_EVERY 32
struct products {
	double up[SIZES], down[SIZES];
	double log_up[SIZES], log_down[SIZES];
};

static void
products_move(struct products *p)
{
	for (size_t k = 0; k < SIZES; k++) {
		p->log_up[k] += log(p->up[k]);
		p->log_down[k] += log(p->down[k]);
		p->up[k] = p->down[k] = 1;
	}
}

/* The six orders give three values of x, each with both signs. So the mean of exp(λ x) is that of three cosh(λ x). */
static void
products_take(struct products *p, const double score[SHIFT_BLOCK], double x)
{
	double e[3], of_x = exp(SMALLEST * x);

	for (size_t k = 0; k < 3; k++) {
		double order = score[0];

		for (size_t i = 1; i < SHIFT_BLOCK; i++)
			order += i == k + 1 ? score[i] : -score[i];
		e[k] = exp(SMALLEST * order);
	}
	for (size_t k = SIZES; k-- > 0;) {
		double mean = (e[0] + 1 / e[0] + e[1] + 1 / e[1] + e[2] + 1 / e[2]) / 6;

		p->up[k] *= of_x / mean;
		p->down[k] /= of_x * mean;
		of_x *= of_x * of_x; /* λ is three times as large in the next turn */
		for (size_t i = 0; i < 3; i++)
			e[i] *= e[i] * e[i];
	}
}

double
shift_evidence(const struct shift_runs *runs, double shift)
{
	struct scorer s = {.runs = runs, .shift = shift, .renew = 1};
	struct products p;
	double score[SHIFT_BLOCK], most = -INFINITY, sum = 0;

	for (size_t k = 0; k < SIZES; k++) {
		p.up[k] = p.down[k] = 1;
		p.log_up[k] = p.log_down[k] = 0;
	}
	while (next_scores(&s, score)) {
		products_take(&p, score, b_less_a(runs, s.block - 1, score));
		if (s.block % MOVE_EVERY == 0)
			products_move(&p);
	}
	products_move(&p);
	for (size_t k = 0; k < SIZES; k++)
		most = fmax(most, fmax(p.log_up[k], p.log_down[k]));
	for (size_t k = 0; k < SIZES; k++)
		sum += weight[k] / 2 * (exp(p.log_up[k] - most) + exp(p.log_down[k] - most));
	return most + log(sum);
}

/* --- interval ----------------------------------------------------------------------------------------------------- */

/* The median over blocks of mean B less mean A, and the median deviation from it. */
static double
median_difference(const struct shift_runs *runs, double *spread)
{
	size_t n = runs->blocks;
	double *difference = mem_new_array(n, sizeof *difference), median;

	for (size_t b = 0; b < n; b++)
		difference[b] = b_less_a(runs, b, runs->value + b * SHIFT_BLOCK) / 2;
	qsort(difference, n, sizeof *difference, ascending);
	median = (difference[(n - 1) / 2] + difference[n / 2]) / 2;
	for (size_t b = 0; b < n; b++)
		difference[b] = fabs(difference[b] - median);
	qsort(difference, n, sizeof *difference, ascending);
	*spread = difference[n / 2];
	free(difference);
	return median;
}

#define LEAST_STEP 1e-9 /* of the search for a border */

/* The border between shifts below and above `level`, from `inside` towards `outside`; INFINITY with the sign of the
 * direction if there is none. */
static double
border(const struct shift_runs *runs, double inside, double step, double level)
{
	double outside = inside + step;
	int doublings = 0;

	while (shift_evidence(runs, outside) < level) {
		if (++doublings > 40)
			return step < 0 ? -INFINITY : INFINITY;
		inside = outside;
		outside += step;
		step *= 2;
	}
	for (int i = 0; i < 60 && fabs(outside - inside) > 1e-2 * fabs(step); i++) {
		double middle = inside + (outside - inside) / 2;

		if (shift_evidence(runs, middle) < level)
			inside = middle;
		else
			outside = middle;
	}
	return outside;
}

struct shift
shift_interval(const struct shift_runs *runs, double alpha)
{
	struct shift s = {.low = -INFINITY, .high = INFINITY};
	double level = log(1 / alpha), spread, step;

	if (runs->blocks == 0)
		return s;
	s.estimate = median_difference(runs, &spread);
	/* The largest evidence that so many blocks can give. */
	if ((double)runs->blocks * log(6) + log(weight[0] / 2) < level)
		return s;
	step = fmax(spread, LEAST_STEP) / sqrt((double)runs->blocks);
	s.low = border(runs, s.estimate, -step, level);
	s.high = border(runs, s.estimate, step, level);
	/* of equal values only their own difference is possible: what is left is the length of a step */
	if (s.estimate - s.low <= 2 * LEAST_STEP)
		s.low = s.estimate;
	if (s.high - s.estimate <= 2 * LEAST_STEP)
		s.high = s.estimate;
	return s;
}
