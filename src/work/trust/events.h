/* The events that view 0 of the explorer lists: those of a table of runs, those of a model, or all that books know. */
#ifndef WORK_TRUST_EVENTS_H
#define WORK_TRUST_EVENTS_H

#include <stddef.h>

#include "core/trust/trust.h"

struct str;
struct trust_entry;
struct trust_group;
struct trust_judged;
struct trust_known;
struct trust_table;
struct udd_model;

struct trust_event {
	char *machine, *event, *test;      /* owned; "" where there is none */
	char *counter;                     /* the model's counter that has this event, or NULL */
	const struct trust_group *group;   /* its runs, and what was found in them; NULL: it was not run */
	const struct trust_judged *judged;
	const struct trust_entry *entry;   /* what a book says; NULL: nothing */
};

struct trust_events {
	struct trust_event *event;
	size_t n, cap;
};

/* Lists the groups of a table, then the events of a model's counters. Without table and model (both NULL) it lists all
 * events that books know of this machine, or, if there are none, of any. Table and books must outlive the list. */
struct trust_events *trust_events_new(
	const struct trust_table *, const struct trust_known *, const struct udd_model *);
void trust_events_free(struct trust_events *);

/* What was found in runs overrides what a book says. */
trust_letters trust_event_letters(const struct trust_event *);
enum trust_verdict trust_event_verdict(const struct trust_event *);

/* Appends what a user can do about the event's error, one sentence or more to a line. */
void trust_event_advice(const struct trust_event *, struct str *out);

#endif
