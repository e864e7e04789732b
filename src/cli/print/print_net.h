/* What hecate net says, as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_NET_H
#define CLI_PRINT_PRINT_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"

struct counting;
struct flow_page;
struct flow_run;
struct flow_watch;
struct json_writer;
struct net_state;
struct options;
struct profile_spec;
struct recorded;
struct str;

struct net_report {
	const struct options *options;
	const struct network *net;
	const char *file;         /* where the network came from */
	size_t beyond;            /* a stage, of what lies beyond which shares are told; n_stages: of none */
	struct json_writer *json;
	struct flow_watch *watch; /* flows of what is counted here; NULL: not asked for */
	struct flow_run *flows;   /* … once they have begun; NULL */
	bool *reported;           /* per word of a specification's `report` */
	struct flow_page *recorded_flows; /* … of recorded data; NULL */
	size_t told;              /* snapshots so far, in words */
	const struct profile_spec *spec; /* whose report has some words only; NULL: all */
	struct work_sink *sink;   /* where the report goes; NULL: it is kept */
};

/* The network by itself, as --json asks. */
void print_net_check(const struct net_report *, struct str *out);

/* One snapshot, which the state has taken in. */
void print_net_text(
	struct net_report *, const struct recorded *, size_t snapshot, const struct net_state *, struct str *out);

/* A document is begun, has a snapshot after the other, and ends. */
void print_net_json_begin(const struct net_report *, const struct counting *);
void print_net_json(const struct net_report *, const struct recorded *, size_t snapshot, const struct net_state *);
void print_net_json_end(const struct net_report *, const struct counting *);

/* What both say. */
const char *print_net_state(enum net_cell_state); /* "told", "absent", … */

#endif
