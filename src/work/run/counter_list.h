/* The counters of a model, a network or stacks that are to be opened, each with the events that add up to it. */
#ifndef WORK_RUN_COUNTER_LIST_H
#define WORK_RUN_COUNTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/source.h"
#include "collect/store/session_file.h"
#include "core/counters/counters.h"
#include "core/fit/sets.h"
#include "core/udd/fset.h"

struct err;
struct network;
struct stack;
struct udd_model;

struct counter_list_item {
	const char *name;
	struct event_sum *choice;   /* choices of events: the first whose events all open is counted */
	size_t n_choices;
	/* owners of separate counts when whole CPUs are watched; SCOPE_TASK and SCOPE_SYSTEM: one count for all */
	enum scope scope;
	int amount;                 /* the amount of tasks' time that it is (work/run/stall_counters.h); -1: events */
	const char *why;            /* reason why nothing can be opened: "no event is known"; NULL: it can be tried */
};

struct counter_list {
	char *of;   /* the owner: "model linux_pagefault", "network generic" */
	char *show; /* the command that lists the counters */
	/* kind of the owner. For a network or stacks, counters that cannot be counted, or get lost during the run, are
	 * left out, and a run without any is refused. A run of a model may have no counters. */
	enum text_kind kind;
	struct counter_list_item *counter;
	size_t n;
	const struct udd_model *model; /* whose constraints decide which counters take turns together; NULL: none */
	struct fset on;                /* its features */
	bool calibrated; /* the network has constants that are measured on this machine */
	struct counter_list_added *added; /* texts of counter_list_add() */
};

/* Adds a counter with one event; its name tells it from the others. Both texts are copied. A name that is in the list
 * stays as it is. */
void counter_list_add(struct counter_list *, const char *name, const char *event);

/* The names, events and filters stay the model's, the network's or the stacks', which must outlive the list. `on`: the
 * features whose constraints decide about turns; NULL: no constraints do. */
struct counter_list *counter_list_of_model(const struct udd_model *, const struct fset *on);
struct counter_list *counter_list_of_network(const struct network *, const char *file);

/* Counters that stacks share are counted once. Returns NULL and sets *e if one name has different events in two stacks.
 * `file`: the file of each stack. */
struct counter_list *counter_list_of_stacks(struct stack *const *, char *const *file, size_t n, struct err *e);

/* Moves the counters of `more` whose names the list lacks to its end, and frees `more`. Takes out the times that perf
 * adds to its counts (duration_time): a run measures them without an event. */
void counter_list_join(struct counter_list *, struct counter_list *more);

/* Returns a bool for each counter: is it in `names`, "a,b"? The caller frees the array. For an unknown name returns
 * NULL, and *e has the nearest name. */
bool *counter_list_pick(const struct counter_list *, const char *names, struct err *e);
/* Returns the same for the first counters, of which `chosen` (n of them; NULL: all) says whether they are wanted. Those
 * that were added to the list are. */
bool *counter_list_chosen(const struct counter_list *, const bool *chosen, size_t n);
/* Returns true if a run of these counters has something to open; otherwise *e says why not. `asked`: is each counter
 * asked for? NULL: all are. */
bool counter_list_refuse(const struct counter_list *, const bool *asked, struct err *e);
void counter_list_free(struct counter_list *);

/* Constraints between the counters that are asked for (NULL: all); units are the list's counters. */
struct set_constraints counter_list_constraints(const struct counter_list *, const bool *asked);

/* Makes the list for one run, which takes it over. Returns NULL and sets *e on failure. */
typedef struct counter_list *counter_list_make(void *ctx, struct err *e);

#endif
