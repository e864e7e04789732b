/* Lists of events, as -e takes them. */
#ifndef EVENT_LIST_H
#define EVENT_LIST_H

#include <stddef.h>

/* The names of "a,cpu/event=0xc0,umask=1/,{b,c}:u". Commas between slashes belong to a name. The modifiers of a group
 * in braces are given to each of its events, as perf does. Empty pieces are kept. Freed by str_split_free(). */
char **event_list_split(const char *list, size_t *n);

#endif
