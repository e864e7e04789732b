/* A run as views 5 to 7 show it: snapshots of a network, bars of a stack, in time; recorded, or growing while it is
 * watched.
 *
 *     tables ──▶ moments ──▶ look of one moment: state, path map, queues, stalls      (views 5, 6, 7)
 *                       └──▶ bars of one moment, or of the whole run                    (view 6)
 *                       └──▶ history: the length of every queue at the moments so far (view 7)
 *
 * A network's moments are the intervals of the observations that have its counters (a lone total is one); a stack's are
 * the ends of intervals, at which each observation with its counters gives a bar. Where there are both, they have the
 * same ends, and are one. */
#ifndef APP_PROFILE_PROFILE_H
#define APP_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/profile/network_data.h"

struct methods;
struct network;
struct obs_table;
struct stack;
struct stack_account;
struct stack_counts;

#define PROFILE_WHOLE ((size_t)-1) /* no moment: the whole run */
#define PROFILE_CULPRIT_LEAST 0.01 /* requests: a shorter queue accuses nobody */
#define PROFILE_HISTORY 256        /* moments whose queues are looked back at */

struct profile;

/* Takes over the network and the stack, each of which may be NULL, and which need not be what the data is for: what
 * lacks is told. */
struct profile *profile_new(struct network *, struct stack *);
void profile_free(struct profile *);
const struct network *profile_network(const struct profile *);

/* A further method of accounting, which it takes over too. Tables are to be taken anew. */
void profile_add_stack(struct profile *, struct stack *);
struct stack *const *profile_stacks(const struct profile *, size_t *n); /* in the order in which they came */
/* One of them is in the foreground: the first, until another one is chosen. NULL where there is none. */
struct stack *profile_stack(const struct profile *);
size_t profile_chosen(const struct profile *);
void profile_choose(struct profile *, size_t stack);
const struct methods *profile_methods(const struct profile *); /* their parts; of no stack, none */

/* What there is to see: tables that are there already, or have grown since (rows and observations are only ever added).
 * The profile keeps references to them until the next call. True when there are new moments. */
bool profile_take(struct profile *, const struct obs_table *const *table, size_t n);
/* Has anything in these tables changed since? Cheap, however many observations there are. */
bool profile_has_news(const struct profile *, const struct obs_table *const *table, size_t n);

struct profile_moment {
	const char *name;    /* of the observation, or of the run where there are several */
	size_t number, of;   /* the 41st of 60 of this observation; counted from 1 */
	double end, seconds; /* since the observation began; its length. NAN: not told */
	bool network, bars;  /* which of the two it has */
};

size_t profile_moments(const struct profile *);
struct profile_moment profile_moment(const struct profile *, size_t moment);
/* are they of one observation? Those of bars alone are all of one run */
bool profile_same_run(const struct profile *, size_t a, size_t b);

/* Rises when moments may have got other numbers: a table was replaced, or has given up rows, and all were made anew; or
 * an observation has grown that is not the last one. */
size_t profile_generation(const struct profile *);

/* Tables may have given rows up for sums of rows (obs_fold()): which moment holds this end now? Of the observation of
 * that name; SIZE_MAX: none. */
size_t profile_find(const struct profile *, const char *name, double end);

/* One moment of a network, analysed. Everything is the look's. */
struct profile_look {
	size_t moment;
	size_t table, generation; /* private: what it can be used again for */
	struct net_state *state;
	struct net_path_map *map;
	struct net_queues *queues;
	struct net_stalls **stalls; /* per destination: profile_look_stalls() */
	size_t n_stalls;
	/* of `queues`: the longest that somebody waits in; NULL when no length is known, or all are below
	 * PROFILE_CULPRIT_LEAST */
	const struct net_queue *culprit;
	struct sampled *counter;    /* per counter of the network: of all owners together, and why it is not known */
	size_t *first;              /* per counter: where its owners' counts begin in `count`; n_counters + 1 */
	double *count;              /* … of each owner of the counter's scope; NAN: not known */
	bool stalls_due;            /* `stalls` are not of this moment yet */
	size_t broken_laws;
};

/* The caller's; NULL when the moment has no network's counters. `old`: a look that is not needed any more, or NULL; it
 * is used again, or freed. */
struct profile_look *profile_look(const struct profile *, size_t moment, struct profile_look *old);
void profile_look_stalls(struct profile_look *); /* passes stalls back, once: views 5 and 6 show them */
void profile_look_free(struct profile_look *);

/* What an owner of a scope is called: "core 3", "slice 12", "vda"; "" where there is one and it has no name. */
const char *profile_owner(const struct profile *, enum scope, size_t owner);

/* One bar of a stack. */
struct profile_bar {
	char *name;            /* of the observation: a task, a core, a program */
	size_t at;             /* the same for this bar by every method; the lists may be in another order */
	size_t n;              /* observations in it */
	double seconds;        /* the time that it covers; NAN */
	struct stack_account *account;
	struct stack_counts *counts; /* why parts are not known */
};
struct profile_bars {
	size_t moment;         /* PROFILE_WHOLE: sums over all */
	struct profile_bar *bar; /* largest whole first, ties by name */
	size_t n;
};
/* By the stack with this number. The caller's; NULL when there is none. Observations that have nothing at this moment,
 * or no counter of any method, have no bar. `grouped`: observations whose names differ only in the number behind the
 * last '-' or '#' (gcc-4711, gcc-4712) are one bar. */
struct profile_bars *profile_bars_by(const struct profile *, size_t stack, size_t moment, bool grouped);
struct profile_bars *profile_bars(const struct profile *, size_t moment, bool grouped); /* by the chosen one */

/* From now on each phase of an observation has a bar of its own, NAME@1, NAME@2 …, if they are not grouped; or no
 * longer. How many observations have several. Phases are found now, and again in what has twice as many rows since. */
size_t profile_split(struct profile *, bool phases);

void profile_bars_free(struct profile_bars *);

/* Lengths of queues up to a moment, of the same observation: length[(moment - first) * n_cells + cell]; NAN: not known.
 * The cell of a module's owner and kind is as in net_stalls_at(). It stays the profile's, valid until the next call.
 * NULL without a network. */
struct profile_history {
	size_t first, n;       /* moments first … first + n - 1 */
	size_t n_cells;
	const size_t *module_first; /* per module: its first owner; n_modules + 1 */
	size_t n_kinds;
	const float *length;
	const size_t *culprit; /* n: the cell that was longest; SIZE_MAX: none */
};
const struct profile_history *profile_history(struct profile *, size_t upto);

static inline size_t
profile_cell(const struct profile_history *h, size_t module, size_t owner, size_t kind)
{
	return (h->module_first[module] + owner) * h->n_kinds + kind;
}

#endif
