/* The counters of a run that the kernel keeps in files: totals since the run began, and increments since the last row.
 */
#ifndef COLLECT_PROC_COUNTERS_H
#define COLLECT_PROC_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/proc/tree.h"

struct source_row;
struct source_spec;
struct source_status;

struct proc_counters;

/* Opens those counters i of the spec for which mine[i] is true. It fills in their status[i] and keeps it up to date;
 * the array belongs to the caller and must outlive the result. The status of a counter that cannot be read says why. */
struct proc_counters *proc_counters_new(
	const struct source_spec *, const bool *mine, const struct proc_subject *, struct source_status *status);
void proc_counters_free(struct proc_counters *);

size_t proc_counters_live(const struct proc_counters *); /* number of counters that can be read */

void proc_counters_begin(struct proc_counters *); /* begins the run */
void proc_counters_read(struct proc_counters *);  /* reads all files once */
/* Call it before the last reading of a command's tasks: see proc_tasks_settle(). `alone`: nothing lives of the command
 * and all that it started. */
void proc_counters_settle(struct proc_counters *, uint64_t cpu_ns, bool alone);

/* Writes the totals of the last reading. Entries of other counters are left alone. A total with an unknown part becomes
 * not counted: because a number went backwards, an I/O account ended with its process, or a file can no longer be read.
 */
void proc_counters_totals(const struct proc_counters *, int64_t *count, unsigned char *counted);

/* Writes the increments since the last row in which the counter was counted. Without failures, all rows add up to the
 * totals. */
void proc_counters_row(struct proc_counters *, int64_t *count, unsigned char *counted);

#endif
