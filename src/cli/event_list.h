/* The value of -e where events are counted one by one. */
#ifndef CLI_EVENT_LIST_H
#define CLI_EVENT_LIST_H

#include <stddef.h>

/* The names of a list with commas. Those between slashes belong to a name: cpu/event=0xc0,umask=1/. Freed by
 * str_split_free(). */
char **event_list_split(const char *list, size_t *n);

#endif
