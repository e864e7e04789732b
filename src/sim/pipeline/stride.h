/* A stride prefetcher: for each load instruction the last address and the distance between addresses.
 *
 * Source: Chen, Baer: Effective Hardware-Based Data Prefetching for High-Performance Processors, IEEE Transactions on
 * Computers 44(5), 1995, section 3.1: the reference prediction table and its four states. */
#ifndef SIM_PIPELINE_STRIDE_H
#define SIM_PIPELINE_STRIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pipe_stride;

/* `entries`: load instructions that it remembers. `ahead`: strides from the last address to the prefetched one. */
struct pipe_stride *pipe_stride_new(unsigned entries, unsigned ahead);
void pipe_stride_free(struct pipe_stride *);

/* A load at `pc` reads `address` at time `now`. Requests may enter the queue. */
void pipe_stride_load(struct pipe_stride *, uint64_t pc, uint64_t address, uint64_t now);
/* Takes the oldest request that is not too old out of the queue. False when there is none. */
bool pipe_stride_take(struct pipe_stride *, uint64_t now, uint64_t *address);
/* True while requests are in the queue. */
bool pipe_stride_waits(const struct pipe_stride *);

#endif
