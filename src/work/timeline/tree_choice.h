/* Chooses the tree of a family ("topdown") whose events the data have: each generation of processors has a tree of its
 * own. The family is a name that no stack has; the item `tree` of a stack gives it. */
#ifndef WORK_TIMELINE_TREE_CHOICE_H
#define WORK_TIMELINE_TREE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;
struct str;

/* The installed trees of a family, by name and sorted; empty if there is no such family. Free with str_split_free(). */
char **trees_of_family(const char *family);

/* Returns the name of the tree that has most of the data's events; the caller frees. NULL and *e if no tree fits, if
 * the data lack the counter of its root, or if they have events of two generations. Where another tree fits as well,
 * `note` gets a sentence about it. */
char *tree_choose(const char *family, struct obs_table *const *table, size_t n, struct str *note, struct err *e);

#endif
