/* The simulated machine that the explorer runs: its features and its workload, changed while it runs. What is changed
 * is the command's text (app/files/simulation.h); the run that is under way ends, keeps its observation, and another
 * one begins. */
#ifndef APP_STATE_STATE_SIM_H
#define APP_STATE_STATE_SIM_H

#include <stddef.h>

#include "app/state/state.h"

bool state_is_simulated(const struct state *); /* what is run, or would be, is a simulated machine */
void state_sim_open(struct state *);   /* the popup, or why there is none */
/* the row under the popup's cursor: switch this feature, run this workload, with its parameters as usual */
void state_sim_choose(struct state *);

/* Of the machine that the popup shows; NULL: none. */
const char *state_sim_name(const struct state *);

/* Rows of the popup: features that the machine may have, then workloads. */
struct state_sim_row {
	bool plant, on;     /* on: the machine has it; this is what runs */
	size_t number;      /* enum sim_plant, or the kind of workload */
	const char *name, *text;
};
size_t state_sim_rows(const struct state *);
void state_sim_row(const struct state *, size_t row, struct state_sim_row *out);

#endif
