/* Splits column names NAME@OWNER into the counter and its owner, the place whose events the column counts.
 *
 * OWNER names a place from coarse to fine, as perf-stat(1) does: S0 (socket), S0-C3 (core), S0-C3-T7 (hardware thread),
 * S0-slice12, S0-channel2. CPU3 is a core of its own, because perf stat -A does not say which CPUs share one. N0, a
 * NUMA node, takes the place of a socket. Any other name is a device: vda. Other ways to write an owner:
 * owner_name.h. A column without an owner counts the whole machine.
 *
 * S0-C3:S0-slice12 is a pair of owners: the column counts what went from the first to the second. The first is no
 * device, because a device's name may have a colon. */
#ifndef WORK_TIMELINE_COLUMN_OWNERS_H
#define WORK_TIMELINE_COLUMN_OWNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/network/state.h"

struct network;
struct obs_table;

struct column_owners {
	struct net_shape shape;       /* owners of each scope; 1 for a scope that no column names */
	/* per scope and owner: its name; NULL for the one owner of a scope that no column names */
	char **name[SCOPES];
	size_t *part_of[SCOPES];      /* storage of shape.part_of */
	struct obs_table *base;       /* table without observations: the columns' names without owners, each once */
	bool stands[SCOPES];          /* no column names an owner of the scope: each socket counts for its only one */
	bool threads_are_cores;       /* no column names a hardware thread: each core counts for its only thread */
	size_t n_columns;
	size_t *base_of;              /* per column of the table: its column of `base` */
	enum scope *scope;            /* per column: its owner's scope, SCOPE_SYSTEM without an owner */
	size_t *owner;                /* per column: its owner's number in that scope */
	bool *left_out;               /* per column: it would be counted twice */
	char **remark;                /* sentences about columns that were left out, and owners that are not clear */
	size_t n_remarks;
	/* the same of a pair's second owner; SCOPES: the column counts no pair */
	enum scope *to_scope;
	size_t *to_owner;
};

/* The network decides whether a box of a PMU is a counter of its own (if one names it), and whether sockets stand for
 * their cores, slices or channels (if counters of these are counted for sockets); NULL: neither. */
struct column_owners *column_owners_new(const struct obs_table *, const struct network *);
void column_owners_free(struct column_owners *);
/* Returns the name of an owner in the data; NULL if they do not name it, or there are no owners. */
const char *column_owners_name(const struct column_owners *, enum scope, size_t owner);

/* Does the column count events of owner i of the scope, or of a part of that owner? A column without an owner belongs
 * to the only owner of a scope that no column names. */
bool column_owners_has(const struct column_owners *, size_t column, enum scope, size_t i);
/* Does the column count what went from owner i of scope `from`, or of a part of it, to owner j of scope `to`? */
bool
column_owners_has_pair(const struct column_owners *, size_t column, enum scope from, size_t i, enum scope to, size_t j);

#endif
