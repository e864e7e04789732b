/* Which columns of the data stand for which counters (docs/data.md). */
#ifndef CORE_OBS_COLUMNS_H
#define CORE_OBS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct obs_table;

/* For counter i the columns column[first[i]] … column[first[i + 1] - 1], each times its sign, add up to it; none: the
 * data lacks it. */
struct match {
	size_t n_counters;
	size_t *first;  /* n_counters + 1 */
	size_t *column;
	signed char *sign; /* per column: 1, or -1 where it is taken away from a total */
	bool *derived;  /* per counter: the data lacks it, and a sum gives it */
	bool *silent;   /* per counter: the data lacks it because its source does not list what is 0; it is 0 */
	bool *user_only; /* per counter: it was matched by an event with ":u" added */
	size_t *extra;  /* columns that no counter uses */
	size_t n_extra;
};

/* What adds up to a counter. An event that is NULL has no column: then the counter is found by its name only. */
struct wanted_counter {
	const char *name;
	const char *const *event;
	size_t n_events;
	/* per event: names that a column of it may have, too, ended by NULL; NULL: none */
	const char *const *const *also;
};

/* wanted[total] is the sum of wanted[part[0]] … */
struct wanted_sum {
	size_t total;
	const size_t *part;
	size_t n_parts;
};

/* Is the column NAME@OWNER, the count of one owner (a core, a slice, a device)? */
bool column_is_owners(const char *column, const char *name);

/* By the counter's name, or the columns of its owners, which add up; else every one of its events must be there. Events
 * compare after perf's aliases are resolved ("faults" is "page-faults"), ignoring case and an added ":u". */
struct match *match_columns(const struct wanted_counter *, size_t n_counters, const struct obs_table *);

/* The same, and a counter that has no column is worked out of those that have, where a sum leaves it alone unknown.
 * After the counters stand n_wanted - n_counters more that are only wanted for that. */
struct match *match_columns_and_sums(const struct wanted_counter *, size_t n_counters, size_t n_wanted,
	const struct wanted_sum *, size_t n_sums, const struct obs_table *);
void match_free(struct match *);

/* By its name, is this an event of a hardware PMU: a generic one of perf, raw, pmu/…/, or in the words of a vendor, of
 * libpfm4 or perfmon (TABLE.UNIT, TABLE:UNIT)? */
bool event_is_hardware(const char *event);

/* The column that counts an event, compared likewise, and whether only its user part does (may be NULL); n_columns when
 * there is none. */
size_t match_event(const struct obs_table *, const char *event, bool *user_only);

#endif
