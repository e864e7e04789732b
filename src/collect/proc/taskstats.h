/* What the kernel says of every thread that ends (Documentation/accounting/taskstats.rst): a netlink socket, for
 * CAP_NET_ADMIN. */
#ifndef COLLECT_PROC_TASKSTATS_H
#define COLLECT_PROC_TASKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/proc/schedstat.h"

struct err;
struct task_ends;

/* Listens to the ends on CPUs 0 to n_cpus - 1. NULL and *e: no privilege, or a kernel without. */
struct task_ends *task_ends_new(size_t n_cpus, struct err *e);
void task_ends_free(struct task_ends *);

struct task_end {
	/* 0: not told (the process, before Linux 5.18). The parent is a process, as of the end */
	pid_t tid, process, parent;
	struct sched_times times;
};

/* The next thread that has ended, in no order; false when none is waiting. */
bool task_ends_take(struct task_ends *, struct task_end *);
bool task_ends_next(struct task_ends *, pid_t *tid, struct sched_times *);

/* How often the kernel had no room for what it had to say, each time an unknown number of threads. */
size_t task_ends_lost(const struct task_ends *);

#endif
