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

/* Told of a curve whenever it has a new point, or a better one. False: enough. */
typedef bool probe_hear(void *ctx, const struct curve *);

/* `on` is "native", the machine here; or "sim:core", or with features "sim:core:move_elimination". `changes` are items
 * that replace those of a simulated machine's file, or NULL. NULL and *e: no such machine, or one that cannot run
 * probes. The native machine pins the calling thread to one CPU until it is freed. */
struct probe_machine *probe_machine_new(const char *on, const char *changes, struct err *e);
void probe_machine_free(struct probe_machine *);
/* What it is, for people: "sim:core", "native". */
const char *probe_machine_name(const struct probe_machine *);

/* Whether it is the machine here, of which files of models/expect may know something. */
bool probe_machine_is_here(const struct probe_machine *);
/* A simulated machine gives a probe up after so many cycles in which something happens, instead of 100 million. */
void probe_machine_bound(struct probe_machine *, uint64_t cycles);
/* Whether it can run the probe; some need the machine here. */
bool probe_machine_takes(const struct probe_machine *, const struct probe *);

/* Runs a probe into the curve, which is empty, and gives it to `hear` as it grows, which may be NULL. A curve that was
 * stopped has the points so far. False and *e: the machine cannot run it. Call curve_free() in either case. */
bool probe_machine_run(
	struct probe_machine *, const struct probe *, probe_hear *, void *ctx, struct curve *, struct err *e);

/* Names the n events of probe_machine_count(). False and *e: the machine cannot count one. */
bool probe_machine_events(struct probe_machine *, char *const *event, size_t n, struct err *e);
/* Appends to curve[i] what the i-th of these events counts in a pass of the probe's fill, or for each load of a
 * footprint, at each x of the curve `at`. `go_on` ends it by false. False and *e: the machine cannot run it. */
bool probe_machine_count(struct probe_machine *, const struct probe *, const struct curve *at,
	bool (*go_on)(void *ctx), void *ctx, struct curve *curve, struct err *e);

#endif
