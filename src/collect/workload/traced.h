/* A command under ptrace(2): the child that becomes it, and waiting for it without losing a signal to hecate. */
#ifndef COLLECT_WORKLOAD_TRACED_H
#define COLLECT_WORKLOAD_TRACED_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct err;

struct traced_child {
	pid_t pid;
	int failed; /* the end of a pipe on which the child reports why it did not become the command */
};

/* Forks a child that waits, stopped, to become the command. It has a process group of its own, /dev/null as input and
 * output, and `mask` as signal mask. The caller sets ptrace's options and continues it. Returns false and sets *e if it
 * cannot be started or traced. */
bool traced_fork(char *const *argv, const sigset_t *mask, struct traced_child *, struct err *e);

/* Returns errno of execve(2), or 0 if the command was started. Call it once, when the child has ended or stopped after
 * execve(2). */
int traced_error(struct traced_child *);

/* Sets *e to a description of such an error. Always returns false. */
bool traced_explain(const char *program, int error, struct err *e);

/* Waiting for stops: SIGCHLD is blocked and read from a descriptor, so that other signals interrupt only the wait. */
struct traced_wait {
	int fd;              /* signalfd(2) */
	sigset_t old;        /* mask to restore */
	sigset_t during;     /* mask under which to wait */
	bool (*interrupted)(void);
	double until;        /* time in seconds (base/clock.h) at which waiting ends; 0: never */
};
/* Returns false and sets *e if there is no descriptor left. */
bool traced_wait_begin(struct traced_wait *, const sigset_t *during, bool (*interrupted)(void), struct err *e);
void traced_wait_end(struct traced_wait *);

/* Waits for any traced task. Returns its id and *status; 0 if a signal to hecate has arrived, or the time is up; -1 if
 * no child is left. */
pid_t traced_next(const struct traced_wait *, int *status);

/* Kills the command and its process group, and waits until the command is gone. `tid` of 0 does nothing. */
void traced_kill(pid_t);

#endif
