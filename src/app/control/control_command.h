/* The watched command's part of the desk. Private to app/control/. */
#ifndef APP_CONTROL_CONTROL_COMMAND_H
#define APP_CONTROL_CONTROL_COMMAND_H

#include <stdbool.h>

struct control;
struct err;
struct run;

void control_start_command(struct control *); /* also what is watched without one */
void control_end_command(struct control *);
void control_run_ended(struct control *, struct run *, const struct err *);

/* All tables of runs that are judged, to an engine that was loaded again. */
void control_send_tables(struct control *);
/* Rows of the growing observation that the engine has not got. */
void control_send_rows(struct control *);

/* The growing observation: its new rows go to the engine when it has time. True when something is to be shown. */
bool control_follow_growth(struct control *);

#endif
