/* Who has a count of his own. */
#ifndef CORE_LANG_SCOPE_H
#define CORE_LANG_SCOPE_H

#include <stdbool.h>

struct lexer;

/* A thread (of the hardware) is part of a core; that, a slice (of a last-level cache) and a memory channel of a socket;
 * all of the system. A task runs somewhere. What is part of something stands before it. */
enum scope {
	SCOPE_TASK, SCOPE_THREAD, SCOPE_CORE, SCOPE_SLICE, SCOPE_CHANNEL, SCOPE_SOCKET, SCOPE_DEVICE, SCOPE_SYSTEM,
	SCOPES
};

const char *scope_name(enum scope);
/* Is everything that has `fine` of its own part of one thing that has `coarse`? Counts then add up. */
bool scope_within(enum scope fine, enum scope coarse);
/* The lexer stands at the word. False and a diagnostic, with the nearest one, when it is none. */
bool scope_parse(struct lexer *, enum scope *out);

#endif
