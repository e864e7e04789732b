/* All events and metrics that the sources of this machine know, of its own processor or of another one. */
#ifndef COLLECT_PERF_KNOWN_EVENTS_H
#define COLLECT_PERF_KNOWN_EVENTS_H

#include <stdbool.h>

#include "event/table.h"

struct err;
struct perf_world;

/* The tables for looking names up, loaded when the first name needs them. Zero-initialise; a source that opens many
 * events hands one to its world (struct perf_world, known). */
struct known_events {
	struct event_table table;
	bool loaded;
};

void known_events_free(struct known_events *);

/* Returns the first row of a name on this machine, without regard to case; NULL: none. A machine without PMUs of
 * hardware has none. */
const struct event_row *known_events_find(struct known_events *, const struct perf_world *, const char *name);

/* Returns whether the processor is the one that libpfm4 finds: this machine's, unless $HECATE_CPUID or another sysfs
 * stands for another one; or whether $LIBPFM_FORCE_PMU names the one that is meant. */
bool events_libpfm_is_here(const struct perf_world *);

/* Fills a table that is zero. `cpu`: a processor as perf identifies it ("GenuineIntel-6-8F-4"); NULL or "": that of
 * $HECATE_CPUID, or else this machine's. Returns false and sets *e if no source knows anything; *e may be set also
 * after success, if a source was missing or not understood. Free with event_table_free(). */
bool events_load(const struct perf_world *, const char *cpu, struct event_table *, struct err *e);

#endif
