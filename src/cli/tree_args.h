/* A family of trees in place of a stack ("topdown"). The data arguments after it decide which tree is used. */
#ifndef CLI_TREE_ARGS_H
#define CLI_TREE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

struct obs_table;
struct options;

/* The trees of the family that the argument names; NULL: it is a file, a stack, or nothing that is known. Free with
 * str_split_free(). */
char **tree_args_family(const char *arg);

/* Reads the arguments from `first` on into `table`, and returns the name of the tree that fits them; the caller frees
 * the name and the tables. The family is the argument before `first`. On failure prints a message and returns NULL; a
 * table that could not be read is NULL then. */
char *tree_args_choose(const struct options *, size_t first, struct obs_table **table);

#endif
