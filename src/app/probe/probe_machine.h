/* A machine on which probes run: a simulated one, or another kind of struct probe_machine_ops. */
#ifndef APP_PROBE_PROBE_MACHINE_H
#define APP_PROBE_PROBE_MACHINE_H

#include <stdbool.h>

struct curve;
struct err;
struct probe;
struct probe_machine;

/* Told of a curve whenever it has a new point, or a better one. False: enough. */
typedef bool probe_hear(void *ctx, const struct curve *);

/* `on` is "sim:core", or with features "sim:core:move_elimination". `changes` are items that replace those of its file,
 * or NULL. NULL and *e: no such machine, or one without a pipeline. */
struct probe_machine *probe_machine_new(const char *on, const char *changes, struct err *e);
void probe_machine_free(struct probe_machine *);
/* What it is, for people: "sim:core". */
const char *probe_machine_name(const struct probe_machine *);

/* Runs a probe, and gives its curve to `hear` as it grows, which may be NULL. A curve that was stopped has the points
 * so far. False and *e: the machine cannot run it. Call curve_free() in either case. */
bool probe_machine_run(
	struct probe_machine *, const struct probe *, probe_hear *, void *ctx, struct curve *, struct err *e);

#endif
