/* Waits until every CPU has left the section of the kernel that it is in (membarrier(2), MEMBARRIER_CMD_GLOBAL: a grace
 * period of RCU). That takes 10 to 20 ms, or longer on a busy machine, so a thread waits and the caller goes on
 * meanwhile. */
#ifndef COLLECT_PERF_BARRIER_H
#define COLLECT_PERF_BARRIER_H

#include <stdbool.h>

struct barrier;

struct barrier *barrier_new(void); /* NULL if no thread can be started */
void barrier_free(struct barrier *);

/* barrier_begin() begins to wait. barrier_over() is true once the wait is over; barrier_fd() is then readable, unless
 * the system ran out of resources. Then call barrier_done() once; it returns false if the kernel cannot wait in this
 * way (nohz_full). */
void barrier_begin(struct barrier *);
int barrier_fd(const struct barrier *);
bool barrier_over(struct barrier *);
bool barrier_done(struct barrier *);

#endif
