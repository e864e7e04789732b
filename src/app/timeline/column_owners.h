/* Whose counts the columns of a table are: NAME@OWNER.
 *
 * OWNER names a place from coarse to fine, as perf-stat(1) does: S0 (socket), S0-C3 (core), S0-C3-T7 (hardware thread),
 * S0-slice12, S0-channel2; anything else is a device: vda. Without '@' a column is of all together. */
#ifndef APP_TIMELINE_COLUMN_OWNERS_H
#define APP_TIMELINE_COLUMN_OWNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/state.h"

struct obs_table;

struct column_owners {
	struct net_shape shape;       /* what the columns name; one of each scope of which they name none */
	char **name[SCOPES];          /* of each owner, in the order of their numbers; NULL: one, without a name */
	size_t *part_of[SCOPES];      /* what shape.part_of points to */
	struct obs_table *base;       /* no observations: the columns' names without owners, each once */
	bool threads_are_cores;       /* no column names a thread: what a core counts is its only thread's */
	size_t n_columns;
	size_t *base_of;              /* per column of the table: its column of `base` */
	enum scope *scope;            /* … whose it is: SCOPE_SYSTEM for one without an owner */
	size_t *owner;                /* … and which */
};

struct column_owners *column_owners_new(const struct obs_table *);
void column_owners_free(struct column_owners *);

/* Is the column of the i-th owner of a scope, or of a part of it? A column without an owner is of the only one that
 * there is. */
bool column_owners_has(const struct column_owners *, size_t column, enum scope, size_t i);

#endif
