/* hecate net NETWORK A B --compare. */
#ifndef CLI_NET_COMPARE_H
#define CLI_NET_COMPARE_H

#include <stdbool.h>

struct net_report;
struct str;

/* Reads the two recordings of the command line and prints how they compare, into `out` or the report's JSON. Returns
 * false after a message. */
bool net_compare(struct net_report *, struct str *out);

#endif
