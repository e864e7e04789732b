/* Runs of a synthetic program on the virtual PMU, with planted errors, which a judgement of runs has to find. The
 * program retires the same instructions in each run. Its time varies, and with it the timer interrupts; its page faults
 * vary a little. Everything is generated from a seed. */
#ifndef SIM_PLANT_RUNS_H
#define SIM_PLANT_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/pmu.h"

/* Kinds of planted errors: X(id, name) */
#define SIM_PLANT_KINDS(X) \
	X(NONE, "none") \
	X(INTERRUPTS, "interrupts") \
	X(FAULTS, "faults") \
	X(BOTH, "interrupts and faults") \
	X(DOUBLE, "a class that counts twice") \
	X(MISSED, "a class that is not counted") \
	X(STRINGS, "strings") \
	X(MICROCODE, "microcode") \
	X(CONFUSED, "another event, too") \
	X(DEAD, "dead")

enum sim_plant_kind {
#define X(id, name) SIM_PLANT_##id,
	SIM_PLANT_KINDS(X)
#undef X
	SIM_PLANT_N_KINDS
};
const char *sim_plant_kind_name(enum sim_plant_kind);

/* Draws an error of one of the classes instructions, branches, conditional branches, loads and stores. */
enum sim_plant_kind sim_plant_draw(uint64_t *seed, enum sim_event, struct sim_lie *);

#define SIM_PLANT_EVENTS 5 /* SIM_INSTRUCTIONS, SIM_PIPE_BRANCHES, SIM_PIPE_CONDITIONALS, SIM_LOAD_RET, SIM_STORE_RET */
extern const enum sim_event sim_plant_event[SIM_PLANT_EVENTS];

struct sim_plant_runs {
	size_t n_runs;
	int64_t expected[SIM_PLANT_EVENTS]; /* exact counts of the program, without errors */
	int64_t *count;      /* n_runs × SIM_PLANT_EVENTS */
	int64_t *interrupts; /* n_runs */
	int64_t *faults;     /* n_runs */
	double *seconds;     /* n_runs */
};

/* Makes n runs. The lies are as in struct sim_pmu_spec. Freed by sim_plant_runs_free(). */
struct sim_plant_runs *sim_plant_runs_new(const struct sim_lie *, size_t n_lies, size_t n_runs, uint64_t seed);
void sim_plant_runs_free(struct sim_plant_runs *);

#endif
