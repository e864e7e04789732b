/* Metrics of the machine's table, evaluated on recorded data. */
#ifndef WORK_METRICS_METRIC_DATA_H
#define WORK_METRICS_METRIC_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/metric/metric.h"

struct columns_match;
struct event_metric;
struct event_table;
struct names;
struct obs_table;
struct err;
struct str;

/* The metrics of a table and, after all of them, a condition for each that has a threshold. */
struct table_metrics {
	struct metric_set *set;
	size_t n;                        /* metrics of the set that are no conditions */
	const struct event_metric **row; /* n: their rows in the table */
	size_t *threshold;               /* n: the condition's number; METRIC_NONE: no threshold */
	char **text;                     /* private: names of conditions, and of metrics with their PMU */
};

/* The table must outlive it. A name that has metrics of several kinds of cores is "cpu_atom/NAME/" in the set. */
struct table_metrics *table_metrics_new(const struct event_table *);
void table_metrics_free(struct table_metrics *);

/* Marks the metrics with this name, or those of the group with this name. Returns false if there are none; then *e has
 * the nearest names. */
bool table_metrics_pick(const struct table_metrics *, const char *name, bool *picked, struct err *e);
/* Adds the events that the marked metrics need. Returns false and sets *e if one of them is not understood. */
bool table_metrics_events(const struct table_metrics *, const bool *picked, struct names *events, struct err *e);
/* Returns whether a list "A;B" has this word, whatever its case. */
bool metric_in_group(const char *groups, const char *name);
/* Returns whether each word of the pattern is in the metric's name, group or description, whatever its case. */
bool table_metrics_fits(const struct event_metric *, const char *pattern);

/* Values that the user states for constants, and those of the machine. */
struct metric_constants {
	const char *const *stated; /* n_stated texts "smt_on=1" */
	size_t n_stated;
	bool here;                        /* the counts are of this machine, so its own constants hold */
	const char *cpu;                  /* "GenuineIntel-6-8F-4" */
	const struct event_table *events; /* for has_event(); NULL: not known */
};

/* Returns true if each of the stated constants is one that a metric of the set uses. Otherwise *e names it. */
bool metric_constants_fit(const struct metric_set *, const struct metric_constants *, struct err *e);

/* The columns of each leaf of a set that is an event. */
struct columns_match *metric_columns(const struct metric_set *, const struct obs_table *);

/* Returns the value of each leaf in an observation; the caller frees. */
struct metric_value *metric_values(const struct metric_set *, const struct columns_match *, const struct obs_table *,
	size_t observation, const struct metric_constants *, double confidence);

/* --- perf's top-down groups as the text of a stack (docs/stack-language.md) --- */

/* Returns the number of levels that a name asks for: 2 for "TopdownL2" or "cpu_atom/TopdownL2/"; 0: it is no such
 * name. */
unsigned metric_tree_levels(const char *name);

/* Appends the tree of the metrics in the groups TopdownL1 … TopdownLn, by such a name. A metric of group P_group is a
 * part of P. Limits are perf's thresholds; parts without one have no limit. Constants of the machine are written into
 * the text. Returns false and sets *e if there are no such metrics. */
bool metric_tree_text(const struct table_metrics *, const char *name, bool here, struct str *out, struct err *e);

/* Appends a stack whose parts are the chosen metrics, and whose counters are their events. */
bool metric_stack_text(const struct table_metrics *, const bool *chosen, bool here, struct str *out, struct err *e);

/* Appends the name that the counter of a leaf has in such a stack. */
void metric_counter_name(const struct metric_leaf *, struct str *out);

/* The same as metric_tree_text() for a name, with the metrics of $HECATE_CPUID or of this machine. */
bool metric_tree_load(const char *name, struct str *out, struct err *e);

#endif
