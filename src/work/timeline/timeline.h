/* A run as views 5 to 7 show it: snapshots of a network and bars of a stack, in the order of time. The run may be
 * recorded, or may still grow.
 *
 *     tables ──▶ snapshots ──▶ analysis of one snapshot: state, path map, queues, stalls  (views 5, 6, 7)
 *                       └──▶ bars of one snapshot, or of the whole run                   (view 6)
 *                       └──▶ history: the length of every queue up to a snapshot         (view 7)
 *
 * A network's snapshots are the intervals of the observations that have its counters; an observation with a single
 * total has one snapshot. A stack's snapshots are the ends of intervals: at each end, every observation with the
 * stack's counters gives a bar. With both a network and a stack, the ends coincide, and a snapshot has both. */
#ifndef WORK_TIMELINE_TIMELINE_H
#define WORK_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "work/timeline/network_data.h"

struct column_owners;
struct methods;
struct network;
struct obs_table;
struct stack;
struct stack_account;
struct stack_counts;

#define TIMELINE_NONE ((size_t)-1)  /* no snapshot */
#define TIMELINE_WHOLE ((size_t)-2) /* the whole run instead of a snapshot */
#define TIMELINE_CULPRIT_LEAST 0.01 /* requests; a shorter queue is never shown as the culprit */
#define TIMELINE_HISTORY 256        /* largest number of snapshots in the history of queues */

struct timeline;

/* Takes ownership of the network and the stack. Each may be NULL, and neither needs to match the data: missing counters
 * are reported. */
struct timeline *timeline_new(struct network *, struct stack *);
void timeline_free(struct timeline *);
const struct network *timeline_network(const struct timeline *);

/* Adds a method of accounting and takes ownership of it. All tables are forgotten: call timeline_take() again. */
void timeline_add_stack(struct timeline *, struct stack *);
struct stack *const *timeline_stacks(const struct timeline *, size_t *n); /* in the order in which they were added */
/* Returns the chosen stack: the first, until timeline_choose(). NULL without stacks. */
struct stack *timeline_stack(const struct timeline *);
size_t timeline_chosen(const struct timeline *);
void timeline_choose(struct timeline *, size_t stack);
const struct methods *timeline_methods(const struct timeline *); /* parts of all stacks; empty without stacks */

/* Takes the tables as they are now. They may have grown since the last call, because rows and observations are only
 * ever added. The timeline keeps references to them until the next call. True when there are new snapshots. */
bool timeline_take(struct timeline *, const struct obs_table *const *table, size_t n);
/* Have these tables changed since timeline_take()? Takes constant time per table. */
bool timeline_has_news(const struct timeline *, const struct obs_table *const *table, size_t n);

struct timeline_snapshot {
	const char *name;    /* the observation's name, or the run's if it has several observations */
	size_t number, of;   /* snapshot 41 of 60 of this observation, from 1 */
	double end, seconds; /* end in s since the observation began; length in s; NAN: unknown */
	bool network, bars;  /* has it a network's counters? has it bars? */
};

size_t timeline_snapshots(const struct timeline *);
struct timeline_snapshot timeline_snapshot(const struct timeline *, size_t snapshot);
/* Are both from one observation? Snapshots that are only bars all belong to one run. */
bool timeline_same_run(const struct timeline *, size_t a, size_t b);

/* Returns a number that rises whenever a snapshot's index may have changed: when a table was replaced or has folded
 * rows, and all snapshots were made again, or when an observation other than the last one has grown. */
size_t timeline_generation(const struct timeline *);

/* Returns the snapshot of the observation `name` that contains the time `end`, or SIZE_MAX. A table may have replaced
 * rows by their sum since (obs_fold()). */
size_t timeline_find(const struct timeline *, const char *name, double end);

/* One analysed snapshot of a network. It owns all its members. */
struct timeline_analysis {
	size_t snapshot;            /* with `run`, the last one of those that it is about */
	bool run;                   /* it is about all snapshots up to that one */
	size_t table, generation;   /* private: decide whether the object can be reused */
	struct net_state *state;
	struct net_path_map *map;
	struct net_queues *queues;
	struct net_stalls **stalls; /* per destination; see timeline_analysis_stalls() */
	size_t n_stalls;
	/* the longest queue of `queues`; NULL when no length is known, or all are below TIMELINE_CULPRIT_LEAST.
	 * A queue in which nothing can wait does not count */
	const struct net_queue *culprit;
	/* per counter of the network: the value of all owners together, or why it is unknown */
	struct network_data_counter *counter;
	size_t *first;              /* per counter: index in `count` of its first owner; n_counters + 1 entries */
	double *count;              /* per counter, one count for each owner of its scope; NAN: unknown */
	bool stalls_due;            /* `stalls` is not computed for this snapshot yet */
	size_t broken_laws;
};

