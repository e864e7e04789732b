/* The desk's part for flows: they are followed beside what is counted, where the session wants them and the network
 * tells where requests go. */
#ifndef APP_CONTROL_CONTROL_FLOWS_H
#define APP_CONTROL_CONTROL_FLOWS_H

#include <stdbool.h>

struct control;

/* Of a command that has been forked and waits (pid), or of what is watched (0). Where it cannot be, that is said when
 * the run has begun, which goes on without. */
void control_flows_join(struct control *, int pid);
bool control_flows_refused(struct control *); /* says so, if it could not be */
void control_flows_drop(struct control *);    /* the run did not begin */

void control_flows_pump(struct control *);    /* after the counting was polled */
void control_flows_end(struct control *);     /* the run is over */
int control_flows_wait_fd(const struct control *);

#endif
