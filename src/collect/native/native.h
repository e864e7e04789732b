/* Probes on the processor of this machine: machine code in memory, timed by the time stamp counter, pinned to one CPU,
 * without root and without a PMU. docs/native-probes.md describes the method. */
#ifndef COLLECT_NATIVE_NATIVE_H
#define COLLECT_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

struct curve;
struct err;
struct native;
struct probe;

/* Sets up memory and timer, and, if permitted, pins the calling thread to its present CPU until native_free(). Returns
 * NULL and sets *e if this is no x86-64 processor, or if the system refuses executable memory. */
struct native *native_new(struct err *e);
void native_free(struct native *);

/* Appends a point for each x of the probe, in cycles for each pass, or for each load of a footprint; it is one of the
 * lowest of many times. Goes on until the probe's answer is tight, or the time for one probe is over. Notes say what
 * limits the answer. `hear` (may be NULL) gets the curve regularly, and ends the probe by returning false. Returns
 * false and sets *e if the processor or its memory cannot run the probe. */
bool native_run(struct native *, const struct probe *, bool (*hear)(void *ctx, const struct curve *), void *ctx,
	struct curve *, struct err *e);

/* What a probe has measured so far, and what comes next: another round, a look at the answer first, or the end. */
struct native_effort {
	/* times: measured times that count; lost: times that were given up as disturbed */
	size_t points, rounds, times, lost;
	bool block;
	/* seconds: since the probe began; spare: seconds left for all probes that are disturbed */
	double seconds, spare;
};
enum native_next { NATIVE_MEASURE, NATIVE_LOOK, NATIVE_END };
enum native_next native_effort_next(const struct native_effort *);

/* Opens events of the calling thread, for native_count(). Returns false and sets *e if one of them cannot be counted
 * here. */
bool native_count_events(struct native *, char *const *event, size_t n, struct err *e);
/* Appends to curve[i] what the i-th of these events counts in a pass, or for each load of a footprint, at each x of the
 * curve `at`. The passes are not those that were timed, because reading counters takes time. `go_on` ends the counting
 * by returning false. Returns false and sets *e as for native_run(). */
bool native_count(struct native *, const struct probe *, const struct curve *at, bool (*go_on)(void *ctx), void *ctx,
	struct curve *, struct err *e);

#endif
