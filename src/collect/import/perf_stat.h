/* The output of perf stat, as -x, -j or text. */
#ifndef COLLECT_IMPORT_PERF_STAT_H
#define COLLECT_IMPORT_PERF_STAT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct feed;
struct import_how;
struct obs_table;

/* Does the beginning of a file look like it? */
bool perf_stat_is(const char *text, size_t n);

/* Columns are events, an observation is what one run of perf says of one aggregate (a CPU, a socket, a thread, a
 * cgroup), a row is an interval, or the whole run. Arguments and failure as csv_read_feed(); the table's notes tell
 * what was left out. */
struct obs_table *perf_stat_read_feed(struct feed *, const struct import_how *, struct err *e);

#endif
