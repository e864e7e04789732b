/* Events of a counter, and lists of events as -e takes them. */
#ifndef EVENT_LIST_H
#define EVENT_LIST_H

#include <stddef.h>

/* One of the events that add up to a counter. */
struct event_item {
	/* "page-faults:u", "exceptions:page_fault_user", "dtlb_load_misses.walk_completed", "disk:vda/reads" */
	const char *name;
	/* the kernel's filter of a tracepoint, in which a source replaces constants like $PGFAULT by probed values;
	 * NULL: everything is counted */
	const char *filter;
	const char *const *also; /* other names of the event in data, ended by NULL; NULL: none */
};

/* Splits a list such as "a,cpu/event=0xc0,umask=1/,{b,c}:u" into names. Commas between slashes belong to a name. The
 * modifiers of a group in braces are given to each of its events, as perf does. Empty pieces are kept. Free the result
 * with str_split_free(). */
char **event_list_split(const char *list, size_t *n);

#endif
