/* Flows as observations, so that they are recorded, exported and looked at again like all else (docs/session-file.md,
 * "Flows"): an observation for each flow, a row of what it did in each interval in which it did something, columns as
 * flow_name.h has them.
 *
 * All rows of all flows add up to what flows_at() tells: also of a flow that was folded into FLOW_OTHERS, whose own
 * rows stay, and whose last one says so; the others' rows are of what no flow told before.
 *
 * Memory is bounded: flows of long ago go, a table at a time (the newest FLOW_ROWS_TABLES stay), and old rows are taken
 * together in pairs, as a live run's are. Whoever records writes what is new at least once in FLOW_ROWS_NEW new flows.
 */
#ifndef APP_RUN_FLOW_ROWS_H
#define APP_RUN_FLOW_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_layout;
struct flow_recorder;
struct flows;
struct network;
struct obs_table;

#define FLOW_ROWS_TABLES 8
#define FLOW_ROWS_NEW ((size_t)1024) /* a table has room for so many flows, and twice as many as there are now */

struct flow_rows_spec {
	const struct network *net;        /* all of these are the caller's, and outlive the rows */
	const struct flow_layout *layout; /* its counters are those of the flows */
	const struct flows *flows;
	const int *cpu;                   /* per core; copied */
	const char *(*task)(void *ctx, int32_t task); /* "gcc-4711", valid until the next call */
	void *ctx;
	/* who follows a table that goes now; NULL: nobody does */
	void (*leaves)(void *leaves_ctx, const struct obs_table *);
	void *leaves_ctx;
	size_t cells_max;                 /* rows times columns, of all tables; 0: COUNTERS_RUN_FOLD_CELLS */
	size_t flows_new;                 /* 0: FLOW_ROWS_NEW */
};

struct flow_rows;

struct flow_rows *flow_rows_new(const struct flow_rows_spec *);
/* Of one that has begun. */
struct flow_rows *flow_rows_of_run(const struct flow_recorder *, const struct network *,
	void (*leaves)(void *, const struct obs_table *), void *leaves_ctx);
void flow_rows_free(struct flow_rows *);

/* An interval has ended: what flows did since the last one gets rows with this time. `run`: the observation of the
 * network that they belong to, which is their source. `exact`: it is all of the run, and ends it. */
void flow_rows_take(struct flow_rows *, const char *run, double time, bool exact);

/* A sentence about them, which readers of the newest table are told. */
void flow_rows_note(struct flow_rows *, const char *text);

/* Oldest first. A table goes when there are more; then another stands in its place. */
const struct obs_table *const *flow_rows_tables(const struct flow_rows *, size_t *n);

#endif
