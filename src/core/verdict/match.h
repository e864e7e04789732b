/* Which columns of the data stand for which counters of the model (docs/data.md). */
#ifndef CORE_VERDICT_MATCH_H
#define CORE_VERDICT_MATCH_H

#include <stdbool.h>
#include <stddef.h>

struct obs_table;
struct udd_model;

/* For counter i the columns column[first[i]] … column[first[i + 1] - 1] add up to it; none: the data lacks it. */
struct match {
	size_t n_counters;
	size_t *first;  /* n_counters + 1 */
	size_t *column;
	bool *user_only; /* per counter: it was matched by an event with ":u" added */
	size_t *extra;  /* columns that no counter uses */
	size_t n_extra;
};

/* By the counter's name, else every event of its mapping must be there. Events compare after perf's aliases are resolved ("faults" is
 * "page-faults"), ignoring case and an added ":u". An event with a filter has no column: a name says nothing of filters. */
struct match *match_new(const struct udd_model *, const struct obs_table *);
void match_free(struct match *);

/* The column that counts an event, compared as above, and whether only its user part does (may be NULL); n_columns when there is none. */
size_t match_event(const struct obs_table *, const char *event, bool *user_only);

#endif
