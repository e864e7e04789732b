/* The desk's part for flows: they are followed beside what is counted, where the session wants them and the network
 * tells where requests go. */
#ifndef APP_DESK_DESK_FLOWS_H
#define APP_DESK_DESK_FLOWS_H

#include <stdbool.h>

struct desk;

/* Of a command that has been forked and waits (pid), or of what is watched (0). Where it cannot be, that is said when
 * the run has begun, which goes on without. */
void desk_flows_join(struct desk *, int pid);
bool desk_flows_refused(struct desk *); /* says so, if it could not be */
void desk_flows_drop(struct desk *);    /* the run did not begin */

void desk_flows_pump(struct desk *);    /* after the counting was polled */
void desk_flows_end(struct desk *);     /* the run is over */
int desk_flows_wait_fd(const struct desk *);

#endif
