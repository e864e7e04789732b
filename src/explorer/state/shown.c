#include "explorer/state/shown.h"

#include <math.h>
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
		free(l->list[k].row), free(l->list[k].thing);
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

/* Has the user just moved a cursor? Then what has arrived since does not sort the list again. */
static bool
is_calm(const struct state *state)
{
	double since = state->view.frame.now - state->shown->things.moved;

	return state->shown->things.moved > 0 && since >= 0 && since < SHOWN_CALM_SECONDS;
}

/* What the user chose: sort order, filter, and what else the list depends on. */
static uint64_t
shown_order(const struct state *state, const struct shown_ops *ops)
{
	const char *words = ops->filter == VIEW_START ? NULL : state->view.filter[ops->filter];
	uint64_t stamp = 0;
	unsigned sort = 0;

	if (ops->sort)
		memcpy(&sort, (const char *)state + ops->sort, sizeof sort);
	shown_add(&stamp, sort);
	shown_add(&stamp, shown_is_reversed(state, ops));
	for (size_t i = 0; words && words[i]; i++)
		shown_add(&stamp, (unsigned char)words[i]);
	shown_add(&stamp, words != NULL);
	if (ops->stamp)
		ops->stamp(state, &stamp);
	return stamp;
}

static uint64_t
shown_stamp(const struct state *state, const struct shown_ops *ops, uint64_t order)
{
	uint64_t stamp = order;

	shown_add(&stamp, state->shown->generation);
	shown_add(&stamp, ops->thing && is_calm(state));
	return stamp;
}

uint64_t
thing_number(uint64_t thing, uint64_t number)
{
	shown_add(&thing, number);
	return thing ? thing : 1;
}

uint64_t
thing_text(uint64_t thing, const char *text)
{
	for (; *text; text++)
		shown_add(&thing, (unsigned char)*text);
	return thing_number(thing, '\0');
}

static uint64_t *
things_of(const struct state *state, const struct shown_ops *ops, const char *row, size_t n)
{
	uint64_t *thing = ops->thing ? mem_new_array(n, sizeof *thing) : NULL;

	for (size_t i = 0; thing && i < n; i++)
		thing[i] = ops->thing(state, row + i * ops->size);
	return thing;
}

/* A row's thing, or the place that a row gets. */
struct placed {
	uint64_t by;
	size_t at;
};

static int
by_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->by != y->by ? (x->by > y->by) - (x->by < y->by) : (x->at > y->at) - (x->at < y->at);
}

static struct placed *
sorted_things(const uint64_t *thing, size_t n)
{
	struct placed *out = mem_new_array(n, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = (struct placed){thing[i], i};
	if (n)
		qsort(out, n, sizeof *out, by_placed);
	return out;
}

/* The order of n rows in which those that `list` has keep its order, and new ones follow. */
static struct placed *
places_as_before(const struct shown_list *list, const uint64_t *thing, size_t n)
{
	struct placed *was = sorted_things(list->thing, list->n), *now = sorted_things(thing, n);

	for (size_t i = 0, k = 0; i < n; i++) {
		while (k < list->n && was[k].by < now[i].by)
			k++;
		now[i].by = k < list->n && was[k].by == now[i].by ? was[k++].at : list->n;
	}
	if (n)
		qsort(now, n, sizeof *now, by_placed);
	free(was);
	return now;
}

/* Gives rows, and what they are about, the order of the list before. Returns whether that differs from theirs. */
static bool
keep_order(const struct shown_list *list, char *row, uint64_t *thing, size_t n)
{
	struct placed *place = places_as_before(list, thing, n);
	size_t size = list->ops->size;
	char *rows = n ? mem_copy(row, n * size) : NULL;
	uint64_t *things = n ? mem_copy(thing, n * sizeof *thing) : NULL;
	bool differs = false;

	for (size_t i = 0; i < n; i++) {
		memcpy(row + i * size, rows + place[i].at * size, size);
		thing[i] = things[place[i].at];
		differs |= place[i].at != i;
	}
	free(place);
	free(rows);
	free(things);
	return differs;
}

const void *
state_shown(const struct state *state, const struct shown_ops *o, size_t *n)
{
	struct shown_list *list = &state->shown->list[o->kind];
	uint64_t order = shown_order(state, o), stamp = shown_stamp(state, o, order);

	if (!list->ops || list->stamp != stamp) {
		void *row = shown_make(state, o, n);
		uint64_t *thing = things_of(state, o, row, *n);
		bool kept = thing && list->ops && list->order == order && is_calm(state) &&
			keep_order(list, row, thing, *n);

		free(list->row);
		free(list->thing);
		*list = (struct shown_list){o, row, thing, *n, stamp, order, kept};
	}
	*n = list->n;
	return list->row;
}

uint64_t
state_shown_thing(const struct state *s, const struct shown_ops *o, size_t row)
{
	size_t n;

	state_shown(s, o, &n);
	return s->shown->list[o->kind].thing && row < n ? s->shown->list[o->kind].thing[row] : 0;
}

void
state_want_nothing(struct state *s)
{
	s->shown->things = (struct things){0};
}

double
state_shown_settles(const struct state *s)
{
	bool some = false;

	for (int k = 0; k < SHOWN_KINDS; k++)
		some |= s->shown->list[k].kept;
	return some ? s->shown->things.moved + SHOWN_CALM_SECONDS : INFINITY;
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

		if (!list->ops || list->kept ||
			list->stamp != shown_stamp(state, list->ops, shown_order(state, list->ops)))
			continue;
		fresh = shown_make(state, list->ops, &n);
		holds = n == list->n && same_rows(list->ops, fresh, list->row, n);
		free(fresh);
	}
	return holds;
}
