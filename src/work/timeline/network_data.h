/* Networks by file or name, and recorded data as a network's snapshots. Columns may name owners
 * (work/timeline/column_owners.h); without owners each scope has one. */
#ifndef WORK_TIMELINE_NETWORK_DATA_H
#define WORK_TIMELINE_NETWORK_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/network/network.h"
#include "core/network/state.h"
#include "core/tasktime/fault_cost.h"

struct diags;
struct event_sum;
struct err;
struct columns_match;
struct column_owners;
struct owner_join;
struct obs;
struct obs_table;

/* Loads a network by file name, by the name of an installed one, or the one in a session file. On failure returns NULL,
 * and *e says why; when *e is empty, the diagnostics do. *path is where the network came from (on the heap; NULL when
 * it was not found). */
struct network *network_load(const char *name, char **path, struct diags *, struct err *e);

/* A counter's value in one snapshot. */
struct network_data_counter {
	double value;      /* sum over the owners that have a count; NAN: not counted */
	size_t counted;    /* intervals with a count; when some lack one, the value is scaled up to all */
	size_t unknown;    /* owners without a count */
	const char *why;   /* why the value is NAN: "not in the data", "dead", …; otherwise NULL */
	/* of a counter with alternatives (`or`), the one that was counted; NULL: none, or the data do not say it */
	const struct event_sum *taken;
};

/* Kept small, because a day has 86400 snapshots. */
struct network_data_snapshot {
	size_t first_row;
	double seconds;            /* length of the snapshot; NAN: unknown */
	uint32_t n_rows;
	uint32_t intervals;        /* rows with the same time are one interval */
	uint32_t obs;              /* the observation's number in `table`; see network_data_obs() */
};

struct network_data_place {
	double sum, in;       /* sums over the finished intervals, and over the current one */
	size_t counted, some; /* finished intervals with a count; rows of the current one with a count */
};

struct network_data {
	const struct network *net;
	/* the table given; or, if its observations count parts of a machine, `join`'s table of whole machines */
	const struct obs_table *table, *source;
	struct owner_join *join;     /* NULL: nothing was joined */
	struct column_owners *owners;
	struct columns_match *match; /* counters to columns of owners->base */
	struct network_data_snapshot *snapshot;
	size_t n;
	struct network_data_counter *counter; /* per counter of the network, in the snapshot last taken */
	size_t *seen;         /* per observation: rows that are already in snapshots */
	size_t n_seen, cap, joined_at; /* joined_at: the source's count of changes when it was joined */
	bool each_row;
	char *pattern;
	/* A place is a counter of one owner. Place first_place[counter] + owner adds up column[first[place]] …
	 * column[first[place + 1] - 1]: one column per event, or per part of the owner. */
	size_t *first_place;  /* n_counters + 1 */
	size_t *first, *column;
	bool *whole;          /* per place: each of its events has a column of this owner */
	double *count;        /* per place: its count in the snapshot last taken */
	struct network_data_place *place; /* scratch while a snapshot is taken */
	const char **extra;   /* columns that the network does not know; names are the table's */
	size_t n_extra;
	/* from the table's notes, of which `n` were read: what a page fault costs on the machine of the data; pages 0:
	 * they do not say it */
	struct { struct fault_cost fault; size_t n; } noted;
	size_t n_matched;     /* number of the network's counters that have columns */
};

/* Splits the observations whose names match the pattern (NULL: all) into snapshots: one per interval with `each_row`,
 * otherwise one per observation. Observations that count parts of one machine are joined first
 * (work/timeline/owner_name.h). The table must outlive the result.
 *
 * A row's time is the end of its interval. The first interval begins at time 0 if times count from the start, and for a
 * single exact row. Otherwise its length is taken to be the mean of the others; a single interval then has no known
 * length. */
struct network_data *network_data_new(
	const struct network *, const struct obs_table *, const char *pattern, bool each_row);
void network_data_free(struct network_data *);
/* Returns the observation that the snapshot is from. */
const struct obs *network_data_obs(const struct network_data *, size_t snapshot);
/* Returns its number in the table that was given: of several that were joined, the first one's. */
size_t network_data_source(const struct network_data *, size_t snapshot);
/* Calls `each` with every sentence about owners that are not clear, or not counted. */
void network_data_each_remark(const struct network_data *, void (*each)(void *ctx, const char *sentence), void *ctx);

/* Adds snapshots for the rows and observations that the table has gained, after the others. True when there are new
 * ones. */
bool network_data_follow(struct network_data *);

/* Computes the counters of one snapshot: fills `counter` and `count`, and passes the counts to the network's state. */
void network_data_take(struct network_data *, size_t snapshot, struct net_state *);
/* The same for all snapshots of the observation together, up to this one; at least that one, and those before it that
 * begin at most `seconds` before its end (INFINITY: all). */
void network_data_take_run(struct network_data *, size_t last, double seconds, struct net_state *);

/* Private to the files of network_data: the columns of each counter, by the first of its alternatives that the table
 * has; sets `taken` of each. Free with columns_match_free(). */
struct columns_match *
network_data_match(const struct network *, const struct obs_table *, struct network_data_counter *taken);
/* Reads from the table's notes which alternatives a run counted (counter_plan_note()). */
void network_data_read_taken(struct network_data *);

/* Begins the note of a run about counters that are not counted by their first alternative: "NAME = EVENT + EVENT; ". */
#define NETWORK_DATA_TAKEN "counted by alternatives: "

#endif
