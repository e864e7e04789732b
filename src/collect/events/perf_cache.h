/* perf's answer, kept for the next time. */
#ifndef COLLECT_EVENTS_PERF_CACHE_H
#define COLLECT_EVENTS_PERF_CACHE_H

#include <stdbool.h>

struct err;
struct event_table;
struct perf_question;

/* Does what perf_ask() does, into a table that has no rows yet, but takes the answer that is kept in
 * $XDG_CACHE_HOME/hecate/events-CPU where it is one to this question, of this perf (its file, size and time) and of this
 * kernel. A file that is damaged is made again; one that cannot be written is no failure. */
bool perf_cache_ask(const struct perf_question *, struct event_table *, struct err *e);

#endif
