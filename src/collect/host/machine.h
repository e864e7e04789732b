/* Describes the machine that is counted on, so that a session file says on another machine what its numbers are. */
#ifndef COLLECT_HOST_MACHINE_H
#define COLLECT_HOST_MACHINE_H

struct json_writer;
struct obs_origin;

/* Sets cpu and machine of *origin; the caller frees both texts. `events` writes the elements of the array of the events
 * and their codes; NULL: there are none. */
void host_machine(
	struct obs_origin *origin, void (*events)(const void *ctx, struct json_writer *), const void *ctx);

#endif
