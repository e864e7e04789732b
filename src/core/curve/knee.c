/* How knees are found:
 *
 *     mean                        ▄▄▅▅▅▆▆      long pieces   A · B
 *                                ▃             gap           the points between them, on neither line
 *                               ▂              window        the last points of A and the first of B: their lines
 *      ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁               give `before` and `after`
 *      |         A            |gap|   B   |
 *
 * Before that, clean_points() removes what is no change of a trend: points that interrupts made long, zig-zags, spikes.
 * cut() makes the best straight pieces. Those of few points are transitions: they fall into a gap, and so do steep ones
 * between two trends, which are ramps. weigh() measures what a border between long pieces means, and merge() joins the
 * pieces at the least one, until all that remain matter. So slow bends and small steps do not hide the knee, and are
 * counted only. */
#include "core/curve/knee.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/curve/curve.h"
#include "core/curve/disturbed.h"
#include "core/stats/tails.h"

#define PRICE 5.0          /* of a piece, times ln n: squares of residuals over the variance */
#define LONG_SHARE 16      /* a piece is long if it has a sixteenth of the points … */
#define LONG_FEWEST 3      /* … and so many at least */
#define END_SHARE 64       /* the first and the last piece may be shorter: no change leads through them */
#define WINDOW_SHARE 10    /* trends beside a border are those of a tenth of the points … */
#define WINDOW_FEWEST 4    /* … and so many at least */
#define JUMP_SHARE 0.1     /* a jump matters if it is this share of the level */
#define BEND_SHARE 0.25    /* a bend matters if it moves the curve by this share of its range and of the level */
#define STANDS 5.0         /* standard errors that a jump must exceed, and standard deviations that a bend must */
#define RAMP_SHARE 5       /* a ramp has a fifth of the points at most … */
#define RAMP_BESIDE 2      /* … and the trend on either side half of its points at least … */
#define RAMP_STEEP 4       /* … and rises no more than a quarter as steeply */
#define SHARP 1.5          /* squares of residuals of a parabola over those of two lines, at least, at a bend */
#define SPIKE 8.0          /* standard deviations from which a few points are outliers */
#define SPIKE_ROUNDS 2
#define EDGE_SHARE 0.05    /* of a jump: a point further from a trend is not on it */
#define EDGE_STANDS 2.5    /* standard deviations, likewise, where the trend is clear */
#define EDGE_LEVEL 0.002   /* of the level: a point so close to a trend is on it */
#define EDGE_FEWEST 6      /* points that make a trend clear */
#define EDGE_LEAST 0.005   /* of a jump, likewise */
#define EDGE_NEAR 4        /* points at the end of a trend that may be off, too … */
#define EDGE_GUARD 4       /* … or a quarter of the ramp; of the trend at most */
#define SUDDEN 0.9         /* of a jump: a step of two points that has so much of it is no ramp */
#define CONFIDENCE 0.99
#define FLOOR_LEVEL 0.01   /* of the level: a wave of this height does not matter, however clear it is */
#define FLOOR_RANGE 5e-4   /* of the range, likewise */

struct line {
	double a, slope;   /* y = a + slope · x */
	double rss;        /* squares of residuals */
	double n, mean_x, sxx;
};

struct piece {
	size_t first, last; /* points, inclusive */
};

struct fit {
	size_t n;
	double *x, *y;
	double *sum[5];      /* cumulative sums of x, y, x², x·y, y², of x and y around their middles */
	double mid_x, mid_y;
	double unit;         /* a power of two: y times this is what was measured; so no square overflows or vanishes */
	double sigma, range;
	struct piece *piece; /* long pieces */
	size_t n_pieces;
	size_t minor;
};

/* What the border after a piece means. */
struct border {
	enum knee_kind kind;
	double weight;            /* 1 or more: it matters */
	double noise;             /* around the lines of its window */
	struct line before, after;
};

/* --- Lines ------------------------------------------------------------------------------------------------------- */

static void
accumulate(struct fit *f)
{
	for (size_t k = 0; k < 5; k++)
		f->sum[k] = mem_new_array(f->n + 1, sizeof **f->sum);
	f->mid_x = (f->x[0] + f->x[f->n - 1]) / 2;
	f->mid_y = f->y[f->n / 2];
	for (size_t i = 0; i < f->n; i++) {
		double x = f->x[i] - f->mid_x, y = f->y[i] - f->mid_y, term[5] = {x, y, x * x, x * y, y * y};

		for (size_t k = 0; k < 5; k++)
			f->sum[k][i + 1] = f->sum[k][i] + term[k];
	}
}

