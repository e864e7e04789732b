/* Counters and constants as items of a text format, shared by networks and stacks:
 *
 *	counter NAME = "event" [if "filter"] [+ "event" …] [or …] per SCOPE unit UNIT ["text"];
 *	counter NAME = source "class" [+ "class" …] …
 *	counter NAME = "event" … per SCOPE -> SCOPE unit UNIT ["text"];
 *	counter NAME = unresolved per SCOPE unit UNIT ["why"];
 *	const NAME = EXPR ["source"]; */
#ifndef CORE_COUNTERS_COUNTERS_H
#define CORE_COUNTERS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "core/counters/scope.h"
#include "event/list.h"
#include "text/aexpr.h"

struct item_reader;

/* Events that add up to a count. */
struct event_sum {
	const struct event_item *event;
	size_t n;
	/* the names are no perf events, but classes of another source, such as "stall:run" */
	bool source;
};

struct counter_item {
	const char *name, *text;
	/* alternatives, of which the first one whose events all exist is used; none: unresolved */
	struct event_sum *choice;
	size_t n_choices;
	const char *unresolved;   /* why no event is known; NULL otherwise */
	enum scope scope;
	bool of_pairs; /* one count per owner of `scope` and owner of `to` */
	enum scope to;
	struct unit unit;
	double factor;            /* factor from a count to base units: 1000 for us */
	uint32_t at, len;
};

/* Returns whether any event has a filter. A column with an event's name counts without a filter, so a counter with a
 * filter is found only under its own name. */
static inline bool
event_sum_is_filtered(const struct event_sum *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->event[i].filter)
			return true;
	return false;
}

struct str;
/* Appends "EVENT + EVENT". */
void event_sum_text(const struct event_sum *, struct str *out);

/* Returns the first alternative of a counter; no events if the counter is unresolved. */
static inline struct event_sum
counter_events(const struct counter_item *c)
{
	return c->n_choices ? c->choice[0] : (struct event_sum){0};
}

struct constant_item {
	const char *name, *text;
	double value;             /* in base units */
	/* what is measured on the machine that is counted on, and then stands instead of the value; NULL: nothing */
	const char *calibrated;
	struct unit unit;
	uint32_t at, len;
};

/* The items that a format allows, and those read so far. Free it with names_free(&taken). */
struct counter_reader {
	size_t max;               /* counters and constants together */
	bool choices;             /* `or` is allowed */
	bool sources;             /* `source` is allowed */
	bool pairs;               /* `per SCOPE -> SCOPE` is allowed */
	const char *const *calibrations; /* names that `calibrated` may have, NULL-terminated; NULL: none */
	const char *reserved;     /* a name that no item may have, and what that name means; NULL: none */
	const char *reserved_for;
	struct names taken;
	size_t cap_counters, cap_constants; /* private */
};

/* Reads one item and appends it to the n items in *list (heap; the caller owns it). The item's word is the next token.
 * Returns false after a syntax error. An item that was read but cannot be kept is left out after a diagnostic: its name
 * is taken, there are too many items, or its value is unknown. Names, texts and events live in the item reader's arena.
 */
bool counter_read(struct item_reader *, struct counter_reader *, struct counter_item **list, size_t *n);
bool constant_read(struct item_reader *, struct counter_reader *, struct constant_item **list, size_t *n);

#endif
