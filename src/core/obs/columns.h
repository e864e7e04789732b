/* Matches counters with the columns of the data (docs/data.md). */
#ifndef CORE_OBS_COLUMNS_H
#define CORE_OBS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/list.h"

struct obs_table;

/* Counter i is the sum of the columns column[first[i]] … column[first[i + 1] - 1], each times its factor. If there is
 * none, the data lacks the counter. */
struct columns_match {
	size_t n_counters;
	size_t *first;  /* n_counters + 1 */
	size_t *column;
	/* per column: 1, or what makes its unit that of the other columns; negative if it is subtracted from a total */
	int64_t *times;
	bool *derived;     /* per counter: the data lacks it, but a sum gives it */
	/* per counter: the data lacks it because its source does not list counters that are 0; its value is 0 */
	bool *silent;
	/* per counter: it was counted in this mode only (event/modifiers.h), though the model asks for every mode; 0:
	 * in the mode that the model asks for */
	unsigned *mode;
	/* Per counter: its columns have a unit, so that its counts are amounts, rounded as they were printed. What they
	 * measure (event/unit.h), and how many base parts one count has; NULL: plain counts. */
	const char **family;
	double *base;
	/* Per counter: counters of different groups were counted in different modes, on different kinds of cores or in
	 * different units, so that no constraint can relate them. 0 without columns; all 1 if everything fits. */
	unsigned char *group;
	unsigned n_groups;
	char *apart;     /* what keeps the groups apart, with examples of columns; NULL with one group */
	/* sentences about counters without a column although one is near, and about columns that leave a choice */
	char **remark;
	size_t n_remarks;
	size_t *extra;   /* columns that no counter uses */
	size_t n_extra;
};

/* The events that add up to a counter. If an event is NULL, no column can have it, and the counter is found by its name
 * only. */
struct wanted_counter {
	const char *name;
	const struct event_item *event; /* no column counts one that has a filter */
	size_t n_events;
	bool exact; /* the events are no events of perf: columns have their names to the letter */
};

/* wanted[total] is the sum of wanted[part[0]], wanted[part[1]], … */
struct wanted_sum {
	size_t total;
	const size_t *part;
	size_t n_parts;
};

/* Returns whether the column is NAME@OWNER: the count of one owner (a core, a slice, a device). */
bool columns_is_owners(const char *column, const char *name);

/* Finds a counter by its name; or by the columns of its owners, which add up; or by its events, all of which must be
 * there (core/obs/column_names.h). */
struct columns_match *columns_match_counters(
	const struct wanted_counter *, size_t n_counters, const struct obs_table *);

/* The same. In addition, a counter without a column is derived from a sum in which all others are known. After the
 * n_counters counters, `wanted` has counters that are needed for such sums only. */
struct columns_match *columns_match_sums(const struct wanted_counter *, size_t n_counters, size_t n_wanted,
	const struct wanted_sum *, size_t n_sums, const struct obs_table *);
void columns_match_free(struct columns_match *);

/* The first column that counts an event; n_columns when there is none, or when it takes several. */
size_t columns_find_event(const struct obs_table *, const char *event);

/* Returns whether the sources of all observations leave out counters that are 0. Such a counter is one whose object
 * columns_knows_object(): another column is of the same OBJECT, where counters are called OBJECT.NAME or
 * OBJECT.NAME::PART, as gem5's. */
bool columns_lists_no_zeros(const struct obs_table *);
bool columns_knows_object(const struct obs_table *, const char *event);

#endif
