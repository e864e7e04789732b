/* Decides whether a counter is alive, while rows arrive, and by one rule for every source.
 *
 *   live          It has risen; or it reads 0 and the kernel itself counts it (software events, tracepoints), so that
 *                 0 is a measured 0.
 *   zero-suspect  A hardware event that ran in LIVENESS_ROWS busy rows and never rose. It stays in verdicts, because
 *                 rare events do read 0.
 *   dead          One of these:
 *                   - it counts nothing by its nature;
 *                   - no program runs without it (cycles, instructions), and it never rose in LIVENESS_ROWS busy rows;
 *                   - it was enabled in LIVENESS_ROWS busy rows and never got a counter of the PMU;
 *                   - none of at least LIVENESS_CROWD hardware events rose in LIVENESS_SURE busy rows: the PMU itself
 *                     does not count, as on some guests.
 *                 A dead counter is in no verdict. Its zeros would refute every model that needs more; without the
 *                 counter, less is tested.
 *   unsupported   It could not be opened. This never changes.
 *
 * A busy row is one in which another counter rose: the counts of a sleeping process say nothing about counters. Only
 * `unsupported` is final: a counter that rises is live from then on. */
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
