#include "sim/server/tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
tags_init(struct tags *t, size_t kib, unsigned ways)
{
	t->sets = kib * 1024 / 64 / ways;
	t->ways = ways;
	t->mask = t->sets & (t->sets - 1) ? 0 : (uint32_t)t->sets - 1;
	t->way = mem_new_array(t->sets * ways, sizeof *t->way);
}

void
tags_free(struct tags *t)
{
	free(t->way);
}

/* The way of a line; `ways` if it is not there. */
static unsigned
find(const uint64_t *set, unsigned ways, uint64_t line)
{
	unsigned i = 0;

	while (i < ways && (set[i] | TAGS_DIRTY) != (line << 2 | TAGS_THERE | TAGS_DIRTY))
		i++;
	return i;
}

bool
tags_has(const struct tags *t, uint64_t line)
{
	return find(tags_set(t, line), t->ways, line) < t->ways;
}

bool
tags_touch(struct tags *t, uint64_t line, uint64_t add)
{
	uint64_t *set = tags_set(t, line), found;
	unsigned i = find(set, t->ways, line);

	if (i == t->ways)
		return false;
	found = set[i] | add;
	memmove(set + 1, set, i * sizeof *set);
	set[0] = found;
	return true;
}

uint64_t
tags_take(struct tags *t, uint64_t line)
{
	uint64_t *set = tags_set(t, line), found;
	unsigned i = find(set, t->ways, line);

	if (i == t->ways)
		return 0;
	found = set[i];
	memmove(set + i, set + i + 1, (t->ways - i - 1) * sizeof *set);
	set[t->ways - 1] = 0;
	return found & 3;
}

uint64_t
tags_put(struct tags *t, uint64_t line, uint64_t flags)
{
	uint64_t *set = tags_set(t, line), victim = set[t->ways - 1];

	memmove(set + 1, set, (t->ways - 1) * sizeof *set);
	set[0] = line << 2 | TAGS_THERE | flags;
	return victim;
}
