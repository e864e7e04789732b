/* The recorder of flows: requests of each task on each CPU, and where they went (PathFinder, Li et al., SIGCOMM 2025,
 * section 4.2). flow_watch.h makes it a kind of run.
 *
 *     flow_run_new; flow_run_begin before the command starts; poll(2) on flow_run_wait_fd and flow_run_pump, in turn;
 *     flow_run_end; flow_run_free */
#ifndef APP_RUN_FLOW_RUN_H
#define APP_RUN_FLOW_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/flow_records.h"

struct err;
struct flow_layout;
struct flows;
struct network;
struct str;

#define FLOW_RUN_MOST 4096 /* flows that are kept apart */

struct flow_run_options {
	/* what is watched: of threads their processes; NULL: a command. CPUs: what runs there */
	const struct source_target *target;
	unsigned interval_ms;               /* snapshots are closed so often; 0: where tasks come and go only */
	size_t most, ring_kb;               /* 0: FLOW_RUN_MOST; FLOW_RECORDS_RING_KB */
};

struct flow_run;

/* The network must outlive it; `file` is where it came from. */
struct flow_run *flow_run_new(const struct network *, const char *file, const struct flow_run_options *);
void flow_run_free(struct flow_run *);

/* Starts recording. `command`: n processes that are held before execve(2); n 0: none. False and *e when it cannot. */
bool flow_run_begin(struct flow_run *, const int *command, size_t n, struct err *e);
int flow_run_wait_fd(const struct flow_run *); /* -1 before it has begun */
void flow_run_pump(struct flow_run *);         /* take what was recorded, and end the interval if it is over */
void flow_run_close(struct flow_run *);        /* … and end it now, whatever the options say */
void flow_run_end(struct flow_run *);

/* After it has begun. */
const struct flows *flow_run_flows(const struct flow_run *);
const struct flow_layout *flow_run_layout(const struct flow_run *); /* its counters are those that could be opened */
const struct flow_records *flow_run_records(const struct flow_run *);
size_t flow_run_refused(const struct flow_run *); /* events that the flows did not take: out of order */

/* Names for reports; valid until the next call (task), or as long as the run. */
const char *flow_run_task(void *flow_run, int32_t task);
const char *const *flow_run_cores(const struct flow_run *);
const char *const *flow_run_destinations(const struct flow_run *);

/* Lines: which counters flows do not tell, and what was lost; "" when all is well. */
void flow_run_explain(const struct flow_run *, struct str *out);

#endif
