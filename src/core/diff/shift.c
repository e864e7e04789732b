#include "core/diff/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

/* Scores are limited to this on each side at first; then to LIMIT_WIDE if the noise is normal, and to LIMIT_NARROW if
 * its tails are long. A tail on one side narrows the limit on the other side and widens it on its own. */
#define LIMIT 1.4
#define LIMIT_WIDE 2.2
#define LIMIT_NARROW 1.0
#define LIMIT_DOUBT 8.0 /* blocks after which half of that is believed */
#define LIMIT_LESS 0.7
#define LIMIT_MORE 0.2
/* The scales are those of the last so many blocks, taken anew whenever the number of blocks has doubled. */
#define SCALE_BLOCKS ((size_t)128)
#define LEVEL_BLOCKS ((size_t)8) /* whose medians give the level before a block */

/* Sizes of λ are powers of 2, and these are their weights. With scores of unit deviation, x has variance 4, and the
 * best λ for a shift of d deviations is d/2. Scores are limited, so large shifts need the largest. */
#define SIZES 7
static const struct {
	double weight;
	int squared; /* so often from the size before */
} bet[SIZES] = {{0.02, 0}, {0.04, 1}, {0.10, 1}, {0.22, 1}, {0.24, 1}, {0.18, 1}, {0.20, 2}};
#define SMALLEST (1.0 / 32)
#define LOST 1e-250 /* a weight that is smaller is 0 */

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

/* Copies the values of a block with the shift taken from B's; returns their median. */
static double
shift_residuals(const struct shift_runs *runs, size_t block, double shift, double out[SHIFT_BLOCK])
{
	const double *value = runs->value + block * SHIFT_BLOCK;
	const unsigned char *is_b = runs->is_b + block * SHIFT_BLOCK;
	double sorted[SHIFT_BLOCK];

	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		sorted[i] = out[i] = value[i] - (is_b[i] ? shift : 0);
	swap_if(&sorted[0], &sorted[1]);
	swap_if(&sorted[2], &sorted[3]);
	swap_if(&sorted[0], &sorted[2]);
	swap_if(&sorted[1], &sorted[3]);
	swap_if(&sorted[1], &sorted[2]);
	return sorted[1] + (sorted[2] - sorted[1]) / 2;
}

static double
median(double *v, size_t n)
{
	sort_doubles(v, n);
	return v[(n - 1) / 2] + (v[n / 2] - v[(n - 1) / 2]) / 2;
}

/* Walks over blocks and gives their scores. */
struct scorer {
	const struct shift_runs *runs;
	double shift;
	size_t block, renew; /* the next block; the scales are taken anew before this one */
	double deviation;    /* of runs of one kind, by how far the two of a block are apart */
	double limit[2];     /* of scores below the level and above */
	double own;          /* how much of a block's median is its own: 0 where all blocks have one level, 1 at most */
	double *middle;      /* of the blocks so far: their median */
};

/* The median of the block's median and those before it. */
static double
level_at(const struct scorer *s, size_t block)
{
	double v[LEVEL_BLOCKS + 1];
	size_t n = block < LEVEL_BLOCKS ? block : LEVEL_BLOCKS;

	for (size_t i = 0; i <= n; i++) {
		size_t at = i;

		for (; at > 0 && v[at - 1] > s->middle[block - i]; at--)
			v[at] = v[at - 1];
		v[at] = s->middle[block - i];
	}
	return v[n / 2] + (v[(n + 1) / 2] - v[n / 2]) / 2;
}

#define TAIL 10 /* its share of the values on each side is one in so many */
#define SKEWED 1.8
#define SKEW_DOUBT 2.0

/* The distance between values' outer fortieths over that between their quarters, in normal noise; each doubling lowers
 * the limit by LIMIT_FALL. */
#define TAIL_NORMAL 4.0
#define LIMIT_FALL 2.0

/* How far from the level n sorted distances may count, by how much longer their tails are than those of normal noise.
 */
static double
score_limit(const double *off, size_t n, double blocks)
{
	double most = off[n - 1 - n / 40] - off[n / 40], middle = off[n - 1 - n / 4] - off[n / 4];
	double limit = LIMIT_NARROW;

	if (middle > 0)
		limit = LIMIT_WIDE - LIMIT_FALL * log2(most / middle / TAIL_NORMAL);
	limit = fmax(LIMIT_NARROW, fmin(LIMIT_WIDE, limit));
	return LIMIT + (limit - LIMIT) * blocks / (blocks + LIMIT_DOUBT);
}

