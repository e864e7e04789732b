/* A run as views 5 to 7 show it: snapshots of a network, bars of a stack, in time; recorded, or growing while it is
 * watched.
 *
 *     tables ──▶ snapshots ──▶ look of one snapshot: state, path map, queues, stalls      (views 5, 6, 7)
 *                       └──▶ bars of one snapshot, or of the whole run                    (view 6)
 *                       └──▶ history: the length of every queue at the snapshots so far (view 7)
 *
 * A network's snapshots are the intervals of the observations that have its counters (a lone total is one); a stack's
 * are the ends of intervals, at which each observation with its counters gives a bar. Where there are both, they have
 * the same ends, and are one. */
#ifndef APP_TIMELINE_TIMELINE_H
#define APP_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/timeline/network_data.h"

struct methods;
struct network;
struct obs_table;
struct stack;
struct stack_account;
struct stack_counts;

#define TIMELINE_WHOLE ((size_t)-1) /* no snapshot: the whole run */
#define TIMELINE_CULPRIT_LEAST 0.01 /* requests: a shorter queue accuses nobody */
#define TIMELINE_HISTORY 256        /* snapshots whose queues are looked back at */

struct timeline;

/* Takes over the network and the stack, each of which may be NULL, and which need not be what the data is for: what
 * lacks is told. */
struct timeline *timeline_new(struct network *, struct stack *);
void timeline_free(struct timeline *);
const struct network *timeline_network(const struct timeline *);

/* A further method of accounting, which it takes over too. Tables are to be taken anew. */
void timeline_add_stack(struct timeline *, struct stack *);
struct stack *const *timeline_stacks(const struct timeline *, size_t *n); /* in the order in which they came */
/* One of them is in the foreground: the first, until another one is chosen. NULL where there is none. */
struct stack *timeline_stack(const struct timeline *);
size_t timeline_chosen(const struct timeline *);
void timeline_choose(struct timeline *, size_t stack);
const struct methods *timeline_methods(const struct timeline *); /* their parts; of no stack, none */

/* What there is to see: tables that are there already, or have grown since (rows and observations are only ever added).
 * The profile keeps references to them until the next call. True when there are new snapshots. */
bool timeline_take(struct timeline *, const struct obs_table *const *table, size_t n);
/* Has anything in these tables changed since? Cheap, however many observations there are. */
bool timeline_has_news(const struct timeline *, const struct obs_table *const *table, size_t n);

struct timeline_snapshot {
	const char *name;    /* of the observation, or of the run where there are several */
	size_t number, of;   /* the 41st of 60 of this observation; counted from 1 */
	double end, seconds; /* since the observation began; its length. NAN: not told */
	bool network, bars;  /* which of the two it has */
};

size_t timeline_snapshots(const struct timeline *);
struct timeline_snapshot timeline_snapshot(const struct timeline *, size_t snapshot);
/* are they of one observation? Those of bars alone are all of one run */
bool timeline_same_run(const struct timeline *, size_t a, size_t b);

/* Rises when snapshots may have got other numbers: a table was replaced, or has given up rows, and all were made anew;
 * or an observation has grown that is not the last one. */
size_t timeline_generation(const struct timeline *);

/* Tables may have given rows up for sums of rows (obs_fold()): which snapshot holds this end now? Of the observation of
 * that name; SIZE_MAX: none. */
size_t timeline_find(const struct timeline *, const char *name, double end);

/* One snapshot of a network, analysed. Everything is the analysis's. */
struct timeline_analysis {
	size_t snapshot;
	size_t table, generation; /* private: what it can be used again for */
	struct net_state *state;
	struct net_path_map *map;
	struct net_queues *queues;
	struct net_stalls **stalls; /* per destination: timeline_analysis_stalls() */
	size_t n_stalls;
	/* of `queues`: the longest that somebody waits in; NULL when no length is known, or all are below
	 * TIMELINE_CULPRIT_LEAST */
	const struct net_queue *culprit;
	/* per counter of the network: of all owners together, and why it is not known */
	struct network_data_counter *counter;
	size_t *first;              /* per counter: where its owners' counts begin in `count`; n_counters + 1 */
	double *count;              /* … of each owner of the counter's scope; NAN: not known */
	bool stalls_due;            /* `stalls` are not of this snapshot yet */
	size_t broken_laws;
};

/* The caller's; NULL when the snapshot has no network's counters. `old`: an analysis that is not needed any more, or
 * NULL; it is used again, or freed. */
struct timeline_analysis *timeline_analysis(const struct timeline *, size_t snapshot, struct timeline_analysis *old);
void timeline_analysis_stalls(struct timeline_analysis *); /* passes stalls back, once: views 5 and 6 show them */
void timeline_analysis_free(struct timeline_analysis *);

/* What an owner of a scope is called: "core 3", "slice 12", "vda"; "" where there is one and it has no name. */
const char *timeline_owner(const struct timeline *, enum scope, size_t owner);

/* One bar of a stack. */
struct timeline_bar {
	char *name;            /* of the observation: a task, a core, a program */
	size_t at;             /* the same for this bar by every method; the lists may be in another order */
	size_t n;              /* observations in it */
	double seconds;        /* the time that it covers; NAN */
	struct stack_account *account;
	struct stack_counts *counts; /* why parts are not known */
};
struct timeline_bars {
	size_t snapshot;         /* TIMELINE_WHOLE: sums over all */
	struct timeline_bar *bar; /* largest whole first, ties by name */
	size_t n;
};
/* By the stack with this number. The caller's; NULL when there is none. Observations that have nothing at this
 * snapshot, or no counter of any method, have no bar. `grouped`: observations whose names differ only in the number
 * behind the last '-' or '#' (gcc-4711, gcc-4712) are one bar. */
struct timeline_bars *timeline_bars_by(const struct timeline *, size_t stack, size_t snapshot, bool grouped);
struct timeline_bars *timeline_bars(const struct timeline *, size_t snapshot, bool grouped); /* by the chosen one */

/* From now on each phase of an observation has a bar of its own, NAME@1, NAME@2 …, if they are not grouped; or no
 * longer. How many observations have several. Phases are found now, and again in what has twice as many rows since. */
size_t timeline_split(struct timeline *, bool phases);

void timeline_bars_free(struct timeline_bars *);

/* Lengths of queues up to a snapshot, of the same observation: length[(snapshot - first) * n_cells + cell]; NAN: not
 * known. The cell of a module's owner and kind is as in net_stalls_at(). It stays the profile's, valid until the next
 * call. NULL without a network. */
struct timeline_history {
	size_t first, n;       /* snapshots first … first + n - 1 */
	size_t n_cells;
	const size_t *module_first; /* per module: its first owner; n_modules + 1 */
	size_t n_kinds;
	const float *length;
	const size_t *culprit; /* n: the cell that was longest; SIZE_MAX: none */
};
const struct timeline_history *timeline_history(struct timeline *, size_t upto);

static inline size_t
timeline_cell(const struct timeline_history *h, size_t module, size_t owner, size_t kind)
{
	return (h->module_first[module] + owner) * h->n_kinds + kind;
}

#endif
