/* What a part of a run asked of CPUs, memory and disks: the facts that advice rests on (work/timeline/run_advice.h).
 *
 * They come from an analysis of the network linux-vm, whose counters and modules are found by name, and from the time
 * of tasks if that was recorded. Another network has none of them. */
#ifndef WORK_TIMELINE_RUN_LOAD_H
#define WORK_TIMELINE_RUN_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "work/timeline/run_answer.h"

#define RUN_LOAD_NETWORK "linux_vm"

struct column_owners;
struct net_queues;
struct net_state;
struct network_data_counter;
struct timeline;
struct timeline_analysis;

/* One disk. Times are sums over its requests. */
struct run_disk {
	char *name; /* of the disk with most time in requests; NULL: not known */
	double reads, writes, flushes;
	double read_ns, write_ns, busy_ns;
	double read_bytes;
};

/* Reading through the page cache, and around it. */
struct run_reads {
	double lookups, misses; /* batches of pages that were looked up; those whose first page was not there */
	double direct;          /* requests at the disk without read-ahead: O_DIRECT, metadata, scattered faults */
	double needed, ahead;   /* requests at the disk that a task may have waited for; those ahead of need */
};

/* Counts of the part, NAN where not known. */
struct run_load {
	double seconds;
	unsigned cpus;          /* 0: not known */
	size_t n_tasks;         /* 0: not known */
	double ns[RUN_CLASSES]; /* of all tasks together, by class */
	bool by_task;           /* the classes are the tasks' own; false: waits for the disk are the I/O pressure */
	double memory_wait_ns;  /* time in which somebody waited for memory, of the whole machine */
	double steal_ns;        /* CPU time that the host took away */
	struct run_disk disk;
	struct run_reads reads;
	double writes_own, writeback_waits; /* write requests of the tasks themselves; their waits for writeback */
	double asked_bytes, fetched_bytes, dirty_bytes;
	double fresh_pages, fault_ns; /* anonymous pages on first use; time of all faults, without I/O */
	double major_faults;
	double swap_ins, swap_outs, refaults; /* pages */
};

/* What was counted in the part: per counter its value, and count[first[counter] + owner]. */
struct run_counts {
	const struct net_state *state;
	const struct net_queues *queues;
	const struct network_data_counter *counter;
	const size_t *first;
	const double *count;
	const struct column_owners *owners; /* which name the disks; may be NULL */
};
struct run_counts run_counts_of(const struct timeline *, const struct timeline_analysis *);

/* The load of the part. `answer`: of the same part, or NULL. False: the counts are of another network, or lack the time
 * on a CPU. */
bool run_load_of(const struct run_counts *, const struct run_answer *, struct run_load *);
void run_load_clear(struct run_load *);

#endif
