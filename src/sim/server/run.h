/* A run of a simulated server: programs on its cores, one event after the other. The same server, programs and seed
 * always give the same numbers. */
#ifndef SIM_SERVER_RUN_H
#define SIM_SERVER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/server/counts.h"
#include "sim/server/server.h"

struct err;
struct server_run;

/* Starts programs (load.h). The server must outlive the run. NULL and *e: an unknown program, or one that the server
 * has no memory for. */
struct server_run *server_run_new(const struct server *, const char *programs, uint64_t seed, struct err *e);
void server_run_free(struct server_run *);

/* Simulates up to a time in ns since the beginning. */
void server_run_until(struct server_run *, double ns);
double server_run_ns(const struct server_run *);
uint64_t server_run_accesses(const struct server_run *); /* loads and stores that cores began */
uint64_t server_run_moved_pages(const struct server_run *);
/* Does the core run a program? */
bool server_run_uses(const struct server_run *, unsigned core);
double server_run_cycle_ticks(void); /* ticks of a core's cycle, in which counts of core and slice are */

/* Sums since the beginning. */
const struct server_core_counts *server_run_core(struct server_run *, unsigned core);
const struct server_slice_counts *server_run_slice(const struct server_run *, unsigned socket, unsigned slice);

struct station_sums;
/* Queues of reads or writes: of a pseudo channel (two per channel), of a CXL device. */
const struct station_sums *server_run_channel(const struct server_run *, unsigned socket, unsigned pseudo, bool writes);
const struct station_sums *server_run_port(const struct server_run *, unsigned port, bool writes);
/* Requests that came to the ingress queue of the M2PCIe of a port, and ticks in which it was not empty. */
void server_run_ingress(const struct server_run *, unsigned port, uint64_t *inserts, uint64_t *not_empty);

#endif
