#include "work/files/intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/intervals.h"
#include "sim/program/program.h"
#include "work/files/simulation.h"

_Static_assert((int)SIM_N_MARKS <= INTERVAL_MARKS_MAX, "room for all marks");

static const char *
about_lesson(const char *lesson)
{
	size_t n = strcspn(lesson, ":");

	for (size_t i = 0; sim_program_name(i); i++)
		if (strlen(sim_program_name(i)) == n && strncmp(sim_program_name(i), lesson, n) == 0)
			return sim_program_about(i);
	return "";
}

/* Takes over the marks, the earliest first; those of the same cycle stay in their order. */
static void
take_marks(struct interval *interval)
{
	static const char *const event[] = {
		[SIM_INTERVAL_FETCH] = "fetch misses", [SIM_INTERVAL_BRANCH] = "the branch is dispatched",
		[SIM_INTERVAL_LOAD] = "the load is issued",
	};

	for (int m = 0; m < (int)SIM_N_MARKS; m++) {
		double at = interval->simulated->mark[m];
		size_t i = interval->n_marks;

		if (isnan(at))
			continue;
		for (; i > 0 && interval->mark[i - 1].at > at; i--)
			interval->mark[i] = interval->mark[i - 1];
		interval->mark[i].name = sim_interval_mark_name((enum sim_interval_mark)m);
		interval->mark[i].text = sim_interval_mark_text((enum sim_interval_mark)m);
		if (m == (int)SIM_MARK_EVENT)
			interval->mark[i].text = event[interval->simulated->kind];
		if (m == (int)SIM_MARK_RETURNS && interval->simulated->kind == SIM_INTERVAL_FETCH)
			interval->mark[i].text = "the line arrives";
		interval->mark[i].at = at;
		interval->n_marks++;
	}
}

static void
add_cost(struct interval *v, const char *name, const char *text, double cycles)
{
	v->cost[v->n_costs].name = name;
	v->cost[v->n_costs].text = text;
	v->cost[v->n_costs++].cycles = cycles;
}

static void
take_costs(struct interval *v)
{
	const struct sim_interval *s = v->simulated;

	add_cost(v, "truth", "truth", s->truth);
	add_cost(v, "fmt", "FMT", s->method[SIM_FMT]);
	add_cost(v, "sfmt", "sFMT", s->method[SIM_SFMT]);
	add_cost(v, "power5", "POWER5", s->method[SIM_POWER5]);
	add_cost(v, "tea", "TEA", s->method[SIM_TEA]);
	add_cost(v, "naive", "naive", s->naive);
}

/* Returns what the diagram shows about the methods. */
static const char *
explain(const struct sim_interval *interval)
{
	switch (interval->kind) {
	case SIM_INTERVAL_FETCH:
		return "POWER5 does not see the cycles in which the reorder buffer drains.";
	case SIM_INTERVAL_BRANCH:
		return "Only FMT counts the resolution. POWER5 misses part of the refilling.";
	case SIM_INTERVAL_LOAD:
		break;
	}
	if (isnan(interval->mark[SIM_MARK_SECOND]))
		return "POWER5 counts before the buffer is full, while µops still enter it.";
	return interval->mark[SIM_MARK_SECOND] < interval->mark[SIM_MARK_RETURNS]
		? "The latencies overlap and cost as one. Naive counts both."
		: "The second load waits for the first: the latencies do not overlap.";
}

struct interval *
interval_new(const struct simulation *how, const char *lesson, struct err *e)
{
	struct sim_interval *interval;
	struct interval *v;

	if (!how->machine->pipe.there) {
		err_set(e, "%s has no pipeline, and no interval diagrams", how->machine->name);
		err_hint(e, "for instance --machine core");
		return NULL;
	}
	interval = sim_interval_new(how->machine, how->plants, lesson, INTERVAL_EVENTS, how->seed, e);
	if (!interval)
		return NULL;
	v = mem_new(sizeof *v);
	v->simulated = interval;
	v->machine = str_format("%s%s%s", how->machine->name, *how->changes ? ", " : "", how->changes);
	v->lesson = mem_str(lesson);
	v->about = about_lesson(lesson);
	v->why = explain(interval);
	v->events = interval->events;
	v->first = interval->first;
	v->n = interval->n;
	v->issued = interval->issued;
	v->dispatched = interval->dispatched;
	v->committed = interval->committed;
	v->rob = interval->rob;
	v->wrong = interval->wrong;
	v->fmt = interval->fmt;
	v->power5 = interval->power5;
	v->width = interval->width;
	v->entries = interval->entries;
	v->steady = interval->steady;
	v->lost = interval->lost;
	take_marks(v);
	take_costs(v);
	return v;
}

void
interval_free(struct interval *v)
{
	if (!v)
		return;
	sim_interval_free(v->simulated);
	free(v->machine);
	free(v->lesson);
	free(v);
}

const char *
interval_lesson(size_t i)
{
	return sim_interval_lesson(i);
}
