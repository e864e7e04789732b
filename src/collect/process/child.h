/* The command, held ready before execve(2) so that counters can be put on it, and everything that it leaves behind.
 *
 *     hecate ── minder ── command ── its descendants
 *
 * The minder is a small process between the two. It is the command's child subreaper, so that orphaned descendants come
 * to it and can be counted; were hecate that itself, they would mix with its own children, and a process-wide setting
 * would change. It kills what is left when hecate closes its pipe or dies, and holds no descriptor of hecate's but the
 * two pipes. */
#ifndef COLLECT_PROCESS_CHILD_H
#define COLLECT_PROCESS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct source_spec;

struct child;

/* What the minder tells when the command has ended. */
struct child_end {
	int status;          /* as wait(2) gives it */
	bool known;          /* false: the minder was killed and nothing is known */
	uint64_t at_ns;      /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;     /* user and system time of the command and the descendants that were waited for */
	uint64_t left_behind; /* descendants that still run */
};

/* Forks; the command waits for child_start(). NULL and *e when processes or descriptors are exhausted. */
struct child *child_new(const struct source_spec *, struct err *e);
pid_t child_pid(const struct child *);
pid_t child_minder(const struct child *); /* its descendants are the command and what the command starts */
/* the minder sends it to the command, or to its group if it has one, unless that has ended */
void child_signal(const struct child *, int sig);

/* Lets it go (at *at_ns) and waits until execve(2) has worked or failed (false and *e: not found, a directory, not
 * executable …). */
bool child_start(struct child *, uint64_t *at_ns, struct err *e);

int child_wait_fd(const struct child *);             /* becomes readable when the command has ended */
bool child_poll(struct child *, struct child_end *); /* without blocking; true once it has ended */

/* The first half of child_free(): without waiting for the end. A command that is held ready keeps the pipes of those
 * that were held ready before it open, so of several all are released before the first is freed. */
void child_release(struct child *);

/* Kills the command and its descendants if it has not ended: SIGTERM, and SIGKILL after half a second. */
void child_free(struct child *);

#define CHILD_GRACE_MS 500    /* between SIGTERM and SIGKILL */
#define CHILD_STRAGGLE_MS 50  /* descendants that end this soon after the command are not left behind */

#endif
