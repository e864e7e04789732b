/* The desk's part for a specification (hecate --spec FILE): its programs are run, followed while they do, and told of
 * when they have ended. What is counted of them stands in tables of its own, a run each (session.specified). */
#ifndef APP_DESK_DESK_SPEC_H
#define APP_DESK_DESK_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "app/live/spec_run.h"

struct desk;

/* Are the specification's programs what is to be run, and not a command that was typed since? */
bool desk_spec_is_subject(const struct desk *);

/* `counters` as in struct spec_run_options; NULL: the time of tasks is all that is asked for. The caller says what *e
 * tells when it is false. */
bool desk_spec_start(struct desk *, spec_run_counters *, struct err *e);
void desk_spec_finish(struct desk *);  /* the user ends them; what was counted stands */
bool desk_spec_poll(struct desk *);    /* true when there is something new to draw */
void desk_spec_took(struct desk *, double seconds); /* of the processor, for what goes on beside */
int desk_spec_wait_fd(const struct desk *);
double desk_spec_patience(const struct desk *);

/* All its tables, to an engine that has been loaded anew; rows that came since, and a verdict on them when it has time.
 */
void desk_spec_send(struct desk *);

#endif
