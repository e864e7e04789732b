/* The desk's part for networks and stacks: what grows is looked at, and goes into the session file. */
#ifndef APP_DESK_PROFILE_H
#define APP_DESK_PROFILE_H

#include <stdbool.h>

#include "app/texts.h"

struct desk;
struct err;

/* From now on what is counted goes into the session file: a new one (`make`), with all that there is so far, or one that is there, to which only what comes is added.
 * False and *e when it cannot be. */
bool desk_profile_keep(struct desk *, const char *path, bool make, struct err *e);

/* Open a network or a stack in the place of what is open; `ask`: then ask for a command. */
void desk_profile_open(struct desk *, const char *name, enum session_text, bool ask);

/* Is anything to be counted, beside the time of tasks? */
bool desk_profile_counts(const struct desk *);
/* The time of tasks: of the command, or what is watched. Nothing where the stack is not of that. False and *e. */
bool desk_profile_start(struct desk *, struct err *e);
/* … of a command that the counting has forked, and that waits: struct live_options.waits. */
bool desk_profile_join(void *desk, int pid, struct err *e);
void desk_profile_finish(struct desk *);   /* the user ends it */
bool desk_profile_poll(struct desk *);     /* true when there is something new to draw */
int desk_profile_wait_fd(const struct desk *);
double desk_profile_patience(const struct desk *);

/* Rows may have come: into the file, and onto the screen. True when there is something new to draw. */
bool desk_profile_follow(struct desk *);
void desk_profile_close(struct desk *);

#endif
