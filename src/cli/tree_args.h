/* A family of trees in the place of a stack ("topdown"): the data that follow choose one. */
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
 * it and the tables. NULL after a message; a table that could not be read is NULL then. The family is the argument
 * before `first`. */
char *tree_args_choose(const struct options *, size_t first, struct obs_table **table);

#endif