/* Sets the limits by the tails of all values, and by how much farther the upper tenth is from the block's median than
 * the lower. */
static void
score_limits_take(struct scorer *s, size_t first)
{
	size_t n = (s->block - first) * SHIFT_BLOCK;
	double *off = mem_new_array(n, sizeof *off), skew = 0, blocks = (double)(s->block - first), limit;

	for (size_t b = first; b < s->block; b++) {
		double *v = off + (b - first) * SHIFT_BLOCK;

		shift_residuals(s->runs, b, s->shift, v);
		for (size_t i = 0; i < SHIFT_BLOCK; i++)
			v[i] -= s->middle[b];
	}
	sort_doubles(off, n);
	if (off[n / TAIL] < 0 && off[n - 1 - n / TAIL] > 0)
		skew = log(off[n - 1 - n / TAIL] / -off[n / TAIL]) / log(SKEWED);
	limit = score_limit(off, n, blocks);
	free(off);
	skew = fmax(-1, fmin(1, skew * blocks / (blocks + SKEW_DOUBT)));
	s->limit[skew > 0] = limit - LIMIT_LESS * fabs(skew);
	s->limit[skew <= 0] = limit + LIMIT_MORE * fabs(skew);
}

#define NORMAL_MAD 1.4826   /* a normal deviation over the median of its absolute values */
#define MEDIAN_OF_FOUR 0.55 /* deviation of the median of four normal values */

/* Medians of four values would differ from the level by their own error, if that were the same for all; what they
 * differ more is their own (James and Stein, 1961). */
static void
take_scales(struct scorer *s)
{
	size_t first = s->block > SCALE_BLOCKS ? s->block - SCALE_BLOCKS : 0, n = s->block - first;
	double *off = mem_new_array(2 * n, sizeof *off), far;

	for (size_t b = first; b < s->block; b++) {
		const double *value = s->runs->value + b * SHIFT_BLOCK;
		const unsigned char *is_b = s->runs->is_b + b * SHIFT_BLOCK;
		double apart[2] = {0}, sign[2] = {1, 1};

		for (size_t i = 0; i < SHIFT_BLOCK; i++) {
			apart[is_b[i]] += sign[is_b[i]] * value[i];
			sign[is_b[i]] = -1;
		}
		off[2 * (b - first)] = fabs(apart[0]);
		off[2 * (b - first) + 1] = fabs(apart[1]);
	}
	s->deviation = NORMAL_MAD * median(off, 2 * n) / M_SQRT2;
	for (size_t b = first; b < s->block; b++)
		off[b - first] = fabs(s->middle[b] - level_at(s, b));
	far = NORMAL_MAD * median(off, n);
	free(off);
	far = far > 0 ? MEDIAN_OF_FOUR * s->deviation / far : 1;
	s->own = n < LEVEL_BLOCKS / 2 ? 1 : fmax(0, 1 - far * far);
	score_limits_take(s, first);
}

