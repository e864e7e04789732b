/* A simulated machine in place of a real one, described by a text (work/files/simulation_text.h). */
#ifndef WORK_FILES_SIMULATION_H
#define WORK_FILES_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/source.h"
#include "sim/machine.h"
#include "sim/pmu.h"
#include "sim/program/parameters.h"
#include "sim/program/program.h"
#include "sim/run.h"
#include "sim/suite.h"
#include "sim/trace/op_trace.h"
#include "sim/workload.h"
#include "work/files/simulation_text.h"

struct err;
struct obs_table;
struct trace_file; /* work/files/trace_file.h */

#define MACHINE_DEFAULT "haswell"
#define SIMULATION_ACCESSES_MOST ((int64_t)1 << 40)
#define SUITE_FOLDERS "suites:models/suites"

struct simulation {
	struct sim_machine *machine;
	char *name;      /* machine as the user gave it: an installed name, or a file */
	char *changes;   /* items that replace those of the machine's file: "rob 64; issue 4"; "": none */
	sim_plants plants;
	/* text in the language of sim/workload.h; for a machine with a pipeline, in that of program/program.h */
	char *workload;
	sim_perfect perfect; /* perfect structures of a pipeline */
	bool references; /* a pipeline's run also has reference runs, whose cycles are the truth of a CPI stack */
	uint64_t seed, accesses, warm_up;
	size_t samples;  /* number of samples; 0: endless */
	bool said_samples; /* the user gave the number of samples */
	bool exact;
	enum rotation_how rotation;
	uint64_t slice_ns; /* slice of the rotation; 0: SIM_SLICES per sample */
	struct sim_lie *lie;
	size_t n_lies;
};

/* Parses a text. Returns false and sets *e on an unknown machine, feature or workload. Call simulation_free() in either
 * case. */
bool simulation_parse(const char *text, struct simulation *, struct err *e);
/* Loads a machine by name or file; everything else has its default. `changes` are items that replace those of the file,
 * or NULL. */
bool simulation_load(const char *machine, const char *changes, struct simulation *, struct err *e);
/* Parses a list of perfect structures: "branch,l1i", "data", "all". Returns false and sets *e if one is unknown. */
bool simulation_perfect(const char *text, sim_perfect *, struct err *e);

/* The programs of a machine with a pipeline, or the workloads of another one: their number, names and texts. */
size_t simulation_inputs(const struct sim_machine *);
const char *simulation_input_name(const struct sim_machine *, size_t i);
const char *simulation_input_text(const struct sim_machine *, size_t i);
void simulation_free(struct simulation *);

/* Returns a text that gives the same simulation with this workload and seed instead of its own. With `secret`, the text
 * calls the features "secret". The caller frees it. */
char *simulation_text(const struct simulation *, const char *workload, uint64_t seed, bool secret);
/* The same for titles, with its own workload and seed. Features are left out if they are the machine's defaults. The
 * caller frees it. */
char *simulation_short_text(const struct simulation *);
/* Returns the spec of a run of this simulation, without events. It borrows from the simulation. */
struct sim_run_spec simulation_spec(const struct simulation *);

/* Append the workloads of a text with {…}, or those of a suite by name or file. Return false and set *e on an unknown
 * workload or suite. */
bool simulation_add_workloads(struct sim_suite *, const struct sim_machine *, const char *text, struct err *e);
/* Without a machine the workloads are not checked. */
bool simulation_add_suite(struct sim_suite *, const struct sim_machine *, const char *name, struct err *e);

/* Counters by the names of events, "a,b,{c,d}"; events in braces are counted at the same time. Without names: cycles,
 * instructions, and the events of the machine's pipeline, or those of its MMU and page-faults. */
struct sim_counters {
	struct source_counter *counter;
	unsigned *group;      /* group of each counter; NULL: each is a group by itself */
	size_t n;
	struct event_item *event;
	char **word;
};
bool sim_counters_parse(const struct sim_machine *, const char *text, struct sim_counters *, struct err *e);
/* Leaves out the counters that are components of the truth, for a run without reference runs. */
void sim_counters_drop_truth(struct sim_counters *);
void sim_counters_free(struct sim_counters *);

/* Many workloads at once, on all processors. The result does not depend on the number of processors. */
struct simulate {
	const struct simulation *how;
	const struct source_counter *counter;
	const unsigned *group;
	size_t n_counters;
	const char *const *workload;
	size_t n;
	/* NULL, or a trace, which replaces the workloads: n is 1, and the workload is "trace" or "trace:PARAMETERS" */
	const struct trace_file *trace;
	bool secret; /* secret features, which are not stored */
	void (*progress)(void *ctx, size_t done); /* called now and then on the caller's thread; may be NULL */
	/* called within each workload on its thread, may be NULL; true: stop, and keep only complete samples */
	bool (*stop)(void *ctx);
	void *ctx; /* passed to both functions */
};

struct simulated {
	struct obs_table *table; /* one observation for each workload, named after it; columns are the counters */
	uint64_t *truth;         /* n × SIM_N_COUNTS exact totals of its rows, in the table's order */
	uint64_t accesses;       /* accesses of all workloads, without warm-ups */
	size_t n;                /* number of observations, which is that of workloads unless `cut` */
	bool cut;                /* stop() ended it: rows are missing, and workloads without rows */
};

/* Simulates all workloads. Returns false and sets *e if one of them cannot be simulated, or if stop() came before a
 * sample was complete. Call simulated_free() in either case. */
bool simulate_all(const struct simulate *, struct simulated *, struct err *e);
void simulated_free(struct simulated *);

/* Simulates the data that "sim:…" stands for; columns are events. Returns NULL and sets *e on failure. */
struct obs_table *simulation_read(const char *text, bool exact, struct err *e);

#endif
