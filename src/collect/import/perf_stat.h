/* The output of perf stat: -x, -j, or its table. */
#ifndef COLLECT_IMPORT_PERF_STAT_H
#define COLLECT_IMPORT_PERF_STAT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct feed;
struct import_how;
struct obs_table;

/* Returns true when the beginning of a file looks like such output. */
bool perf_stat_is(const char *text, size_t n);

/* Reads such output. Columns are events. An observation is one run of perf for one aggregate (a CPU, a socket, a
 * thread, a cgroup). A row is an interval, or the whole run. Arguments and failure are as for csv_read_feed(). Notes of
 * the table report what was left out. */
struct obs_table *perf_stat_read_feed(struct feed *, const struct import_how *, struct err *e);

#endif