static struct line
line_of(const struct fit *f, size_t first, size_t last)
{
	double n = (double)(last - first + 1), s[5];
	double sxx, sxy, syy, mean_x, mean_y;
	struct line l = {.n = n};

	for (size_t k = 0; k < 5; k++)
		s[k] = f->sum[k][last + 1] - f->sum[k][first];
	mean_x = s[0] / n;
	mean_y = s[1] / n;
	sxx = s[2] - s[0] * mean_x;
	sxy = s[3] - s[0] * mean_y;
	syy = s[4] - s[1] * mean_y;
	l.slope = n > 1 && sxx > 0 ? sxy / sxx : 0;
	l.rss = n > 2 ? fmax(0, syy - l.slope * sxy) : 0;
	l.mean_x = mean_x + f->mid_x;
	l.sxx = sxx;
	l.a = mean_y + f->mid_y - l.slope * l.mean_x;
	return l;
}

static double
line_at(const struct line *l, double x)
{
	return l->a + l->slope * x;
}

/* Squares of the residuals of a parabola through points first … last without those of the gap between two pieces. */
static double
parabola_rss(const struct fit *f, struct piece p, struct piece q)
{
	double n = 0, s[5] = {0}, mean[3], szz = 0, szr = 0, rss = 0, slope_y, slope_z;
	double scale = (f->x[q.last] - f->x[p.first]) / 2, middle = (f->x[q.last] + f->x[p.first]) / 2;

	for (size_t i = p.first; i <= q.last; i++) {
		double t = (f->x[i] - middle) / scale;

		if (i > p.last && i < q.first)
			continue;
		n++;
		s[0] += t;
		s[1] += f->y[i];
		s[2] += t * t;
		s[3] += t * f->y[i];
		s[4] += t * t * t;
	}
	for (size_t k = 0; k < 3; k++)
		mean[k] = s[k] / n;
	slope_y = (s[3] - s[0] * mean[1]) / (s[2] - s[0] * mean[0]);
	slope_z = (s[4] - s[0] * mean[2]) / (s[2] - s[0] * mean[0]);
	for (size_t i = p.first; i <= q.last; i++) {
		double t = (f->x[i] - middle) / scale, r, z;

		if (i > p.last && i < q.first)
			continue;
		r = f->y[i] - mean[1] - slope_y * (t - mean[0]);
		z = t * t - mean[2] - slope_z * (t - mean[0]);
		szz += z * z;
		szr += z * r;
		rss += r * r;
	}
	return szz > 0 ? fmax(0, rss - szr * szr / szz) : rss;
}

/* --- The points -------------------------------------------------------------------------------------------------- */

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The standard deviation of a point, from how far each is off the line through its neighbours: knees hardly change the
 * median of these. */
static double
noise_of(const double *x, const double *y, size_t n)
{
	double *off = mem_new_array(n, sizeof *off), median;

	for (size_t i = 1; i + 1 < n; i++) {
		double t = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
		double own = 1 + t * t + (1 - t) * (1 - t);

		off[i - 1] = fabs(y[i] - y[i - 1] - t * (y[i + 1] - y[i - 1])) / sqrt(own);
	}
	qsort(off, n - 2, sizeof *off, compare_doubles);
	median = off[(n - 2) / 2];
	free(off);
	return median / 0.6745; /* the median of |z| for normal z */
}

/* A quarter of the points are lower. */
static double
level_of(const double *y, size_t n)
{
	double *size = mem_new_array(n, sizeof *size), level;

	for (size_t i = 0; i < n; i++)
		size[i] = fabs(y[i]);
	qsort(size, n, sizeof *size, compare_doubles);
	level = size[n / 4];
	free(size);
	return level;
}

/* The standard deviation of a point, or what is so small that it does not matter. */
static double
sigma_of(const double *x, const double *y, size_t n)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, y[i]);
		high = fmax(high, y[i]);
	}
	return fmax(fmax(noise_of(x, y, n), DBL_MIN), fmax(FLOOR_LEVEL * level_of(y, n), FLOOR_RANGE * (high - low)));
}

