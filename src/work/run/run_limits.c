#include "work/run/run_limits.h"

#include <math.h>

#include "base/clock.h"

const char *
run_ending_word(enum run_ending e)
{
	switch (e) {
	case RUN_END_ITSELF:
		return "end";
	case RUN_END_SAMPLES:
		return "samples";
	case RUN_END_DURATION:
		return "duration";
	case RUN_END_ASKED:
		return "interrupt";
	case RUN_END_FULL:
		return "full";
	}
	return "end";
}

struct run_limits
run_limits_begin(size_t samples, double duration)
{
	return (struct run_limits){.samples = samples, .duration = duration, .started_at = clock_seconds()};
}

double
run_limits_patience(const struct run_limits *l)
{
	double at = l->finishing ? l->grace_ends_at : l->duration > 0 ? l->started_at + l->duration : INFINITY;

	return fmax(0, at - clock_seconds());
}

bool
run_limits_late(const struct run_limits *l)
{
	return l->duration > 0 && clock_seconds() - l->started_at >= l->duration;
}

bool
run_limits_finish(struct run_limits *l, enum run_ending why)
{
	if (l->finishing)
		return false;
	l->finishing = true;
	l->ending = why;
	l->grace_ends_at = clock_seconds() + RUN_GRACE_SECONDS;
	return true;
}

bool
run_limits_reached(struct run_limits *l, size_t samples, bool full)
{
	if (l->samples && samples >= l->samples)
		return run_limits_finish(l, RUN_END_SAMPLES);
	if (run_limits_late(l))
		return run_limits_finish(l, RUN_END_DURATION);
	return full && run_limits_finish(l, RUN_END_FULL);
}

bool
run_limits_kill(struct run_limits *l)
{
	double now = clock_seconds();

	if (!l->finishing || now < l->grace_ends_at)
		return false;
	l->grace_ends_at = now + RUN_GRACE_SECONDS;
	return true;
}

bool
run_limits_want(const struct run_limits *l, size_t samples)
{
	return (!l->samples || samples < l->samples) && l->ending != RUN_END_FULL;
}
