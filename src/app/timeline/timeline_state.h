/* What a profile is made of. For profile*.c only. */
#ifndef APP_TIMELINE_TIMELINE_STATE_H
#define APP_TIMELINE_TIMELINE_STATE_H

#include <stdint.h>

#include "app/timeline/timeline.h"

struct stack_columns;

/* Phases of an observation, as they were found when it had so many rows. */
struct timeline_phases {
	size_t *first, n; /* the first row of each */
	size_t rows, folded;
};

/* One table, and what network and stack find in it. */
struct timeline_table {
	const struct obs_table *table;
	size_t n_columns, changes;     /* of the table, when it was looked at */
	struct network_data *data;     /* NULL: no network, or none of its counters */
	struct stack_columns **columns; /* per stack; NULL: no stack, or nothing for any */
	bool *has_bar;                 /* per observation: it has counters of some stack */
	size_t *rows;                  /* … and so many of its rows are known to the snapshots */
	size_t *folded;                /* … of its rows, how many it had given up then */
	bool *ordered;                 /* … their times never go back */
	struct timeline_phases *phases; /* … NULL: they are not told apart */
	size_t n_rows;                 /* entries of all of these */
	size_t n_snapshots;            /* of `data`, that are snapshots */
};

/* Small: a day has 86400. */
struct timeline_entry {
	size_t data_snapshot;      /* SIZE_MAX: of bars alone */
	uint32_t table, number; /* number: in its run, counted from 1 */
	double end, seconds;
};

struct timeline {
	struct network *net;
	struct stack **stack;           /* methods of accounting, the chosen one shown */
	size_t n_stacks, chosen;
	struct methods *methods;
	struct timeline_table *table;
	size_t n_tables;
	struct timeline_entry *entry;
	size_t n, cap;
	size_t generation;              /* how often the snapshots were made anew */
	size_t moved;                   /* … and how often others came before some of them */
	struct timeline_history history; /* of `state` */
	struct net_state *state;        /* for the history; of the table that it is of */
	struct net_queues *queues;      /* … and what is made of it */
	size_t state_table;
	size_t *module_first, *culprit;
	float *length;
};

/* Which columns of a new table are the stacks'. */
void timeline_find_columns(const struct timeline *, struct timeline_table *);

/* Moments that belong to no network: ends of intervals. */
bool timeline_take_bars(struct timeline *, size_t table);

void timeline_forget_phases(struct timeline_table *);

/* Numbers snapshots from this one on: those of one observation follow each other. */
void timeline_number(struct timeline *, size_t from);

#endif
