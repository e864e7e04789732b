#include "work/analysis/zeros.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "event/name.h"
#include "work/analysis/describe.h"
#include "work/files/data.h"

/* Counts of one other counter that show that the machine ran: a process that does nothing but end makes more. */
#define RAN 1000.0

/* True for a column that is 0 in an observation. *some becomes true if a cell was counted. */
static bool
column_is_zero(const struct obs *obs, size_t column, bool *some)
{
	for (size_t r = 0; r < obs->n_rows; r++) {
		size_t cell = r * obs->n_columns + column;

		if (obs->counted[cell] && obs->count[cell])
			return false;
		*some |= obs->counted[cell];
	}
	return true;
}

/* Whether the kernel counts an event: a software event or tracepoint of perf, or a number in the kernel's files.
 * `clocks`: also those that are times. */
static bool
kernel_counts(const char *event, bool clocks)
{
	struct event_name e;
	bool kernel;

	event_name_read(event, &e);
	kernel = e.word == EVENT_WORD_KERNEL || (clocks && e.word == EVENT_WORD_CLOCK) || event_is_tracepoint(event);
	event_name_free(&e);
	return kernel;
}

/* Whether the kernel counts all events of the counter, or all its columns. */
static bool
is_software(const struct analysis *a, const struct analysis_table *t, size_t counter, bool clocks)
{
	const struct udd_counter *c = &a->model->counter[counter];
	const struct columns_match *m = t->match;
	bool events = c->n_events > 0, columns = m->first[counter] < m->first[counter + 1];

	for (size_t k = 0; k < c->n_events; k++)
		events &= kernel_counts(c->event[k].name, clocks);
	for (size_t k = m->first[counter]; k < m->first[counter + 1]; k++)
		columns &= kernel_counts(t->data->column[m->column[k]], clocks);
	return events || columns;
}

bool
zeros_kernel_total(const struct analysis *analysis, const struct analysis_table *table, const struct prepared *p)
{
	const struct columns_match *m = table->match;
	const struct obs *o = p->obs;
	int64_t unit = 1;

	for (int i = 0; i < o->decimals; i++)
		unit *= 10;
	if (o->n_rows != 1 || obs_samples(o) != 1 || o->folded || o->peeked || o->since_start || o->error ||
		o->runs > 0)
		return false;
	if (o->time && o->tasks > 0) /* an interval: its counters were read one after the other */
		return false;
	for (size_t i = 0; i < m->n_counters; i++) {
		if (p->keep[i] && (m->family[i] || !is_software(analysis, table, i, false)))
			return false;
		for (size_t k = m->first[i]; p->keep[i] && k < m->first[i + 1]; k++)
			if (o->count[m->column[k]] % unit)
				return false;
	}
	return p->n_kept > 0;
}

enum obs_health
zeros_health(const struct analysis *analysis, const struct analysis_table *table, size_t counter, const struct obs *obs)
{
	enum obs_health zero = OBS_HONEST;

	for (size_t k = table->match->first[counter]; k < table->match->first[counter + 1]; k++) {
		enum obs_health health = obs->health[table->match->column[k]];

		if (health == OBS_ZERO_SUSPECT || health == OBS_DEAD)
			return health;
		if (health != OBS_HONEST)
			zero = OBS_LIVE;
	}
	return obs->silent_zeros || is_software(analysis, table, counter, true) ? OBS_HONEST : zero;
}

/* Is the counter 0 in an observation? *doubted becomes true if the observation is judged and nobody vouches for it. */
static bool
zero_in(const struct analysis *analysis, const struct analysis_table *table, size_t counter, const struct obs *obs,
	bool *doubted)
{
	const struct columns_match *match = table->match;
	enum obs_health health;
	bool some = false;

	for (size_t k = match->first[counter]; k < match->first[counter + 1]; k++)
		if (!column_is_zero(obs, match->column[k], &some))
			return false;
	if (!some || !data_wanted(analysis->opt.observations, obs->name, analysis->opt.split_phases))
		return true;
	health = zeros_health(analysis, table, counter, obs);
	*doubted |= health != OBS_HONEST && health != OBS_DEAD;
	return true;
}

/* Finds the counters that are 0 in the whole table, and in some observation that is judged nobody vouches for that.
 * True if there is one. */
static bool
find_zeros(const struct analysis *analysis, const struct analysis_table *table, bool *zero)
{
	size_t n = analysis->model->n_counters, left = 0;
	bool *doubted = mem_new_array(n, sizeof *doubted), some = false;

	for (size_t c = 0; c < n; c++)
		left += zero[c] = !analysis->opt.counter || analysis->opt.counter[c];
	for (size_t i = 0; i < table->data->n && left; i++) {
		struct obs near = obs_near(table->data->obs[i]);

		left = 0;
		for (size_t c = 0; c < n; c++)
			if (zero[c])
				left += zero[c] = zero_in(analysis, table, c, &near, &doubted[c]);
		obs_near_free(&near, table->data->obs[i]);
	}
	for (size_t c = 0; c < n; c++)
		some |= zero[c] &= doubted[c];
	free(doubted);
	return some;
}

/* Returns how much a counter counted in an observation. */
static double
counted_in(const struct analysis_table *table, size_t counter, const struct obs *obs)
{
	double sum = 0, unit = pow(10, -obs->decimals);

	for (size_t k = table->match->first[counter]; k < table->match->first[counter + 1]; k++)
		for (size_t r = 0; r < obs->n_rows; r++) {
			size_t cell = r * obs->n_columns + table->match->column[k];

			sum += obs->counted[cell] ? fabs((double)obs->count[cell]) * unit : 0;
		}
	return sum;
}

/* Returns how much a counter counted at most in an observation, or RAN as soon as one of them counted so much. */
static double
most_counted(const struct analysis *analysis, const struct analysis_table *table)
{
	double most = 0;

	for (size_t i = 0; i < table->data->n && most < RAN; i++) {
		struct obs near = obs_near(table->data->obs[i]);

		for (size_t c = 0; c < analysis->model->n_counters && most < RAN; c++)
			if (!analysis->opt.counter || analysis->opt.counter[c])
				most = fmax(most, counted_in(table, c, &near));
		obs_near_free(&near, table->data->obs[i]);
	}
	return fmin(most, RAN);
}

bool
zeros_find(const struct analysis *analysis, struct analysis_table *table)
{
	size_t n = analysis->model->n_counters;
	bool *doubted = mem_new_array(n, sizeof *doubted), changed;
	bool believed = analysis->opt.trust_zeros || analysis->opt.counterpoint;
	double others = 0;

	free(table->zero);
	table->zero = mem_new_array(n, sizeof *table->zero);
	if (find_zeros(analysis, table, table->zero))
		others = most_counted(analysis, table);
	for (size_t i = 0; i < n; i++) {
		table->zero[i] &= others > 0;
		doubted[i] = table->zero[i] && others >= RAN && !believed;
	}
	changed = table->doubted && memcmp(table->doubted, doubted, n * sizeof *doubted) != 0;
	free(table->doubted);
	table->doubted = doubted;
	return changed;
}

bool
zeros_doubted(const struct analysis *a, const struct analysis_table *t, size_t counter, const struct obs *o)
{
	return t->doubted && t->doubted[counter] && zeros_health(a, t, counter, o) != OBS_HONEST;
}
