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

static bool
shown_is_reversed(const struct state *state, const struct shown_ops *ops)
{
	return ops->sort && state->view.columns.reversed >> ops->filter & 1;
}

/* Makes the list, reversed if the user chose that. */
static void *
shown_make(const struct state *state, const struct shown_ops *ops, size_t *n)
{
	char *row = ops->make(state, n), *turned;

	if (*n < 2 || !shown_is_reversed(state, ops))
		return row;
	turned = mem_new_array(*n, ops->size);
	for (size_t i = 0; i < *n; i++)
		memcpy(turned + i * ops->size, row + (*n - 1 - i) * ops->size, ops->size);
	free(row);
	return turned;
}

static uint64_t
shown_stamp(const struct state *state, const struct shown_ops *ops)
{
	const char *words = ops->filter == VIEW_START ? NULL : state->view.filter[ops->filter];
	uint64_t stamp = 0;
	unsigned sort = 0;

	if (ops->sort)
		memcpy(&sort, (const char *)state + ops->sort, sizeof sort);
	shown_add(&stamp, state->shown->generation);
	shown_add(&stamp, sort);
	shown_add(&stamp, shown_is_reversed(state, ops));
	for (size_t i = 0; words && words[i]; i++)
		shown_add(&stamp, (unsigned char)words[i]);
	shown_add(&stamp, words != NULL);
	if (ops->stamp)
		ops->stamp(state, &stamp);
	return stamp;
}

const void *
state_shown(const struct state *state, const struct shown_ops *o, size_t *n)
{
	struct shown_list *list = &state->shown->list[o->kind];
	uint64_t stamp = shown_stamp(state, o);

	if (!list->ops || list->stamp != stamp) {
		void *row = shown_make(state, o, n);

		free(list->row);
		*list = (struct shown_list){o, row, *n, stamp};
	}
	*n = list->n;
	return list->row;
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
state_shown_holds(const struct state *state)
{
	bool holds = true;

	for (int k = 0; k < SHOWN_KINDS && holds; k++) {
		const struct shown_list *list = &state->shown->list[k];
		size_t n;
		void *fresh;

		if (!list->ops || list->stamp != shown_stamp(state, list->ops))
			continue;
		fresh = shown_make(state, list->ops, &n);
		holds = n == list->n && same_rows(list->ops, fresh, list->row, n);
		free(fresh);
	}
	return holds;
}
