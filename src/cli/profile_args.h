/* A network, stacks ("STACK,STACK", or one argument after another), or both, as the first arguments name them; for the
 * explorer and the report. */
#ifndef CLI_PROFILE_ARGS_H
#define CLI_PROFILE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "work/files/texts.h"

struct network;
struct options;
struct stack;

struct profile_args {
	struct network *network; /* NULL: none */
	/* methods of accounting; if none is named, those of the session file, or the one that the network names */
	struct stack **stack;
	size_t n_stacks;
	struct text network_text, *stack_text; /* texts of the files; one per stack */
	/* number of the arguments used, without a session file that brings its own texts, which is also data */
	size_t first_data;
};

/* True when the first argument names or brings a network or a stack. */
bool profile_args_are(const struct options *);
/* Loads them. On failure prints a message and returns false. Call profile_args_free() in either case, after setting the
 * members that were taken over to NULL. */
bool profile_args_load(const struct options *, struct profile_args *);
void profile_args_free(struct profile_args *);

#endif
