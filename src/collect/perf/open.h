/* One descriptor of perf_event_open(2), and why there is none. */
#ifndef COLLECT_PERF_OPEN_H
#define COLLECT_PERF_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct event_code;
struct perf_event_attr;
struct perf_world;
struct source_status;

struct perf_reading {
	uint64_t value, enabled_ns, running_ns;
};

enum open_mode {
	OPEN_COMMAND, /* disabled, inherited by all descendants, enabled when the task calls execve(2) */
	OPEN_SELF,    /* disabled, this task alone */
	OPEN_TASK,    /* disabled, inherited by what the task starts from now on */
	OPEN_THREAD,  /* disabled, this task alone */
	OPEN_CPU,     /* disabled, whatever runs on the CPU whose number stands in place of the pid */
};

/* What the event's name says, all else 0. */
void perf_fill_attr(const struct event_code *, struct perf_event_attr *);

/* A descriptor, or -1 with errno; nothing else is looked at. A member of a group (but with OPEN_SELF) is enabled with
 * its leader. */
int perf_open_raw(const struct event_code *, pid_t pid, int group_fd, enum open_mode);

/* A descriptor for `pid`, or -1 and *s filled. Where the kernel side is not permitted and the name did not ask for it,
 * ":u" is added and s->user_only set. `filter` may be NULL; one that the kernel does not take is a refusal, since the
 * event would count everything. EMFILE and ENFILE are left in s->error, and ESRCH where the task has gone.
 *
 * Alone (group_fd -1), or in the group of a leader from perf_open_leader(). Software events and tracepoints, which
 * never multiplex, may join one, and then one read(2) gives all of a task's at one moment: torn by 1 at most, where
 * reads one by one are torn by several (bench/sampling). The leader has to be disabled while they join, or tracepoints
 * count nothing before the task's next context switch. Hardware events stay alone: a group is on the PMU whole or not
 * at all. */
int perf_open_event(const struct event_code *, const char *filter, pid_t pid, enum open_mode, const struct perf_world *,
	struct source_status *s);
int perf_open_in(const struct event_code *, const char *filter, pid_t pid, int group_fd, enum open_mode,
	const struct perf_world *, struct source_status *s);

/* A software event that counts nothing, for others to join; -1 and *s filled. */
int perf_open_leader(pid_t pid, enum open_mode, const struct perf_world *, struct source_status *s);

/* Read a whole group: value[0 … n-1] of its members in the order of their opening, the leader left out, and the times
 * of all. False and errno; ECHILD where a task is just leaving, to be tried again. n may be at most PERF_GROUP_MOST. */
#define PERF_GROUP_MOST 1024
bool perf_read_group(int leader_fd, size_t n, uint64_t *value, struct perf_reading *times);

/* False and errno when the counter cannot be read. */
bool perf_read(int fd, struct perf_reading *);
bool perf_enable(int fd, bool on);
bool perf_set_filter(int fd, const char *filter);

#endif
