/* Memory accesses of a real program, as valgrind's tool lackey prints them with --trace-mem=yes:
 *
 *	I  0401ab70,3        an instruction of 3 bytes was fetched
 *	 S 1fff000708,8      8 bytes were stored
 *	 L 04032e70,4        4 bytes were loaded
 *	 M 0403a2c8,1        1 byte was loaded and stored again
 *
 * Sources: lackey/lk_main.c of valgrind; its manual, section "Lackey: an example tool". Messages of valgrind itself
 * begin with "==", "--" or "**" and are skipped. */
#ifndef COLLECT_SIM_TRACE_H
#define COLLECT_SIM_TRACE_H

#include <stddef.h>

#include "collect/sim/uop.h"

struct err;
struct sim_trace;

/* Makes a reader. The caller keeps and closes the descriptor. */
struct sim_trace *sim_trace_new(int fd);
void sim_trace_free(struct sim_trace *);

/* As sim_workload_fill(). Waits for text from a pipe, and returns what has arrived. */
size_t sim_trace_fill(struct sim_trace *, struct sim_uop *, size_t n, struct err *e);

#endif
