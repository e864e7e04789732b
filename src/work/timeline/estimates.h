/* Where cores stall, estimated from counters in several ways, and the truth, if the data have it: those of a simulated
 * server do (sim/server/counters.h).
 *
 *     in-core    cycles that stall on L1D, L2 and L3 misses, and their differences (PathFinder's CPU counters). What is
 *                beyond the LLC goes to the memory that answers most loads: nothing in the core tells memories apart
 *     requests   the same, but what is beyond the LLC is divided among memories by requests (PathFinder, section 4.4)
 *     delay      each difference is divided among all who wait at that level: by requests × their delay there. A load
 *                from CXL memory passes L2 and the LLC, too, and waits longer than one from DDR
 *     network    algorithm 2 with the stalls that the network's modules report, by destination
 *
 * The first three are computed for each core that the data name, and added up. All are in cycles of the core. */
#ifndef WORK_TIMELINE_ESTIMATES_H
#define WORK_TIMELINE_ESTIMATES_H

#include <stdbool.h>
#include <stddef.h>

#include "work/timeline/queue_lengths.h"

struct net_state;
struct network_data;

enum estimate_place { ESTIMATE_L2, ESTIMATE_LLC, ESTIMATE_DDR, ESTIMATE_FAR, ESTIMATE_CXL, ESTIMATE_PLACES };
enum estimator { ESTIMATOR_IN_CORE, ESTIMATOR_REQUESTS, ESTIMATOR_DELAY, ESTIMATOR_NETWORK, ESTIMATORS };

const char *estimate_place_name(enum estimate_place); /* "CXL"; of ESTIMATE_PLACES: "none" */
const char *estimator_name(enum estimator);           /* "delay" */

struct estimates {
	double truth[ESTIMATE_PLACES]; /* NAN: the data do not have it */
	double by[ESTIMATORS][ESTIMATE_PLACES];
	double cores; /* cores that the data name; 1 if they name none: then all are taken for one */
};

/* Of the snapshot that was last taken. */
void estimates_of(const struct network_data *, size_t snapshot, const struct net_state *, struct estimates *);

/* A counter's count for all owners together; 0: nothing is counted. */
double estimates_sum(const struct network_data *, const char *counter);
/* Cycles of a core in a cycle of the uncore, by the busiest core; 1 where the data do not say it. */
double estimates_clock_ratio(const struct network_data *, size_t cores);

/* How far an estimator is off. */
struct estimate_error {
	double worst; /* of all places, as a part of all true stalls */
	enum estimate_place culprit, true_culprit;
	double margin; /* the true culprit's stalls over those of the next */
};
bool estimates_error(const struct estimates *, enum estimator, struct estimate_error *); /* false: no truth */

/* Errors of many snapshots. */
struct estimate_errors {
	double *part[ESTIMATORS];     /* of each place, as a part of all true stalls */
	double *relative[ESTIMATORS]; /* of each place that has ESTIMATE_SHARE of the stalls or more */
	size_t n, n_relative, cap, relative_cap, snapshots;
	struct queue_errors_list queues;
	size_t right[ESTIMATORS], close[ESTIMATORS]; /* the culprit is right; it is not, but the margin is < 1.1 */
};
#define ESTIMATE_SHARE 0.02
#define ESTIMATE_CLOSE 1.1
void estimate_errors_add(struct estimate_errors *, const struct estimates *);
double estimate_quantile(const double *, size_t n, double q); /* NAN: of none */
/* The quantile of an estimator's errors; NAN: none. */
double estimate_errors_quantile(const struct estimate_errors *, enum estimator, bool relative, double q);
void estimate_errors_free(struct estimate_errors *);

#endif
