#include "collect/import/sniper_snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
sniper_snapshots_add(struct sniper_snapshots *s, struct sniper_entry entry)
{
	mem_grow(&s->entry, &s->cap, s->n + 1, sizeof *s->entry);
	s->entry[s->n++] = entry;
}

void
sniper_snapshots_free(struct sniper_snapshots *s)
{
	names_free(&s->snapshots);
	free(s->entry);
	*s = (struct sniper_snapshots){0};
}

static int
by_cell(const void *a, const void *b)
{
	const struct sniper_entry *x = a, *y = b;

	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	if (x->snapshot != y->snapshot)
		return x->snapshot < y->snapshot ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Finds the snapshots that the tools compare: the region of interest, or the whole run. */
static bool
find_snapshots(struct sniper_snapshots *s, size_t *begin, size_t *end)
{
	static const char *const pair[][2] = {{"roi-begin", "roi-end"}, {"start", "stop"}};

	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
		*begin = names_find(&s->snapshots, pair[i][0], strlen(pair[i][0]));
		*end = names_find(&s->snapshots, pair[i][1], strlen(pair[i][1]));
		if (*end != NAMES_NONE)
			return true;
	}
	s->t->line = 0;
	return sniper_text_fail(s->t, SIZE_MAX, "the file has neither the snapshot roi-end nor stop",
		"has the simulation ended?");
}

bool
sniper_snapshots_spread(struct sniper_snapshots *s)
{
	struct sniper_text *t = s->t;
	size_t begin, end, last;

	if (!find_snapshots(s, &begin, &end))
		return false;
	if (s->n)
		qsort(s->entry, s->n, sizeof *s->entry, by_cell);
	for (size_t first = 0; first < s->n; first = last) {
		const struct sniper_entry *x = &s->entry[first];
		int64_t value[2] = {0, 0};

		for (last = first; last < s->n && s->entry[last].column == x->column && s->entry[last].core == x->core;
			last++) {
			const struct sniper_entry *y = &s->entry[last];

			t->line = y->line;
			if (last > first && y[-1].snapshot == y->snapshot)
				return sniper_text_fail(t, SIZE_MAX, "this statistic is there twice in one snapshot",
					"was the file written to by two simulations?");
			if (y->snapshot == begin || y->snapshot == end)
				value[y->snapshot == end] = y->value;
		}
		if (value[1] < value[0]) {
			sniper_column_blame(t, x->column, SNIPER_FAULT_NEGATIVE);
			sniper_cell_add_unknown(t, x->column, x->core);
		} else {
			sniper_cell_add(t, x->column, x->core, (struct decimal){value[1] - value[0], 0});
		}
	}
	return true;
}
