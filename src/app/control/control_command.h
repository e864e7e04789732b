/* Runs of the subject. Private to app/control/. */
#ifndef APP_CONTROL_CONTROL_COMMAND_H
#define APP_CONTROL_CONTROL_COMMAND_H

#include <stdbool.h>

struct control;
struct err;
struct run;

void control_start_command(struct control *); /* or starts to watch tasks that run already */
void control_end_command(struct control *);
void control_run_ended(struct control *, struct run *, const struct err *);

/* Sends all tables of runs that are judged, after the engine was loaded again. */
void control_send_tables(struct control *);
/* Sends the rows of the growing observation that the engine does not have. */
void control_send_rows(struct control *);

/* Sends new rows of the growing observation when the engine is idle. True when there is something to show. */
bool control_follow_growth(struct control *);

#endif
