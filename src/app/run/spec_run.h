/* A profile as its specification asks: its programs are held ready, counters are put on all of them, they begin when it
 * is time, it is looked at them again and again, and what runs in the background is ended with the others.
 *
 *     one program         one observation, named after it, with all counters, as of a command
 *     several             one each, with what can be counted of a process; and one named after the profile: the sum of
 * these, and what is counted of the whole machine, once CPUs are watched    one, named after the profile: all that runs
 * on them meanwhile
 *
 * Continuous: a row for each look. Looks at all programs are at one time; what they cost decides when the next one is
 * (core/spec/pace.h). Where there is one of all together, rows of one look have one time, that of the profile: who
 * begins or ends between two looks has the whole of that interval. Aggregated: a row for all of it. */
#ifndef APP_RUN_SPEC_RUN_H
#define APP_RUN_SPEC_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/run/counter_list.h"
#include "app/run/run.h"
#include "collect/process/programs.h"
#include "core/spec/spec.h"

struct err;
struct obs;
struct obs_table;
struct str;

struct spec_run_options {
	const struct profile_spec *spec;    /* outlives the run */
	const struct source_ops *ops;       /* NULL: run_source() */
	counter_list_make *counters;        /* NULL: nothing is counted; runs that join observe the programs */
	void *ctx;
	const char *picked;                 /* names of those that are counted, "a,b"; NULL: all */
	const struct source_target *target; /* CPUs that are watched; NULL: the programs */
	bool closes_at_switches;            /* a run that joins ends its snapshots where tasks are switched */
	int out_fd, err_fd;                 /* of programs whose output and errors are in no file; -1: as hecate's */
	/* the how manieth run it is: from the second on, "#2" stands behind the names of observations. 0, 1: the first
	 */
	unsigned again;
	bool folds, peeked;                 /* as in struct counters_run_options */
	bool apart; /* looking is what spec_run_poll() takes of the processor, and what spec_run_took() is told: for who
		       does other things beside. Else it is all that this process takes */
};

struct spec_run;

/* Has this machine the cores and memory nodes that programs ask for? False and *e. */
bool spec_run_fits(const struct profile_spec *, struct err *e);

/* NULL and *e when the machine lacks what the programs ask for. */
struct spec_run *spec_run_new(const struct spec_run_options *, struct err *e);
void spec_run_free(struct spec_run *); /* ends what runs still */

/* Leads; holds its programs one by one (struct run_held) and announces RUN_STARTS, RUN_INTERVAL and RUN_OVER. */
extern const struct run_ops spec_run_ops;
struct run *spec_as_run(struct spec_run *);
struct spec_run *run_as_spec(struct run *); /* NULL: it is of another kind */

/* Opens the counters and lets those begin that need not wait. False and *e when nothing can be counted, or a program
 * cannot be started: then all are ended. */
bool spec_run_start(struct spec_run *, struct err *e);
int spec_run_wait_fd(const struct spec_run *);     /* readable when a program has ended */
/* seconds until there is something to do though nothing is readable */
double spec_run_patience(const struct spec_run *);

/* Looks, without blocking. True once, when all is over: *e is empty, or says what ended it early; what was counted
 * until then is kept. */
bool spec_run_poll(struct spec_run *, struct err *e);
void spec_run_finish(struct spec_run *); /* ends all programs and keeps what was counted: spec_run_poll() says when */

/* What came of a look has cost its owner so many seconds of the processor more (spec_run_options.apart). */
void spec_run_took(struct spec_run *, double seconds);

bool spec_run_running(const struct spec_run *);

/* All observations so far. They may grow until the end. */
const struct obs_table *spec_run_table(const struct spec_run *);

/* Its observation of all together; NULL: there is none, or no row yet. */
const struct obs *spec_run_whole(const struct spec_run *);

struct spec_run_state {
	double seconds;            /* since the beginning; once it is over, how long it took */
	enum run_ending ending;   /* RUN_END_ITSELF, RUN_END_DURATION or RUN_END_ASKED */
	size_t looks;              /* taken, the last one at the end left out; of an aggregated profile none */
	size_t missed;             /* that came too late for one of their own */
	double interval;           /* seconds: on average, of what was kept … */
	double longest;            /* … and at most; 0: no look was taken */
	double present;            /* between the last look and the next one; of an aggregated profile INFINITY */
	/* of one CPU, that hecate itself took since the beginning, or only looking (`apart`); its helpers are not in it
	 */
	double processor;
	double memory;             /* bytes: its own at most, as far as they were seen */
	bool processor_kept, memory_kept; /* the limits, where there are any */
	bool whole;                /* there is an observation of all together */
};
void spec_run_state(const struct spec_run *, struct spec_run_state *);

const struct programs *spec_run_programs(const struct spec_run *);
/* of its observation: "store", "store-2" */
void spec_run_name(const struct spec_run *, size_t program, struct str *out);

/* What could not be counted, why and the remedy. One line each, "" when all is well. */
void spec_run_explain(const struct spec_run *, struct str *out);

/* When the profile began, as far as its programs tell (CLOCK_MONOTONIC). */
uint64_t spec_run_beginning(const struct spec_run *);
/* In words: how long it took, who ran where and how that ended; how often it was looked, and what that cost. Lines. */
void spec_run_tell_programs(const struct spec_run *, struct str *out);
void spec_run_tell_limits(const struct spec_run *, struct str *out);

#endif
