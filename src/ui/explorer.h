/* The explorer: terminal, engine, command and state in one loop. */
#ifndef UI_EXPLORER_H
#define UI_EXPLORER_H

struct engine;
struct explore_lesson;
struct explore_start;

/* Runs until the user leaves; returns the exit status. Takes over both arguments. Start the engine before anything else
 * is opened. The lesson is taken over, too; what is left of it is the one to be opened next. */
int explore(struct explore_start *, struct engine *, struct explore_lesson *);

#endif
