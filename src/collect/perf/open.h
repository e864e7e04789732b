/* One descriptor of perf_event_open(2), and why there is none. */
#ifndef COLLECT_PERF_OPEN_H
#define COLLECT_PERF_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct event_code;
struct perf_world;
struct source_status;

struct perf_reading {
	uint64_t value, enabled_ns, running_ns;
};

enum open_mode {
	OPEN_COMMAND, /* disabled, inherited by all descendants, enabled when the task calls execve(2) */
	OPEN_SELF,    /* disabled, this task alone */
};

/* A descriptor, or -1 with errno; nothing else is looked at. */
int perf_open_raw(const struct event_code *, pid_t pid, int group_fd, enum open_mode);

/* A descriptor for `pid`, or -1 and *s filled. Alone, never in a group: a tracepoint that is added to a running group counts nothing before the task's
 * next context switch, and a group cannot be read together with inherit before Linux 6.13. Software events and tracepoints do not multiplex, so nothing
 * is lost; hardware events that do are told apart by running_ns < enabled_ns.
 * Where the kernel side is not permitted and the name did not ask for it, ":u" is added and s->user_only set. `filter` may be NULL;
 * one that the kernel does not take is a refusal, since the event would count everything. EMFILE and ENFILE are left in s->error. */
int perf_open_event(const struct event_code *, const char *filter, pid_t pid, enum open_mode, const struct perf_world *, struct source_status *s);

/* False and errno when the counter cannot be read. */
bool perf_read(int fd, struct perf_reading *);
bool perf_enable(int fd, bool on);
bool perf_set_filter(int fd, const char *filter);

#endif
