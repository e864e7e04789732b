/* The command, held before execve(2) so that counters can be attached, and the descendants that it leaves behind.
 *
 *     hecate ── minder ── command ── its descendants
 *
 * The minder is a small process between hecate and the command. It is the child subreaper of the command, so that
 * orphaned descendants become its children and can be counted. If hecate were the subreaper itself, the orphans would
 * mix with its own children, and a process-wide setting would change. The minder kills what is left when hecate closes
 * its pipe or dies. Of hecate's descriptors it holds only the two pipes. */
#ifndef COLLECT_PROCESS_CHILD_H
#define COLLECT_PROCESS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct source_spec;

struct child;

/* The minder's report when the command has ended. */
struct child_end {
	int status;          /* exit status as from wait(2) */
	bool known;          /* false: the minder was killed and nothing is known */
	uint64_t at_ns;      /* time of the end, CLOCK_MONOTONIC */
	uint64_t user_ns, system_ns; /* the parts of cpu_ns, without what was used before execve(2) */
	uint64_t cpu_ns;     /* user and system time of the command and of the descendants that were waited for */
	uint64_t fork_ns;    /* processor time that forking the command took; giving that memory back at execve(2) is
	                      * part of cpu_ns, and takes about as long */
	uint64_t left_behind; /* number of descendants that still run */
};

/* Forks the minder and the command, which waits for child_start(). Returns NULL and sets *e when processes or
 * descriptors are exhausted. */
struct child *child_new(const struct source_spec *, struct err *e);
pid_t child_pid(const struct child *);
pid_t child_minder(const struct child *); /* the minder's descendants are the command and whatever the command starts */
/* Makes the minder send the signal to the command, unless the command has ended. With a group of its own, all that it
 * started gets the signal, and what is left half a second after the command's end is killed. */
void child_signal(const struct child *, int sig);

/* Starts the command, sets *at_ns to the time of the start, and waits until execve(2) has succeeded or failed. On
 * failure (not found, a directory, not executable …) returns false and sets *e. */
bool child_start(struct child *, uint64_t *at_ns, struct err *e);

int child_wait_fd(const struct child *);             /* a descriptor that becomes readable when the command has ended */
bool child_poll(struct child *, struct child_end *); /* does not block; true once the command has ended */

/* Does the first half of child_free(), without waiting for the end. A held command keeps the pipes of the commands that
 * were held before it open. So with several commands, release all of them before freeing the first. */
void child_release(struct child *);

/* Frees the child. If the command has not ended, kills it and its descendants: SIGTERM, and SIGKILL after half a
 * second; or leaves it alone if its `runs_on` says so. */
void child_free(struct child *);

#define CHILD_GRACE_MS 500    /* time between SIGTERM and SIGKILL */
#define CHILD_STRAGGLE_MS 50  /* descendants that end this soon after the command do not count as left behind */

#endif
