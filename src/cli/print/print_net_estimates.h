/* Estimates of stalls next to the truth, for hecate net --estimators. */
#ifndef CLI_PRINT_PRINT_NET_ESTIMATES_H
#define CLI_PRINT_PRINT_NET_ESTIMATES_H

#include <stddef.h>

struct estimate_errors;
struct json_writer;
struct net_state;
struct network_data;
struct str;

/* Print the estimates of one snapshot, and add their errors. */
void print_net_estimates(const struct network_data *, size_t snapshot, const struct net_state *,
	struct estimate_errors *, struct str *out);
void print_net_estimates_json(const struct network_data *, size_t snapshot, const struct net_state *,
	struct estimate_errors *, struct json_writer *);

/* Print the errors of all snapshots. Nothing, if none had the truth. */
void print_net_estimate_errors(const struct estimate_errors *, struct str *out);
void print_net_estimate_errors_json(const struct estimate_errors *, struct json_writer *);

#endif
