/* Waiting until every CPU has left whatever section of the kernel it is in (membarrier(2), MEMBARRIER_CMD_GLOBAL: a
 * grace period of RCU). That takes 10 to 20 ms, more on a busy machine, so a thread does it, and the caller may do
 * something else meanwhile. */
#ifndef COLLECT_PERF_BARRIER_H
#define COLLECT_PERF_BARRIER_H

#include <stdbool.h>

struct barrier;

struct barrier *barrier_new(void); /* NULL when no thread can be made */
void barrier_free(struct barrier *);

/* Begin to wait. barrier_fd() becomes readable when it is over, as long as the system lets it; barrier_over() tells for
 * certain. Then ask barrier_done(), once: false where the kernel does not do it (nohz_full). */
void barrier_begin(struct barrier *);
int barrier_fd(const struct barrier *);
bool barrier_over(struct barrier *);
bool barrier_done(struct barrier *);

#endif
