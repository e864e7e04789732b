/* Keys U and Ctrl-R: undo a step (undo_steps.h), or do it again. */
#ifndef EXPLORER_STATE_STATE_UNDO_H
#define EXPLORER_STATE_STATE_UNDO_H

struct state;

void state_undo(struct state *);
void state_redo(struct state *);

#endif
