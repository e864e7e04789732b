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

/* For the next run. `counters` as in struct spec_run_options; NULL: the time of tasks is all that is asked for. NULL
 * and *e. */
struct spec_run *control_spec_new(const struct control *, counter_list_make *, struct err *e);
bool control_spec_follow(struct control *); /* its rows; true when there is something new to draw */
void control_spec_ended(struct control *, struct spec_run *, const struct err *);

/* The engine has the rows of all its observations that have come until now. Nothing when a command leads. */
void control_spec_note_sent(struct control *);

#endif
