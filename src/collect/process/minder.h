/* The process between hecate and the command: see child.h. */
#ifndef COLLECT_PROCESS_MINDER_H
#define COLLECT_PROCESS_MINDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "collect/process/child.h"

struct source_spec;

struct minder_orders {
	const struct source_spec *spec;
	bool own_group; /* the command leads a process group of its own */
	int control, report, go, failed;
};

/* What the minder writes to its report pipe: first the command's pid, at last its end. Smaller than PIPE_BUF: written
 * whole. */
struct minder_word {
	int error; /* errno of fork(2) */
	pid_t pid;
	struct child_end end;
};

/* What the command writes to its `failed` pipe when it cannot become what it is to be: errno, and which step (enum
 * setup_step). */
struct minder_failure {
	int error, step;
};

/* Runs the minder in a fresh child of hecate; never returns. */
_Noreturn void minder_run(const struct minder_orders *);

#endif
