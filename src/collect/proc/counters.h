/* The counters of a run that stand in files of the kernel: their totals since the run began, and what they rose by
 * since the row before. */
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

/* Of the spec's counters those with mine[i]. status[i] of these is filled, and kept up to date: the array is the
 * caller's and must outlive this. Ones that cannot be read are refused there. */
struct proc_counters *proc_counters_new(
	const struct source_spec *, const bool *mine, const struct proc_subject *, struct source_status *status);
void proc_counters_free(struct proc_counters *);

size_t proc_counters_live(const struct proc_counters *); /* how many can be read */

void proc_counters_begin(struct proc_counters *); /* the run begins */
void proc_counters_look(struct proc_counters *);  /* read all files once */
/* before the last look at a command's tasks: proc_tasks_settle() */
void proc_counters_settle(struct proc_counters *, uint64_t cpu_ns);

/* As of the last look. Entries of counters that are not mine are left alone. Not counted is a total of which a part is
 * not known: a number that began anew, an account that went with its process, a file that cannot be read any more. */
void proc_counters_totals(const struct proc_counters *, int64_t *count, unsigned char *counted);

/* … and of the rows before: what was counted since the last one, in which a counter was counted. Rows in which nothing
 * went wrong add up to the totals. */
void proc_counters_row(struct proc_counters *, int64_t *count, unsigned char *counted);

#endif
