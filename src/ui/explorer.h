/* The explorer: terminal, engine, command and session in one loop. */
#ifndef UI_EXPLORER_H
#define UI_EXPLORER_H

struct engine;
struct explore_start;

/* Runs until the user leaves; returns the exit status. The engine was started before anything else was opened. Takes
 * over both. */
int explore(struct explore_start *, struct engine *);

#endif
