/* The output of hecate net, as text for people and as JSON for scripts (docs/json.md). */
#ifndef CLI_PRINT_PRINT_NET_H
#define CLI_PRINT_PRINT_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "core/network/network.h"
#include "core/network/stalls.h"

struct counting;
struct estimate_errors;
struct flow_page;
struct flow_recorder;
struct json_writer;
struct net_state;
struct network_compare;
struct options;
struct profile_spec;
struct run_answer;
struct network_data;
struct str;

struct net_report {
	const struct options *options;
	const struct network *net;
	const char *file;         /* file of the network */
	size_t beyond;            /* stage beyond which shares are reported; n_stages: none */
	struct json_writer *json;
	bool flows_here;          /* flows are recorded by this run */
	struct flow_recorder *flows; /* recorder of these flows; NULL: not begun */
	bool *reported;           /* per word of a specification's `report`: is it printed? */
	struct flow_page *recorded_flows; /* flows from a file; NULL: none */
	struct names remarks;     /* sentences about owners in the data, for the document's warnings */
	enum net_weight weight;           /* how own stalls are divided among destinations */
	size_t n_reported;        /* number of snapshots reported as text so far */
	const struct run_answer *answer; /* of what was counted here; NULL: of none, or not known */
	const struct profile_spec *spec; /* profile specification that selects parts of the report; NULL: all parts */
	struct estimate_errors *estimates; /* NULL: stalls are not estimated */
	bool tiering;                      /* by which kind tiering should go is reported */
	struct writing_sink *sink;   /* file of the report; NULL: the report is kept in memory */
};

/* The description of the network without data, for --check --json. */
void print_net_check(const struct net_report *, struct str *out);

/* Prints one snapshot, which `state` holds. */
void print_net_text(
	struct net_report *, const struct network_data *, size_t snapshot, const struct net_state *, struct str *out);

/* A document: begin, any number of snapshots, end. */
void print_net_json_begin(const struct net_report *, const struct counting *);
void print_net_json(const struct net_report *, const struct network_data *, size_t snapshot, const struct net_state *);
void print_net_json_end(const struct net_report *, const struct counting *);

/* Print how two recordings compare: their names are those of A and B. The JSON is a part of the document. */
void print_net_compare(
	const struct net_report *, const struct network_compare *, const char *const name[2], struct str *out);
void print_net_compare_json(const struct net_report *, const struct network_compare *, const char *const name[2]);

/* The word for a cell's state in reports and JSON: "told", "absent", … */
const char *print_net_state(enum net_cell_state);

#endif
