/* Observes a live subject, for every subcommand that does so: from the options to the end of all runs, which one loop
 * polls. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/metric_args.h"
#include "cli/watch_args.h"
#include "work/run/subject_runs.h"
#include "work/timeline/run_answer.h"

struct udd_model;

struct err;
struct json_writer;
struct obs_table;
struct options;
struct profile_spec;
struct run;
struct runs;
struct source_keep;
struct str;

/* Called whenever rows may have come; false and *e end the runs. It may poll the runs itself. */
typedef bool counting_seen(void *ctx, const struct subject_runs *, struct err *e);

struct counting {
	const struct options *options;
	struct watch_args watch;   /* what the options ask to be observed */
	bool wanted;               /* there is a command, a target or a specification */
	struct profile_spec *spec; /* specification of --spec, or NULL */
	/* What is observed: the caller sets counters, tasks, flows and what belongs to them. counting_make() sets the
	 * rest. */
	struct subject_runs_options how;
	struct subject_runs run;   /* the runs, owned; all NULL: none was made */
	const struct udd_model *model; /* whose counters are counted: its text is shown where it is wrong; NULL: none */
	const bool *reported;      /* statistics of a specification's `report` that the caller prints */
	const char *without;       /* with how.optional: what a profile lacks if a run cannot join */
	struct source_keep *keep;
	struct runs *runs;
	/* -M: metrics, whose events are counted too. And how the caller makes its own counters */
	struct metric_args metrics;
	counter_list_make *counters;
	void *ctx;
};

/* If options do not fit together, prints that and returns false. Call counting_end() in either case. */
bool counting_begin(struct counting *, const struct options *);

/* Makes the runs, and starts nothing. On failure prints a message and returns false. */
bool counting_make(struct counting *);

/* Runs all to their end, as often as -r says, and reports on standard error how it went. `seen` may be NULL. Makes the
 * runs if counting_make() did not. On failure prints a message and returns false. */
bool counting_run(struct counting *, counting_seen *seen, void *ctx);
void counting_end(struct counting *);

/* Returns the table of all counts, or of the time of tasks if nothing is counted. */
const struct obs_table *counting_table(const struct counting *);

/* How the command or the watch ended; what its time answers, or NULL if that is not known. The caller frees. */
struct run_end counting_end_of(const struct counting *);
struct run_answer *counting_answer(const struct counting *);
/* Adds a text on how a profile went. */
void counting_report(const struct counting *, struct str *out);
/* Adds the metrics of -M in a table, as text or into an open list; nothing without -M. `here`: it was counted here. */
void counting_metrics(const struct counting *, const struct obs_table *, bool here, struct str *out,
	struct json_writer *);
/* Adds those of what was counted as "metrics" to an open document; nothing without -M. */
void counting_metrics_json(const struct counting *, struct json_writer *);
/* Adds lines: what is missing, and remarks on the numbers of the leader. */
void counting_explain(const struct counting *, struct str *out);

/* True when flows of a specification's programs are wanted: by --flows, by `report … flows;`, or because snapshots
 * end at switches and there is no `report`. */
bool counting_wants_flows(const struct options *, const struct profile_spec *);
/* Prints a message and returns false if --flows or --ring does not fit what is counted. */
bool counting_flows_fit(const struct options *, bool counts, bool spec);
/* Prints a message and returns false if events are counted although an option is only for the time of tasks. */
bool counting_events_fit(const struct options *);

#endif
