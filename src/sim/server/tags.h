/* The tags of a set-associative cache with the least recently used line in each set last. */
#ifndef SIM_SERVER_TAGS_H
#define SIM_SERVER_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAGS_DIRTY UINT64_C(1)
#define TAGS_THERE UINT64_C(2)

struct tags {
	uint64_t *way; /* line << 2 | flags; 0: empty */
	size_t sets;
	uint32_t mask; /* sets − 1 if that is a power of two, else 0 */
	unsigned ways;
};

void tags_init(struct tags *, size_t kib, unsigned ways);
void tags_free(struct tags *);
/* The first way of the line's set. Lines that differ in their upper bits only are spread as well. */
static inline uint64_t *
tags_set(const struct tags *t, uint64_t line)
{
	uint32_t mixed = (uint32_t)(line ^ line >> 40 ^ line >> 23);

	return t->way + (size_t)(t->mask ? mixed & t->mask : mixed % (uint32_t)t->sets) * t->ways;
}
/* The line's set is about to be used. */
static inline void
tags_fetch(const struct tags *t, uint64_t line)
{
	const uint64_t *set = tags_set(t, line);

	__builtin_prefetch(set);
	__builtin_prefetch(set + 8);
}
/* Finds a line, makes it the most recently used one, and adds flags to it. */
bool tags_touch(struct tags *, uint64_t line, uint64_t add);
/* Takes a line out, and returns its flags; 0: it is not there. */
uint64_t tags_take(struct tags *, uint64_t line);
bool tags_has(const struct tags *, uint64_t line);
/* Puts a line that is not there into its set, and returns the one that had to leave, with its flags; 0: none. */
uint64_t tags_put(struct tags *, uint64_t line, uint64_t flags);

#endif
