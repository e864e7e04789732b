#include "work/metrics/metric_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/stats/count_bounds.h"
#include "event/table.h"
#include "work/machine.h"

struct columns_match *
metric_columns(const struct metric_set *set, const struct obs_table *table)
{
	struct wanted_counter *wanted = mem_new_array(set->n_leaves, sizeof *wanted);
	struct event_item *event = mem_new_array(set->n_leaves, sizeof *event);
	char **name = mem_new_array(set->n_leaves + 1, sizeof *name);
	struct columns_match *match;

	for (size_t i = 0; i < set->n_leaves; i++) {
		struct str word = {0};

		metric_counter_name(&set->leaf[i], &word);
		name[i] = str_take(&word);
		event[i].name = set->leaf[i].name;
		wanted[i] = (struct wanted_counter){
			.name = name[i], .event = &event[i], .n_events = set->leaf[i].kind == METRIC_EVENT};
	}
	match = columns_match_counters(wanted, set->n_leaves, table);
	str_split_free(name);
	free(wanted);
	free(event);
	return match;
}

/* "smt_on=1" and "#smt_on=1" state #smt_on. */
static bool
states(const char *text, const char *constant, double *value)
{
	const char *name = *text == '#' ? text + 1 : text;
	size_t n = strcspn(name, "=");

	return n == strlen(constant + 1) && strncasecmp(name, constant + 1, n) == 0 && name[n] == '=' &&
		str_to_double(name + n + 1, value);
}

bool
metric_constants_fit(const struct metric_set *set, const struct metric_constants *constants, struct err *e)
{
	struct str names = {0};
	bool found = true;

	for (size_t i = 0; i < constants->n_stated && found; i++) {
		double value;

		found = false;
		str_clear(&names);
		for (size_t k = 0; k < set->n_leaves; k++)
			if (set->leaf[k].kind == METRIC_CONSTANT) {
				found |= states(constants->stated[i], set->leaf[k].name, &value);
				str_addf(&names, "%s%s=N", names.n ? ", " : "", set->leaf[k].name + 1);
			}
		if (!found) {
			err_set(e, "-D %s: states no constant of these metrics", constants->stated[i]);
			err_hint(e, "they have: %s", names.n ? str_text(&names) : "none");
		}
	}
	str_free(&names);
	return found;
}

static double
constant_value(const struct metric_leaf *leaf, const struct metric_constants *constants)
{
	double value = NAN;

	for (size_t i = 0; i < constants->n_stated; i++)
		if (states(constants->stated[i], leaf->name, &value))
			return value;
	return constants->here ? machine_constant(leaf->name + 1) : NAN;
}

/* A time of the run in seconds. perf prints its own events of these names in nanoseconds. */
static struct metric_value
seconds_of(const struct metric_leaf *leaf, const struct obs *obs, struct count_bounds counted)
{
	const double scale = 1e-9;
	double whole = obs->elapsed;

	if (!isnan(counted.value))
		return (struct metric_value){counted.low * scale, counted.value * scale, counted.high * scale};
	if (strcasecmp(leaf->name, "duration_time") != 0)
		whole = 0;
	else if (whole <= 0 && obs->time && obs->n_rows && obs->since_start)
		whole = obs->time[obs->n_rows - 1];
	return whole > 0 ? (struct metric_value){whole, whole, whole} : (struct metric_value){NAN, NAN, NAN};
}

static struct metric_value
event_value(const struct metric_leaf *leaf, const struct columns_match *match, size_t i, const struct obs *obs,
	double confidence)
{
	struct count_bounds total = {0, 0, 0};

	for (size_t k = match->first[i]; k < match->first[i + 1]; k++) {
		struct count_bounds one = count_bounds(obs, match->column[k], confidence);
		double times = (double)match->times[k];

		if (obs->health[match->column[k]] == OBS_DEAD || obs->health[match->column[k]] == OBS_UNSUPPORTED)
			one.value = NAN;
		total.value += times * one.value;
		total.low += times * (times < 0 ? one.high : one.low);
		total.high += times * (times < 0 ? one.low : one.high);
	}
	if (match->first[i] == match->first[i + 1])
		total.value = match->silent[i] ? 0 : NAN;
	if (strcasecmp(leaf->name, "duration_time") == 0 || strcasecmp(leaf->name, "user_time") == 0 ||
		strcasecmp(leaf->name, "system_time") == 0)
		return seconds_of(leaf, obs, total);
	return (struct metric_value){total.low, total.value, total.high};
}

static struct metric_value
leaf_value(const struct metric_leaf *leaf, const struct columns_match *match, size_t i, const struct obs *obs,
	const struct metric_constants *constants, double confidence)
{
	double value = NAN;

	switch (leaf->kind) {
	case METRIC_EVENT:
		return event_value(leaf, match, i, obs, confidence);
	case METRIC_CONSTANT:
		value = constant_value(leaf, constants);
		break;
	case METRIC_SOURCES:
		break;
	case METRIC_HAS:
		if (constants->events)
			value = event_table_find(constants->events, leaf->name, NULL) != NULL;
		break;
	case METRIC_IS_CPU:
		if (constants->cpu && *constants->cpu)
			value = strcasecmp(constants->cpu, leaf->name) == 0;
		break;
	}
	return (struct metric_value){value, value, value};
}

/* The number of columns that the event of a source_count() is the sum of. */
static double
sources_of(const struct metric_set *set, const struct columns_match *match, const char *event)
{
	for (size_t i = 0; i < set->n_leaves; i++)
		if (set->leaf[i].kind == METRIC_EVENT && strcasecmp(set->leaf[i].name, event) == 0)
			return match->first[i + 1] > match->first[i] ? (double)(match->first[i + 1] - match->first[i])
								     : NAN;
	return NAN;
}

struct metric_value *
metric_values(const struct metric_set *set, const struct columns_match *match, const struct obs_table *table,
	size_t observation, const struct metric_constants *constants, double confidence)
{
	const struct obs *obs = table->obs[observation];
	struct metric_value *value = mem_new_array(set->n_leaves + 1, sizeof *value);

	for (size_t i = 0; i < set->n_leaves; i++) {
		value[i] = leaf_value(&set->leaf[i], match, i, obs, constants, confidence);
		if (set->leaf[i].kind == METRIC_SOURCES)
			value[i].low = value[i].value = value[i].high = sources_of(set, match, set->leaf[i].name);
		if (set->leaf[i].kind == METRIC_HAS && !isnan(sources_of(set, match, set->leaf[i].name)))
			value[i] = (struct metric_value){1, 1, 1};
	}
	return value;
}
