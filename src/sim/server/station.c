#include "sim/server/station.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define WINDOW_REQUESTS 64u /* a window of utilisation at full rate */
#define SMOOTHING 0.25      /* weight of the latest window */

/* --- latency under load ------------------------------------------------------------------------------------------ */

static double
slope(const struct server_curve *c, size_t i)
{
	return (c->ns[i + 1] - c->ns[i]) / (c->use[i + 1] - c->use[i]);
}

/* The derivative at point i: that of the parabola through the point and its neighbours, but at most twice the smaller
 * of the two slopes, and 0 where they differ in sign. At the ends: the slope. */
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

struct station_server
station_server_of(double ticks, const struct curve_table *curve)
{
	struct station_server s = {.service = (uint64_t)llrint(ticks * 256), .curve = curve};

	s.window = (s.service * WINDOW_REQUESTS >> 8) + 1;
	s.window_end = s.window;
	return s;
}

void
station_init(struct station *s, struct station_server *server, size_t queue)
{
	*s = (struct station){.server = server, .queue = queue};
	s->start = mem_new_array(queue, sizeof *s->start);
}

void
station_free(struct station *s)
{
	free(s->start);
}

/* --- queues ------------------------------------------------------------------------------------------------------ */

/* Adds the part of [from, to) that no earlier interval covers. */
static void
cover(uint64_t *covered, uint64_t from, uint64_t to, uint64_t *sum)
{
	uint64_t begin = from > *covered ? from : *covered;

	if (to > begin) {
		*sum += to - begin;
		*covered = to;
	}
}

static void
measure(struct station_server *s, uint64_t arrival)
{
	while (arrival >= s->window_end) {
		double use = (double)(s->window_busy >> 8) / (double)s->window;

		s->use += SMOOTHING * ((use > 1 ? 1 : use) - s->use);
		s->window_busy = 0;
		s->window_end += s->window;
		if (arrival > s->window_end + 32 * s->window) { /* idle for long: nothing is left of the average */
			s->use = 0;
			s->window_end = arrival + s->window;
		}
	}
	s->window_busy += s->service;
}

struct station_times
station_pass(struct station *s, uint64_t arrival, uint64_t latency)
{
	struct station_server *server = s->server;
	struct station_times t = {.enter = arrival};
	uint64_t ahead = s->start[s->at], until, oldest;

	measure(server, arrival);
	if (ahead > t.enter) /* the request `queue` places ahead still has its place */
		t.enter = ahead;
	if (server->next_free < t.enter << 8)
		server->next_free = t.enter << 8;
	t.start = server->next_free >> 8;
	server->next_free += server->service;
	server->busy += server->service;
	until = t.enter + (server->curve ? server->curve->ticks[(size_t)(server->use * CURVE_STEPS)] : 0);
	t.start = t.start > until ? t.start : until;
	t.start = t.start > server->latest ? t.start : server->latest;
	server->latest = t.start;
	t.done = t.start + latency;
	s->start[s->at] = t.start;
	s->at = s->at + 1 == s->queue ? 0 : s->at + 1;
	oldest = s->start[s->at];
	/* a request is in the queue for at least as long as it takes to hand it on */
	until = t.start > t.enter + (server->service >> 8) ? t.start : t.enter + (server->service >> 8);
	s->sums.inserts++;
	s->sums.occupancy += until - t.enter;
	s->sums.upstream += t.enter - arrival;
	cover(&s->covered, t.enter, until, &s->sums.not_empty);
	cover(&s->covered_full, t.enter, oldest, &s->sums.full);
	cover(&s->covered_upstream, arrival, t.enter, &s->sums.upstream_not_empty);
	return t;
}
