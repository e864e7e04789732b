/* Counters and constants as items of a text format, shared by networks and stacks:
 *
 *	counter NAME = "event" [if "filter"] [+ "event" …] [or …] per SCOPE unit UNIT ["text"];
 *	counter NAME = source "class" [+ "class" …] …
 *	counter NAME = unresolved per SCOPE unit UNIT ["why"];
 *	const NAME = EXPR ["source"]; */
#ifndef CORE_LANG_COUNTERS_H
#define CORE_LANG_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "core/lang/aexpr.h"
#include "core/lang/scope.h"

struct item_reader;

/* Events that add up to a count. */
struct event_sum {
	const char **event;
	/* of each: the kernel's filter of a tracepoint, as in the µDD language; NULL: all of it is counted */
	const char **filter;
	size_t n;
	bool source;              /* no event of perf but a class of another source, as "stall:run" */
};

struct counter_item {
	const char *name, *text;
	struct event_sum *choice; /* the first one is taken whose events are all there; none: unresolved */
	size_t n_choices;
	const char *unresolved;   /* why no event is known; NULL */
	enum scope scope;
	struct unit unit;
	double factor;            /* of a count in the base units: 1000 for us */
	uint32_t at, len;
};

/* Is any event filtered? A column that bears its name counts all of it: the counter is then found under its own name
 * only. */
static inline bool
event_sum_is_filtered(const struct event_sum *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->filter[i])
			return true;
	return false;
}

/* Its events where the format has no choice; none when it is unresolved. */
static inline struct event_sum
counter_events(const struct counter_item *c)
{
	return c->n_choices ? c->choice[0] : (struct event_sum){0};
}

struct constant_item {
	const char *name, *text;
	double value;             /* in base units */
	struct unit unit;
	uint32_t at, len;
};

/* What a format lets stand there, and what was read so far. Free with names_free(&taken). */
struct counter_reader {
	size_t max;               /* counters and constants together */
	bool choices;             /* `or` and `source` */
	const char *reserved;     /* a name that none may have, and what it stands for; NULL */
	const char *reserved_for;
	struct names taken;
	size_t cap_counters, cap_constants; /* its own */
};

/* Read one item, whose word is the token to look at, and put it behind the n that there are (in the heap, *list is the
 * caller's). False after a syntax error. One that was read and must not be kept is left out, after a diagnostic: its
 * name is taken, there are too many, its value is none. Names, texts and events live in the item reader's arena. */
bool counter_read(struct item_reader *, struct counter_reader *, struct counter_item **list, size_t *n);
bool constant_read(struct item_reader *, struct counter_reader *, struct constant_item **list, size_t *n);

#endif
