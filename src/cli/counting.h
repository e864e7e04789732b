/* Counts here and now for the subcommands that take the counters of a network or of stacks. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include <stdbool.h>

#include "app/run/counter_list.h"
#include "cli/run_live.h"
#include "cli/work.h"

struct json_writer;
struct obs_table;
struct options;
struct profile_spec;
struct run;
struct runs;
struct source_keep;
struct str;

struct counting {
	const struct options *options;
	struct work_live watch;   /* what the options ask to be counted */
	bool wanted;              /* there is a command, a target or a specification */
	struct profile_spec *spec; /* of --spec; NULL */
	struct run *run;           /* of counters, or of the specification; owned. NULL: it has not begun */
	const bool *reported;      /* statistics of a specification's `report` that the caller prints */
	struct source_keep *keep;
	struct run *joins;         /* a run of the same subject; NULL: none. The caller's */
	/* what a profile lacks if `joins` cannot join, which is no failure; NULL: it is one */
	const char *without;
	struct runs *runs;
};

/* False when options do not fit together, which was reported; counting_end() in either case. */
bool counting_begin(struct counting *, const struct options *);

/* Counts in all repetitions, and reports remarks on standard error. `make` makes one or several lists of counters.
 * False when it failed and reported why. */
bool counting_run(struct counting *, counter_list_make *make, void *make_ctx, run_seen *, void *ctx);
void counting_end(struct counting *);

/* All counts. */
const struct obs_table *counting_table(const struct counting *);

/* Adds a text on how a profile went; nothing for other runs. */
void counting_report(const struct counting *, struct str *out);
/* Writes "command" or "target", and "sampling"; or "profile". Nothing when nothing was counted. */
void counting_json(const struct counting *, struct json_writer *);
/* Writes the array "warnings", empty when nothing was counted. */
void counting_json_warnings(const struct counting *, struct json_writer *);

#endif
