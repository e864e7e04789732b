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
find_snapshots(struct sniper_snapshots *snapshots, size_t *begin, size_t *end)
{
	static const char *const pair[][2] = {{"roi-begin", "roi-end"}, {"start", "stop"}};

	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
		*begin = names_find(&snapshots->snapshots, pair[i][0], strlen(pair[i][0]));
		*end = names_find(&snapshots->snapshots, pair[i][1], strlen(pair[i][1]));
		if (*end != NAMES_NONE)
			return true;
	}
	snapshots->t->line = 0;
	return sniper_text_fail(snapshots->t, SIZE_MAX, "the file has neither the snapshot roi-end nor stop",
		"has the simulation ended?");
}

bool
sniper_snapshots_spread(struct sniper_snapshots *snapshots)
{
	struct sniper_text *text = snapshots->t;
	size_t begin, end, last;

	if (!find_snapshots(snapshots, &begin, &end))
		return false;
	if (snapshots->n)
		qsort(snapshots->entry, snapshots->n, sizeof *snapshots->entry, by_cell);
	for (size_t first = 0; first < snapshots->n; first = last) {
		const struct sniper_entry *x = &snapshots->entry[first];
		int64_t value[2] = {0, 0};

		for (last = first; last < snapshots->n && snapshots->entry[last].column == x->column &&
			snapshots->entry[last].core == x->core;
			last++) {
			const struct sniper_entry *y = &snapshots->entry[last];

			text->line = y->line;
			if (last > first && y[-1].snapshot == y->snapshot)
				return sniper_text_fail(text, SIZE_MAX, "this statistic is there twice in one snapshot",
					"was the file written to by two simulations?");
			if (y->snapshot == begin || y->snapshot == end)
				value[y->snapshot == end] = y->value;
		}
		if (value[1] < value[0]) {
			sniper_column_blame(text, x->column, SNIPER_FAULT_NEGATIVE);
			sniper_cell_add_unknown(text, x->column, x->core);
		} else {
			sniper_cell_add(text, x->column, x->core, (struct decimal){value[1] - value[0], 0});
		}
	}
	return true;
}
