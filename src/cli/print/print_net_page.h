/* A page of text that the files of the report on a network share. Private to print_net*.c. */
#ifndef CLI_PRINT_PRINT_NET_PAGE_H
#define CLI_PRINT_PRINT_NET_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/print/print_net.h"
#include "core/counters/scope.h"
#include "core/network/breakdown.h"
#include "core/network/stalls.h"
#include "core/spec/spec.h"

struct column_owners;

/* Does the report contain this part? Without a specification it contains all. */
bool print_net_has(const struct net_report *, enum spec_statistic);

#define NET_COLUMN 9 /* least width of a column of numbers */

struct print_net_page {
	const struct net_report *r;
	const struct net_state *state;
	const struct column_owners *owners; /* names of the state's owners */
	struct str *out;
	bool ascii;
};

/* What limits the stalls, after them; the second also has which rule divided them. */
void print_net_add_stall_doubts(struct print_net_page *, struct net_stalls *const *, size_t n);
void
print_net_write_stall_doubts(const struct net_report *, const struct net_state *, struct net_stalls *const *, size_t n);

/* Prints " (41 ms)"; nothing if the time is not known. */
void print_net_add_time(struct print_net_page *, double ns);
struct net_queue;
/* Returns a wait of a queue in ns; NAN if its clock or the length of the snapshot is not known. */
double print_net_wait_ns(const struct net_state *, const struct net_queue *, double wait);

/* Does --by ask for a table, and of what? */
bool print_net_wants_by(const struct net_report *, enum net_by *);
void print_net_add_by(struct print_net_page *, const struct column_owners *, enum net_by);
void print_net_write_by(
	const struct net_report *, const struct net_state *, const struct column_owners *, enum net_by);

void print_net_add_map(struct print_net_page *);
/* Print what would make the run faster, if the network and the data can tell. */
void print_net_add_advice(struct print_net_page *, const struct network_data *);
void print_net_write_advice(const struct net_report *, const struct network_data *, const struct net_state *);
/* Lists the requests whose counts say what a socket does, and not which core; `state`: only those that it knows. */
void print_net_add_known_for(const struct network *, const struct net_state *, struct str *out);
/* Print how loaded the modules are, as text and as JSON. */
void print_net_add_qos(struct print_net_page *);
void print_net_write_qos(const struct net_report *, const struct net_state *);

#endif
