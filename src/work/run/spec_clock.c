#include "work/run/spec_clock.h"

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
spec_clock_new(const struct profile_spec *s, bool apart)
{
	struct spec_clock *c = mem_new(sizeof *c);

	c->spec = s;
	c->apart = apart;
	c->pace = spec_pace_begin(s->granularity, SPEC_GRANULARITY_MOST, s->processor);
	c->memory_before = c->state.memory = clock_process_memory();
	c->cpu_at_start = c->cpu_before = clock_process_seconds();
	c->started_at = c->last_at = clock_seconds();
	c->state.present = s->mode == SPEC_AGGREGATED ? INFINITY : s->granularity;
	c->next_at = c->started_at + c->state.present;
	return c;
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
spec_clock_sampled(struct spec_clock *c, double seconds)
{
	double began = c->started_at + seconds, interval = began - c->last_at, now;

	c->state.looks++;
	c->state.longest = fmax(c->state.longest, interval);
	c->intervals += interval;
	spec_clock_leave(c);
	interval = spec_pace_next(&c->pace, c->apart ? c->own : c->cpu_entered - c->cpu_before) * memory_factor(c);
	c->state.present = fmin(interval, SPEC_GRANULARITY_MOST);
	c->cpu_before = c->cpu_entered;
	c->own = 0;
	c->last_at = began;
	c->next_at += c->state.present;
	for (now = clock_seconds(); c->next_at <= now; c->next_at += c->state.present)
		c->state.missed++;
}

void
spec_clock_end(struct spec_clock *c, double seconds)
{
	struct spec_run_state *s = &c->state;
	double own;

	s->seconds = seconds;
	memory_factor(c);
	spec_clock_leave(c);
	own = c->apart ? c->own_all : c->cpu_entered - c->cpu_at_start;
	s->processor = s->seconds > 0 ? own / s->seconds : 0;
	s->processor_kept = !(c->spec->processor > 0) || s->processor <= c->spec->processor;
	s->memory_kept = !(c->spec->memory > 0) || s->memory <= c->spec->memory;
	c->ended = true;
}

struct spec_run_state
spec_clock_state(const struct spec_clock *c)
{
	struct spec_run_state s = c->state;

	s.seconds = c->ended ? s.seconds : spec_clock_seconds(c);
	s.interval = s.looks ? c->intervals / (double)s.looks : 0;
	return s;
}
