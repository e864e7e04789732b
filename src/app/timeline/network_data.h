/* Networks by file or name, and recorded data as snapshots of one. Columns may name owners
 * (app/timeline/column_owners.h); without them each scope has one. */
#ifndef APP_TIMELINE_NETWORK_DATA_H
#define APP_TIMELINE_NETWORK_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/network/network.h"
#include "core/network/state.h"

struct diags;
struct err;
struct match;
struct column_owners;
struct obs;
struct obs_table;

/* By file, by the name of an installed one, or the one that a session file brings. NULL: *e says why, or, when it is
 * empty, the diagnostics do. *path is where it came from (heap; NULL when it was not found). */
struct network *network_load(const char *name, char **path, struct diags *, struct err *e);

/* A counter in one snapshot. */
struct network_data_counter {
	double value;      /* of all owners of whom it is known together; NAN: not counted */
	size_t counted;    /* intervals in which it was; less than there are: the value is scaled up */
	size_t unknown;    /* owners of whom it is not known */
	const char *why;   /* NAN: "not in the data", "dead", …; else NULL */
};

/* Small: a day has 86400. */
struct network_data_snapshot {
	size_t first_row;
	double seconds;            /* NAN: not told */
	uint32_t n_rows;
	uint32_t intervals;        /* rows of one time are one interval */
	uint32_t obs;              /* of the table: network_data_obs() */
};

struct network_data_place {
	double sum, in;       /* of intervals, and of the one at hand */
	size_t counted, some; /* intervals with a count, and rows of the one at hand that have one */
};

struct network_data {
	const struct network *net;
	const struct obs_table *table;
	struct column_owners *owners;
	struct match *match;   /* to columns of owners->base */
	struct network_data_snapshot *snapshot;
	size_t n;
	struct network_data_counter *counter; /* n_counters, of the snapshot that was taken in last */
	size_t *seen;         /* per observation: rows that are in snapshots */
	size_t n_seen, cap;
	bool each_row;
	char *pattern;
	/* The counts that add up to one counter of one owner: column[first[first_place[c] + owner]] …; columns of
	 * several events, or of parts of the owner. */
	size_t *first_place;  /* n_counters + 1 */
	size_t *first, *column;
	bool *whole;          /* per place: each of its events has a column of this owner */
	double *count;        /* per place, of the snapshot that was taken in last */
	struct network_data_place *place; /* … while it is taken in */
	const char **extra;   /* columns that the network does not know; the table's */
	size_t n_extra;
	size_t n_matched;     /* counters of the network that have columns */
};

/* The observations whose names match the pattern (NULL: all), each as one snapshot or each interval as one. The table
 * must outlive it. Seconds: the times of rows are ends of intervals. The first is as long as its time says where times
 * are since the start, and of a lone exact row; else it is taken as long as the others on average, and a lone one has
 * no known length. */
struct network_data *network_data_new(
	const struct network *, const struct obs_table *, const char *pattern, bool each_row);
void network_data_free(struct network_data *);
const struct obs *network_data_obs(const struct network_data *, size_t snapshot); /* the observation that it is of */

/* The table has grown: rows and observations that have come make snapshots, behind the others. True when there are new
 * ones. */
bool network_data_follow(struct network_data *);

/* Take one in: its counters stand in `counter` then. */
void network_data_take(struct network_data *, size_t snapshot, struct net_state *);

#endif
