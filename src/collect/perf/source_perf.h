/* Functions in addition to source_ops, for a source that joins a run of source_perf. */
#ifndef COLLECT_PERF_SOURCE_PERF_H
#define COLLECT_PERF_SOURCE_PERF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct json_writer;
struct source;
struct source_counter;

/* Finds the command, held or running, of a source that source_perf opened, and the minder that adopts its orphans.
 * Returns false if the source watches a target. */
bool perf_source_command(const struct source *, pid_t *command, pid_t *minder);

/* Returns the processor time of the command, once it has ended, and of all descendants that were waited for, since
 * their creation (getrusage(2)); 0: unknown. */
uint64_t perf_source_cpu_ns(const struct source *);

/* Writes an object for each event that was opened: its counter, its name, its fields of perf_event_attr, and whose side
 * was counted. `counter`: those that the source was opened with. */
void perf_source_events(const struct source *, const struct source_counter *counter, struct json_writer *);

#endif
