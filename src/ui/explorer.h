/* The explorer: terminal, engine, command and state in one loop. */
#ifndef UI_EXPLORER_H
#define UI_EXPLORER_H

struct engine;
struct explore_start;

/* Runs until the user leaves; returns the exit status. Takes over both arguments. Start the engine before anything else
 * is opened. *lesson becomes the name of a lesson to be opened next, on the heap, or NULL. */
int explore(struct explore_start *, struct engine *, char **lesson);

#endif
