/* Networks and stacks in the explorer: they are opened, the time of tasks joins the counters, and new rows are
 * shown. */
#ifndef APP_CONTROL_CONTROL_TIMELINE_H
#define APP_CONTROL_CONTROL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/texts.h"

struct control;
struct run;
struct tasktime_run;

/* Opens a network or a stack instead of what is open; `ask`: then asks for a command. */
void control_timeline_open(struct control *, const char *name, enum text_kind, bool ask);

/* True when something is counted, and not only the time of tasks divided. */
bool control_timeline_counts(const struct control *);
/* A run that divides the time of tasks, for the next start: of the processes that the leader holds, or of the subject.
 * NULL: the stacks do not need it. */
struct tasktime_run *control_timeline_new(const struct control *);
void control_timeline_ended(struct control *, struct run *); /* of a run that is not judged: adds its remarks */

/* Takes new rows, and saves them soon. True when there is something new to draw. */
bool control_timeline_follow(struct control *);

#endif
