/* Records flows: requests of each task on each CPU, and where they went (PathFinder, Li et al., SIGCOMM 2025, section
 * 4.2). flow_run.h makes it a kind of run.
 *
 *     new    begin, before the command starts    poll(2) on wait_fd, and pump, in turn    end    free */
#ifndef WORK_RUN_FLOW_RECORDER_H
#define WORK_RUN_FLOW_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/flow_records.h"

struct err;
struct flow_layout;
struct flows;
struct network;
struct str;

#define FLOW_RECORDER_MOST 4096 /* flows that stay separate */

struct flow_recorder_options {
	/* recorded tasks: the processes of these threads, or what runs on these CPUs. NULL: tasks of a command */
	const struct source_target *target;
	unsigned interval_ms;               /* length of snapshots; 0: they end only when tasks are switched */
	size_t ended_most;                  /* as in struct flow_spec */
	size_t most, ring_kb;               /* 0: FLOW_RECORDER_MOST; FLOW_RECORDS_RING_KB */
};

struct flow_recorder;

/* Makes a recorder. The network must outlive it; `file` is the network's file. */
struct flow_recorder *flow_recorder_new(const struct network *, const char *file, const struct flow_recorder_options *);
void flow_recorder_free(struct flow_recorder *);

/* Starts recording. `command`: n processes that are held before execve(2); n 0: none. False and *e on failure. */
bool flow_recorder_begin(struct flow_recorder *, const int *command, size_t n, struct err *e);
int flow_recorder_wait_fd(const struct flow_recorder *); /* -1 before it has begun */
void flow_recorder_pump(struct flow_recorder *);         /* takes new records, and ends the interval when it is over */
void flow_recorder_close(struct flow_recorder *);        /* takes new records, and ends the interval now */
void flow_recorder_end(struct flow_recorder *);

/* Results; NULL before it has begun. Owned by the recorder. */
struct flow_recorded {
	const struct flows *flows;
	const struct flow_layout *layout; /* layout of the counters that were opened */
	const struct flow_records *records;
	const char *const *core, *const *destination; /* names of cores and destinations */
};
struct flow_recorded flow_recorder_recorded(const struct flow_recorder *);
const char *flow_recorder_task(const void *flow_recorder, int32_t task); /* its name, valid until the next call */

/* Adds a line for each counter that flows do not report, and for each loss; nothing when all is well. */
void flow_recorder_explain(const struct flow_recorder *, struct str *out);

#endif
