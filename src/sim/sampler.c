#include "sim/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/liveness.h"
#include "collect/source.h"
#include "core/obs/obs.h"

struct sim_sampler {
	struct sim_run *run;
	struct source_status *status;
	size_t n;
	size_t *first;  /* n + 1: first event of each counter among those of the run */
	bool multiplex;
	struct set_constraints constraints; /* between the events */
};

/* Returns what a reading of 0 means for this event. */
static enum source_zero
zero_of(enum sim_event e)
{
	if (e == SIM_PAGE_FAULTS)
		return SOURCE_ZERO_HONEST;
	if (sim_event_is_of_pipe(e)) /* many parts of a stack are empty, and the simulator counts without faults */
		return SOURCE_ZERO_HONEST;
	return e == SIM_CYCLES || e == SIM_INSTRUCTIONS ? SOURCE_ZERO_IMPOSSIBLE : SOURCE_ZERO_SUSPECT;
}

/* Returns a rank that grows with the doubt about a reading of 0. A sum is as doubtful as its most doubtful event. */
static int
doubt_of(enum source_zero z)
{
	switch (z) {
	case SOURCE_ZERO_HONEST: return 0;
	case SOURCE_ZERO_IMPOSSIBLE: return 1;
	case SOURCE_ZERO_SUSPECT: return 2;
	case SOURCE_ZERO_ALWAYS: return 3;
	}
	return 3;
}

/* Finds a counter's events and writes them to event[]. Returns their number, or 0 and a status with the reason. */
static size_t
find_events(const struct sim_machine *machine, const struct source_counter *counter, enum sim_event *event,
	struct source_status *status)
{
	*status = (struct source_status){.health = OBS_LIVE, .zero = SOURCE_ZERO_HONEST, .running = 1};
	for (size_t i = 0; i < counter->n_events; i++) {
		bool known = sim_event_find(counter->event[i].name, &event[i]) &&
			(machine->pipe.there || !sim_event_is_of_pipe(event[i]));

		if (known && !counter->event[i].filter) {
			if (doubt_of(zero_of(event[i])) > doubt_of(status->zero))
				status->zero = zero_of(event[i]);
			continue;
		}
		status->health = OBS_UNSUPPORTED;
		if (known)
			snprintf(status->why, sizeof status->why,
				"the simulated PMU cannot filter events, and %.80s has a filter",
				counter->event[i].name);
		else
			snprintf(status->why, sizeof status->why, "the simulated PMU has no event %.100s",
				counter->event[i].name);
		if (!known)
			source_status_hint(status, sim_event_near(counter->event[i].name));
		snprintf(status->remedy, sizeof status->remedy, "hecate sim --list shows its events");
		return 0;
	}
	if (!counter->n_events) {
		status->health = OBS_UNSUPPORTED;
		snprintf(status->why, sizeof status->why, "the event is unknown");
	}
	return counter->n_events;
}

static bool
sampler_some_count(const struct sim_sampler *s, const struct source_counter *counter, struct err *e)
{
	if (s->first[s->n])
		return true;
	if (!s->n)
		return err_set(e, "no counters were given: there is nothing to sample");
	err_set(e, "none of the %zu counters can be counted on a simulated machine; %s: %s", s->n, counter[0].name,
		s->status[0].why);
	return err_hint(e, "%s", s->status[0].remedy);
}

struct sim_sampler *
sim_sampler_new(const struct sim_run_spec *how, const struct source_counter *counter, size_t n, struct err *e)
{
	struct sim_sampler *sampler = mem_new(sizeof *sampler);
	struct sim_run_spec spec = *how;
	size_t all = 0, *number;
	enum sim_event *event;
	unsigned *group;

	for (size_t i = 0; i < n; i++)
		all += counter[i].n_events;
	event = mem_new_array(all, sizeof *event);
	group = mem_new_array(all, sizeof *group);
	number = mem_new_array(all, sizeof *number);
	sampler->n = n;
	sampler->multiplex = how->multiplex;
	sampler->status = mem_new_array(n, sizeof *sampler->status);
	sampler->first = mem_new_array(n + 1, sizeof *sampler->first);
	for (size_t i = 0; i < n; i++) {
		size_t at = sampler->first[i],
		       some = find_events(how->machine, &counter[i], &event[at], &sampler->status[i]);

		for (size_t k = at; k < at + some; k++) {
			group[k] = how->group ? how->group[i] : (unsigned)k;
			number[k] = counter[i].number;
		}
		sampler->first[i + 1] = at + some;
	}
	spec.event = event;
	spec.n_events = sampler->first[n];
	spec.group = how->group ? group : NULL;
	if (how->constraints) {
		sampler->constraints = set_constraints_over(how->constraints, number, spec.n_events);
		spec.constraints = &sampler->constraints;
	}
	if (sampler_some_count(sampler, counter, e))
		sampler->run = sim_run_new(&spec, e);
	free(event);
	free(group);
	free(number);
	if (sampler->run)
		return sampler;
	sim_sampler_free(sampler);
	return NULL;
}

void
sim_sampler_free(struct sim_sampler *s)
{
	if (!s)
		return;
	sim_run_free(s->run);
	free(s->status);
	free(s->first);
	set_constraints_free(&s->constraints);
	free(s);
}

