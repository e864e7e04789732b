/* Counters to be opened, by name, each with the events that add up to it: those of a model, a network or stacks. */
#ifndef WORK_RUN_COUNTER_LIST_H
#define WORK_RUN_COUNTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/source.h"
#include "collect/store/session_file.h"
#include "core/counters/counters.h"

struct err;
struct network;
struct stack;
struct udd_model;

struct counter_list_item {
	const char *name;
	struct event_sum *choice;   /* the first choice whose events all open is counted */
	size_t n_choices;
	/* owners of separate counts when whole CPUs are watched; SCOPE_TASK and SCOPE_SYSTEM: one count for all */
	enum scope scope;
	const char *why;            /* reason why nothing can be opened: "no event is known"; NULL: it can be tried */
};

struct counter_list {
	char *of;   /* the owner: "model linux_pagefault", "network generic" */
	char *show; /* the command that lists them */
	/* Counters of a network or of stacks that cannot be counted, or are lost on the way, are left out; a run that
	 * counts none of them is refused. A run of a model may have no counters. */
	enum text_kind kind;
	struct counter_list_item *counter;
	size_t n;
};

/* The names, events and filters stay the model's, the network's or the stacks', which must outlive the list. */
struct counter_list *counter_list_of_model(const struct udd_model *);
struct counter_list *counter_list_of_network(const struct network *, const char *file);

/* Counters that stacks share are counted once. NULL and *e: one name has different events in two stacks. `file`: the
 * file of each stack. */
struct counter_list *counter_list_of_stacks(struct stack *const *, char *const *file, size_t n, struct err *e);

/* The counters of a list of names, "a,b": a bool for each counter; the caller frees. For an unknown name NULL and *e,
 * with the nearest name. */
bool *counter_list_pick(const struct counter_list *, const char *names, struct err *e);
/* False and *e: why a run of these counters has nothing to open. `asked`: for each counter; NULL: all. */
bool counter_list_refuse(const struct counter_list *, const bool *asked, struct err *e);
void counter_list_free(struct counter_list *);

/* Makes the list for one run, which takes it; NULL and *e. */
typedef struct counter_list *counter_list_make(void *ctx, struct err *e);

#endif
