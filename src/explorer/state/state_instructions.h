/* The hot instructions of the simulated program whose bar view 6 shows (work/files/instruction_run.h). */
#ifndef EXPLORER_STATE_STATE_INSTRUCTIONS_H
#define EXPLORER_STATE_STATE_INSTRUCTIONS_H

#include "explorer/state/state.h"

struct instruction_run;
struct instruction_stacks;

/* The simulation that the bar under the cursor is of, else the one that runs; NULL: counts of a real machine. */
const char *state_simulation(const struct state *);
/* Opens the popup and asks for the instructions, or says why there are none. */
void state_instructions_open(struct state *);
/* Takes the run over; the one before ends. NULL: none. */
void state_set_instructions(struct state *, struct instruction_run *);
/* Of the popup; NULL: they are not all there. */
const struct instruction_stacks *state_instructions(const struct state *);

#endif
