/* Finds the columns of a table that count an event. The names of the columns are read only once. */
#ifndef CORE_OBS_COLUMN_NAMES_H
#define CORE_OBS_COLUMN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct event_name;
struct obs_table;

struct column_names;
struct column_names *column_names_new(const struct obs_table *); /* keeps the pointer to the table */
void column_names_free(struct column_names *);
const struct event_name *column_names_at(const struct column_names *, size_t column);

/* Looks for a single kind of core whose columns cover all those of the n events that any kind of core counted. If there
 * is one, column_names_find() prefers its columns if several kinds have some. NULL events are skipped. */
void column_names_choose_core(struct column_names *, const char *const *event, size_t n);

/* Columns that add up to an event. */
struct event_columns {
	size_t *column; /* owned */
	size_t n;       /* 0: none */
	/* the columns count in this mode only, although the event was asked for in every mode; else 0 */
	unsigned mode;
	/* the columns count on this kind of core only ("cpu_core"), although no kind was asked for; else "". Lives as
	 * long as the struct column_names */
	const char *core;
	/* Why no column was found although one has a similar name, or what the columns leave open; NULL: no remark;
	 * owned. */
	char *remark;
	size_t near;    /* the column with a similar name that `remark` is about; SIZE_MAX: none */
};

/* Finds the columns of an event, in this order: one with the same name, PMU and mode; those of its user and its kernel
 * side; those of all boxes of its PMU, or of all owners (EVENT@OWNER); those of the one kind of core that ran; one of a
 * single mode. Kinds of cores are never added up. */
struct event_columns column_names_find(const struct column_names *, const char *event);
void event_columns_free(struct event_columns *);

#endif
