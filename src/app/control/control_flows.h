/* Control's part for flows: they join what is counted, where the session wants them and a network is open. */
#ifndef APP_CONTROL_CONTROL_FLOWS_H
#define APP_CONTROL_CONTROL_FLOWS_H

struct control;
struct flow_run;

/* For the next run; NULL: they are not wanted, or cannot be. */
struct flow_run *control_flows_new(struct control *);
void control_flows_hear(struct control *); /* there are new rows */

#endif
