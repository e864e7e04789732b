/* A simulated machine in the place of a real one: what is simulated and how it is measured, by a text on the command
 * line.
 *
 *     sim:MACHINE[:PLANT,…][:WORKLOAD][:HOW,…]
 * sim:haswell:merging,early_psc:linear,footprint=1G,stride=64:samples=100,seed=7
 *
 * A part that is empty or missing is as usual: the features that the machine has, the first workload, SIM_SAMPLES
 * samples. A workload's parameters stand behind a comma or a colon. HOW is made of samples=N, endless (where somebody
 * watches), seed=N, accesses=N (of each sample), warm-up=N (accesses), rotation=random or kernel, slice=NS (of the
 * rotation), and exact (as many counters as are wanted).
 *
 * As DATA it is simulated to its end; as a command behind --, and in the explorer, while one watches. */
#ifndef APP_FILES_SIMULATION_H
#define APP_FILES_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/sim/machine.h"
#include "collect/sim/pmu.h"
#include "collect/sim/run.h"
#include "collect/sim/suite.h"
#include "collect/sim/workload.h"
#include "collect/source.h"

struct err;
struct obs_table;

#define MACHINE_DEFAULT "haswell"
#define SUITE_FOLDERS "suites:models/suites"

struct simulation {
	struct sim_machine *machine;
	char *name;      /* of the machine, as it was asked for: installed, or a file */
	sim_plants plants;
	char *workload;  /* in the language of collect/sim/workload.h */
	uint64_t seed, accesses, warm_up;
	size_t samples;  /* 0: endless */
	bool said_samples; /* the text says it */
	bool exact;
	enum rotation_how rotation;
	uint64_t slice_ns; /* of the rotation; 0: SIM_SLICES in a sample */
	struct sim_lie *lie;
	size_t n_lies;
};

/* "random", "kernel". False: it is neither. */
bool simulation_rotation(const char *word, enum rotation_how *);

bool simulation_is(const char *arg); /* "sim:…" */

/* False and *e: no such machine, feature, workload. simulation_free() in either case. */
bool simulation_parse(const char *text, struct simulation *, struct err *e);
/* A machine by name or file, and all else as usual. */
bool simulation_load(const char *machine, struct simulation *, struct err *e);
void simulation_free(struct simulation *);

/* The text that gives it again; `workload` in the place of its own, and a seed. A secret one has "secret" for its
 * features. The caller frees. */
char *simulation_text(const struct simulation *, const char *workload, uint64_t seed, bool secret);
/* … of its own workload and seed, without the features where they are the machine's usual ones: for titles. The caller
 * frees. */
char *simulation_short_text(const struct simulation *);
/* The text as it is watched: without an end, unless it says one. NULL and *e. */
char *simulation_watched(const char *text, struct err *e);
struct sim_run_spec simulation_spec(const struct simulation *); /* a view; events are not told */

/* Workloads by a text with {…}, or those of a suite by name or file, appended. False and *e: there is no such workload,
 * or suite. */
bool simulation_add_workloads(struct sim_suite *, const char *text, struct err *e);
bool simulation_add_suite(struct sim_suite *, const char *name, struct err *e);

/* Counters by the names of events, "a,b,{c,d}": those in braces are on counters together. NULL: those of the MMU,
 * cycles, instructions and page-faults. */
struct sim_counters {
	struct source_counter *counter;
	unsigned *group;      /* per counter; NULL: each by itself */
	size_t n;
	struct source_event *event;
	char **word;
};
bool sim_counters_parse(const char *text, struct sim_counters *, struct err *e);
void sim_counters_free(struct sim_counters *);

/* Many workloads at once, on all processors that there are; the result does not depend on how many. */
struct simulate {
	const struct simulation *how;
	const struct source_counter *counter;
	const unsigned *group;
	size_t n_counters;
	const char *const *workload;
	size_t n;
	/* descriptor of a trace in the place of workloads, n 1, which is then called trace, or trace:PARAMETERS; −1 */
	int trace;
	bool secret; /* its features are not told */
	bool (*go_on)(void *ctx, size_t done); /* asked now and then; false: it ends. NULL */
	void *ctx;
};

struct simulated {
	struct obs_table *table; /* an observation for each workload, named after it; columns are the counters */
	uint64_t *truth;         /* n × SIM_N_COUNTS, since the reset of each */
	uint64_t accesses;       /* of all, without warm-ups */
	size_t n;
};

/* False and *e: one of them cannot be simulated, or it was ended. simulated_free() in either case. */
bool simulate_all(const struct simulate *, struct simulated *, struct err *e);
void simulated_free(struct simulated *);

/* The data that "sim:…" stands for, counted by events. NULL and *e. */
struct obs_table *simulation_read(const char *text, bool exact, struct err *e);

#endif
