/* A machine on which probes run: a simulated one, or another kind of struct probe_machine_ops. */
#ifndef WORK_PROBE_PROBE_MACHINE_H
#define WORK_PROBE_PROBE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct curve;
struct err;
struct probe;
struct probe_machine;

/* Called whenever a curve has a new point, or a better one. False stops the probe. */
typedef bool probe_hear(void *ctx, const struct curve *);

/* `on` is "native", the machine here; or "sim:core", or with features "sim:core:move_elimination". `changes` are items
 * that replace those of a simulated machine's file, or NULL. NULL and *e: no such machine, or one that cannot run
 * probes. The native machine pins the calling thread to one CPU until it is freed. */
struct probe_machine *probe_machine_new(const char *on, const char *changes, struct err *e);
void probe_machine_free(struct probe_machine *);
/* What it is, for people: "sim:core", "native". */
const char *probe_machine_name(const struct probe_machine *);

/* True if it is the machine here, about which files of models/expect may know something. */
bool probe_machine_is_here(const struct probe_machine *);
/* Sets after how many cycles in which something happens a simulated machine gives up a probe. Default: 100 million. */
void probe_machine_bound(struct probe_machine *, uint64_t cycles);
/* True if the machine can run the probe. Some probes need the machine here. */
bool probe_machine_takes(const struct probe_machine *, const struct probe *);

/* Runs a probe, whose points go into the empty curve, and calls `hear` (may be NULL) as it grows. A curve that was
 * stopped has the points so far. False and *e: the machine cannot run it. Call curve_free() in either case. */
bool probe_machine_run(
	struct probe_machine *, const struct probe *, probe_hear *, void *ctx, struct curve *, struct err *e);

/* Names the n events of probe_machine_count(). False and *e: the machine cannot count one. */
bool probe_machine_events(struct probe_machine *, char *const *event, size_t n, struct err *e);
/* Appends to curve[i], at each x of the curve `at`, the count of the i-th of these events in a pass of the probe's
 * fill, or per load of a footprint. False from `go_on` ends it. False and *e: the machine cannot run the probe. */
bool probe_machine_count(struct probe_machine *, const struct probe *, const struct curve *at,
	bool (*go_on)(void *ctx), void *ctx, struct curve *curve, struct err *e);

#endif
