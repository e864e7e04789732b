/* Memory accesses of a real program, as valgrind's tool lackey prints them (sim/trace/lackey.h), plain or
 * compressed by gzip. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stddef.h>

#include "sim/uop.h"

struct err;
struct sim_trace;

/* Makes a reader. The caller keeps and closes the descriptor. */
struct sim_trace *sim_trace_new(int fd);
void sim_trace_free(struct sim_trace *);

/* As sim_workload_fill(). Waits for text from a pipe, and returns what has arrived. */
size_t sim_trace_fill(struct sim_trace *, struct sim_uop *, size_t n, struct err *e);

#endif
