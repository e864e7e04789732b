#include "collect/perf/health.h"

#include "collect/perf/names.h"
#include "collect/perf/open.h"

enum source_zero
perf_zero(const struct event_code *c)
{
	if (c->nature == EVENT_NEVER)
		return SOURCE_ZERO_ALWAYS;
	if (c->certain && !c->no_user && (c->kind != EVENT_SOFTWARE || c->nature == EVENT_SIDE_BLIND))
		return SOURCE_ZERO_IMPOSSIBLE;
	return c->kind == EVENT_SOFTWARE || c->kind == EVENT_TRACEPOINT ? SOURCE_ZERO_HONEST : SOURCE_ZERO_SUSPECT;
}

static enum obs_health
health_of(const struct event_code *c, const struct perf_reading *r)
{
	if (c->nature == EVENT_NEVER)
		return OBS_DEAD;
	if (r->value > 0)
		return OBS_LIVE;
	if (r->running_ns == 0)
		return r->enabled_ns ? OBS_DEAD : OBS_ABSENT;
	if (c->certain && !c->no_user)
		return OBS_DEAD;
	return c->kind == EVENT_SOFTWARE || c->kind == EVENT_TRACEPOINT ? OBS_LIVE : OBS_ZERO_SUSPECT;
}

static int
badness(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE: return 0;
	case OBS_ZERO_SUSPECT: return 1;
	case OBS_ABSENT: return 2;
	case OBS_DEAD: return 3;
	case OBS_UNSUPPORTED: return 4;
	}
	return 4;
}

enum obs_health
perf_health(const struct event_code *c, const struct perf_reading *r, enum obs_health so_far)
{
	enum obs_health h = health_of(c, r);

	return badness(h) > badness(so_far) ? h : so_far;
}
