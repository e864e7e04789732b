/* Flows of what is counted here and now, as rows beside its rows: whenever a live run has a new row, the flows'
 * interval ends too, and their rows have its time.
 *
 *     flow_watch_new, flow_watch_begin before a command is let go, { poll flow_watch_wait_fd → flow_watch_pump } …,
 * flow_watch_end, flow_watch_free */
#ifndef APP_RUN_FLOW_WATCH_H
#define APP_RUN_FLOW_WATCH_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct flow_run_options;
struct flow_watch;
struct live;
struct network;
struct obs_table;
struct str;

/* The network outlives it; `file` is where it came from. Of the options interval_ms is not looked at. `leaves` (may be
 * NULL) is told of a table that goes, before it does. */
struct flow_watch *flow_watch_new(const struct network *, const char *file, const struct flow_run_options *,
	void (*leaves)(void *ctx, const struct obs_table *), void *ctx);
void flow_watch_free(struct flow_watch *);

bool flow_watch_begin(struct flow_watch *, int command, struct err *e); /* as flow_run_begin() */
int flow_watch_wait_fd(const struct flow_watch *);
/* Take what was recorded, and end the interval if the live run has a new row. True when there are new rows. */
bool flow_watch_pump(struct flow_watch *, const struct live *);
/* The run is over: what has come since its last row belongs to that, or, of a run without rows, all belongs to its
 * totals. What was lost becomes notes of the newest table. */
void flow_watch_end(struct flow_watch *, const struct live *);

/* Oldest first; n 0 before it has begun. They grow, and go (flow_rows.h). */
const struct obs_table *const *flow_watch_tables(const struct flow_watch *, size_t *n);
void flow_watch_explain(const struct flow_watch *, struct str *out); /* lines, as flow_run_explain() */

#endif
