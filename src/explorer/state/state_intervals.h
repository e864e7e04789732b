/* Interval diagrams of the simulated machine whose bars view 6 shows (work/files/intervals.h). */
#ifndef EXPLORER_STATE_STATE_INTERVALS_H
#define EXPLORER_STATE_STATE_INTERVALS_H

#include "explorer/state/state.h"

/* Opens the popup with the first lesson's diagram, or says why not. The machine is the one that runs, or the one that
 * the stack is written for. */
void state_intervals_open(struct state *);
/* Shows the next lesson (1) or the one before (-1), if its event occurs on the machine. */
void state_intervals_turn(struct state *, int by);
/* Frees the diagram. */
void state_intervals_forget(struct state *);

#endif
