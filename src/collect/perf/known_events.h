/* All events and metrics that the sources of this machine know, of its own processor or of another one. */
#ifndef COLLECT_PERF_KNOWN_EVENTS_H
#define COLLECT_PERF_KNOWN_EVENTS_H

#include <stdbool.h>

struct err;
struct event_table;
struct perf_world;

/* Fills a table that is zero. `cpu`: a processor as perf identifies it ("GenuineIntel-6-8F-4"); NULL or "": that of
 * $HECATE_CPUID, or else this machine's. Returns false and sets *e if no source knows anything; *e may be set also after
 * success, if a source was missing or not understood. Free with event_table_free(). */
bool events_load(const struct perf_world *, const char *cpu, struct event_table *, struct err *e);

#endif
