#include "explorer/state/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "explorer/state/state.h"

static const struct shown_ops *const ops[SHOWN_KINDS] = {
	[SHOWN_TREE] = &shown_tree,
	[SHOWN_SEARCH] = &shown_search,
	[SHOWN_CONSTRAINTS] = &shown_constraints,
	[SHOWN_OBSERVATIONS] = &shown_observations,
	[SHOWN_COUNTERS] = &shown_counters,
	[SHOWN_EVENTS] = &shown_events,
	[SHOWN_QUEUES] = &shown_queues,
	[SHOWN_BARS] = &shown_bars,
	[SHOWN_STALLS] = &shown_stalls,
};

struct shown_lists *
shown_new(void)
{
	return mem_new(sizeof(struct shown_lists));
}

void
shown_free(struct shown_lists *l)
{
	for (int k = 0; l && k < SHOWN_KINDS; k++)
		free(l->list[k].row);
	free(l);
}

void
shown_add(uint64_t *stamp, uint64_t number)
{
	*stamp = random_scatter((*stamp ^ number) + RANDOM_STEP);
}

void
shown_add_words(uint64_t *stamp, const char *words)
{
	for (size_t i = 0; words && words[i]; i++)
		shown_add(stamp, (unsigned char)words[i]);
	shown_add(stamp, words != NULL);
}

static uint64_t
shown_stamp(const struct state *s, enum shown_kind kind)
{
	uint64_t stamp = s->shown->generation;

	if (ops[kind]->stamp)
		ops[kind]->stamp(s, &stamp);
	return stamp;
}

const void *
state_shown(const struct state *s, enum shown_kind kind, size_t *n)
{
	struct shown_list *l = &s->shown->list[kind];
	uint64_t stamp = shown_stamp(s, kind);

	if (!l->row || l->stamp != stamp) {
		void *row = ops[kind]->make(s, n);

		free(l->row);
		*l = (struct shown_list){row, *n, stamp};
	}
	*n = l->n;
	return l->row;
}

size_t
state_count_shown(const struct state *s, enum shown_kind kind)
{
	size_t n;

	state_shown(s, kind, &n);
	return n;
}

void
state_shown_changed(struct state *s)
{
	s->shown->generation++;
}

static bool
same_rows(const struct shown_ops *o, const char *a, const char *b, size_t n)
{
	bool same = true;

	for (size_t i = 0; i < n * o->size && same; i += o->size)
		same = o->same ? o->same(a + i, b + i) : memcmp(a + i, b + i, o->size) == 0;
	return same;
}

bool
state_shown_holds(const struct state *s)
{
	bool holds = true;

	for (int k = 0; k < SHOWN_KINDS && holds; k++) {
		const struct shown_list *l = &s->shown->list[k];
		size_t n;
		void *fresh;

		if (!l->row || l->stamp != shown_stamp(s, k))
			continue;
		fresh = ops[k]->make(s, &n);
		holds = n == l->n && same_rows(ops[k], fresh, l->row, n);
		free(fresh);
	}
	return holds;
}
