/* Samples of a simulated server as rows of counts. A counter is one of the server's own, alone (the sum over all owners
 * that take part) or of one owner, NAME@OWNER; or else a sum of events that the server counts under their names. */
#ifndef SIM_SERVER_SAMPLER_H
#define SIM_SERVER_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "sim/row_maker.h"

struct err;
struct server;
struct server_run;

struct server_run_spec {
	const struct server *server;
	const char *programs; /* load.h */
	uint64_t seed;
	double warm_up_ns, sample_ns;
};

/* The server must outlive it. `of` NULL and *e: as server_run_new(), or none of the counters can be counted. */
struct sim_row_maker
server_sampler_new(const struct server_run_spec *, const struct source_counter *, size_t n, struct err *e);

/* Names of all columns, NULL-terminated: each counter once, or, `owners`, for each owner that takes part. The caller
 * frees them with str_split_free(). */
char **server_columns(const struct server_run *, const struct server *, bool owners);

#endif
