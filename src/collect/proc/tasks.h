/* How long the watched tasks ran, and how long they waited for a CPU; tasks that have ended are included. */
#ifndef COLLECT_PROC_TASKS_H
#define COLLECT_PROC_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/proc/tree.h"

struct proc_io;
struct proc_tasks;

enum proc_task_field { PROC_RUN_NS, PROC_WAIT_NS, PROC_SLICES, PROC_TASK_FIELDS }; /* in the order of schedstat */

/* Begins to listen for the ends of tasks (taskstats), if that is permitted. The tree is the caller's; NULL: threads are
 * watched. */
struct proc_tasks *proc_tasks_new(const struct proc_subject *, struct proc_tree *);
void proc_tasks_free(struct proc_tasks *);

/* Returns why the ends of tasks are not reported, for a message; NULL if they are reported. */
const char *proc_tasks_deaf(const struct proc_tasks *);

/* Checks that the files of the watched tasks can be read. Otherwise returns false and sets errno (ENOENT: the kernel
 * has no such files). */
bool proc_tasks_try(struct proc_tasks *);

/* Begins to count: totals are since this call. */
void proc_tasks_begin(struct proc_tasks *);

/* Sets the processor time of all children that were waited for, after the command has ended. The reported times of
 * ended threads lack their last time slice, up to a tick each, because the kernel had not accounted for it yet. The
 * next reading adds it. */
void proc_tasks_settle(struct proc_tasks *, uint64_t cpu_ns);

/* Reads totals since the beginning. Returns false when a task ended without a report since the last reading: the totals
 * are then too small. */
bool proc_tasks_read(struct proc_tasks *, uint64_t total[PROC_TASK_FIELDS]);

/* What the watched processes read and wrote, from the kernel's I/O accounts (proc(5), /proc/PID/io). */

#define PROC_IO_FIELDS 7 /* fields of the file, in its order */

struct proc_io *proc_io_new(const struct proc_subject *, struct proc_tree *); /* the tree as above */
void proc_io_free(struct proc_io *);

/* Checks that the accounts can be read. Otherwise returns false and sets errno: EACCES, or ENOENT if the kernel keeps
 * no accounts. */
bool proc_io_try(struct proc_io *);

void proc_io_begin(struct proc_io *); /* begins: totals count from this call */

enum proc_io_news {
	PROC_IO_READ, /* totals since the beginning are filled in */
	PROC_IO_BUSY, /* processes ended faster than they could be read; the next reading includes everything */
	PROC_IO_LOST, /* an account is lost, so totals are too small from now on */
};

enum proc_io_news proc_io_read(struct proc_io *, uint64_t total[PROC_IO_FIELDS]);

#endif
