/* The properties that divide counters into groups: the mode, the kind of core and the unit in which their columns were
 * counted. */
#ifndef CORE_OBS_COLUMN_GROUPS_H
#define CORE_OBS_COLUMN_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

struct event_columns;
struct event_name;
struct str;

/* How far one property of a counter's columns is settled. */
enum sort {
	SORT_ANY,   /* the counter does not have the property: a clock has no mode, a page fault no kind of core */
	SORT_PLAIN, /* the model does not ask for it, and the columns are not restricted: every mode */
	SORT_ASKED, /* the model asks for this value, which the columns have */
	SORT_ONLY,  /* the model does not ask, but the columns are restricted to this value */
};

enum property { PROPERTY_MODE, PROPERTY_CORE, PROPERTY_UNIT, N_PROPERTIES };

/* A counter's properties. A value is a mode, a kind of core or a unit as text; a zeroed struct has none. */
struct column_side {
	struct { enum sort sort; const char *value; unsigned mode; } of[N_PROPERTIES];
	const char *column; /* an example, for messages */
};

/* Returns the properties of the columns that were found for an event. `column` is the name of the first column. */
struct column_side column_side_of(const char *event, const struct event_columns *, const struct event_name *column);

/* Adds a term to `sum`, the properties of a sum. If the two cannot be added, returns false, and *why names both. */
bool column_side_add(struct column_side *sum, const struct column_side *term, struct str *why);

/* Numbers the groups of n counters: group[i] is 0 without columns (`none`), else from 1 on. Returns their number. If
 * there are several, *why gets the reason. */
unsigned column_groups(const struct column_side *, const bool *none, size_t n, unsigned char *group, struct str *why);

#endif
