/* Flows, as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_NET_FLOWS_H
#define CLI_PRINT_PRINT_NET_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counting;
struct err;
struct flow_page;
struct flows;
struct net_report;
struct net_state;
struct obs_table;
struct json_writer;
struct str;

struct flow_places {
	const size_t *counter;   /* these three are arguments of flow_task_map() */
	const double *others;
	struct net_state *state;
	/* modules of the flows' destinations, which are not listed again as places on the way */
	const size_t *destination;
};

struct flow_names {
	const struct flow_places *places; /* prints where requests were served on the way; NULL: left out */
	const char *(*task)(const void *ctx, int32_t task); /* name of a task: "gcc-4711"; valid until the next call */
	const void *ctx;
	const char *const *core;        /* name per core: "S0-C3" */
	const char *const *destination; /* name per destination: "CXL memory 0" */
};

/* Prints a table of at most `most` rows, tasks that ran longest first, and the counts that belong to no task's flow.
 * Prints nothing where no task was followed. */
void print_net_flows(const struct flows *, const struct flow_names *, size_t most, bool ascii, struct str *out);

/* Writes the key "flows" with an array, and "flows_apart" with the counts that belong to no task's flow. */
void print_net_flows_json(const struct flows *, const struct flow_names *, struct json_writer *);

/* Prints the flows of the report's own run, or otherwise the recorded flows, if there are any. Losses are reported on
 * standard error. */
void print_net_flow_run(const struct net_report *, const struct counting *, struct str *out);
void print_net_flow_run_json(const struct net_report *, const struct counting *);

/* Returns the flows that were recorded with the last observation of the network that matches the report's pattern. NULL
 * and *e when there are none. The result does not need the table. */
struct flow_page *print_net_recorded_flows(
	const struct net_report *, const struct obs_table *, const char *path, struct err *e);
void print_net_flow_page_free(struct flow_page *);

#endif
