/* Counting here and now for the subcommands whose counters are a network's or stacks'. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include <stdbool.h>

#include "cli/run_live.h"
#include "cli/work.h"

struct json_writer;
struct live;
struct live_counters;
struct options;
struct source_keep;

struct counting {
	const struct options *options;
	struct work_live watch;   /* what the options say of it */
	bool wanted;              /* there is a command, or what to watch */
	struct source_keep *keep;
	struct live *live;        /* NULL: nothing was counted yet */
	const struct run_beside *beside; /* who watches the same run; NULL: nobody */
};

/* False when it has been said which options do not fit together; counting_end() in either case. */
bool counting_begin(struct counting *, const struct options *);

/* Takes the counters. All repetitions, and what must be said of them on standard error. False when it has been said why nothing came of it. */
bool counting_run(struct counting *, struct live_counters *, run_live_seen *, void *ctx);
void counting_end(struct counting *);

/* "command" or "target", and "sampling"; nothing where nothing was counted. */
void counting_json(const struct counting *, struct json_writer *);
/* The array "warnings", empty where nothing was counted. */
void counting_json_warnings(const struct counting *, struct json_writer *);

#endif
