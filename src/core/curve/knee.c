/* How knees are found:
 *
 *     mean                        ▄▄▅▅▅▆▆      long pieces   A · B
 *                                ▃             gap           the points between them, on neither line
 *                               ▂              window        the last points of A and the first of B: their lines
 *      ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁               give `before` and `after`
 *      |         A            |gap|   B   |
 *
 * Before that, trend_points_take() removes what is no change of a trend: points that interrupts made long, zig-zags,
 * and spikes. knee_cut() makes the best straight pieces. Those of few points are transitions: they fall into a gap, and
 * so do steep ones between two trends, which are ramps. weigh() measures what a border between long pieces means, and
 * merge() joins the pieces at the least one, until all that remain matter. So slow bends and small steps do not hide
 * the knee, and are counted only. knee_place() says where in the gap it is. */
#include "core/curve/knee.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/curve/curve.h"
#include "core/curve/trend.h"
#include "core/stats/tails.h"

#define PRICE 5.0          /* of a piece, times ln n: squares of residuals over the variance */
#define LONG_SHARE 16      /* a piece is long if it has a sixteenth of the points … */
#define LONG_FEWEST 3      /* … and so many at least */
#define END_SHARE 64       /* the first and the last piece may be shorter: no change leads through them */
#define WINDOW_FEWEST 4    /* points beside a border, at least */
#define JUMP_SHARE 0.1     /* a jump matters if it is this share of the level */
#define BEND_SHARE 0.25    /* a bend matters if it moves the curve by this share of its range and of the level */
#define STANDS 5.0         /* standard errors that a jump must exceed, and standard deviations that a bend must */
#define RAMP_SHARE 5       /* a ramp has a fifth of the points at most … */
#define RAMP_BESIDE 2      /* … and the trend on either side half of its points at least … */
#define RAMP_STEEP 4       /* … and rises no more than a quarter as steeply */
#define ON_TREND 2.5       /* standard deviations of a point that is on a trend */
#define SHARP 1.5          /* squares of residuals of a parabola over those of two lines, at least, at a bend */

/* A curve that is cut into pieces. */
struct fit {
	struct trend_points of;
	struct trend_piece *piece; /* long ones */
	size_t n_pieces;
	size_t minor;              /* borders that do not matter */
};

/* --- where a knee is --------------------------------------------------------------------------------------------- */

#define KNEE_CONFIDENCE 0.99
#define KNEE_WINDOW_SHARE 10 /* trends beside a border are those of a tenth of the points */

/* What the border after a piece means. */
struct knee_border {
	enum knee_kind kind;
	double weight;            /* 1 or more: it matters */
	double noise;             /* around the lines of its window */
	struct trend_line before, after;
};

#define EDGE_SHARE 0.05    /* of a jump: a point further from a trend is not on it */
#define EDGE_STANDS 2.5    /* standard deviations, likewise, where the trend is clear */
#define EDGE_LEVEL 0.002   /* of the level: a point so close to a trend is on it */
#define EDGE_FEWEST 6      /* points that make a trend clear */
#define EDGE_LEAST 0.005   /* of a jump, likewise */
#define EDGE_NEAR 4        /* points at the end of a trend that may be off, too … */
#define EDGE_GUARD 4       /* … or a quarter of the ramp; of the trend at most */
#define SUDDEN 0.9         /* of a jump: a step of two points that has so much of it is no ramp */

/* Squares of residuals if point k is the last on the old trend, for the points from first to last. */
static double
step_rss(const struct trend_points *f, const struct knee_border *b, size_t first, size_t last, size_t k)
{
	double sum = 0;

	for (size_t i = first; i <= last; i++) {
		double r = f->y[i] - trend_line_at(i <= k ? &b->before : &b->after, f->x[i]);

		sum += r * r;
	}
	return sum;
}

/* How far point i is from the trend beside it, which reaches from i down to `end`, or up to it: 1 or less if it is on
 * the trend. Negative on the other side than `jump` points to. The `near` points next to i are not asked: they may be
 * off, too. */
