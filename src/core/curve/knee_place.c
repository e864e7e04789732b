#include "core/curve/knee_place.h"

#include <math.h>

#include "core/stats/tails.h"

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
off_trend(const struct trend_points *f, size_t i, size_t end, size_t near, double jump)
{
	size_t n = i > end ? i - end : end - i, window = f->n / KNEE_WINDOW_SHARE;
	double off, sd;
	struct trend_line l;

	window = window > EDGE_FEWEST ? window : EDGE_FEWEST;
	near = near < n / EDGE_GUARD ? near : n / EDGE_GUARD;
	if (n < EDGE_FEWEST + near)
		return 0;
	n = n - near < window ? n - near : window;
	l = i > end ? trend_line_of(f, i - near - n, i - near - 1) : trend_line_of(f, i + near + 1, i + near + n);
	off = jump > 0 ? f->y[i] - trend_line_at(&l, f->x[i]) : trend_line_at(&l, f->x[i]) - f->y[i];
	sd = sqrt(l.rss / (l.n - 2));
	return off / fmax(EDGE_STANDS * sqrt(sd * sd + trend_variance_at(&l, sd, f->x[i])),
		fmax(EDGE_LEVEL * fabs(f->y[i]), EDGE_LEAST * fabs(jump)));
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
place_jump(const struct trend_points *f, const struct knee_border *b, struct trend_piece p, struct trend_piece q,
	struct knee *knee)
{
	size_t reach = (size_t)b->before.n / 2, first = p.last - p.first > reach ? p.last - reach : p.first;
	size_t last = q.last - q.first > reach ? q.first + reach : q.last, k = first, low, high;
	double least = INFINITY, limit, jump, tolerance;

	for (size_t i = first; i < last; i++) {
		double rss = step_rss(f, b, first, last, i);

		if (rss < least) {
			least = rss;
			k = i;
		}
	}
	jump = trend_line_at(&b->after, f->x[k]) - trend_line_at(&b->before, f->x[k]);
	limit = least + chi2_quantile(KNEE_CONFIDENCE, 1) * b->noise * b->noise;
	low = high = k;
	while (low > first && step_rss(f, b, first, last, low - 1) <= limit)
		low--;
	while (high + 1 < last && step_rss(f, b, first, last, high + 1) <= limit)
		high++;
	high++;
	/* A gradual change begins and ends where points leave and reach the trends. */
	tolerance = fmax(3 * b->noise, EDGE_SHARE * fabs(jump));
	while (low > first && fabs(f->y[low] - trend_line_at(&b->before, f->x[low])) > tolerance)
		low--;
	while (high < last && fabs(f->y[high] - trend_line_at(&b->after, f->x[high])) > tolerance)
		high++;
	widen_to_trends(f, jump, p.first, q.last, k, &low, &high);
	knee->x = f->x[k];
	knee->low = f->x[low];
	knee->high = f->x[high];
}

/* Where two trends meet. */
static void
place_bend(const struct trend_points *f, const struct knee_border *b, struct trend_piece p, struct trend_piece q,
	struct knee *knee)
{
	double slope = b->after.slope - b->before.slope, x = (b->before.a - b->after.a) / slope, off, noise;
	double step = (f->x[q.first] - f->x[p.last]) / (double)(q.first - p.last);

	noise = fmax(f->sigma, sqrt((b->before.rss + b->after.rss) / fmax(1, b->before.n + b->after.n - 4)));
	x = fmin(fmax(x, f->x[p.first]), f->x[q.last]);
	off = trend_variance_at(&b->before, noise, x) + trend_variance_at(&b->after, noise, x);
	off = sqrt(chi2_quantile(KNEE_CONFIDENCE, 1) * off) / fabs(slope);
	knee->x = x;
	knee->low = fmin(x - fmax(off, step / 2), f->x[p.last]);
	knee->high = fmax(x + fmax(off, step / 2), f->x[q.first]);
}

struct knee
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
