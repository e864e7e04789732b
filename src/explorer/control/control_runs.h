/* Runs of the subject. Private to explorer/control/. */
#ifndef EXPLORER_CONTROL_CONTROL_RUNS_H
#define EXPLORER_CONTROL_CONTROL_RUNS_H

#include <stdbool.h>

#include "work/run/run.h"

struct control;
struct err;

void control_start_command(struct control *); /* or starts to watch tasks that run already, or runs a specification */
void control_end_command(struct control *);

/* Takes note of new rows, and of the end of a run; a runs_hear. */
void control_run_news(void *control, struct run *, enum run_step, const struct err *);

/* Sends all tables of runs that are judged, after the engine was loaded again. */
void control_send_tables(struct control *);
/* Sends the rows of the leader that the engine does not have. */
void control_send_rows(struct control *);

/* While the leader runs: sends its new rows when the engine is idle, or shows them. True when there is something to
 * show. */
bool control_follow_growth(struct control *);
/* Shows new rows of a network or stacks, and saves them soon. True when there are some. */
bool control_follow_timeline(struct control *);

#endif
