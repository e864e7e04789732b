/* The desk's part for networks and stacks: the time of tasks is watched beside what is counted, and what grows is
 * looked at. */
#ifndef APP_DESK_DESK_PROFILE_H
#define APP_DESK_DESK_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/texts.h"

struct desk;
struct err;

/* Open a network or a stack in the place of what is open; `ask`: then ask for a command. */
void desk_profile_open(struct desk *, const char *name, enum session_text, bool ask);

/* Is anything to be counted, beside the time of tasks? */
bool desk_profile_counts(const struct desk *);
/* The time of tasks: of the command, or what is watched. Nothing where the stack is not of that. False and *e. */
bool desk_profile_start(struct desk *, struct err *e);
/* … of a command that the counting has forked, and that waits: struct live_options.waits. */
bool desk_profile_join(void *desk, int pid, struct err *e);
/* … of programs that are held ready (app/desk/desk_spec.h): false and *e where it is all that is asked for, and cannot
 * be had. */
bool desk_profile_hold(struct desk *, const int *pid, size_t n, struct err *e);
void desk_profile_begins(struct desk *, int pid); /* one of them is let go */
void desk_profile_tick(struct desk *);            /* their window ends now */
void desk_profile_finish(struct desk *);   /* the user ends it */
bool desk_profile_poll(struct desk *);     /* true when there is something new to draw */
int desk_profile_wait_fd(const struct desk *);
double desk_profile_patience(const struct desk *);

/* Rows may have come: onto the screen, and soon into the file. True when there is something new to draw. */
bool desk_profile_follow(struct desk *);

#endif
