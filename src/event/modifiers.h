/* The letters after an event's name, "cycles:ukP", as a set with meanings (perf-list(1), "EVENT MODIFIERS").
 *
 * Letters of one kind say whose work is counted (the mode). One letter says that something other than the event is
 * counted. The rest say how perf measures the event, and do not change the count. Only the mode is part of a counter's
 * identity. */
#ifndef EVENT_MODIFIERS_H
#define EVENT_MODIFIERS_H

#include <stdbool.h>
#include <stddef.h>

struct str;

enum event_modifier {
	EVENT_MOD_USER = 1 << 0,
	EVENT_MOD_KERNEL = 1 << 1,
	EVENT_MOD_HYPERVISOR = 1 << 2,
	EVENT_MOD_GUEST = 1 << 3,
	EVENT_MOD_HOST = 1 << 4,
	EVENT_MOD_NO_IDLE = 1 << 5,
	EVENT_MOD_PRECISE = 1 << 6,     /* p, pp, ppp: struct event_modifiers has the level */
	EVENT_MOD_MOST_PRECISE = 1 << 7,
	EVENT_MOD_SAMPLE_READ = 1 << 8,
	EVENT_MOD_PINNED = 1 << 9,
	EVENT_MOD_WEAK = 1 << 10,
	EVENT_MOD_EXCLUSIVE = 1 << 11,
	EVENT_MOD_BPF = 1 << 12,
	EVENT_MOD_LATENCY = 1 << 13,
	EVENT_MOD_ALONE = 1 << 14,
};

#define EVENT_PRECISE_MAX 3

struct event_modifiers {
	unsigned set;     /* bits of enum event_modifier */
	unsigned precise; /* number of letters p */
	unsigned twice;   /* letters that occurred twice, and p if it occurred more than three times */
};

/* Adds the letters of a text. Returns false if one is no modifier; then nothing is changed. */
bool event_modifiers_read(const char *letters, size_t n, struct event_modifiers *);

/* Appends the letters, each once, in the order of perf's manual. */
void event_modifiers_print(const struct event_modifiers *, struct str *out);

/* Returns whose work is counted, as a set of the first six modifiers; 0: everyone's. User and kernel together, or guest
 * and host together, count as everyone's. */
unsigned event_mode(const struct event_modifiers *);

/* Appends "user mode", "kernel mode of guests"; "every mode" for 0. */
void event_mode_words(unsigned mode, struct str *out);

/* Appends all letters for messages: "u (user mode), k (kernel mode), …". */
void event_modifiers_list(struct str *out);

#endif
