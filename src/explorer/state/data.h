/* The observed data: recorded tables, the runs of this session and their output, and what this machine can count.
 * Control (explorer/control/) writes it; everybody may ask. */
#ifndef EXPLORER_STATE_DATA_H
#define EXPLORER_STATE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/doctor/doctor_items.h"
#include "core/verdict/verdict.h"
#include "work/files/openable.h"

struct contest;
struct finding;
struct obs;
struct obs_table;
struct probe_book;
struct run;
struct session_text;
struct sliced;
struct slicing;
struct state;
struct timeline;
struct trust_events;
struct trust_known;
struct trust_table;

/* The verdict after some of a run's samples. */
struct verdict_point {
	double seconds; /* since the start of the run */
	size_t samples;
	enum verdict_kind verdict;
	double distance2, threshold2; /* NAN: unknown */
};

#define VERDICT_POINTS_MOST 1024

/* Verdicts during the latest run, from its first samples on. */
struct verdict_history {
	struct verdict_point *point;
	size_t n, cap;
	char *of;    /* the observation's name, or NULL */
	double step; /* least seconds between two points; doubles when `point` is full */
};

/* The session file in which the state is saved. */
struct saved {
	char *in;    /* the file's path; NULL: no file */
	double at;   /* time of the last save; 0: none yet */
	bool failed; /* the last save failed and will be repeated */
	char *end;   /* how the run in it ended, as run_end_write() says it; NULL: not known */
	struct session_text *text; /* its models, networks and stacks, as listed last; NULL: not listed */
	size_t n_texts;
};

/* Data that were opened without a model: the user is asked for one of those that have their counters. */
struct waiting {
	struct obs_table *table;  /* NULL: none */
	char *path;
	struct openables models;  /* the best first */
};

/* What Home lists, and the prompt of key `o` completes. */
struct home {
	struct openables of; /* sorted; those that Home shows come first */
	size_t described;    /* the first ones, whose lines are read */
	struct waiting waiting;
};

struct data {
	uint64_t generation;       /* rises with each change that makes earlier answers invalid */
	struct obs_table **table;  /* recorded tables, in the order of the arguments */
	size_t n_tables;
	char *name;                /* name of the recorded data: "gcc-28.csv"; or NULL */
	struct run **run;          /* runs in the order in which they were added; owned (state_forget_runs()) */
	size_t n_runs;
	struct run *leader;        /* leader of the runs started last, one of `run`; NULL: none was started */
	bool had_run;
	/* the running command's totals so far, and whether they were counted, per counter of the model; NULL: none */
	struct { long long *total; bool *counted; } so_far;
	struct str output;         /* the command's latest output */
	size_t output_total;       /* bytes of output in all */
	struct verdict_history history;
	struct str run_notes;      /* counters that could not be counted, and why */
	struct timeline *timeline; /* snapshots, as views 5 to 7 show them; NULL: neither network nor stack */
	struct trust_table *repeated; /* repeated runs of the same programs, judged: view 0 shows them; NULL: none */
	struct trust_known *known;    /* what the books say about events; NULL: not read */
	struct trust_events *events;  /* list of view 0, from `repeated`, `known` and the model; NULL: not made yet */
	struct probe_book *probes;    /* view 9: probes and their curves; NULL: not listed yet */
	struct run *probing;          /* the latest run of probes; owned; NULL: none */
	struct sliced *sliced;        /* slices of programs, and what matters in them; NULL: none yet */
	struct contest *contest;      /* two ways A and B, compared by runs; owned; NULL: none */
	struct slicing *slicing;      /* the process that simulates slices; NULL: none */
	struct doctor machine;
	struct saved saved;
	struct home home;
};

/* Does a run count or record now? How many seconds has it taken so far, or did the last run take? */
bool state_running(const struct state *);
double state_run_seconds(const struct state *);

/* Sets the sampling interval in seconds: as asked for, and as kept within the limits of the run. Both are INFINITY if
 * there is one sample, at the end. */
void state_interval(const struct state *, double *asked, double *kept);

/* Is there a command or a target? What is its name: "gcc", "java-4711"; "" for none? */
bool state_has_subject(const struct state *);
const char *state_subject(const struct state *);

/* The samples that a finding is about; NULL when they are gone. */
const struct obs *state_samples(const struct state *, const struct finding *, const struct obs_table **table);

#endif
