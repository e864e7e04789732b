/* The source of a run's counters: the one that the run was given, this machine, or for a command "sim:…" a simulated
 * machine (work/files/simulation.h). */
#ifndef WORK_RUN_RUN_SOURCE_H
#define WORK_RUN_RUN_SOURCE_H

#include <stdbool.h>

struct err;
struct server_simulation;
struct simulation;
struct source;
struct source_ops;
struct source_spec;

struct run_source {
	const struct source_ops *ops;
	struct source *source;        /* NULL: not open */
	struct simulation *simulated; /* what `source` simulates; NULL: a real machine, or a server */
	struct server_simulation *server;
};

/* `ops` NULL: the command decides. False and *e, with nothing open, on failure. */
bool run_source_open(struct run_source *, const struct source_ops *ops, const struct source_spec *, struct err *e);
void run_source_close(struct run_source *); /* may be closed already */

#endif