/* The power of two that goes once into the largest value. */
static double
unit_of(const double *y, size_t n)
{
	double most = 0;
	int exponent;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(y[i]));
	frexp(most, &exponent);
	return most > 0 ? ldexp(1, exponent - 1) : 1;
}

/* The points, in units of the result, without what disturbed single ones. The caller frees both. */
static double
clean_points(const struct curve *c, double **x, double **y)
{
	double unit;

	*x = mem_new_array(c->n, sizeof **x);
	*y = mem_new_array(c->n, sizeof **y);
	for (size_t i = 0; i < c->n; i++)
		(*x)[i] = c->point[i].x;
	disturbed_means(c, *y);
	unit = unit_of(*y, c->n);
	for (size_t i = 0; i < c->n; i++)
		(*y)[i] /= unit;
	disturbed_level_pairs(*x, *y, c->n);
	/* Where there are many spikes, the first round finds the high ones only: they hide the true noise. */
	for (unsigned round = 0; round < SPIKE_ROUNDS; round++)
		disturbed_remove_spikes(*x, *y, c->n, SPIKE * sigma_of(*x, *y, c->n));
	return unit;
}

static void
take_points(struct fit *f, const struct curve *c)
{
	double *x, *y, low = INFINITY, high = -INFINITY, unit;
	size_t step = 1;

	while (c->n / step > KNEE_MOST)
		step *= 2;
	unit = clean_points(c, &x, &y);
	f->n = c->n / step;
	f->x = mem_new_array(f->n, sizeof *f->x);
	f->y = mem_new_array(f->n, sizeof *f->y);
	for (size_t i = 0; i < f->n; i++) {
		f->x[i] = x[i * step];
		for (size_t k = 0; k < step; k++)
			f->y[i] += y[i * step + k] / (double)step;
		low = fmin(low, f->y[i]);
		high = fmax(high, f->y[i]);
	}
	free(x);
	free(y);
	f->unit = unit;
	f->range = high - low;
	f->sigma = sigma_of(f->x, f->y, f->n);
	accumulate(f);
}

/* --- Pieces ------------------------------------------------------------------------------------------------------ */

/* The best pieces; the caller frees them. */
static struct piece *
cut(const struct fit *f, size_t *n_pieces)
{
	double *best = mem_new_array(f->n + 1, sizeof *best), variance = f->sigma * f->sigma;
	double price = PRICE * log((double)f->n);
	size_t *from = mem_new_array(f->n + 1, sizeof *from), n = 0;
	struct piece *piece;

	for (size_t end = 1; end <= f->n; end++) {
		best[end] = INFINITY;
		for (size_t first = 0; first < end; first++) {
			double cost = best[first] + price;

			if (cost >= best[end])
				continue;
			cost += line_of(f, first, end - 1).rss / variance;
			if (cost < best[end]) {
				best[end] = cost;
				from[end] = first;
			}
		}
	}
	for (size_t end = f->n; end > 0; end = from[end])
		n++;
	piece = mem_new_array(n, sizeof *piece);
	*n_pieces = n;
	for (size_t end = f->n; end > 0; end = from[end])
		piece[--n] = (struct piece){from[end], end - 1};
	free(best);
	free(from);
	return piece;
}

static void
keep_long(struct fit *f)
{
	size_t n;

	f->piece = cut(f, &n);
	for (size_t i = 0; i < n; i++) {
		size_t share = f->n / (i == 0 || i + 1 == n ? END_SHARE : LONG_SHARE);

		if (f->piece[i].last - f->piece[i].first + 1 >= (share > LONG_FEWEST ? share : LONG_FEWEST))
			f->piece[f->n_pieces++] = f->piece[i];
	}
	/* What is cut off at the ends has no trend of its own. */
	if (f->n_pieces == 0)
		f->piece[f->n_pieces++] = (struct piece){0, f->n - 1};
}

static struct line
line_before(const struct fit *f, struct piece p)
{
	size_t window = f->n / WINDOW_SHARE > WINDOW_FEWEST ? f->n / WINDOW_SHARE : WINDOW_FEWEST;

	return line_of(f, p.last - p.first + 1 > window ? p.last + 1 - window : p.first, p.last);
}

