/* The places at which events are opened: the waiting command, threads of running processes, or CPUs. Each place has a
 * group for events that are never multiplexed, so that one read returns all their counts at one time. */
#ifndef COLLECT_PERF_PLACES_H
#define COLLECT_PERF_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/perf/open.h"

struct err;
struct perf_world;
struct source_status;
struct source_target;

struct place {
	int id;     /* pid, tid, or a CPU's number */
	int leader; /* descriptor of the group's leader; -1: events are opened alone */
	int guard;  /* descriptor held while events are opened; -1: none */
	size_t n_grouped; /* members of the group */
	bool gone;  /* the task ended before its events were open; nothing is open here */
	bool lost;  /* a CPU that went offline: events here no longer count */
};

struct places {
	enum open_mode mode;
	struct place *at;
	size_t n;
};

/* Finds the target's places; leaders are not yet open. Returns false and sets *e if there is no such process, thread or
 * CPU, or if a CPU is offline. */
bool places_find(const struct source_target *, const struct perf_world *, struct places *, struct err *e);
void places_of_command(pid_t, struct places *);
void places_free(struct places *); /* closes the leaders, too */

/* Opens guards and leaders. A guard is an event that is not inherited. Without one, a forking task and its child have
 * equal event contexts, which the kernel may swap instead of scheduling them (perf_event_context_sched_out()). The
 * leader then belongs to another task, so that no event can join its group (EINVAL), and an enable may reach an exited
 * task. Places that have ended are marked. On failure returns false and sets *s. */
bool places_open(struct places *, const struct perf_world *, struct source_status *s);
void places_drop_guards(struct places *); /* call it once all events are open and enabled */
void place_leave(struct place *);         /* marks the place as ended */

/* Returns true when every thread of the watched processes has a place; *n: number of threads. A thread without a place
 * is counted only if a place's thread started it after the events of that place were open, which cannot be known. */
bool places_are_whole(const struct source_target *, const struct places *, size_t *n);

/* Finds the online CPUs and returns their number. The caller frees *cpu. */
size_t places_online(const struct perf_world *, int **cpu);

/* Runs briefly on each of the CPUs, which switches out the task there. CPUs that this task may not run on are skipped.
 */
void places_visit(const int *cpu, size_t n);

/* Returns the number of tasks that may run during a read: the tasks of the processes and of their descendants, or the
 * threads themselves; for CPUs, the tasks that run, wait or are blocked in I/O. `minder` is the minder of a command,
 * which inherits the command's orphans. */
double places_tasks(const struct source_target *, pid_t minder, const struct places *);

#endif
