#include "work/run/spec_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/spec/spec.h"
#include "work/run/spec_run.h"

struct spec_clock {
	const struct profile_spec *spec;
	bool apart, ended;
	struct spec_pace pace;
	double started_at, next_at, last_at; /* by clock_seconds(): the start, the next sample and the last one */
	/* by clock_process_seconds(): at the start, after the last sample, and at the last enter or leave */
	double cpu_at_start, cpu_before, cpu_entered;
	double own, own_all;                 /* processor seconds of sampling, `apart`: since the last sample; in all */
	double intervals;                    /* sum, seconds */
	double memory_before;                /* bytes at the start */
	struct spec_run_state state;
};

struct spec_clock *
spec_clock_new(const struct profile_spec *spec, bool apart)
{
	struct spec_clock *clock = mem_new(sizeof *clock);

	clock->spec = spec;
	clock->apart = apart;
	clock->pace = spec_pace_begin(spec->granularity, SPEC_GRANULARITY_MOST, spec->processor);
	clock->memory_before = clock->state.memory = clock_process_memory();
	clock->cpu_at_start = clock->cpu_before = clock_process_seconds();
	clock->started_at = clock->last_at = clock_seconds();
	clock->state.present = spec->mode == SPEC_AGGREGATED ? INFINITY : spec->granularity;
	clock->next_at = clock->started_at + clock->state.present;
	return clock;
}

void
spec_clock_free(struct spec_clock *c)
{
	free(c);
}

double
spec_clock_seconds(const struct spec_clock *c)
{
	return clock_seconds() - c->started_at;
}

double
spec_clock_patience(const struct spec_clock *c)
{
	return c->next_at - clock_seconds();
}

void
spec_clock_enter(struct spec_clock *c)
{
	c->cpu_entered = clock_process_seconds();
}

void
spec_clock_leave(struct spec_clock *c)
{
	double cpu = clock_process_seconds();

	spec_clock_took(c, cpu - c->cpu_entered);
	c->cpu_entered = cpu;
}

void
spec_clock_took(struct spec_clock *c, double seconds)
{
	c->own += seconds;
	c->own_all += seconds;
}

/* The factor by which the interval grows as memory fills up: 2 at half of the memory that was free at the start, 4 at
 * three quarters, and so on. */
static double
memory_factor(struct spec_clock *c)
{
	double limit = c->spec->memory, now = clock_process_memory(), free_part;

	if (now > c->state.memory)
		c->state.memory = now;
	if (!(limit > c->memory_before))
		return 1;
	free_part = (limit - now) / (limit - c->memory_before);
	return free_part >= 1 ? 1 : exp2(fmin(floor(-log2(fmax(free_part, 0x1p-30))), 30));
}

void
spec_clock_sampled(struct spec_clock *clock, double seconds)
{
	double began = clock->started_at + seconds, interval = began - clock->last_at, now;

	clock->state.looks++;
	clock->state.longest = fmax(clock->state.longest, interval);
	clock->intervals += interval;
	spec_clock_leave(clock);
	interval = spec_pace_next(&clock->pace, clock->apart ? clock->own : clock->cpu_entered - clock->cpu_before) *
		memory_factor(clock);
	clock->state.present = fmin(interval, SPEC_GRANULARITY_MOST);
	clock->cpu_before = clock->cpu_entered;
	clock->own = 0;
	clock->last_at = began;
	clock->next_at += clock->state.present;
	for (now = clock_seconds(); clock->next_at <= now; clock->next_at += clock->state.present)
		clock->state.missed++;
}

void
spec_clock_end(struct spec_clock *clock, double seconds)
{
	struct spec_run_state *state = &clock->state;
	double own;

	state->seconds = seconds;
	memory_factor(clock);
	spec_clock_leave(clock);
	own = clock->apart ? clock->own_all : clock->cpu_entered - clock->cpu_at_start;
	state->processor = state->seconds > 0 ? own / state->seconds : 0;
	state->processor_kept = !(clock->spec->processor > 0) || state->processor <= clock->spec->processor;
	state->memory_kept = !(clock->spec->memory > 0) || state->memory <= clock->spec->memory;
	clock->ended = true;
}

struct spec_run_state
spec_clock_state(const struct spec_clock *c)
{
	struct spec_run_state s = c->state;

	s.seconds = c->ended ? s.seconds : spec_clock_seconds(c);
	s.interval = s.looks ? c->intervals / (double)s.looks : 0;
	return s;
}
