/* The run that records flows. It joins another run (work/run/run.h).
 *
 *     with rows      a new row of the leader ends the interval of the flows, whose rows get the same time
 *     sums only      intervals end by the recorder's own clock, and with those of the leader (flow_run_recorder()) */
#ifndef WORK_RUN_FLOW_RUN_H
#define WORK_RUN_FLOW_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "work/run/run.h"

struct err;
struct flow_recorder;
struct flow_recorder_options;
struct flow_run;
struct network;
struct obs_table;
struct str;

/* Joins only. Its tables are oldest first; they grow, and old ones are dropped (flow_rows.h). */
extern const struct run_ops flow_run_ops;

/* Flows as rows. The network outlives them; `file` is its file. interval_ms of the options is ignored. `leaves` (may be
 * NULL) is called with each table before it is dropped. When the leader ends, flows since its last row belong to that
 * row; if the leader has no rows, all flows belong to its totals. Losses become notes of the newest table. */
struct flow_run *flow_run_new(const struct network *, const char *file, const struct flow_recorder_options *,
	void (*leaves)(void *ctx, const struct obs_table *), void *ctx);
/* Flows without rows. */
struct flow_run *flow_run_new_sums(const struct network *, const char *file, const struct flow_recorder_options *);

struct run *flow_as_run(struct flow_run *);  /* NULL for NULL */
struct flow_run *run_as_flow(struct run *);  /* NULL if the run is of another kind */
bool flow_run_begun(const struct flow_run *);
struct flow_recorder *flow_run_recorder(const struct flow_run *);

#endif
