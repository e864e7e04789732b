/* The run of a specification's programs. It holds them ready, opens counters on all of them, starts each at its time,
 * and samples them. When the others have ended, it ends those in the background.
 *
 *     one program       one observation with all counters, named after the program
 *     several programs  one observation for each, with the counters that a process can have; and one named after the
 *                       profile: their sum, and the counters of the whole machine
 *     watched CPUs      one observation, named after the profile: all that runs on them meanwhile
 *
 * Continuous mode: a row for each sample. All programs are sampled at one time; the cost of a sample decides when the
 * next one is taken (core/spec/pace.h). With a common observation, all rows of one sample have the profile's time: a
 * program that starts or ends between two samples is counted for the whole interval. Aggregated mode: one row. */
#ifndef WORK_RUN_SPEC_RUN_H
#define WORK_RUN_SPEC_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/process/programs.h"
#include "core/spec/spec.h"
#include "work/run/counter_list.h"
#include "work/run/run.h"

struct err;
struct obs;
struct obs_table;
struct str;

struct spec_run_options {
	const struct profile_spec *spec;    /* outlives the run */
	const struct source_ops *ops;       /* as in struct counters_run_options */
	counter_list_make *counters;        /* NULL: nothing is counted; runs that join observe the programs */
	void *ctx;
	const char *picked;                 /* names of the counters to count, "a,b"; NULL: all */
	const struct source_target *target; /* CPUs that are watched; NULL: the programs */
	bool closes_at_switches;            /* a run that joins ends its snapshots where tasks are switched */
	int out_fd, err_fd;                 /* output and errors of programs that name no file; -1: as hecate's */
	/* run number, from 1; 0 is 1. From 2 on, "#2" follows the names of observations */
	unsigned again;
	bool folds, peeked;                 /* as in struct counters_run_options */
	/* The cost of sampling is the processor time of poll() plus what took() adds: for a caller
	 * with other work. Otherwise it is all that this process takes. */
	bool apart;
};

struct spec_run;

/* Makes a run. NULL and *e when the machine lacks what the programs ask for. */
struct spec_run *spec_run_new(const struct spec_run_options *, struct err *e);

/* Leads, holds its programs one by one (struct run_held), and announces RUN_STARTS, RUN_INTERVAL and RUN_OVER. open()
 * and go() fail when nothing can be counted or a program cannot start: then all programs are ended. A profile that
 * ended early has the reason in *e of its last poll(), and keeps what was counted. free() ends programs that still
 * run. */
extern const struct run_ops spec_run_ops;
struct run *spec_as_run(struct spec_run *);
struct spec_run *run_as_spec(struct run *); /* NULL if the run is of another kind */

struct spec_run_state {
	bool running;
	double seconds;            /* since the start; after the end, how long it took */
	enum run_ending ending;   /* RUN_END_ITSELF, RUN_END_DURATION or RUN_END_ASKED */
	size_t looks;              /* samples, without the one at the end; 0 in aggregated mode */
	size_t missed;             /* samples that came too late and were skipped */
	double interval;           /* average seconds between samples */
	double longest;            /* longest seconds between samples; 0: no sample */
	double present;            /* seconds between the last sample and the next one; INFINITY in aggregated mode */
	/* share of one CPU that hecate took since the start, or sampling alone (`apart`); without helper processes */
	double processor;
	double memory;             /* largest size of hecate that was seen, bytes */
	bool processor_kept, memory_kept; /* true without a limit */
	bool whole;                /* one observation is of all programs together */
};
void spec_run_state(const struct spec_run *, struct spec_run_state *);

const struct spec_run_options *spec_run_options(const struct spec_run *); /* as given; what is copied is the run's */
const struct programs *spec_run_programs(const struct spec_run *);
/* The start of the profile by CLOCK_MONOTONIC, ns, from the starts and delays of its programs. */
uint64_t spec_run_beginning(const struct spec_run *);
/* Adds lines: how long the profile took, where each program ran and how it ended; how often it was sampled, and at what
 * cost. */
void spec_run_report_programs(const struct spec_run *, struct str *out);
void spec_run_report_limits(const struct spec_run *, struct str *out);

#endif
