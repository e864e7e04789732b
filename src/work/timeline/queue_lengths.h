/* Lengths of queues, estimated from counters in two ways, and the truth of a simulated server (sim/server/counters.h).
 *
 *     rate x wait   algorithm 1: arrivals × wait, of hits and of misses (core/network/queues.h)
 *     occupancy     the module's own counter of requests × cycles
 *
 * A length is the mean number of requests in the snapshot, of all owners of the module together. */
#ifndef WORK_TIMELINE_QUEUE_LENGTHS_H
#define WORK_TIMELINE_QUEUE_LENGTHS_H

#include <stddef.h>

struct net_state;
struct network_data;

enum queue_way { QUEUE_RATE_WAIT, QUEUE_OCCUPIED, QUEUE_WAYS };
const char *queue_way_name(enum queue_way); /* "rate x wait" */

struct queue_length {
	const char *module, *kind;    /* the network's */
	double truth, by[QUEUE_WAYS]; /* NAN: not known */
};

/* Those whose truth the data have, in the network's order; *n 0: none. Of the snapshot that was last taken. The caller
 * frees them. */
struct queue_length *
queue_lengths_of(const struct network_data *, size_t snapshot, const struct net_state *, size_t *n);

/* Errors of a queue in many snapshots, as parts of its true length. Lengths below QUEUE_LEAST are left out. */
struct queue_errors {
	struct queue_length queue; /* module and kind */
	double *error[QUEUE_WAYS];
	size_t n[QUEUE_WAYS], cap[QUEUE_WAYS], snapshots; /* snapshots with the truth; n of them with an estimate */
};
#define QUEUE_LEAST 0.01
struct queue_errors_list {
	struct queue_errors *of;
	size_t n, cap;
};
void queue_errors_add(struct queue_errors_list *, const struct queue_length *, size_t n);
/* The quantile of the errors; NAN: there are none. */
double queue_errors_quantile(const struct queue_errors *, enum queue_way, double q);
void queue_errors_free(struct queue_errors_list *);

#endif