static double
off_trend(const struct trend_points *points, size_t i, size_t end, size_t near, double jump)
{
	size_t n = i > end ? i - end : end - i, window = points->n / KNEE_WINDOW_SHARE;
	double off, sd;
	struct trend_line l;

	window = window > EDGE_FEWEST ? window : EDGE_FEWEST;
	near = near < n / EDGE_GUARD ? near : n / EDGE_GUARD;
	if (n < EDGE_FEWEST + near)
		return 0;
	n = n - near < window ? n - near : window;
	l = i > end ? trend_line_of(points, i - near - n, i - near - 1)
		    : trend_line_of(points, i + near + 1, i + near + n);
	off = jump > 0 ? points->y[i] - trend_line_at(&l, points->x[i])
		       : trend_line_at(&l, points->x[i]) - points->y[i];
	sd = sqrt(l.rss / (l.n - 2));
	return off / fmax(EDGE_STANDS * sqrt(sd * sd + trend_variance_at(&l, sd, points->x[i])),
		fmax(EDGE_LEVEL * fabs(points->y[i]), EDGE_LEAST * fabs(jump)));
}

/* A ramp may leave its trend so gently that the noise of the whole curve hides where: asks the points of the trends. */
static void
widen_to_trends(const struct trend_points *f, double jump, size_t first, size_t last, size_t k, size_t *low,
	size_t *high)
{
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
place_jump(const struct trend_points *points, const struct knee_border *b, struct trend_piece p, struct trend_piece q,
	struct knee *knee)
{
	size_t reach = (size_t)b->before.n / 2, first = p.last - p.first > reach ? p.last - reach : p.first;
	size_t last = q.last - q.first > reach ? q.first + reach : q.last, k = first, low, high;
	double least = INFINITY, limit, jump, tolerance;

	for (size_t i = first; i < last; i++) {
		double rss = step_rss(points, b, first, last, i);

		if (rss < least) {
			least = rss;
			k = i;
		}
	}
	jump = trend_line_at(&b->after, points->x[k]) - trend_line_at(&b->before, points->x[k]);
	limit = least + chi2_quantile(KNEE_CONFIDENCE, 1) * b->noise * b->noise;
	low = high = k;
	while (low > first && step_rss(points, b, first, last, low - 1) <= limit)
		low--;
	while (high + 1 < last && step_rss(points, b, first, last, high + 1) <= limit)
		high++;
	high++;
	/* A gradual change begins and ends where points leave and reach the trends. */
	tolerance = fmax(3 * b->noise, EDGE_SHARE * fabs(jump));
	while (low > first && fabs(points->y[low] - trend_line_at(&b->before, points->x[low])) > tolerance)
		low--;
	while (high < last && fabs(points->y[high] - trend_line_at(&b->after, points->x[high])) > tolerance)
		high++;
	widen_to_trends(points, jump, p.first, q.last, k, &low, &high);
	knee->x = points->x[k];
	knee->low = points->x[low];
	knee->high = points->x[high];
}

/* Where two trends meet. */
static void
place_bend(const struct trend_points *points, const struct knee_border *border, struct trend_piece p,
	struct trend_piece q, struct knee *knee)
{
	double slope = border->after.slope - border->before.slope, x = (border->before.a - border->after.a) / slope,
	       off, noise;
	double step = (points->x[q.first] - points->x[p.last]) / (double)(q.first - p.last);

	noise = fmax(points->sigma,
		sqrt((border->before.rss + border->after.rss) / fmax(1, border->before.n + border->after.n - 4)));
	x = fmin(fmax(x, points->x[p.first]), points->x[q.last]);
	off = trend_variance_at(&border->before, noise, x) + trend_variance_at(&border->after, noise, x);
	off = sqrt(chi2_quantile(KNEE_CONFIDENCE, 1) * off) / fabs(slope);
	knee->x = x;
	knee->low = fmin(x - fmax(off, step / 2), points->x[p.last]);
	knee->high = fmax(x + fmax(off, step / 2), points->x[q.first]);
}

/* Returns the knee at the border between pieces p and q. */
static struct knee
knee_place(const struct trend_points *f, const struct knee_border *b, struct trend_piece p, struct trend_piece q)
{
	struct knee knee = {.kind = b->kind};

	if (b->kind == KNEE_JUMP)
		place_jump(f, b, p, q, &knee);
	else
		place_bend(f, b, p, q, &knee);
	knee.before = trend_line_at(&b->before, knee.x) * f->unit;
	knee.after = trend_line_at(&b->after, knee.x) * f->unit;
	return knee;
}

/* --- Pieces ------------------------------------------------------------------------------------------------------ */

/* The best pieces; the caller frees them. */
static struct trend_piece *
knee_cut(const struct trend_points *points, size_t *n_pieces)
{
	double *best = mem_new_array(points->n + 1, sizeof *best), variance = points->sigma * points->sigma;
	double price = PRICE * log((double)points->n);
	size_t *from = mem_new_array(points->n + 1, sizeof *from), n = 0;
	struct trend_piece *piece;

	for (size_t end = 1; end <= points->n; end++) {
		best[end] = INFINITY;
		for (size_t first = 0; first < end; first++) {
			double cost = best[first] + price;

			if (cost >= best[end])
				continue;
			cost += trend_line_of(points, first, end - 1).rss / variance;
			if (cost < best[end]) {
				best[end] = cost;
				from[end] = first;
			}
		}
	}
	for (size_t end = points->n; end > 0; end = from[end])
		n++;
	piece = mem_new_array(n, sizeof *piece);
	*n_pieces = n;
	for (size_t end = points->n; end > 0; end = from[end])
		piece[--n] = (struct trend_piece){from[end], end - 1};
	free(best);
	free(from);
	return piece;
}

static void
keep_long(struct fit *fit)
{
	size_t n;

	fit->piece = knee_cut(&fit->of, &n);
	for (size_t i = 0; i < n; i++) {
		size_t share = fit->of.n / (i == 0 || i + 1 == n ? END_SHARE : LONG_SHARE);

		if (fit->piece[i].last - fit->piece[i].first + 1 >= (share > LONG_FEWEST ? share : LONG_FEWEST))
			fit->piece[fit->n_pieces++] = fit->piece[i];
	}
	/* What is cut off at the ends has no trend of its own. */
	if (fit->n_pieces == 0)
		fit->piece[fit->n_pieces++] = (struct trend_piece){0, fit->of.n - 1};
}

static struct trend_line
line_before(const struct trend_points *f, struct trend_piece p)
{
	size_t window = f->n / KNEE_WINDOW_SHARE > WINDOW_FEWEST ? f->n / KNEE_WINDOW_SHARE : WINDOW_FEWEST;

	return trend_line_of(f, p.last - p.first + 1 > window ? p.last + 1 - window : p.first, p.last);
}

static struct trend_line
line_after(const struct trend_points *f, struct trend_piece p)
{
	size_t window = f->n / KNEE_WINDOW_SHARE > WINDOW_FEWEST ? f->n / KNEE_WINDOW_SHARE : WINDOW_FEWEST;

	return trend_line_of(f, p.first, p.last - p.first + 1 > window ? p.first + window - 1 : p.last);
}

static struct knee_border
weigh(const struct trend_points *points, struct trend_piece p, struct trend_piece q)
{
	struct knee_border b = {.before = line_before(points, p), .after = line_after(points, q)};
	struct trend_line whole = trend_line_of(points, p.first, p.last), next = trend_line_of(points, q.first, q.last);
	double x = (points->x[p.last] + points->x[q.first]) / 2, before = trend_line_at(&b.before, x);
	double after = trend_line_at(&b.after, x);
	double free_points = b.before.n + b.after.n - 4, error, extent, jump, bend;

	b.noise = free_points > 0 ? fmax(points->sigma, sqrt((b.before.rss + b.after.rss) / free_points))
				  : points->sigma;
	error = b.noise * fmin(1, sqrt(4 / b.before.n + 4 / b.after.n)); /* of the ends of two lines */
	jump = fabs(after - before) / fmax(JUMP_SHARE * (fabs(before) + fabs(after)) / 2, STANDS * error);
	extent = fmin(points->x[p.last] - points->x[p.first], points->x[q.last] - points->x[q.first]);
	bend = fabs(next.slope - whole.slope) * extent /
		fmax(BEND_SHARE * fmax(points->range, (fabs(before) + fabs(after)) / 2), STANDS * b.noise);
	if (trend_parabola_rss(points, p, q) < SHARP * (whole.rss + next.rss + points->sigma * points->sigma))
		bend = 0;
	b.kind = jump >= 1 || jump >= bend ? KNEE_JUMP : KNEE_BEND;
	b.weight = fmax(jump, bend);
	if (b.kind == KNEE_BEND) {
		b.before = whole;
		b.after = next;
	}
	return b;
}

/* Returns whether all pieces between a and c are the ramp of one jump. */
static bool
is_ramp(const struct fit *f, size_t a, size_t c)
{
	struct trend_piece p = f->piece[a], q = f->piece[c];
	struct trend_line before = trend_line_of(&f->of, p.first, p.last);
	struct trend_line after = trend_line_of(&f->of, q.first, q.last);
	double change = trend_line_at(&after, f->of.x[q.first]) - trend_line_at(&before, f->of.x[p.last]);
	double steep = RAMP_STEEP * fmax(fabs(before.slope), fabs(after.slope));
	size_t n = q.first - p.last - 1;
	struct knee_border b;

	if (n > f->of.n / RAMP_SHARE || (p.last - p.first + 1) * RAMP_BESIDE < n ||
		(q.last - q.first + 1) * RAMP_BESIDE < n)
		return false;
	for (size_t i = a + 1; i < c; i++) {
		struct trend_line l = trend_line_of(&f->of, f->piece[i].first, f->piece[i].last);

		if (l.slope * change <= 0 || fabs(l.slope) < steep)
			return false;
	}
	b = weigh(&f->of, p, q);
	return b.kind == KNEE_JUMP && b.weight >= 1;
}

/* Ramps that are long enough for pieces fall into gaps, too. */
static void
drop_ramps(struct fit *fit)
{
	for (size_t a = 0; a + 2 < fit->n_pieces; a++)
		for (size_t c = fit->n_pieces - 1; c >= a + 2; c--)
			if (is_ramp(fit, a, c)) {
				size_t gone = c - a - 1;

				for (size_t i = c; i < fit->n_pieces; i++)
					fit->piece[i - gone] = fit->piece[i];
				fit->n_pieces -= gone;
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
			double weight = weigh(&f->of, f->piece[i - 1], f->piece[i]).weight;

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

/* Half of the interval of a line's slope. The noise is that of the line's own points, which may be few. */
static double
slope_off(const struct trend_line *l)
{
	if (l->n <= 2 || l->sxx <= 0)
		return 0;
	return sqrt(fisher_quantile(KNEE_CONFIDENCE, 1, l->n - 2) * l->rss / (l->n - 2) / l->sxx);
}

static double
noise_around(const struct fit *f)
{
	double rss = 0, n = 0;

	for (size_t i = 0; i < f->n_pieces; i++) {
		struct trend_line l = trend_line_of(&f->of, f->piece[i].first, f->piece[i].last);

		rss += l.rss;
		n += l.n - 2;
	}
	return n > 0 ? sqrt(rss / n) : 0;
}

/* What follows the last piece is another level, too short for a trend. Where that begins is known only by the trend
 * before it: points that are still on this one belong to it. */
static void
extend_last(struct fit *f)
{
	struct trend_piece *p = &f->piece[f->n_pieces - 1];
	struct trend_line l = trend_line_of(&f->of, p->first, p->last);

	while (p->last + 1 < f->of.n &&
		fabs(f->of.y[p->last + 1] - trend_line_at(&l, f->of.x[p->last + 1])) <= ON_TREND * f->of.sigma)
		p->last++;
}

static void
report_rest(const struct fit *f, struct knees *out)
{
	size_t first = f->piece[f->n_pieces - 1].last + 1;
	double sum = 0;

	for (size_t i = first; i < f->of.n; i++)
		sum += f->of.y[i];
	out->rest_x = first < f->of.n ? f->of.x[first] : NAN;
	out->rest_mean = first < f->of.n ? sum / (double)(f->of.n - first) * f->of.unit : NAN;
}

static struct knee
place(const struct trend_points *f, struct trend_piece p, struct trend_piece q)
{
	struct knee_border b = weigh(f, p, q);

	return knee_place(f, &b, p, q);
}

static void
knee_report(const struct fit *fit, struct knees *out)
{
	out->knee = mem_new_array(fit->n_pieces, sizeof *out->knee);
	out->trend = mem_new_array(fit->n_pieces, sizeof *out->trend);
	for (size_t i = 0; i < fit->n_pieces; i++) {
		struct trend_piece p = fit->piece[i];
		struct trend_line l = trend_line_of(&fit->of, p.first, p.last);

		out->trend[out->n_trends++] = (struct knee_trend){fit->of.x[p.first], fit->of.x[p.last],
			l.a * fit->of.unit, l.slope * fit->of.unit, slope_off(&l) * fit->of.unit};
		if (i > 0)
			out->knee[out->n++] = place(&fit->of, fit->piece[i - 1], p);
	}
	report_rest(fit, out);
	out->minor = fit->minor;
	out->noise = noise_around(fit) * fit->of.unit;
}

struct knees *
knees_find(const struct curve *curve)
{
	struct knees *out = mem_new(sizeof *out);
	struct fit f = {0};

	out->few = curve->n < KNEE_FEWEST;
	out->rest_x = out->rest_mean = NAN;
	if (out->few)
		return out;
	trend_points_take(&f.of, curve);
	keep_long(&f);
	drop_ramps(&f);
	merge(&f);
	extend_last(&f);
	knee_report(&f, out);
	trend_points_free(&f.of);
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
