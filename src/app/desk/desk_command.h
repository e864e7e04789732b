/* The watched command's part of the desk. Private to app/desk/. */
#ifndef APP_DESK_DESK_COMMAND_H
#define APP_DESK_DESK_COMMAND_H

#include <stdbool.h>

struct desk;
struct err;

void desk_start_command(struct desk *); /* also what is watched without one */
void desk_end_command(struct desk *);
void desk_run_ended(struct desk *, const struct err *);

/* The live table as it stands, to the engine; the rows that came since. */
void desk_send_live_table(struct desk *);
void desk_send_rows(struct desk *);

/* The growing observation: its new rows go to the engine when it has time. True when something is to be shown. */
bool desk_follow_growth(struct desk *);

#endif
