/* The user's question: a model and the features that are on, or a network and stacks; the subject to run or watch; how
 * verdicts are made; and the user's notes. Actions (explorer/state/) alone write it. */
#ifndef EXPLORER_STATE_QUESTION_H
#define EXPLORER_STATE_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"
#include "work/analysis/analysis.h"
#include "work/files/files.h"
#include "work/remarks.h"
#include "work/run/run_sampling.h"

struct profile_spec;
struct simulation;
struct source_target;
struct udd_model;
struct udd_outline;

/* The subject to run or watch: a command, else the programs of a specification, else a target. */
struct subject {
	char **argv;                  /* NULL-terminated; NULL: no command */
	struct simulation *simulated; /* argv parsed as a simulated machine (state_sim.h); NULL: not parsed yet */
	struct profile_spec *spec;    /* run when argv is NULL, while a target of CPUs is watched; NULL: none */
	char *spec_file;              /* the file that `spec` was read from */
	struct source_target *target; /* what already runs; made by target_copy() */
	char *probed;                 /* the machine that probes run on (view 9); NULL: control chooses one */
	bool no_calibrate;            /* do not measure what a page fault costs here */
	bool follows_flows;           /* with a network: also count each task's flows */
	bool keeps_tables;            /* with a network: autosave also fills the session's record tables */
};

/* Frees the members; the struct is empty afterwards. */
void subject_clear(struct subject *);
void subject_forget_simulated(struct subject *);

struct question {
	uint64_t generation;          /* rises with each change that makes answers old */
	struct bundle bundle;         /* the model's files */
	struct udd_model *model;      /* NULL: a network, stacks, or nothing */
	struct udd_model **retired;   /* its earlier texts, which runs may still need */
	size_t n_retired;
	struct udd_outline *outline;  /* outline of the model with the features `on` */
	struct analysis_options how;
	struct fset on;               /* features that are switched on */
	struct fset pinned;           /* features that a search must not switch */
	struct text network_text;     /* source text of the network */
	struct text *stack_text;      /* source text of each stack */
	struct subject subject;
	struct sampling sampling;
	struct remarks remarks;
};

#endif
