#include "sim/server/curve.h"

#include <math.h>

static double
slope(const struct server_curve *c, size_t i)
{
	return (c->ns[i + 1] - c->ns[i]) / (c->use[i + 1] - c->use[i]);
}

/* The derivative at point i: that of the parabola through the point and its neighbours, but at most twice the smaller of
 * the two slopes, and 0 where they differ in sign. At the ends: the slope. */
static double
steffen(const struct server_curve *c, size_t i)
{
	double left, right, before, after, parabola;

	if (c->n < 2)
		return 0;
	if (i == 0)
		return slope(c, 0);
	if (i + 1 == c->n)
		return slope(c, i - 1);
	left = slope(c, i - 1);
	right = slope(c, i);
	before = c->use[i] - c->use[i - 1];
	after = c->use[i + 1] - c->use[i];
	parabola = (left * after + right * before) / (before + after);
	return (copysign(1, left) + copysign(1, right)) * fmin(fmin(fabs(left), fabs(right)), 0.5 * fabs(parabola));
}

double
curve_ns(const struct server_curve *c, double use)
{
	size_t i = 0;
	double width, s, at, from, to;

	if (!c->n)
		return 0;
	if (use <= c->use[0])
		return c->ns[0];
	if (use >= c->use[c->n - 1])
		return c->ns[c->n - 1];
	while (use >= c->use[i + 1])
		i++;
	width = c->use[i + 1] - c->use[i];
	s = slope(c, i);
	at = use - c->use[i];
	from = steffen(c, i);
	to = steffen(c, i + 1);
	return c->ns[i] + at * (from + at / width * (3 * s - 2 * from - to + at / width * (from + to - 2 * s)));
}

void
curve_fill(struct curve_table *t, const struct server_curve *c, double ticks_per_ns)
{
	for (size_t i = 0; i <= CURVE_STEPS; i++)
		t->ticks[i] = (uint32_t)lrint(curve_ns(c, (double)i / CURVE_STEPS) * ticks_per_ns);
}
