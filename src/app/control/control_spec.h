/* The desk's part for a specification (hecate --spec FILE): its programs are run, followed while they do, and told of
 * when they have ended. What is counted of them stands in tables of its own, a run each (session.specified). */
#ifndef APP_CONTROL_CONTROL_SPEC_H
#define APP_CONTROL_CONTROL_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "app/run/spec_run.h"

struct control;

/* Are the specification's programs what is to be run, and not a command that was typed since? */
bool control_spec_is_subject(const struct control *);

/* `counters` as in struct spec_run_options; NULL: the time of tasks is all that is asked for. The caller says what *e
 * tells when it is false. */
bool control_spec_start(struct control *, spec_run_counters *, struct err *e);
void control_spec_finish(struct control *);  /* the user ends them; what was counted stands */
bool control_spec_poll(struct control *);    /* true when there is something new to draw */
void control_spec_took(struct control *, double seconds); /* of the processor, for what goes on beside */
int control_spec_wait_fd(const struct control *);
double control_spec_patience(const struct control *);

/* All its tables, to an engine that has been loaded anew; rows that came since, and a verdict on them when it has time.
 */
void control_spec_send(struct control *);

#endif
