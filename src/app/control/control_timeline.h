/* The desk's part for networks and stacks: the time of tasks is watched beside what is counted, and what grows is
 * looked at. */
#ifndef APP_CONTROL_CONTROL_TIMELINE_H
#define APP_CONTROL_CONTROL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/texts.h"

struct control;
struct run;
struct tasktime_run;

/* Open a network or a stack in the place of what is open; `ask`: then ask for a command. */
void control_timeline_open(struct control *, const char *name, enum session_text, bool ask);

/* Is anything to be counted, beside the time of tasks? */
bool control_timeline_counts(const struct control *);
/* The time of tasks, for the next run: of what the run that it joins holds, or of the session's subject. NULL: the
 * stacks are not of that. */
struct tasktime_run *control_timeline_new(const struct control *);
void control_timeline_ended(struct control *, struct run *); /* a run that is not judged */

/* Rows may have come: onto the screen, and soon into the file. True when there is something new to draw. */
bool control_timeline_follow(struct control *);

#endif
