/* The counters of a simulated server, under the names that the networks spr-cxl and emr-cxl give them, and next to
 * them the truth:
 *
 *     truth.stall.KIND.PLACE.AT   cycles in which a core could not go on because of requests of the kind that PLACE
 *                                 served, while they were at AT
 *     truth.wait.KIND.PLACE.AT    requests × cycles that such requests were at AT, whoever waited for them
 *     truth.requests.KIND.PLACE   their number
 *     truth.queue.KIND.PART       requests × cycles that PART of the way held, as counts.h has them
 *     truth.blocked               all cycles in which a core could not go on
 */
#ifndef SIM_SERVER_COUNTERS_H
#define SIM_SERVER_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counters/scope.h"

struct server;
struct server_run;

#define SERVER_TRUTH "truth."

size_t server_counters(void);
#define SERVER_COUNTER_NAME 80
void server_counter_name(size_t counter, char name[SERVER_COUNTER_NAME]);
enum scope server_counter_scope(size_t counter); /* core, slice, channel or socket */
/* The counter of this name, whatever its case. False: the server does not count it. */
bool server_counter_find(const char *name, size_t *counter);

/* Owners of a scope, socket after socket, and their names: S0-C3, S0-slice12, S0-channel2, S0. */
size_t server_owners(const struct server *, enum scope);
void server_owner_name(const struct server *, enum scope, size_t owner, char *out, size_t size);
/* The owner's socket. */
unsigned server_owner_socket(const struct server *, enum scope, size_t owner);

/* The sum since the beginning, in the unit of the event: requests, or cycles of the clock of its module. */
double server_counter_value(struct server_run *, const struct server *, size_t counter, size_t owner);

#endif
