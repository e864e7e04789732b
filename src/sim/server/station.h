/* A queue in front of a server of constant rate: a memory channel, a link, a CXL device. It serves in order of arrival.
 * A place in the queue is free again when service begins; whoever finds no place waits upstream, in order. Requests
 * must arrive in order of time, so all times of a request are known when it arrives. */
#ifndef SIM_SERVER_STATION_H
#define SIM_SERVER_STATION_H

#include <stddef.h>
#include <stdint.h>

#include "sim/server/server.h"

/* Latency under load: a monotone curve through measured points, as a table that is fast to look up. */
#define CURVE_STEPS 1024u

struct curve_table {
	uint32_t ticks[CURVE_STEPS + 1]; /* extra latency at utilisation i / CURVE_STEPS */
};

/* The curve's value at a utilisation, in ns. Between points: Steffen's interpolation (A&A 239, 443, 1990), which never
 * leaves the range of two neighbours. Beyond the last point: its value. */
double curve_ns(const struct server_curve *, double use);
void curve_fill(struct curve_table *, const struct server_curve *, double ticks_per_ns);

/* Sums over time, in ticks. `full` and `not_empty` are unions of the intervals of the requests. */
struct station_sums {
	uint64_t inserts, occupancy, not_empty, full, upstream, upstream_not_empty;
};

/* What serves; several queues may share it. */
struct station_server {
	uint64_t next_free;                       /* × 256: service may end between two ticks */
	uint64_t service;                         /* ticks of a request × 256 */
	uint64_t latest;                          /* the last beginning of service */
	uint64_t window, window_end, window_busy; /* for the utilisation */
	double use;                               /* utilisation, smoothed over windows */
	uint64_t busy;                            /* sum of services × 256 */
	const struct curve_table *curve;
};

struct station {
	struct station_server *server;
	uint64_t *start; /* ring of the last `queue` beginnings of service */
	size_t queue, at;
	uint64_t covered, covered_full, covered_upstream;
	struct station_sums sums;
};

struct station_times {
	uint64_t enter, start,
		done; /* has a place; service begins; the data are there, without the latency of the way */
};

/* `ticks` for 64 bytes at full rate; `curve` may be NULL. */
struct station_server station_server_of(double ticks, const struct curve_table *curve);
void station_init(struct station *, struct station_server *, size_t queue);
void station_free(struct station *);
/* A request arrives, whose data are there `latency` ticks after its service begins. It waits for those before it, and
 * at least as long as the curve says for the present utilisation: what is measured under load is all of the wait. */
struct station_times station_pass(struct station *, uint64_t arrival, uint64_t latency);

#endif
