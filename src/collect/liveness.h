/* Is a counter alive? Judged from the first rows of a sampled run on, and for every source alike.
 *
 *   live          it has risen; or it reads 0 and the kernel itself counts it (software events, tracepoints): that 0 is
 * a 0 zero-suspect  a hardware event that ran in LIVENESS_ROWS busy rows and never rose. A busy row is one in which
 * some other counter rose: a process that sleeps says nothing about counters. It stays in verdicts, since rare events
 * do read 0 dead          it counts nothing by its nature; or no program can do without it (cycles, instructions) and
 * it did not rise in LIVENESS_ROWS busy rows; or it was enabled in as many and never got a counter of the PMU; or in
 * LIVENESS_SURE busy rows none of at least LIVENESS_CROWD hardware events rose, so that it is the PMU that does not
 * count, as on some guests. A dead counter is in no verdict: its zeros would refute every model that asks for more,
 * while leaving it out only tests less unsupported   it could not be opened; this never changes
 *
 * Nothing is for ever but the last: a counter that rises is live from then on. */
#ifndef COLLECT_LIVENESS_H
#define COLLECT_LIVENESS_H

#include <stddef.h>

#include "core/obs/obs.h"

struct source_row;
struct source_status;

#define LIVENESS_ROWS 5
#define LIVENESS_SURE 20
#define LIVENESS_CROWD 3

struct liveness;

struct liveness *liveness_new(const struct source_status *, size_t n);
void liveness_free(struct liveness *);
void liveness_row(struct liveness *, const struct source_row *);
enum obs_health liveness_health(const struct liveness *, size_t counter);

#endif