static bool
next_scores(struct scorer *s, double score[SHIFT_BLOCK])
{
	double deviation, centre;

	if (s->block >= s->runs->blocks)
		return false;
	if (s->block == s->renew) {
		take_scales(s);
		s->renew *= 2;
	}
	s->middle[s->block] = shift_residuals(s->runs, s->block, s->shift, score);
	centre = s->middle[s->block];
	if (s->own < 1)
		centre = s->own * centre + (1 - s->own) * level_at(s, s->block);
	deviation = s->deviation;
	/* Before the first block, and where all runs before were equal, the block's own largest deviation. */
	for (size_t i = 0; s->deviation <= 0 && i < SHIFT_BLOCK; i++)
		deviation = fmax(deviation, fabs(score[i] - centre));
	for (size_t i = 0; i < SHIFT_BLOCK; i++)
		score[i] = deviation > 0 ? fmax(-s->limit[0], fmin(s->limit[1], (score[i] - centre) / deviation)) : 0;
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

/* The shares of the bets in the wealth, for B above and below, and the logarithm of the wealth. */
struct wealth {
	double up[SIZES], down[SIZES];
	double log, goal;
};

/* What bets pay for the six orders, by the partner of the first run, and by whether both are of B; in the mean 1. */
struct payoff {
	double up[SIZES][3], down[SIZES][3]; /* of those for B above, if the first run is of B, and of A */
	double of[2][3];                     /* of all together */
};

/* The six orders give three values of x, each with both signs, so the mean of exp(λ x) is that of three cosh(λ x). What
 * a bet on B below pays for an order, the one on B above pays for the opposite order. */
static void
payoff_take(struct payoff *pay, const struct wealth *w, const double score[SHIFT_BLOCK])
{
	double e[3], inverse[3];

	for (size_t j = 0; j < 3; j++) {
		double x = score[0];

		for (size_t i = 1; i < SHIFT_BLOCK; i++)
			x += i == j + 1 ? score[i] : -score[i];
		e[j] = exp(SMALLEST * x);
		inverse[j] = 1 / e[j];
		pay->of[0][j] = pay->of[1][j] = 0;
	}
	for (size_t k = 0; k < SIZES; k++) {
		double of_mean;

		for (int squared = 0; squared < bet[k].squared; squared++)
			for (size_t j = 0; j < 3; j++) {
				e[j] *= e[j];
				inverse[j] *= inverse[j];
			}
		of_mean = 6 / (e[0] + inverse[0] + e[1] + inverse[1] + e[2] + inverse[2]);
		for (size_t j = 0; j < 3; j++) {
			pay->up[k][j] = e[j] * of_mean;
			pay->down[k][j] = inverse[j] * of_mean;
			pay->of[1][j] += w->up[k] * pay->up[k][j] + w->down[k] * pay->down[k][j];
			pay->of[0][j] += w->up[k] * pay->down[k][j] + w->down[k] * pay->up[k][j];
		}
	}
}

/* Wealth above the goal is worth nothing. So an order that would pay more pays what leads to the goal, and the other
 * orders share the rest in proportion. Returns what this order pays; INFINITY: it leads to the goal. */
static double
payoff_to_goal(const struct payoff *pay, double most, bool is_b, size_t partner)
{
	double scale = 1;

	for (int turn = 0; turn < 6; turn++) {
		double fixed = 0, others = 0, next;

		for (size_t i = 0; i < 6; i++) {
			double p = pay->of[i / 3][i % 3];

			if (scale * p >= most)
				fixed += most;
			else
				others += p;
		}
		next = others > 0 ? (6 - fixed) / others : scale;
		if (next <= scale)
			break;
		scale = next;
	}
	scale *= pay->of[is_b][partner];
	return scale >= most ? INFINITY : scale;
}

/* Keeps the shares of the bets by what they won. */
static void
wealth_share(struct wealth *w, const struct payoff *pay, bool is_b, size_t partner)
{
	double of_all = 1 / pay->of[is_b][partner];

	for (size_t k = 0; k < SIZES; k++) {
		double up = pay->up[k][partner], down = pay->down[k][partner];

		w->up[k] *= (is_b ? up : down) * of_all;
		w->down[k] *= (is_b ? down : up) * of_all;
		w->up[k] = w->up[k] < LOST ? 0 : w->up[k];
		w->down[k] = w->down[k] < LOST ? 0 : w->down[k];
	}
}

static void
wealth_bet(struct wealth *w, const double score[SHIFT_BLOCK], const unsigned char *is_b)
{
	struct payoff pay;
	size_t partner = is_b[1] == is_b[0] ? 0 : is_b[2] == is_b[0] ? 1 : 2;
	double left = w->goal - w->log, won;

	payoff_take(&pay, w, score);
	won = pay.of[is_b[0]][partner];
	/* an order pays at most 6 */
	if (left > 0 && left < log(6))
		won = payoff_to_goal(&pay, exp(left), is_b[0], partner);
	w->log = isinf(won) ? w->goal : w->log + log(won);
	wealth_share(w, &pay, is_b[0], partner);
}

/* `ever`: it ends when the goal is reached, for what was refuted once is refuted; else it goes on. */
static double
wealth_against(const struct shift_runs *runs, double shift, double alpha, bool ever)
{
	struct scorer s = {.runs = runs, .shift = shift, .renew = 1, .own = 1, .limit = {LIMIT, LIMIT}};
	struct wealth w = {.goal = log(1 / alpha)};
	double score[SHIFT_BLOCK];

	s.middle = mem_new_array(runs->blocks + 1, sizeof *s.middle);
	for (size_t k = 0; k < SIZES; k++)
		w.up[k] = w.down[k] = bet[k].weight / 2;
	while ((!ever || w.log < w.goal) && next_scores(&s, score))
		wealth_bet(&w, score, runs->is_b + (s.block - 1) * SHIFT_BLOCK);
	free(s.middle);
	return w.log;
}

double
shift_evidence(const struct shift_runs *runs, double shift, double alpha)
{
	return wealth_against(runs, shift, alpha, true);
}

/* --- interval ----------------------------------------------------------------------------------------------------- */

/* The median over blocks of mean B less mean A, and the median deviation from it. */
static double
median_difference(const struct shift_runs *runs, double *spread)
{
	size_t n = runs->blocks;
	double *difference = mem_new_array(n, sizeof *difference), middle;

	for (size_t b = 0; b < n; b++)
		difference[b] = b_less_a(runs, b, runs->value + b * SHIFT_BLOCK) / 2;
	middle = median(difference, n);
	for (size_t b = 0; b < n; b++)
		difference[b] = fabs(difference[b] - middle);
	sort_doubles(difference, n);
	*spread = difference[n / 2];
	free(difference);
	return middle;
}

#define LEAST_STEP 1e-9 /* of the search for a border */

/* What is asked of a shift: is it refuted? */
struct question {
	const struct shift_runs *runs;
	double alpha;
	bool ever;
};

static bool
is_refuted(const struct question *q, double shift)
{
	return wealth_against(q->runs, shift, q->alpha, q->ever) >= log(1 / q->alpha);
}

/* The border of the shifts that are not refuted, from `inside` on; INFINITY with the sign of the step if there is
 * none. */
static double
border(const struct question *q, double inside, double step)
{
	double outside = inside + step;
	int doublings = 0;

	while (!is_refuted(q, outside)) {
		if (++doublings > 40)
			return step < 0 ? -INFINITY : INFINITY;
		inside = outside;
		outside += step;
		step *= 2;
	}
	for (int i = 0; i < 60 && fabs(outside - inside) > 1e-2 * fabs(step); i++) {
		double middle = inside + (outside - inside) / 2;

		if (is_refuted(q, middle))
			outside = middle;
		else
			inside = middle;
	}
	return outside;
}

#define NEAR 12 /* steps on each side */

/* A shift that is not refuted: the estimate, or one near it. If all were refuted at some time, because the shift
 * changes, it is asked what is refuted now. False: all are. */
static bool
find_inside(struct question *q, double *estimate, double step)
{
	for (int again = 0; again < 2; again++, q->ever = false)
		for (int i = 0; i <= 2 * NEAR; i++) {
			double at = *estimate + (i % 2 ? 1 : -1) * ((i + 1) / 2) * step / 2;

			if (!is_refuted(q, at)) {
				*estimate = at;
				return true;
			}
		}
	return false;
}

struct shift
shift_interval(const struct shift_runs *runs, double alpha)
{
	struct shift s = {.low = -INFINITY, .high = INFINITY};
	struct question q = {.runs = runs, .alpha = alpha, .ever = true};
	double spread, step, inside;

	if (runs->blocks == 0)
		return s;
	s.estimate = inside = median_difference(runs, &spread);
	step = fmax(spread, LEAST_STEP) / sqrt((double)runs->blocks);
	/* The largest evidence that so many blocks can give. */
	if ((double)runs->blocks * log(6) - log(2) < log(1 / alpha) || !find_inside(&q, &inside, step))
		return s;
	s.low = border(&q, inside, -step);
	s.high = border(&q, inside, step);
	/* Shifts between the borders and 0 may be refuted, but whether 0 is decides the answer. */
	if ((s.low > 0 || s.high < 0) && !is_refuted(&q, 0)) {
		s.low = fmin(s.low, 0);
		s.high = fmax(s.high, 0);
	}
	s.estimate = fmax(s.low, fmin(s.high, s.estimate));
	/* of equal values only their own difference is possible: what is left is the length of a step */
	if (s.estimate - s.low <= 2 * LEAST_STEP)
		s.low = s.estimate;
	if (s.high - s.estimate <= 2 * LEAST_STEP)
		s.high = s.estimate;
	return s;
}
