/* A page of text that the files of the report on a network share. Private to print_net*.c. */
#ifndef CLI_PRINT_PRINT_NET_PAGE_H
#define CLI_PRINT_PRINT_NET_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/print/print_net.h"
#include "core/spec/spec.h"

/* Does the report contain this part? Without a specification it contains all. */
bool print_net_has(const struct net_report *, enum spec_statistic);

#define NET_COLUMN 9 /* least width of a column of numbers */

struct print_net_page {
	const struct net_report *r;
	const struct net_state *state;
	struct str *out;
	bool ascii;
};

/* A module's name for people. */
const char *print_net_module_text(const struct network *, size_t module);

void print_net_add_map(struct print_net_page *);
/* Print how loaded the modules are, as text and as JSON. */
void print_net_add_qos(struct print_net_page *);
void print_net_write_qos(const struct net_report *, const struct net_state *);

#endif
