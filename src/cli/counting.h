/* Counting here and now for the subcommands whose counters are a network's or stacks'. */
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
	struct work_live watch;   /* what the options say of it */
	bool wanted;              /* there is a command, what to watch, or a specification */
	struct profile_spec *spec; /* of --spec; NULL */
	struct run *run;           /* of counters, or of the specification; owned. NULL: it has not begun */
	const bool *told;          /* which words of a specification's `report` are told here; by whom counts */
	struct source_keep *keep;
	struct run *joins;         /* a run of the same subject; NULL: none. The caller's */
	/* what a specification's profile lacks where that cannot join, which is no failure */
	const char *without;
	struct runs *runs;
};

/* False when it has been said which options do not fit together; counting_end() in either case. */
bool counting_begin(struct counting *, const struct options *);

/* Lists of counters are made for it, one or several. All repetitions, and what must be said of them on standard error.
 * False when it has been said why nothing came of it. */
bool counting_run(struct counting *, counter_list_make *make, void *make_ctx, run_seen *, void *ctx);
void counting_end(struct counting *);

/* What was counted, all of it. */
const struct obs_table *counting_table(const struct counting *);

/* How a profile went, in words; nothing of other counting. */
void counting_tell(const struct counting *, struct str *out);
/* "command" or "target", and "sampling", or "profile"; nothing where nothing was counted. */
void counting_json(const struct counting *, struct json_writer *);
/* The array "warnings", empty where nothing was counted. */
void counting_json_warnings(const struct counting *, struct json_writer *);

#endif