/* Analyses a snapshot. The caller owns the result; NULL when the snapshot has none of the network's counters. `old` is
 * an analysis that is no longer needed, or NULL; it is reused or freed. */
struct timeline_analysis *timeline_analysis(const struct timeline *, size_t snapshot, struct timeline_analysis *old);
/* The same for the whole run up to a snapshot. */
struct timeline_analysis *timeline_analysis_run(
	const struct timeline *, size_t last, struct timeline_analysis *old);
/* The same for its last seconds. */
struct timeline_analysis *timeline_analysis_last(
	const struct timeline *, size_t last, double seconds, struct timeline_analysis *old);
/* Computes `stalls`, at most once per snapshot, by passing stalls back through the network. Views 5 and 6 show them. */
void timeline_analysis_stalls(struct timeline_analysis *);
void timeline_analysis_free(struct timeline_analysis *);

/* Returns the name of an owner of a scope: "core 3", "slice 12", "vda". Returns "" if the scope has a single owner and
 * no column names it. */
const char *timeline_owner(const struct timeline *, enum scope, size_t owner);

/* The first table's owners that have names in this scope; NULL: none. */
const struct column_owners *timeline_owners(const struct timeline *, enum scope);

/* One bar of a stack. */
struct timeline_bar {
	char *name;            /* the observation's name: a task, a core, a program */
	/* the bar's number, the same for every method; methods may sort their bars differently */
	size_t at;
	size_t n;              /* number of observations in the bar */
	double seconds;        /* time covered; NAN: unknown */
	struct stack_account *account;
	struct stack_counts *counts; /* the counters, or why they are missing */
};
struct timeline_bars {
	size_t snapshot;         /* TIMELINE_WHOLE: sums over all snapshots */
	struct timeline_bar *bar; /* largest whole first, ties by name */
	size_t n;
};
/* Returns the bars of a snapshot by the stack with this number. The caller owns them; NULL when there is no such stack
 * or snapshot. Observations without rows in this snapshot, or without a counter of any method, have no bar. With
 * `grouped`, observations whose names differ only in the number after the last '-' or '#' (gcc-4711, gcc-4712) share a
 * bar. */
struct timeline_bars *timeline_bars_by(const struct timeline *, size_t stack, size_t snapshot, bool grouped);
struct timeline_bars *timeline_bars(const struct timeline *, size_t snapshot, bool grouped); /* by the chosen stack */

/* Like timeline_bars_by(), but only the bar of this name. */
struct timeline_bars *timeline_bars_named(
	const struct timeline *, size_t stack, size_t snapshot, bool grouped, const char *bar);

/* One bar by the chosen stack over a run: amount[(snapshot - first) * (n_parts + 1) + part] is a part's figure, or, if
 * the stack has none, its share; at n_parts the whole's. NAN: unknown, or the bar is not in this snapshot. */
struct timeline_course {
	size_t first, n; /* snapshots first … first + n - 1, at most TIMELINE_HISTORY */
	size_t n_parts;
	const double *amount;
};
/* The course in the run that contains this snapshot (TIMELINE_WHOLE: the last run). The timeline owns the result, which
 * is valid until the next call. NULL without a stack or a snapshot. */
const struct timeline_course *timeline_course(
	struct timeline *, const char *bar, bool grouped, size_t snapshot);

/* Sets whether each phase of an observation has its own bar, NAME@1, NAME@2, …, unless bars are grouped. Returns how
 * many observations have several phases. Phases are found now, and again in an observation that has doubled its rows
 * since. */
size_t timeline_split(struct timeline *, bool phases);

void timeline_bars_free(struct timeline_bars *);

/* Lengths of all queues in the snapshots up to this one, of the same observation: length[(snapshot - first) * n_cells +
 * cell], in requests; NAN: unknown. See timeline_cell() for the cell. The timeline owns the result, which is valid
 * until the next call. NULL without a network. */
struct timeline_history {
	size_t first, n;       /* snapshots first … first + n - 1 */
	size_t n_cells;
	const size_t *module_first; /* per module: cell of its first owner; n_modules + 1 entries */
	size_t n_kinds;
	const float *length;
	const size_t *culprit; /* per snapshot: the cell with the longest queue; SIZE_MAX: none */
};
const struct timeline_history *timeline_history(struct timeline *, size_t upto);

static inline size_t
timeline_cell(const struct timeline_history *h, size_t module, size_t owner, size_t kind)
{
	return (h->module_first[module] + owner) * h->n_kinds + kind;
}

#endif
