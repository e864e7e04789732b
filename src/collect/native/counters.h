/* Counts events of the calling thread by perf_event_open(2) while a probe's passes run. */
#ifndef COLLECT_NATIVE_COUNTERS_H
#define COLLECT_NATIVE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct curve;
struct err;

struct native_counters {
	struct native_counter {
		int fd;
		bool user_only; /* the kernel side is not permitted */
	} *item; /* n */
	size_t n;
};

/* Opens and starts the events. Returns false and sets *e if the kernel or this machine cannot count one of them. Close
 * in either case. */
bool native_counters_open(struct native_counters *, char *const *event, size_t n, struct err *e);
void native_counters_close(struct native_counters *);
/* Adds `sign` times the count of each event so far to count[0 … n-1]; the result is NAN if the event cannot be read. */
void native_counters_add(const struct native_counters *, double sign, double *count);
/* Adds notes on what limits the counts of each event to curve[0 … n-1]. */
void native_counters_note(const struct native_counters *, struct curve *);

#endif
