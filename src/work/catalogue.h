/* All events that a machine's sources know, as a tree by PMU and topic, and how a few typed letters find them. The
 * table is loaded in a process of its own, because perf is started for it. */
#ifndef WORK_CATALOGUE_H
#define WORK_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/table.h"

struct err;
struct health_book;
struct health_entry;
struct str;
struct side_process;

#define CATALOGUE_GROUP SIZE_MAX

/* A PMU, a topic of it, or an event; in the order of the tree. */
struct catalogue_node {
	unsigned depth;   /* 0, 1, 2 */
	size_t below;     /* nodes below it, which follow */
	size_t events;    /* events below it */
	size_t row;       /* of the table; CATALOGUE_GROUP: a PMU or a topic */
	const char *name;
};

struct catalogue {
	struct event_table table;
	struct catalogue_node *node;
	size_t n;             /* 0 while it is loaded, or if nothing is known */
	size_t *node_of;      /* per row of the table */
	char *lower;          /* names and descriptions in lower case, "name\ntext", one row after the other */
	size_t *lower_at;     /* per row: where its text begins */
	struct health_book *health; /* of events that were counted; NULL: not read */
	char *failed;         /* why nothing, or not all, is known, and what to do; NULL: all went well */
	struct side_process *process; /* NULL: loaded */
};

/* Makes the tree of a table, which is sorted and taken over. */
struct catalogue *catalogue_of(struct event_table *);
/* Starts the process that loads the events of this machine, or of $HECATE_CPUID. Returns NULL and sets *e if it cannot
 * be started. */
struct catalogue *catalogue_start(struct err *e);
/* Sorts the table and makes the tree of it, once. */
void catalogue_arrange(struct catalogue *);
int catalogue_fd(const struct catalogue *); /* readable when there is news; -1: it is loaded */
bool catalogue_poll(struct catalogue *);    /* takes news without blocking; true: the tree is there, or `failed` */
void catalogue_free(struct catalogue *);

/* Returns the nodes of the events that fit the words, the best first; the caller frees. First come names that contain
 * all words, then those whose description has the missing ones, then names that have the letters in this order. */
size_t *catalogue_find(const struct catalogue *, const char *words, size_t *n);

/* Reads again what became of events when they were counted. Returns what is known of one; NULL: nothing. */
void catalogue_read_health(struct catalogue *);
const struct health_entry *catalogue_health(const struct catalogue *, const struct event_row *);

/* Appends how the event is opened whatever sources know its name: "cpu/event=0x3c/", or its name without a code. */
void catalogue_event(const struct event_row *, struct str *out);

/* Appends names of other events with the same code on the same PMU, "a, b and 3 more"; nothing if there are none. */
void catalogue_same_code(const struct catalogue *, const struct event_row *, struct str *out);

#endif
