/* What the files of the report on a network share: a page of text that grows. Private to report_net*.c. */
#ifndef CLI_PRINT_PRINT_NET_PAGE_H
#define CLI_PRINT_PRINT_NET_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/print/print_net.h"
#include "core/spec/spec.h"

/* Is this to be told? All is, where no specification says otherwise. */
bool print_net_has(const struct net_report *, enum spec_statistic);

#define NET_COLUMN 9 /* the least width of a column of numbers */

struct print_net_page {
	const struct net_report *r;
	const struct net_state *state;
	struct str *out;
	bool ascii;
};

/* Text from a file, made safe to show, padded to a width: to the left, or to the right. */
void print_net_add_padded(struct str *, const char *text, size_t width, bool right);
void print_net_add_visible(struct str *, const char *text);
/* What a module is called for people. */
const char *print_net_module_text(const struct network *, size_t module);

void print_net_add_map(struct print_net_page *);
/* How loaded modules are: for people, and as JSON. */
void print_net_add_qos(struct print_net_page *);
void print_net_write_qos(const struct net_report *, const struct net_state *);

#endif
