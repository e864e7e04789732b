/* The members of a timeline. Private to timeline*.c. */
#ifndef WORK_TIMELINE_TIMELINE_STATE_H
#define WORK_TIMELINE_TIMELINE_STATE_H

#include <stdint.h>

#include "work/timeline/timeline.h"

struct stack_columns;

/* Phases of an observation, with the size that it had when they were found. */
struct timeline_phases {
	size_t *first, n; /* the first row of each phase; number of phases */
	size_t rows, folded;
};

/* One table, and the columns of network and stacks in it. */
struct timeline_table {
	const struct obs_table *table;
	size_t n_columns, changes;     /* columns and changes of the table when it was last taken */
	struct network_data *data;     /* NULL: no network, or none of its counters */
	struct stack_columns **columns; /* per stack; NULL: no stack, or no columns for any */
	bool *has_bar;                 /* per observation: it has counters of some stack */
	size_t *rows;                  /* per observation: rows that are in snapshots */
	size_t *folded;                /* per observation: number of rows folded when it was last taken */
	bool *ordered;                 /* per observation: its times never decrease */
	struct timeline_phases *phases; /* per observation; NULL: bars are not split into phases */
	size_t n_rows;                 /* number of entries in these arrays */
	size_t n_snapshots;            /* number of snapshots of `data` that are entries */
};

/* Kept small, because a day has 86400 of them. */
struct timeline_entry {
	size_t data_snapshot;      /* number in the table's data; SIZE_MAX: only bars */
	uint32_t table, number; /* number: in its run, from 1 */
	double end, seconds;
};

struct timeline {
	struct network *net;
	struct stack **stack;           /* methods of accounting; stack[chosen] is shown */
	size_t n_stacks, chosen;
	struct methods *methods;
	struct timeline_table *table;
	size_t n_tables;
	struct timeline_entry *entry;
	size_t n, cap;
	size_t generation;              /* how often all entries were made again */
	size_t moved;                   /* how often entries were inserted before others */
	struct timeline_history history; /* computed with `state` */
	struct net_state *state;        /* scratch of the history, made for table state_table */
	struct net_queues *queues;      /* scratch of the history */
	size_t state_table;
	size_t *module_first, *culprit;
	float *length;
	struct timeline_course course;  /* of course_bar by course_stack */
	char *course_bar;
	double *course_amount;
	bool course_grouped;
	size_t course_stack, course_generation;
};

/* Finds the columns of the stacks in a new table. */
void timeline_find_columns(const struct timeline *, struct timeline_table *);

/* Adds snapshots that have only bars: ends of intervals. */
bool timeline_take_bars(struct timeline *, size_t table);

void timeline_forget_phases(struct timeline_table *);

/* Numbers the entries from this one on. Entries of one observation are contiguous. */
void timeline_number(struct timeline *, size_t from);

/* Frees the history; the next timeline_history() begins a new one. */
void timeline_forget_history(struct timeline *);

/* Forgets the course of the bar, or only what new rows may have changed of it. */
void timeline_forget_course(struct timeline *);
void timeline_renew_course(struct timeline *);

/* Returns the recorded snapshot of an entry; NULL for one that is only bars. */
const struct network_data_snapshot *timeline_data_snapshot(const struct timeline *, size_t snapshot);

/* Returns the longest queue that something waits in, unless it is shorter than TIMELINE_CULPRIT_LEAST. */
const struct net_queue *timeline_longest(const struct net_queues *);

#endif
