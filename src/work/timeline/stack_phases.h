/* Phases of recorded data: consecutive stretches of rows, each with its own level in some counter that the methods of
 * accounting use. */
#ifndef WORK_TIMELINE_STACK_PHASES_H
#define WORK_TIMELINE_STACK_PHASES_H

#include <stddef.h>

struct obs_table;
struct stack_columns;

/* Returns the first row of each phase of an observation, ascending from 0. *n is their number: 1 where the level is
 * steady or the observation is too short to decide. Levels are those of all columns that any method uses
 * (core/series/changes.h). The caller frees. */
size_t *stack_phases(
	struct stack_columns *const *by, size_t n_methods, const struct obs_table *, size_t observation, size_t *n);

/* Returns a copy of the table in which each phase is an observation NAME@1, NAME@2, …; observations without phases stay
 * whole. The caller owns it. */
struct obs_table *stack_split_phases(struct stack_columns *const *by, size_t n_methods, const struct obs_table *);

#endif
