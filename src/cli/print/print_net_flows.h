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
	const size_t *counter;   /* for flow_task_map(), like the rest */
	const double *others;
	struct net_state *state;
	const size_t *destination; /* modules of the flows' destinations: what counters tell is not told again */
};

struct flow_names {
	const struct flow_places *places; /* where requests were served on the way; NULL: not told */
	const char *(*task)(void *ctx, int32_t task); /* "gcc-4711"; valid until the next call */
	void *ctx;
	const char *const *core;        /* per core, "S0-C3" */
	const char *const *destination; /* per destination, "CXL memory 0" */
};

/* A table, at most `most` rows of it, tasks that ran longest first; and what is in no flow of a task. Nothing where no
 * task was followed. */
void print_net_flows(const struct flows *, const struct flow_names *, size_t most, bool ascii, struct str *out);

/* A key "flows" and its array, and "flows_apart" with what is in no flow of a task. */
void print_net_flows_json(const struct flows *, const struct flow_names *, struct json_writer *);

/* Both for a report's own run, or else for what is recorded; nothing without either. Lines of what was lost go to
 * standard error. */
void print_net_flow_run(const struct net_report *, const struct counting *, struct str *out);
void print_net_flow_run_json(const struct net_report *, const struct counting *);

/* Flows that were recorded with the last observation of the network that matches the report's pattern. NULL and *e when
 * there are none. The table may go. */
struct flow_page *print_net_recorded_flows(
	const struct net_report *, const struct obs_table *, const char *path, struct err *e);
void print_net_flow_page_free(struct flow_page *);

#endif
