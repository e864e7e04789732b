/* Changing the features and the workload of a simulated machine while it runs. A change edits the command's text
 * (work/files/simulation.h) and ends the run, whose observation stays; then a new run begins. */
#ifndef EXPLORER_STATE_STATE_SIM_H
#define EXPLORER_STATE_STATE_SIM_H

#include <stddef.h>

#include "explorer/state/state.h"

bool state_is_simulated(const struct state *); /* is the command a simulated machine? */
void state_sim_open(struct state *);           /* open the popup, or say why not */
/* act on the row under the popup's cursor: switch the feature, or run the workload with its default parameters */
void state_sim_choose(struct state *);

/* The name of the machine that the popup shows; NULL: none. */
const char *state_sim_name(const struct state *);

/* A row of the popup: first the features that the machine may have, then the workloads. */
struct state_sim_row {
	bool plant, on;     /* on: the machine has the feature, or this workload runs */
	size_t number;      /* enum sim_plant, or the kind of workload */
	const char *name, *text;
};
size_t state_sim_rows(const struct state *);
void state_sim_row(const struct state *, size_t row, struct state_sim_row *out);

#endif