const struct source_status *
sim_sampler_status(const struct sim_sampler *s)
{
	return s->status;
}

void
sim_sampler_vouch(struct sim_sampler *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->status[i].zero == SOURCE_ZERO_SUSPECT)
			s->status[i].zero = SOURCE_ZERO_HONEST;
}

void
sim_sampler_cancel(struct sim_sampler *s)
{
	sim_run_cancel(s->run);
}

const struct sim_run *
sim_sampler_run(const struct sim_sampler *s)
{
	return s->run;
}

/* Fills in a counter's cell. A sum is counted when all of its events are, and for as long as the one with the shortest
 * time. */
static void
add_up(const struct sim_sampler *sampler, size_t i, const struct sim_reading *reading, struct source_row *row)
{
	row->count[i] = 0;
	row->counted[i] = sampler->first[i + 1] > sampler->first[i];
	row->running[i] = 1;
	for (size_t k = sampler->first[i]; k < sampler->first[i + 1]; k++) {
		row->count[i] += reading[k].count;
		row->counted[i] &= reading[k].counted;
		row->running[i] = fmin(row->running[i], reading[k].running);
	}
	if (!row->counted[i])
		row->count[i] = 0;
}

enum sim_news
sim_sampler_row(struct sim_sampler *sampler, struct source_row *row, struct err *e)
{
	struct sim_row have;
	enum sim_news news = sim_run_row(sampler->run, &have, e);

	if (news != SIM_ROW)
		return news;
	row->seconds = have.seconds;
	row->missed = 0;
	row->rotation = (struct obs_rotation){have.turns.rotation_ns * 1e-9, have.turns.program_ns * 1e-9,
		have.turns.seed, have.turns.constraints, have.turns.whole};
	row->tasks = 0; /* µops in flight have ended when a row is read */
	for (size_t i = 0; i < sampler->n; i++)
		add_up(sampler, i, have.reading, row);
	return SIM_ROW;
}

/* Adds the rows to the observation. False and *e: the text is no trace, or ends too early. */
static bool
sampler_add_rows(struct sim_sampler *sampler, size_t samples, struct obs *obs, struct liveness *alive,
	struct source_row *row, struct err *e)
{
	for (size_t i = 0; i < samples; i++) {
		enum sim_news news = sim_sampler_row(sampler, row, e);

		if (news == SIM_FAILED)
			return false;
		if (news == SIM_NO_ROW)
			break;
		liveness_row(alive, row);
		obs_add_row(obs, row->count, row->counted, row->seconds);
		obs->rotation = row->rotation;
		for (size_t k = 0; k < sampler->n; k++)
			if (row->counted[k] && row->running[k] < 1)
				obs_set_quality(obs, k, row->running[k], 0);
	}
	for (size_t k = 0; k < sampler->n; k++)
		obs->health[k] = liveness_health(alive, k);
	if (obs->n_rows)
		return true;
	if (sim_run_is_cancelled(sampler->run))
		return err_set(e, "%s was stopped before a sample was complete", sim_run_workload(sampler->run));
	err_set(e, "%s ended before anything was measured: the warm-up used all of it", sim_run_workload(sampler->run));
	return err_hint(e, "begin to measure earlier: --warm-up N sets the accesses before that");
}

bool
sim_sampler_observe(struct sim_sampler *sampler, size_t samples, const char *name, const char *source,
	struct obs_table *table, struct err *e)
{
	struct source_row row = {
		.count = mem_new_array(sampler->n, sizeof *row.count), .counted = mem_new_array(sampler->n, 1),
		.running = mem_new_array(sampler->n, sizeof *row.running),
	};
	struct liveness *alive = liveness_new(sampler->status, sampler->n);
	struct obs *obs = obs_table_add(table, name, source);
	bool good;

	obs->exact = !sampler->multiplex;
	obs->since_start = true;
	good = sampler_add_rows(sampler, samples, obs, alive, &row, e);
	if (!good)
		obs_table_drop(table, table->n - 1);
	liveness_free(alive);
	free(row.count);
	free(row.counted);
	free(row.running);
	return good;
}

static bool
rises(const struct obs *o, size_t column)
{
	for (size_t row = 0; row < o->n_rows; row++)
		if (o->counted[row * o->n_columns + column] && o->count[row * o->n_columns + column])
			return true;
	return false;
}

void
sim_judge_health(struct obs_table *table, bool honest)
{
	for (size_t c = 0; c < table->n_columns; c++) {
		size_t counted = 0;
		bool risen = false;

		for (size_t i = 0; i < table->n; i++) {
			counted += table->obs[i]->health[c] == OBS_LIVE || table->obs[i]->health[c] == OBS_ZERO_SUSPECT;
			risen |= rises(table->obs[i], c);
		}
		for (size_t i = 0; i < table->n; i++) {
			enum obs_health *h = &table->obs[i]->health[c];

			if (*h == OBS_ZERO_SUSPECT && (risen || counted >= SIM_CROWD))
				*h = risen ? OBS_LIVE : OBS_DEAD;
			if (honest && (*h == OBS_LIVE || *h == OBS_ZERO_SUSPECT))
				*h = OBS_HONEST;
		}
	}
}