static struct line
line_after(const struct fit *f, struct piece p)
{
	size_t window = f->n / WINDOW_SHARE > WINDOW_FEWEST ? f->n / WINDOW_SHARE : WINDOW_FEWEST;

	return line_of(f, p.first, p.last - p.first + 1 > window ? p.first + window - 1 : p.last);
}

static struct border
weigh(const struct fit *f, struct piece p, struct piece q)
{
	struct border b = {.before = line_before(f, p), .after = line_after(f, q)};
	struct line whole = line_of(f, p.first, p.last), next = line_of(f, q.first, q.last);
	double x = (f->x[p.last] + f->x[q.first]) / 2, before = line_at(&b.before, x), after = line_at(&b.after, x);
	double free_points = b.before.n + b.after.n - 4, error, extent, jump, bend;

	b.noise = free_points > 0 ? fmax(f->sigma, sqrt((b.before.rss + b.after.rss) / free_points)) : f->sigma;
	error = b.noise * fmin(1, sqrt(4 / b.before.n + 4 / b.after.n)); /* of the ends of two lines */
	jump = fabs(after - before) / fmax(JUMP_SHARE * (fabs(before) + fabs(after)) / 2, STANDS * error);
	extent = fmin(f->x[p.last] - f->x[p.first], f->x[q.last] - f->x[q.first]);
	bend = fabs(next.slope - whole.slope) * extent /
		fmax(BEND_SHARE * fmax(f->range, (fabs(before) + fabs(after)) / 2), STANDS * b.noise);
	if (parabola_rss(f, p, q) < SHARP * (whole.rss + next.rss + f->sigma * f->sigma))
		bend = 0;
	b.kind = jump >= 1 || jump >= bend ? KNEE_JUMP : KNEE_BEND;
	b.weight = fmax(jump, bend);
	if (b.kind == KNEE_BEND) {
		b.before = whole;
		b.after = next;
	}
	return b;
}

/* Whether all pieces between a and c are the ramp of one jump. */
static bool
is_ramp(const struct fit *f, size_t a, size_t c)
{
	struct piece p = f->piece[a], q = f->piece[c];
	struct line before = line_of(f, p.first, p.last), after = line_of(f, q.first, q.last);
	double change = line_at(&after, f->x[q.first]) - line_at(&before, f->x[p.last]);
	double steep = RAMP_STEEP * fmax(fabs(before.slope), fabs(after.slope));
	size_t n = q.first - p.last - 1;
	struct border b;

	if (n > f->n / RAMP_SHARE || (p.last - p.first + 1) * RAMP_BESIDE < n ||
		(q.last - q.first + 1) * RAMP_BESIDE < n)
		return false;
	for (size_t i = a + 1; i < c; i++) {
		struct line l = line_of(f, f->piece[i].first, f->piece[i].last);

		if (l.slope * change <= 0 || fabs(l.slope) < steep)
			return false;
	}
	b = weigh(f, p, q);
	return b.kind == KNEE_JUMP && b.weight >= 1;
}

/* Ramps that are long enough for pieces fall into gaps, too. */
static void
drop_ramps(struct fit *f)
{
	for (size_t a = 0; a + 2 < f->n_pieces; a++)
		for (size_t c = f->n_pieces - 1; c >= a + 2; c--)
			if (is_ramp(f, a, c)) {
				size_t gone = c - a - 1;

				for (size_t i = c; i < f->n_pieces; i++)
					f->piece[i - gone] = f->piece[i];
				f->n_pieces -= gone;
				break;
			}
}

/* Joins pieces whose border does not matter, the least first. */
static void
merge(struct fit *f)
{
	while (f->n_pieces > 1) {
		double least = 1;
		size_t at = 0;

		for (size_t i = 1; i < f->n_pieces; i++) {
			double weight = weigh(f, f->piece[i - 1], f->piece[i]).weight;

			if (weight < least) {
				least = weight;
				at = i;
			}
		}
		if (at == 0)
			return;
		f->piece[at - 1].last = f->piece[at].last;
		for (size_t i = at; i + 1 < f->n_pieces; i++)
			f->piece[i] = f->piece[i + 1];
		f->n_pieces--;
		f->minor++;
	}
}

