/* The programs of a specification (hecate --spec FILE) in the explorer: each start is a run with a table of its own. */
#ifndef APP_CONTROL_CONTROL_SPEC_H
#define APP_CONTROL_CONTROL_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "app/run/spec_run.h"

struct control;

/* True when the specification's programs are the subject. A command typed since replaces them. */
bool control_spec_is_subject(const struct control *);

/* A run for the next start. `counters` as in struct spec_run_options; NULL: only the time of tasks is wanted. NULL and
 * *e on failure. */
struct spec_run *control_spec_new(const struct control *, counter_list_make *, struct err *e);
bool control_spec_follow(struct control *); /* takes its rows; true when there is something new to draw */
void control_spec_ended(struct control *, struct spec_run *, const struct err *);

/* Notes that the engine has all rows so far. Does nothing when a command leads. */
void control_spec_note_sent(struct control *);

#endif
