/* Matches counters with the columns of the data (docs/data.md). */
#ifndef CORE_OBS_COLUMNS_H
#define CORE_OBS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/list.h"

struct obs_table;

/* Counter i is the sum of the columns column[first[i]] … column[first[i + 1] - 1], each times its factor. If there are
 * no columns, the data lacks the counter. */
struct columns_match {
	size_t n_counters;
	size_t *first;  /* n_counters + 1 */
	size_t *column;
	/* per entry of `column`: factor, 1 or what converts its unit to that of the other columns; negative if the
	 * column is subtracted from a total */
	int64_t *times;
	bool *derived;     /* per counter: the data lacks it, but a sum gives it */
	/* per counter: the data lacks it because its source does not list counters that are 0; its value is 0 */
	bool *silent;
	/* per counter: the only mode in which it was counted (event/modifiers.h), though the model asks for every mode;
	 * 0: the mode that the model asks for */
	unsigned *mode;
	/* Per counter: its columns have a unit, so its counts are amounts, rounded as they were printed. `family` is
	 * what they measure (event/unit.h; NULL: plain counts), and `base` how many base parts one count has. */
	const char **family;
	double *base;
	/* Per counter: counters of different groups were counted in different modes, on different kinds of cores or in
	 * different units, so that no constraint can relate them. 0: the counter has no columns. All others are 1 if
	 * everything fits together. */
	unsigned char *group;
	unsigned n_groups;
	char *apart;     /* why the groups cannot be related, with examples of columns; NULL if there is one group */
	/* sentences about counters without a column if a column has a similar name, and about columns that leave a
	 * choice */
	char **remark;
	size_t n_remarks;
	size_t *extra;   /* columns that no counter uses */
	size_t n_extra;
};

/* The events that add up to a counter. If `event` is NULL, no column can count an event, and the counter is found by
 * its name only. */
struct wanted_counter {
	const char *name;
	const struct event_item *event; /* no column counts an event with a filter */
	size_t n_events;
	bool exact; /* the events are not perf's: a column must have exactly the event's name */
};

/* wanted[total] is the sum of wanted[part[0]], wanted[part[1]], … */
struct wanted_sum {
	size_t total;
	const size_t *part;
	size_t n_parts;
};

/* Returns whether the column is called NAME@OWNER: the count of one owner (a core, a slice, a device). */
bool columns_is_owners(const char *column, const char *name);

/* Finds each counter by its name, or by the columns of its owners, which add up, or by its events, all of which must
 * have columns (core/obs/column_names.h). */
struct columns_match *columns_match_counters(
	const struct wanted_counter *, size_t n_counters, const struct obs_table *);

/* The same, but a counter without a column is derived from a sum in which all other counters are known. After the
 * n_counters counters, `wanted` holds counters that are needed only for such sums. */
struct columns_match *columns_match_sums(const struct wanted_counter *, size_t n_counters, size_t n_wanted,
	const struct wanted_sum *, size_t n_sums, const struct obs_table *);
void columns_match_free(struct columns_match *);

/* Returns the first column that counts an event; n_columns if there is none, or if the event takes several columns. */
size_t columns_find_event(const struct obs_table *, const char *event);

/* columns_lists_no_zeros() returns whether the sources of all observations leave out counters that are 0. A missing
 * counter is then 0 if columns_knows_object(): another column belongs to the same OBJECT, in names like gem5's
 * OBJECT.NAME or OBJECT.NAME::PART. */
bool columns_lists_no_zeros(const struct obs_table *);
bool columns_knows_object(const struct obs_table *, const char *event);

#endif
