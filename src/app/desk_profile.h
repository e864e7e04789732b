/* The desk's part for networks and stacks: what grows is looked at, and goes into the session file. */
#ifndef APP_DESK_PROFILE_H
#define APP_DESK_PROFILE_H

#include <stdbool.h>

struct desk;
struct err;

/* From now on what is counted goes into the session file: a new one (`make`), with all that there is so far, or one that is there, to which only what comes is added.
 * False and *e when it cannot be. */
bool desk_profile_keep(struct desk *, const char *path, bool make, struct err *e);

/* Rows may have come: into the file, and onto the screen. True when there is something new to draw. */
bool desk_profile_follow(struct desk *);
void desk_profile_close(struct desk *);

#endif
