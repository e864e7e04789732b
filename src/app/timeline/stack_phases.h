/* Phases of recorded data as methods of accounting see them: one after the other, each with a level of its own in some
 * counter of theirs. */
#ifndef APP_TIMELINE_STACK_PHASES_H
#define APP_TIMELINE_STACK_PHASES_H

#include <stddef.h>

struct obs_table;
struct stack_columns;

/* The first row of each phase of an observation, ascending from 0, by the columns that any of the methods counts
 * (core/series/changes.h). *n of them: 1 where it is steady, or too short to tell. The caller frees. */
size_t *stack_phases(
	struct stack_columns *const *by, size_t n_methods, const struct obs_table *, size_t observation, size_t *n);

/* The table with each phase as an observation of its own, NAME@1, NAME@2 …; observations without phases as they are.
 * The caller's. */
struct obs_table *stack_split_phases(struct stack_columns *const *by, size_t n_methods, const struct obs_table *);

#endif
