/* How knees are found:
 *
 *     mean                        ▄▄▅▅▅▆▆      long pieces   A · B
 *                                ▃             gap           the points between them, on neither line
 *                               ▂              window        the last points of A and the first of B: their lines
 *      ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁               give `before` and `after`
 *      |         A            |gap|   B   |
 *
 * cut() makes the best straight pieces. Those of few points are transitions: they fall into a gap. weigh() measures
 * what a border between long pieces means, and merge() joins the pieces at the least one, until all that remain matter.
 * So slow bends and small steps do not hide the knee, and are counted only. */
#include "core/curve/knee.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/curve/curve.h"
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
#define SHARP 1.5          /* squares of residuals of a parabola over those of two lines, at least, at a bend */
#define SPIKE 8.0          /* standard deviations from which a single point is an outlier */
#define EDGE_SHARE 0.05    /* of a jump: a point so close to a trend lies on it */
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

/* Puts single points that stand far out of both neighbours onto the line through them. */
static void
remove_spikes(struct fit *f)
{
	for (size_t i = 1; i + 1 < f->n; i++) {
		double t = (f->x[i] - f->x[i - 1]) / (f->x[i + 1] - f->x[i - 1]);
		double between = f->y[i - 1] + t * (f->y[i + 1] - f->y[i - 1]), off = f->y[i] - between;

		if (fabs(off) > SPIKE * f->sigma && fabs(f->y[i + 1] - f->y[i - 1]) < fabs(off) / 4)
			f->y[i] = between;
	}
}

static void
take_points(struct fit *f, const struct curve *c)
{
	double low = INFINITY, high = -INFINITY;
	size_t step = 1;

	while (c->n / step > KNEE_MOST)
		step *= 2;
	f->n = c->n / step;
	f->x = mem_new_array(f->n, sizeof *f->x);
	f->y = mem_new_array(f->n, sizeof *f->y);
	for (size_t i = 0; i < f->n; i++) {
		f->x[i] = c->point[i * step].x;
		for (size_t k = 0; k < step; k++)
			f->y[i] += c->point[i * step + k].mean / (double)step;
		low = fmin(low, f->y[i]);
		high = fmax(high, f->y[i]);
	}
	f->range = high - low;
	f->sigma = fmax(noise_of(f->x, f->y, f->n), fmax(FLOOR_LEVEL * level_of(f->y, f->n), FLOOR_RANGE * f->range));
	f->sigma = fmax(f->sigma, DBL_MIN);
	remove_spikes(f);
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
	knee->x = f->x[k];
	knee->low = f->x[low];
	knee->high = f->x[high];
}

/* The variance of a line's value at x. */
static double
variance_at(const struct line *l, double noise, double x)
{
	double d = x - l->mean_x;

	return noise * noise * (1 / l->n + (l->sxx > 0 ? d * d / l->sxx : 0));
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
	knee.before = line_at(&b.before, knee.x);
	knee.after = line_at(&b.after, knee.x);
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
	out->rest_mean = first < f->n ? sum / (double)(f->n - first) : NAN;
}

static void
report(const struct fit *f, struct knees *out)
{
	out->knee = mem_new_array(f->n_pieces, sizeof *out->knee);
	out->trend = mem_new_array(f->n_pieces, sizeof *out->trend);
	for (size_t i = 0; i < f->n_pieces; i++) {
		struct piece p = f->piece[i];
		struct line l = line_of(f, p.first, p.last);

		out->trend[out->n_trends++] = (struct knee_trend){f->x[p.first], f->x[p.last], l.a, l.slope,
			slope_off(&l)};
		if (i > 0)
			out->knee[out->n++] = place(f, f->piece[i - 1], p);
	}
	report_rest(f, out);
	out->minor = f->minor;
	out->noise = noise_around(f);
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
