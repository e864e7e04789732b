/* A thread that does something at times of its own choosing, apart from the loop of whoever reads. */
#ifndef COLLECT_PERF_PACER_H
#define COLLECT_PERF_PACER_H

#include <stdint.h>

struct pacer;

/* step(ctx, now) is called with the pacer's lock held, on its thread, and returns when it wants to be called next
 * (CLOCK_MONOTONIC, ns; UINT64_MAX: never again). The first call is at once. NULL: no thread could be started. */
struct pacer *pacer_new(uint64_t (*step)(void *ctx, uint64_t now_ns), void *ctx);
void pacer_free(struct pacer *); /* waits for the end of a step; nothing is called afterwards */

/* What must not be mixed with a step is done between the two. NULL is nothing. */
void pacer_lock(struct pacer *);
void pacer_unlock(struct pacer *);

#endif
