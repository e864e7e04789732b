/* A small process that holds one descriptor of each tracepoint in use. The last close of a tracepoint waits until the
 * whole kernel has dropped the probe. So that close happens in the small process, after hecate has exited.
 *
 * Measured on 6.18: opening the first descriptor of a tracepoint took 0.3 to 15 ms, a further one 0.14 ms. Closing one
 * took 0.03 ms, the last one 39 ms. With four tracepoints a run's close took 173 to 189 ms without this process and 0.1
 * ms with it. If runs shared the process, opening again took 0.4 ms. */
#ifndef COLLECT_PERF_KEEPER_H
#define COLLECT_PERF_KEEPER_H

#include <stdint.h>

struct keeper;

struct keeper *keeper_new(void);      /* starts no process yet */
void keeper_free(struct keeper *);    /* does not wait: the process ends by itself */

/* Holds tracepoint `id` from now on. If no process can be started, nothing is held and closing is slow. */
void keeper_hold(struct keeper *, uint64_t id);

#endif
