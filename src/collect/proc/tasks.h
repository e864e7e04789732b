/* How long the watched tasks ran and waited for a CPU, those that have ended included. */
#ifndef COLLECT_PROC_TASKS_H
#define COLLECT_PROC_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/proc/tree.h"

enum proc_task_field { PROC_RUN_NS, PROC_WAIT_NS, PROC_SLICES, PROC_TASK_FIELDS }; /* as they stand in schedstat */

struct proc_tasks;

/* Listens to the ends of tasks (taskstats) where that is permitted. */
struct proc_tasks *proc_tasks_new(const struct proc_subject *);
void proc_tasks_free(struct proc_tasks *);

/* Why what ends is lost: "the times of threads that end are told to CAP_NET_ADMIN only"; NULL: it is not. */
const char *proc_tasks_deaf(const struct proc_tasks *);

/* False and errno when the files of what is watched cannot be read (ENOENT: the kernel has none). */
bool proc_tasks_try(struct proc_tasks *);

/* Totals count from here. */
void proc_tasks_begin(struct proc_tasks *);

/* The command has ended, and this is the processor time of all who were waited for: the times of threads that ended
 * lack their last slice, which the kernel had not booked yet when it told them, up to a tick each. The next reading has
 * it. */
void proc_tasks_settle(struct proc_tasks *, uint64_t cpu_ns);

/* Totals since the beginning. False when something ended since the last look of which the end was not told: then they
 * are too small. */
bool proc_tasks_read(struct proc_tasks *, uint64_t total[PROC_TASK_FIELDS]);

#endif
