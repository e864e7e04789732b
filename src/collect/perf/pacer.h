/* A thread that calls a function at times that the function chooses, independently of the caller's loop. */
#ifndef COLLECT_PERF_PACER_H
#define COLLECT_PERF_PACER_H

#include <stdint.h>

struct pacer;

/* Calls step(ctx, now) on its thread, with its lock held. step returns the time of its next call (CLOCK_MONOTONIC, ns;
 * UINT64_MAX: never). The first call is immediate. Returns NULL if no thread could be started. */
struct pacer *pacer_new(uint64_t (*step)(void *ctx, uint64_t now_ns), void *ctx);
void pacer_free(struct pacer *); /* waits for a step to end; step is not called afterwards */

/* pacer_lock() waits for a step to end; no step runs until pacer_unlock(). Both do nothing for NULL. */
void pacer_lock(struct pacer *);
void pacer_unlock(struct pacer *);

#endif