/* --- Knees ------------------------------------------------------------------------------------------------------- */

/* Squares of residuals if point k is the last on the old trend, for the points from first to last. */
static double
step_rss(const struct fit *f, const struct border *b, size_t first, size_t last, size_t k)
{
	double sum = 0;

	for (size_t i = first; i <= last; i++) {
		double r = f->y[i] - line_at(i <= k ? &b->before : &b->after, f->x[i]);

		sum += r * r;
	}
	return sum;
}

/* The variance of a line's value at x. */
static double
variance_at(const struct line *l, double noise, double x)
{
	double d = x - l->mean_x;

	return noise * noise * (1 / l->n + (l->sxx > 0 ? d * d / l->sxx : 0));
}

/* How far point i is from the trend beside it, which reaches from i down to `end`, or up to it: 1 or less if it is on
 * the trend. Negative on the other side than `jump` points to. The `near` points next to i are not asked: they may be
 * off, too. */
static double
off_trend(const struct fit *f, size_t i, size_t end, size_t near, double jump)
{
	size_t n = i > end ? i - end : end - i, window = f->n / WINDOW_SHARE;
	double off, sd;
	struct line l;

	window = window > EDGE_FEWEST ? window : EDGE_FEWEST;
	near = near < n / EDGE_GUARD ? near : n / EDGE_GUARD;
	if (n < EDGE_FEWEST + near)
		return 0;
	n = n - near < window ? n - near : window;
	l = i > end ? line_of(f, i - near - n, i - near - 1) : line_of(f, i + near + 1, i + near + n);
	off = jump > 0 ? f->y[i] - line_at(&l, f->x[i]) : line_at(&l, f->x[i]) - f->y[i];
	sd = sqrt(l.rss / (l.n - 2));
	return off / fmax(EDGE_STANDS * sqrt(sd * sd + variance_at(&l, sd, f->x[i])),
		fmax(EDGE_LEVEL * fabs(f->y[i]), EDGE_LEAST * fabs(jump)));
}

/* A ramp may leave its trend so gently that the noise of the whole curve hides where: asks the points of the trends. */
static void
widen_to_trends(const struct fit *f, const struct border *b, size_t first, size_t last, size_t k, size_t *low,
	size_t *high)
{
	double jump = line_at(&b->after, f->x[k]) - line_at(&b->before, f->x[k]);
	size_t near = (*high - *low) / EDGE_GUARD > EDGE_NEAR ? (*high - *low) / EDGE_GUARD : EDGE_NEAR;

	if (fabs(f->y[k + 1] - f->y[k]) >= SUDDEN * fabs(jump))
		return;
	while (*low > first && off_trend(f, *low, first, near, jump) > 1)
		--*low;
	while (*high < last && off_trend(f, *high, last, near, -jump) > 1)
		++*high;
}

/* A change of level between p and q. */
static void
place_jump(const struct fit *f, const struct border *b, struct piece p, struct piece q, struct knee *knee)
{
	size_t reach = (size_t)b->before.n / 2, first = p.last - p.first > reach ? p.last - reach : p.first;
	size_t last = q.last - q.first > reach ? q.first + reach : q.last, k = first, low, high;
	double least = INFINITY, limit, tolerance;

	for (size_t i = first; i < last; i++) {
		double rss = step_rss(f, b, first, last, i);

		if (rss < least) {
			least = rss;
			k = i;
		}
	}
	limit = least + chi2_quantile(CONFIDENCE, 1) * b->noise * b->noise;
	low = high = k;
	while (low > first && step_rss(f, b, first, last, low - 1) <= limit)
		low--;
	while (high + 1 < last && step_rss(f, b, first, last, high + 1) <= limit)
		high++;
	high++;
	/* A gradual change begins and ends where points leave and reach the trends. */
	tolerance = fmax(3 * b->noise, EDGE_SHARE * fabs(line_at(&b->after, f->x[k]) - line_at(&b->before, f->x[k])));
	while (low > first && fabs(f->y[low] - line_at(&b->before, f->x[low])) > tolerance)
		low--;
	while (high < last && fabs(f->y[high] - line_at(&b->after, f->x[high])) > tolerance)
		high++;
	widen_to_trends(f, b, p.first, q.last, k, &low, &high);
	knee->x = f->x[k];
	knee->low = f->x[low];
	knee->high = f->x[high];
}

