/* Networks by file or name, and recorded data as snapshots of one.
 *
 * Recorded data name no owners (which core, which channel), so each scope has one owner here, and a counter's value is that of all together. */
#ifndef APP_NETWORK_DATA_H
#define APP_NETWORK_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/network.h"
#include "core/network/state.h"

struct diags;
struct err;
struct match;
struct obs_table;

/* By file, by the name of an installed one, or the one that a session file brings. NULL: *e says why, or, when it is empty, the diagnostics do. *path is where it came from (heap; NULL when
 * it was not found). */
struct network *network_load(const char *name, char **path, struct diags *, struct err *e);

/* One owner of each scope. */
extern const struct net_shape network_one_owner;

/* A counter in one snapshot. */
struct sampled {
	double value;      /* NAN: not counted */
	size_t counted;    /* intervals in which it was; less than there are: the value is scaled up */
	const char *why;   /* NAN: "not in the data", "dead", …; else NULL */
};

struct recorded_snapshot {
	const char *name, *source; /* of the observation; the table's */
	size_t first_row, n_rows;
	size_t intervals;          /* rows of one time are one interval */
	double seconds;            /* NAN: not told */
	size_t obs;                /* of the table */
};

struct recorded {
	const struct network *net;
	const struct obs_table *table;
	struct match *match;
	struct recorded_snapshot *snapshot;
	size_t n;
	struct sampled *counter; /* n_counters, of the snapshot that was taken in last */
	const char **extra;   /* columns that the network does not know; the table's */
	size_t n_extra;
	size_t n_matched;     /* counters of the network that have columns */
	/* Private: what was asked for, and how far the table has been gone through. */
	char *pattern;
	bool each_row;
	size_t cap, next_obs, next_row;
};

/* The observations whose names match the pattern (NULL: all), each as one snapshot or each interval as one. The table must outlive it. Seconds: the
 * times of rows are ends of intervals. The first is as long as its time says where times are since the start, and of a lone exact row; else it is taken as long
 * as the others on average, and a lone one has no known length. */
struct recorded *recorded_new(const struct network *, const struct obs_table *, const char *pattern, bool each_row);
void recorded_free(struct recorded *);

/* Each interval as a snapshot: those of rows that the table has got meanwhile. */
void recorded_follow(struct recorded *);

/* Take one in: its counters stand in `counter` then. */
void recorded_take(struct recorded *, size_t snapshot, struct net_state *);

#endif
