/* Makes the runs that observe one subject together. Only this module knows which kinds of run are needed for what is
 * wanted; the explorer and all subcommands make their runs here, and then use struct run_ops.
 *
 *     wanted                           leads            joins
 *     counters of a command or tasks   counters         flows, tasks' time
 *     … of a network that asks for     counters         tasks' time, as sums that rows of counters have
 *       classes of tasks' time
 *     tasks' time of the same alone    tasks' time
 *     programs of a specification      specification    flows, tasks' time
 */
#ifndef WORK_RUN_SUBJECT_RUNS_H
#define WORK_RUN_SUBJECT_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/tasktime_source.h"
#include "work/run/counter_list.h"
#include "work/run/run_sampling.h"

struct err;
struct network;
struct obs_table;
struct profile_spec;
struct run;
struct runs;
struct source_keep;
struct source_target;
struct spec_program;

struct subject_runs_options {
	/* The subject. */
	const struct profile_spec *spec;    /* its programs; outlives the runs. NULL: the command or the target */
	char *const *argv;                  /* NULL-terminated; NULL: no command */
	const struct source_target *target; /* NULL: none. CPUs are watched while a command or programs run */
	const struct spec_program *setup;   /* of argv, as in struct counters_run_options */

	/* What is observed. */
	counter_list_make *counters; /* NULL: nothing is counted */
	void *ctx;                   /* passed to counters() */
	/* for the first n counters, whether to count them; NULL: all */
	struct subject_chosen { const bool *counter; size_t n; } chosen;
	const char *picked;          /* names of the counters to count, "a,b"; NULL: all */
	struct subject_tasks {
		bool wanted;         /* where the time of tasks goes */
		bool variant_given;  /* how it is recorded; false: as well as is permitted */
		enum tasktime_source_variant variant;
		bool no_calibrate;   /* do not measure what a page fault costs here, also not for counters */
		/* the network whose counters are counted: if it asks for classes of tasks' time, these are recorded
		 * where that is permitted. NULL: none */
		const struct network *counted;
	} tasks;
	struct subject_flows {
		const struct network *network; /* requests of each task in it, which outlives the runs. NULL: none */
		const char *file;    /* the network's file */
		bool sums;           /* no rows, only sums (flow_run_new_sums()) */
		void (*leaves)(void *ctx, const struct obs_table *); /* as for flow_run_new() */
		void *ctx;
	} flows;
	size_t ring_kb;              /* ring for records of each CPU, KiB; 0: the default */
	bool optional;               /* a run that cannot join the counters is left out: runs_refusal() says why */

	/* Rows; with `spec`, its granularity comes before the interval. */
	struct sampling sampling;
	bool totals, folds, peeked;  /* as in struct counters_run_options */
	bool apart;                  /* as in struct spec_run_options */

	/* The command and its surroundings, as in struct counters_run_options. */
	int out_fd, err_fd;
	bool no_input, own_group;
	const bool *runs_on; /* as in struct source_spec */
	struct source_keep *keep;

	/* Runs of earlier starts. The run that counted then counts again, so that all commands have one table. */
	struct run *const *earlier;
	size_t n_earlier;
};

/* The runs of the next start, which the caller frees by run_free() except one of `earlier`. NULL: not wanted. */
struct subject_runs {
	struct run *counts; /* of counters, or of a specification even if nothing is counted */
	struct run *flows, *tasks;
	struct run *sums;   /* of tasks' time, for the counters' rows */
};

/* Makes the runs and puts them into `runs`, which are cleared before. False and *e: nothing was made. */
bool subject_runs_make(struct runs *, const struct subject_runs_options *, struct subject_runs *, struct err *e);

/* Frees all, except `kept`, which may be NULL. The struct is empty afterwards. */
void subject_runs_free(struct subject_runs *, const struct run *kept);

#endif