/* Where two trends meet. */
static void
place_bend(const struct fit *f, const struct border *b, struct piece p, struct piece q, struct knee *knee)
{
	double slope = b->after.slope - b->before.slope, x = (b->before.a - b->after.a) / slope, off, noise;
	double step = (f->x[q.first] - f->x[p.last]) / (double)(q.first - p.last);

	noise = fmax(f->sigma, sqrt((b->before.rss + b->after.rss) / fmax(1, b->before.n + b->after.n - 4)));
	x = fmin(fmax(x, f->x[p.first]), f->x[q.last]);
	off = variance_at(&b->before, noise, x) + variance_at(&b->after, noise, x);
	off = sqrt(chi2_quantile(CONFIDENCE, 1) * off) / fabs(slope);
	knee->x = x;
	knee->low = fmin(x - fmax(off, step / 2), f->x[p.last]);
	knee->high = fmax(x + fmax(off, step / 2), f->x[q.first]);
}

static struct knee
place(const struct fit *f, struct piece p, struct piece q)
{
	struct border b = weigh(f, p, q);
	struct knee knee = {.kind = b.kind};

	if (b.kind == KNEE_JUMP)
		place_jump(f, &b, p, q, &knee);
	else
		place_bend(f, &b, p, q, &knee);
	knee.before = line_at(&b.before, knee.x) * f->unit;
	knee.after = line_at(&b.after, knee.x) * f->unit;
	return knee;
}

/* Half of the interval of a line's slope. The noise is that of the line's own points, which may be few. */
static double
slope_off(const struct line *l)
{
	return l->n > 2 && l->sxx > 0 ? sqrt(fisher_quantile(CONFIDENCE, 1, l->n - 2) * l->rss / (l->n - 2) / l->sxx)
		: 0;
}

static double
noise_around(const struct fit *f)
{
	double rss = 0, n = 0;

	for (size_t i = 0; i < f->n_pieces; i++) {
		struct line l = line_of(f, f->piece[i].first, f->piece[i].last);

		rss += l.rss;
		n += l.n - 2;
	}
	return n > 0 ? sqrt(rss / n) : 0;
}

static void
report_rest(const struct fit *f, struct knees *out)
{
	size_t first = f->piece[f->n_pieces - 1].last + 1;
	double sum = 0;

	for (size_t i = first; i < f->n; i++)
		sum += f->y[i];
	out->rest_x = first < f->n ? f->x[first] : NAN;
	out->rest_mean = first < f->n ? sum / (double)(f->n - first) * f->unit : NAN;
}

static void
report(const struct fit *f, struct knees *out)
{
	out->knee = mem_new_array(f->n_pieces, sizeof *out->knee);
	out->trend = mem_new_array(f->n_pieces, sizeof *out->trend);
	for (size_t i = 0; i < f->n_pieces; i++) {
		struct piece p = f->piece[i];
		struct line l = line_of(f, p.first, p.last);

		out->trend[out->n_trends++] = (struct knee_trend){f->x[p.first], f->x[p.last], l.a * f->unit,
			l.slope * f->unit, slope_off(&l) * f->unit};
		if (i > 0)
			out->knee[out->n++] = place(f, f->piece[i - 1], p);
	}
	report_rest(f, out);
	out->minor = f->minor;
	out->noise = noise_around(f) * f->unit;
}

struct knees *
knees_find(const struct curve *c)
{
	struct knees *out = mem_new(sizeof *out);
	struct fit f = {0};

	out->few = c->n < KNEE_FEWEST;
	out->rest_x = out->rest_mean = NAN;
	if (out->few)
		return out;
	take_points(&f, c);
	keep_long(&f);
	drop_ramps(&f);
	merge(&f);
	report(&f, out);
	for (size_t k = 0; k < 5; k++)
		free(f.sum[k]);
	free(f.x);
	free(f.y);
	free(f.piece);
	return out;
}

void
knees_free(struct knees *k)
{
	if (!k)
		return;
	free(k->knee);
	free(k->trend);
	free(k);
}

const char *
knee_kind_name(enum knee_kind kind)
{
	return kind == KNEE_JUMP ? "jump" : "bend";
}
