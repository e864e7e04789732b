#include "explorer/state/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "explorer/state/state.h"

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

static uint64_t
shown_stamp(const struct state *s, const struct shown_ops *o)
{
	const char *words = o->filter == VIEW_START ? NULL : s->view.filter[o->filter];
	uint64_t stamp = s->shown->generation;
	unsigned sort = 0;

	if (o->sort)
		memcpy(&sort, (const char *)s + o->sort, sizeof sort);
	shown_add(&stamp, sort);
	for (size_t i = 0; words && words[i]; i++)
		shown_add(&stamp, (unsigned char)words[i]);
	shown_add(&stamp, words != NULL);
	if (o->stamp)
		o->stamp(s, &stamp);
	return stamp;
}

const void *
state_shown(const struct state *s, const struct shown_ops *o, size_t *n)
{
	struct shown_list *l = &s->shown->list[o->kind];
	uint64_t stamp = shown_stamp(s, o);

	if (!l->ops || l->stamp != stamp) {
		void *row = o->make(s, n);

		free(l->row);
		*l = (struct shown_list){o, row, *n, stamp};
	}
	*n = l->n;
	return l->row;
}

size_t
state_count_shown(const struct state *s, const struct shown_ops *o)
{
	size_t n;

	state_shown(s, o, &n);
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

		if (!l->ops || l->stamp != shown_stamp(s, l->ops))
			continue;
		fresh = l->ops->make(s, &n);
		holds = n == l->n && same_rows(l->ops, fresh, l->row, n);
		free(fresh);
	}
	return holds;
}
