/* The simulated machine that the explorer runs: its features and its workload, changed while it runs. What is changed
 * is the command's text (app/files/simulation.h); the run that is under way ends, keeps its observation, and another
 * one begins. */
#ifndef APP_SESSION_SESSION_SIM_H
#define APP_SESSION_SESSION_SIM_H

#include <stddef.h>

#include "app/session/session.h"

bool session_is_simulated(const struct session *); /* what is run, or would be, is a simulated machine */
void session_sim_open(struct session *);   /* the popup, or why there is none */
/* the row under the popup's cursor: switch this feature, run this workload, with its parameters as usual */
void session_sim_choose(struct session *);
void session_sim_forget(struct session *);

/* Rows of the popup: features that the machine may have, then workloads. */
struct session_sim_row {
	bool plant, on;     /* on: the machine has it; this is what runs */
	size_t number;      /* enum sim_plant, or the kind of workload */
	const char *name, *text;
};
size_t session_sim_rows(const struct session *);
void session_sim_row(const struct session *, size_t row, struct session_sim_row *out);

#endif
