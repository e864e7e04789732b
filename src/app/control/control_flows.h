/* Flows in the explorer: they join a counters run if they are wanted and a network is open. */
#ifndef APP_CONTROL_CONTROL_FLOWS_H
#define APP_CONTROL_CONTROL_FLOWS_H

struct control;
struct flow_run;

/* Flows for the next run; NULL: not wanted, or there is no network. */
struct flow_run *control_flows_new(struct control *);
void control_flows_hear(struct control *); /* there are new rows */

#endif
