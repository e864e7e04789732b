/* The process between hecate and the command: see child.h. */
#ifndef COLLECT_PROCESS_MINDER_H
#define COLLECT_PROCESS_MINDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/process/child.h"

struct source_spec;

#define MINDER_LET_RUN 0 /* on `control`: the minder ends, and the command goes on */

struct minder_orders {
	const struct source_spec *spec;
	bool own_group; /* make the command the leader of a process group */
	int control, report, go, failed;
};

/* A message of the minder on its report pipe: first the command's pid, and finally the command's end. It is smaller
 * than PIPE_BUF, so it is written atomically. */
struct minder_word {
	int error; /* errno of fork(2) */
	pid_t pid;
	struct child_end end;
};

/* Messages of the command on its `failed` socket. Before execve(2): error 0, and the time that it has used. When its
 * setup or execve(2) fails: errno and the step (enum setup_step). */
struct minder_failure {
	int error, step;
	uint64_t user_ns, system_ns;
};

/* Runs the minder in a new child process of hecate; never returns. */
_Noreturn void minder_run(const struct minder_orders *);

#endif
