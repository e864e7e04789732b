/* What is asked: a model and the features that are on, or a network and methods of accounting; what is run or watched;
 * how verdicts are made; and what the user wrote. Written by actions (app/state/) alone. */
#ifndef APP_STATE_QUESTION_H
#define APP_STATE_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/analysis/analysis.h"
#include "app/files/files.h"
#include "app/remarks.h"
#include "core/obs/rotation.h"
#include "core/udd/fset.h"

struct profile_spec;
struct simulation;
struct source_target;
struct udd_model;
struct udd_outline;

/* What is run or watched: a command, else the programs of a specification, else a target. */
struct subject {
	char **argv;                  /* NULL-terminated; NULL: no command */
	struct simulation *simulated; /* the machine that argv is (app/state/state_sim.h); NULL: not asked for yet */
	struct profile_spec *spec;    /* run while argv is NULL; NULL: none. A target of CPUs is watched meanwhile */
	char *spec_file;              /* where `spec` came from */
	struct source_target *target; /* what runs already; ids owned */
	bool follows_flows;           /* of a network: what each task does, too */
};

/* Free what is in it; it is empty afterwards. */
void subject_clear(struct subject *);
void subject_forget_simulated(struct subject *);

struct sampling {
	unsigned interval_ms;       /* 0: exact totals only */
	size_t samples;             /* the run ends after so many; 0: no such limit */
	double duration;            /* the run ends after so many seconds; 0: no such limit */
	enum rotation_how rotation; /* as in struct source_spec */
	bool rotation_said;
};

struct question {
	uint64_t generation;          /* rises with whatever makes answers old */
	struct bundle bundle;         /* the model's files */
	struct udd_model *model;      /* NULL: a network, stacks, or nothing */
	struct udd_outline *outline;  /* of `on` */
	struct analysis_options how;
	struct fset on;               /* features as the switches stand */
	struct fset pinned;           /* features that a search leaves as they are */
	struct text network_text;     /* of a network, as it was read */
	struct text *stack_text;      /* a text for each stack */
	struct subject subject;
	struct sampling sampling;
	struct remarks remarks;
};

#endif
