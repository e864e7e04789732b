/* What another source that joins this one's run needs to know of it, beside source_ops. */
#ifndef COLLECT_PERF_SOURCE_PERF_H
#define COLLECT_PERF_SOURCE_PERF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct source;

/* The command of a source that source_perf opened, held ready or running, and the minder that its orphans come to;
 * false: it watches a target. */
bool perf_source_command(const struct source *, pid_t *command, pid_t *minder);

/* After the end of a command: the processor time of it and of all descendants that were waited for (getrusage(2)), from
 * their birth on; 0: not known. */
uint64_t perf_source_cpu_ns(const struct source *);

#endif
