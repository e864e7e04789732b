/* What the installed perf knows about a processor: it is started for its list of events and metrics. */
#ifndef COLLECT_EVENTS_ASK_PERF_H
#define COLLECT_EVENTS_ASK_PERF_H

#include <stdbool.h>

struct err;
struct event_table;

struct perf_question {
	const char *sysfs; /* "/sys", or a tree made for tests */
	const char *cpu;   /* as in $PERF_CPUID; "": the one that perf finds */
	/* perf lists the events of PMUs that it finds. So it is shown a folder with the PMUs of that family of
	 * processors, where `sysfs` has none or is another machine's. */
	bool elsewhere;
};

/* Adds what perf lists. Returns false and sets *e when there is no perf, or when its answer is not understood. perf
 * gets 20 s, and may print 64 MB. It counts nothing: the codes that its list cuts (see ask_perf.c) come from events
 * that are opened disabled. */
bool perf_ask(const struct perf_question *, struct event_table *, struct err *e);

/* Does what perf_ask() does, into a table that has no rows yet, but takes the answer that is kept in
 * $XDG_CACHE_HOME/hecate/events-CPU where it is one to this question, of this perf (its file, size and time) and of
 * this kernel. A file that is damaged is made again; one that cannot be written is no failure. */
bool perf_cache_ask(const struct perf_question *, struct event_table *, struct err *e);

#endif
