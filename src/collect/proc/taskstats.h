/* The kernel's reports on every thread that ends (Documentation/accounting/taskstats.rst). They come from a netlink
 * socket, which needs CAP_NET_ADMIN. */
#ifndef COLLECT_PROC_TASKSTATS_H
#define COLLECT_PROC_TASKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/proc/schedstat.h"

struct err;
struct task_ends;

/* Listens for threads that end on CPUs 0 to n_cpus - 1. Returns NULL and sets *e if privilege or kernel support is
 * missing. */
struct task_ends *task_ends_new(size_t n_cpus, struct err *e);
void task_ends_free(struct task_ends *);

struct task_end {
	/* 0: unknown, as `process` always is before Linux 5.18. `parent` is the parent process when the thread ended */
	pid_t tid, process, parent;
	struct sched_times times;
};

/* Takes the next thread that has ended, in no particular order. Returns false if there is none. */
bool task_ends_take(struct task_ends *, struct task_end *);
bool task_ends_next(struct task_ends *, pid_t *tid, struct sched_times *);

/* Returns how often the kernel had no room for reports; each time an unknown number of threads is missing. */
size_t task_ends_lost(const struct task_ends *);

#endif
