/* The desk's part for networks and stacks: the time of tasks is watched beside what is counted, and what grows is
 * looked at. */
#ifndef APP_CONTROL_CONTROL_TIMELINE_H
#define APP_CONTROL_CONTROL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/texts.h"

struct control;
struct err;

/* Open a network or a stack in the place of what is open; `ask`: then ask for a command. */
void control_timeline_open(struct control *, const char *name, enum session_text, bool ask);

/* Is anything to be counted, beside the time of tasks? */
bool control_timeline_counts(const struct control *);
/* The time of tasks: of the command, or what is watched. Nothing where the stack is not of that. False and *e. */
bool control_timeline_start(struct control *, struct err *e);
/* … of a command that the counting has forked, and that waits: struct live_options.waits. */
bool control_timeline_join(void *desk, int pid, struct err *e);
/* … of programs that are held ready (app/control/control_spec.h): false and *e where it is all that is asked for, and
 * cannot be had. */
bool control_timeline_hold(struct control *, const int *pid, size_t n, struct err *e);
void control_timeline_begins(struct control *, int pid); /* one of them is let go */
void control_timeline_tick(struct control *);            /* their window ends now */
void control_timeline_finish(struct control *);   /* the user ends it */
bool control_timeline_poll(struct control *);     /* true when there is something new to draw */
int control_timeline_wait_fd(const struct control *);
double control_timeline_patience(const struct control *);

/* Rows may have come: onto the screen, and soon into the file. True when there is something new to draw. */
bool control_timeline_follow(struct control *);

#endif
