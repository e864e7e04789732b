/* Notes on the nodes of a tree: why one has no value, and which two counts contradict each other. */
#ifndef WORK_TIMELINE_TREE_NOTES_H
#define WORK_TIMELINE_TREE_NOTES_H

#include <stdbool.h>
#include <stddef.h>

struct stack;
struct stack_bar;
struct stack_bounds;
struct stack_counts;
struct str;

/* Returns the first event by which a counter of a stack is looked up, or its own name if no event is known. */
const char *tree_event(const struct stack *, size_t counter);

/* Appends the way to a node: "backend_bound → memory_bound". */
void tree_add_path(const struct stack *, size_t part, struct str *out);

/* Returns how many needed counters a node (n_parts: the whole) lacks. Appends their events to `out`, unless NULL. */
size_t tree_lacks(const struct stack *, const struct stack_counts *, size_t part, struct str *out);

/* Appends why a node has no value: the events that it lacks, or what it divides by 0. Nothing if it has one. */
void tree_add_why(const struct stack_bar *, size_t part, struct str *out);

/* Returns the bounds of each part. A counter that ran for a share of the time lies between what was seen and twice the
 * event's rate in the rest of it. The caller frees. */
struct stack_bounds *tree_bounds_new(const struct stack_bar *);
/* Appends "between 38.9 and 41.2 %; widest: EVENT"; nothing, and false, where the counts are exact or a value is
 * missing. */
bool tree_add_bounds(const struct stack_bar *, const struct stack_bounds *, size_t part, struct str *out);

/* Two counters: `much` is too large for `little`. Both are n_counters of the stack if not known. */
struct tree_pair {
	size_t much, little;
};

/* True if a node is impossible, below zero or above 100 %. Sets the counters that contradict each other. */
bool tree_is_contradicted(const struct stack_bar *, size_t part, struct tree_pair *);
/* Appends such a contradiction as a sentence, if there is one. */
bool tree_add_contradiction(const struct stack_bar *, size_t part, struct str *out);

/* The same for a level that should add up to its parent (n_parts: the whole) and does not. */
bool tree_add_misfit(const struct stack_bar *, size_t level, struct str *out);

/* Returns how many nodes have no value. */
size_t tree_unknown(const struct stack_bar *);

#endif
