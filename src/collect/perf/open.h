/* Opens one descriptor of perf_event_open(2), or says why it cannot be opened. */
#ifndef COLLECT_PERF_OPEN_H
#define COLLECT_PERF_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/source.h"

struct event_code;
struct perf_event_attr;
struct perf_world;

struct perf_reading {
	uint64_t value, enabled_ns, running_ns;
};

enum open_mode {
	OPEN_COMMAND, /* disabled, inherited by all descendants, enabled when the task calls execve(2) */
	OPEN_SELF,    /* disabled, this task alone */
	OPEN_TASK,    /* disabled, inherited by processes that the task starts from now on */
	OPEN_THREAD,  /* disabled, this task alone */
	OPEN_CPU,     /* disabled, counts everything on a CPU, whose number is given in place of the pid */
};

/* Fills in the attributes that the event's code gives; all others are 0. */
void perf_fill_attr(const struct event_code *, struct perf_event_attr *);

/* Calls perf_event_open(2). A PMU that cannot leave guests out gets a second try without that, unless the name asks for
 * it. */
int perf_open_attr(struct perf_event_attr *, const struct event_code *, pid_t pid, int cpu, int group_fd);

/* Returns a descriptor, without further checks; on failure returns -1 and sets errno. A member of a group is enabled
 * with its leader, except with OPEN_SELF. */
int perf_open_raw(const struct event_code *, pid_t pid, int group_fd, enum open_mode);

/* Returns a descriptor for `pid`; on failure returns -1 and sets *s. If the kernel side is not permitted and the name
 * does not ask for it, ":u" is added and s->user_only set. `filter` may be NULL. A filter that the kernel rejects is a
 * refusal, because the event would count everything. s->error may be EMFILE, ENFILE, or ESRCH if the task has ended.
 *
 * group_fd: -1, or a leader from perf_open_leader(). Software events and tracepoints are never multiplexed and may join
 * a leader. One read(2) then returns all counts of a task at one time: they differ by at most 1, while counts read one
 * by one differ by several (bench/sampling). The leader must be disabled while events join; otherwise tracepoints count
 * nothing before the task's next context switch. Hardware events join no leader, because a group is on the PMU as a
 * whole or not at all. */
int perf_open_event(const struct event_code *, const char *filter, pid_t pid, enum open_mode, const struct perf_world *,
	struct source_status *s);
int perf_open_in(const struct event_code *, const char *filter, pid_t pid, int group_fd, enum open_mode,
	const struct perf_world *, struct source_status *s);

/* Says in *s why perf_event_open(2) refused the event with this errno. */
void perf_explain_refusal(const struct event_code *, int error, pid_t, enum open_mode, const struct perf_world *,
	struct source_status *s);

/* Returns a software event that counts nothing, so that others can join it; on failure returns -1 and sets *s. */
int perf_open_leader(pid_t pid, enum open_mode, const struct perf_world *, struct source_status *s);

/* Reads a whole group: the values of its n members in the order of opening, without the leader, and the group's times.
 * On failure returns false and sets errno: ECHILD while a task exits, in which case the caller should try again. n is
 * at most PERF_GROUP_MOST. */
#define PERF_GROUP_MOST 1024
bool perf_read_group(int leader_fd, size_t n, uint64_t *value, struct perf_reading *times);

/* Reads one counter. On failure returns false and sets errno. */
bool perf_read(int fd, struct perf_reading *);
bool perf_enable(int fd, bool on);
bool perf_set_filter(int fd, const char *filter);

/* --- is a counter alive? ------------------------------------------------------------------------------------------ */

/* Returns the health of a counter after a command has ended, given the health by its earlier events: the worse of the
 * two. The kernel itself counts software events and tracepoints, so their 0 is a measured 0. A hardware event's 0 is
 * suspect, or dead if no program runs without the event. On some guests a hardware event runs 100 % of the time and
 * always reads 0; QEMU's RISC-V reads 0 for the second event of a kind. */
enum obs_health perf_health(const struct event_code *, const struct perf_reading *, enum obs_health so_far);

/* What an event counted when it was tried: in this thread (on one CPU, for a PMU outside the cores) during 10 ms of
 * loads, stores, branches, divisions, system calls and page faults. In trial.c. */
struct event_trial {
	enum obs_health health; /* OBS_UNSUPPORTED: status says why it is refused */
	struct perf_reading reading;
	bool second_is_blind; /* a second event of this kind ran at the same time, and read 0 */
	struct source_status status;
};
void event_try(const char *name, const struct perf_world *, struct event_trial *);

/* Returns the meaning of an event's 0 in a row of a run. No program starts without page faults, but a later interval
 * may have none. */
enum source_zero perf_zero(const struct event_code *);

#endif
