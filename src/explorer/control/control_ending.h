/* What the screen says when a run has ended. */
#ifndef EXPLORER_CONTROL_CONTROL_ENDING_H
#define EXPLORER_CONTROL_CONTROL_ENDING_H

struct err;
struct run;
struct state;

/* Puts a sentence into the status line, and replaces the notes on the run by its remarks. */
void control_ending_say(struct state *, struct run *, const struct err *);

#endif
