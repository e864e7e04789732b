/* hecate stack stall-sources here and now: where the time of a command, of processes or of the machine goes
 * (docs/stall-sources.md). */
#ifndef CLI_STALLING_H
#define CLI_STALLING_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/run_live.h"

struct json_writer;
struct obs_table;
struct options;
struct profile_spec;
struct run;
struct stack;
struct stack_report;
struct tasktime_run;
struct str;
struct work_live;

/* The whole run, with what must be said of it on standard error; `seen` (may be NULL) whenever rows may have come. NULL
 * when it has been said why nothing came of it; free with tasktime_run_free(). */
struct tasktime_run *stalling_run(const struct options *, const struct work_live *, run_seen *, void *ctx);

/* Runs the programs of a specification and divides the time of their tasks, and says on standard error what is to be
 * known of both runs. The caller frees both. False: nothing came of it, and the reason was said. */
bool stalling_profile(const struct options *, const struct profile_spec *, run_seen *, void *ctx,
	struct run **, struct tasktime_run **);
/* False (said already) when options are given that only the time of tasks knows, and something else is counted. */
bool stalling_fits(const struct options *);

/* Bars of tasks side by side, sums of processes, CPUs, and how far all this can be believed. `t`: the run's table, or a
 * copy, of which the report's observations are, one at least. Both are NULL for recorded tasks, of which there are bars
 * and their sum. */
void print_stalls_text(const struct options *, const struct stack_report *, const struct obs_table *t,
	struct tasktime_run *, struct str *out);

/* The object "stalls" (docs/json.md). */
void print_stalls_json(struct json_writer *, const struct options *, struct tasktime_run *);

/* Tasks of one process together. */
struct stalls_process {
	int pid;          /* 0: the others */
	const char *program; /* of a specification, whose first process it is; NULL */
	const char *name; /* of its first thread, or of the first that was seen */
	size_t tasks, first; /* how many; the first of them */
};
/* In order of appearance; the caller frees. process[i]: of task i, a number in the list. */
struct stalls_process *stalls_processes(struct tasktime_run *, size_t *n, size_t **process);

#endif
