/* Where the events are opened: the waiting command, the threads of processes that run already, or CPUs. Each place has
 * a group for the events that never multiplex, so that one read gives them all as of one moment. */
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
	int leader; /* descriptor of its group; -1: events are opened alone */
	int guard;  /* held while events are opened; -1 */
	size_t n_grouped; /* members of the group */
	bool gone;  /* it ended before its events were open: nothing is open here */
	bool lost;  /* a CPU that went offline: what is open here counts no more */
};

struct places {
	enum open_mode mode;
	struct place *at;
	size_t n;
};

/* What the target consists of now; leaders are not open yet. False and *e: no such process, thread or CPU, or CPUs that
 * are offline. */
bool places_find(const struct source_target *, const struct perf_world *, struct places *, struct err *e);
void places_of_command(pid_t, struct places *);
void places_free(struct places *); /* closes the leaders */

/* Open the guards and the leaders. A guard is an event that is not inherited. Without one, a task that forks has a
 * context of events equal to its child's, and the kernel may swap the two instead of scheduling them
 * (perf_event_context_sched_out()); the leader is then another task's, and nobody can join its group (EINVAL), and what
 * is enabled may be an exited task's. Places that have gone are marked. False and *s. */
bool places_open(struct places *, const struct perf_world *, struct source_status *s);
void places_drop_guards(struct places *); /* once all events are open and enabled */
void place_leave(struct place *);         /* it has gone */

/* Have the watched processes got threads now that no place stands for? They are counted only if one of the places
 * started them after its events were open, and nothing tells. *n: how many. */
bool places_are_whole(const struct source_target *, const struct places *, size_t *n);

/* The CPUs that are online; the caller frees. */
size_t places_online(const struct perf_world *, int **cpu);

/* Run for a moment on each of the CPUs, so that who runs there is put off it. Those where this task may not go are left
 * out. */
void places_visit(const int *cpu, size_t n);

/* How many tasks may be in the middle of something: those of the processes with their descendants (`minder`: of the
 * command, whose orphans come to the minder), of the threads themselves; for CPUs, what runs or waits, and who is
 * blocked in I/O. */
double places_tasks(const struct source_target *, pid_t minder, const struct places *);

#endif
