/* Flows as observations, which are recorded, exported and analysed like all others (docs/session-file.md, "Flows").
 * Each flow is an observation; each interval in which it did something is a row; columns are those of flow_name.h.
 *
 * All rows of all flows add up to flows_at(). A flow that is folded into FLOW_OTHERS keeps its rows, and its last row
 * says so; the rows of FLOW_OTHERS have what no flow reported before.
 *
 * Memory is bounded: the newest FLOW_ROWS_TABLES tables stay, older ones are dropped, and old rows are summed in pairs
 * as in a counters run. A recorder writes new rows at least once in FLOW_ROWS_NEW new flows. */
#ifndef WORK_RUN_FLOW_ROWS_H
#define WORK_RUN_FLOW_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_layout;
struct flow_recorder;
struct flows;
struct network;
struct obs_table;

#define FLOW_ROWS_TABLES 8
#define FLOW_ROWS_CELLS ((size_t)3 << 16) /* rows times columns, with what an observation takes besides */
#define FLOW_ROWS_NEW ((size_t)128) /* a table has room for this many flows, and for half as many again as exist now */

struct flow_rows_spec {
	const struct network *net;        /* all of these are the caller's, and outlive the rows */
	const struct flow_layout *layout; /* its counters are those of the flows */
	const struct flows *flows;
	const int *cpu;                   /* CPU number of each core; copied */
	const char *(*task)(const void *ctx, int32_t task); /* "gcc-4711", valid until the next call */
	const void *ctx;
	/* called before a table is dropped; NULL */
	void (*leaves)(void *leaves_ctx, const struct obs_table *);
	void *leaves_ctx;
	size_t cells_max;                 /* rows times columns, of all tables; 0: FLOW_ROWS_CELLS */
	size_t flows_new;                 /* 0: FLOW_ROWS_NEW */
};

struct flow_rows;

struct flow_rows *flow_rows_new(const struct flow_rows_spec *);
/* Rows of a recorder that has begun. */
struct flow_rows *flow_rows_of_run(const struct flow_recorder *, const struct network *,
	void (*leaves)(void *, const struct obs_table *), void *leaves_ctx);
void flow_rows_free(struct flow_rows *);

/* Ends an interval: flows that did something since the last one get a row with this time. `run`: the observation of
 * the network that they belong to, their source. `exact`: the interval is the whole run, and ends it. */
void flow_rows_take(struct flow_rows *, const char *run, double time, bool exact);

/* Returns the tables, oldest first. Old tables are dropped when a new one is made. */
const struct obs_table *const *flow_rows_tables(const struct flow_rows *, size_t *n);
struct obs_table *flow_rows_newest(struct flow_rows *); /* for notes */

#endif
