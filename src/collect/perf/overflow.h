/* An event that raises a stop after a number of counts. It counts one thread and, if possible, only its user side. The
 * stop itself happens in the kernel, whose counts would look like a delay.
 *
 * The kernel sends SIGSTOP to the thread (fcntl(2), F_SETSIG), because a program can neither block nor handle it. A
 * tracer sees the signal and suppresses it, so the program never notices. */
#ifndef COLLECT_PERF_OVERFLOW_H
#define COLLECT_PERF_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/perf/names.h"
#include "collect/perf/ring.h"

struct perf_world;
struct source_status;

struct perf_overflow {
	int fd;           /* -1: closed */
	struct ring ring; /* if it has no memory, throttled and lost overflows stay unknown */
};

/* Limits a code to the user side if it has one. Returns false and sets *s if the event concerns only the kernel side,
 * or counts for a CPU or a socket. */
bool perf_overflow_limit(struct event_code *, struct source_status *s);

/* Returns true if levels of precision (perf_event_attr.precise_ip) mean something for the event. */
bool perf_overflow_has_levels(const struct event_code *);

/* Opens the event for a thread that is stopped; it counts from now on. `precise` is 0 to 3. Returns false and sets *s
 * if it cannot be opened, or counts but cannot overflow (s->error is then EOPNOTSUPP). */
bool perf_overflow_open(struct perf_overflow *, const struct event_code *, pid_t, unsigned precise,
	const struct perf_world *, struct source_status *s);
void perf_overflow_close(struct perf_overflow *);

/* Makes the next overflow happen `period` counts from now; 0: practically never. The thread must be stopped. On failure
 * returns false and sets errno. */
bool perf_overflow_arm(struct perf_overflow *, uint64_t period);

/* Reads the count. On failure returns false and sets errno: EIO if other events have taken the counter. */
bool perf_overflow_read(const struct perf_overflow *, uint64_t *count);

/* Adds the records that the kernel has written since the last call. */
struct perf_overflow_records {
	uint64_t samples;   /* overflows */
	uint64_t throttled; /* times that the kernel stopped an event that overflows too often */
	uint64_t lost;      /* records without room */
};
void perf_overflow_take(struct perf_overflow *, struct perf_overflow_records *);

/* Returns true if the signal of a stop is an overflow's and not another process's SIGSTOP: its code and descriptor
 * (fcntl(2), "F_SETSIG"). */
bool perf_overflow_sent(const struct perf_overflow *, int sig, int code, int fd);

#endif
