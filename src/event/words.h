/* The events that perf knows by a word on every machine, with all their names (perf-list(1); tools/perf/util/
 * parse-events.l and evsel.c of Linux). */
#ifndef EVENT_WORDS_H
#define EVENT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* What counts an event, the core or the kernel, as far as its word says. */
enum event_word_kind {
	EVENT_WORD_NONE,     /* not a word of perf */
	EVENT_WORD_HARDWARE, /* the core counts it */
	EVENT_WORD_KERNEL,   /* the kernel counts it */
	EVENT_WORD_CLOCK,    /* a time: the same in every mode */
};

/* Returns the kind of the event with this name, which has n bytes and no modifiers. *first gets the first of its names,
 * in lower case with '-'; it needs EVENT_WORD_MAX bytes. Names compare without regard to case. '_' equals '-', except
 * in cache events, because DTLB_LOAD_MISSES is an event of Intel's. */
#define EVENT_WORD_MAX 48
enum event_word_kind event_word(const char *name, size_t n, char first[EVENT_WORD_MAX]);

/* Writes the i-th name that perf prints for these events, aliases included, and returns true; false after the last. */
bool event_word_listed(size_t i, char name[EVENT_WORD_MAX]);

/* Splits the name of a cache event, such as "L1-dcache-load-misses", into numbers of perf_event_open(2). Returns false
 * for other names. */
struct event_cache { unsigned cache, operation, result; };
bool event_word_cache(const char *name, size_t n, struct event_cache *);

/* Returns whether a name begins with the word of a core event; more may follow (mem-loads, cycles-ct). */
bool event_word_begins_hardware(const char *name);

#endif
