/* Latency under load: a monotone curve through measured points, as a table that is fast to look up. */
#ifndef SIM_SERVER_CURVE_H
#define SIM_SERVER_CURVE_H

#include <stdint.h>

#include "sim/server/server.h"

#define CURVE_STEPS 1024u

struct curve_table {
	uint32_t ticks[CURVE_STEPS + 1]; /* extra latency at utilisation i / CURVE_STEPS */
};

/* The curve's value at a utilisation, in ns. Between points: Steffen's interpolation (A&A 239, 443, 1990), which never
 * leaves the range of two neighbours. Beyond the last point: its value. */
double curve_ns(const struct server_curve *, double use);
void curve_fill(struct curve_table *, const struct server_curve *, double ticks_per_ns);

#endif
