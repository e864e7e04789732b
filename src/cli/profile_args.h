/* A network, stacks ("STACK,STACK", or one behind the other), or both, as the first arguments name them; for the
 * explorer and the report. */
#ifndef CLI_PROFILE_ARGS_H
#define CLI_PROFILE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/files/texts.h"

struct network;
struct options;
struct stack;

struct profile_args {
	struct network *network; /* NULL: none */
	/* methods of accounting; where none is named, those that the session file holds, or the one that the network
	 * names */
	struct stack **stack;
	size_t n_stacks;
	struct text network_text, *stack_text; /* as they were read; a text per stack */
	size_t first_data;       /* among the arguments: a session file that brings its own is data too */
};

/* Does the first argument name or bring one? */
bool profile_args_are(const struct options *);
/* False when it was said what is wrong. Free with profile_args_free() in either case, what was taken out set to NULL.
 */
bool profile_args_load(const struct options *, struct profile_args *);
void profile_args_free(struct profile_args *);

#endif
