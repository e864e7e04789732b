/* The hot instructions of the simulated program whose bar view 6 shows (work/files/instruction_run.h). */
#ifndef EXPLORER_STATE_STATE_INSTRUCTIONS_H
#define EXPLORER_STATE_STATE_INSTRUCTIONS_H

#include "explorer/state/state.h"

struct instruction_run;
struct instruction_stacks;

/* The simulation behind the bar under the cursor, else the one that runs; NULL: the counts are a real machine's. */
const char *state_simulation(const struct state *);
/* Opens the popup and asks for the instructions, or says why there are none. */
void state_instructions_open(struct state *);
/* Sets the run and takes it over; the run before it ends. NULL: none. */
void state_set_instructions(struct state *, struct instruction_run *);
/* The stacks that the popup shows; NULL until they are complete. */
const struct instruction_stacks *state_instructions(const struct state *);

#endif
