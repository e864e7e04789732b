/* Flows next to another run, which they join (app/run/run.h).
 *
 *     rows       whenever the leader has a new row, the interval of the flows ends too, and their rows have its time
 *     no rows    sums only (flow_watch_run()): intervals end by the flows' own clock, and with those of the leader */
#ifndef APP_RUN_FLOW_WATCH_H
#define APP_RUN_FLOW_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "app/run/run.h"

struct err;
struct flow_run;
struct flow_run_options;
struct flow_watch;
struct network;
struct obs_table;
struct str;

extern const struct run_ops flow_run_ops; /* joins only */

/* Flows as rows. The network outlives them; `file` is where it came from. interval_ms of the options is ignored.
 * `leaves` (may be NULL) is called with each table that is dropped, before it is. When the leader is over, what came
 * since its last row belongs to that row; if it has no rows, all belongs to its totals. What was lost becomes notes of
 * the newest table. */
struct flow_watch *flow_watch_new(const struct network *, const char *file, const struct flow_run_options *,
	void (*leaves)(void *ctx, const struct obs_table *), void *ctx);
/* Flows without rows. */
struct flow_watch *flow_watch_new_sums(const struct network *, const char *file, const struct flow_run_options *);
void flow_watch_free(struct flow_watch *);

struct run *flow_as_run(struct flow_watch *); /* NULL is NULL */
bool flow_watch_begun(const struct flow_watch *);
struct flow_run *flow_watch_run(const struct flow_watch *);

/* Oldest first; n 0 before it has begun. They grow, and go (flow_rows.h). */
const struct obs_table *const *flow_watch_tables(const struct flow_watch *, size_t *n);
void flow_watch_explain(const struct flow_watch *, struct str *out); /* lines, as flow_run_explain() */

#endif
