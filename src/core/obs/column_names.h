/* The columns of a table by what they count: the names of its columns, read once, and the columns that count an
 * event. */
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

/* Looks for the one kind of core that counted all of n events that some kind of core counted. If there is one,
 * column_names_find() takes its columns where several kinds have some. NULL among the events is passed over. */
void column_names_choose_core(struct column_names *, const char *const *event, size_t n);

/* Columns that add up to an event. */
struct event_columns {
	size_t *column; /* owned */
	size_t n;       /* 0: none */
	unsigned mode;  /* they count in this mode only, and the event was asked for in every mode; else 0 */
	/* they count on this kind of core only ("cpu_core"), and none was asked for; else "". Lives as long as the
	 * names */
	const char *core;
	/* Why there is none although a column is near, or what the columns leave open; NULL if there is nothing to say;
	 * owned. */
	char *remark;
	size_t near;    /* the column that is only spelt nearly so, for which the remark is; SIZE_MAX: none */
};

/* Finds the columns of an event: one with the same name, PMU and mode; or those of its user and its kernel side; or
 * those of all boxes of its PMU, or of all owners (EVENT@OWNER); or those of the one kind of core that ran; or the one
 * of a single mode. Kinds of cores are never added up. */
struct event_columns column_names_find(const struct column_names *, const char *event);
void event_columns_free(struct event_columns *);

#endif
