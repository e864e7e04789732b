#include "core/fit/sets.h"

#include <stdlib.h>

#include "base/mem.h"

static bool
rotation_join(const struct rotation_room *room, size_t *unit, size_t *n, size_t one)
{
	unit[(*n)++] = one;
	if (room->fits(room->ctx, unit, *n))
		return true;
	--*n;
	return false;
}

/* Fills a set, which has the units from `first` on, with others that still fit. */
static void
fill_up(struct rotation_sets *s, const struct rotation_room *room, unsigned char *has, size_t first, size_t *unit,
	size_t n)
{
	for (size_t k = 0; k < s->n_units; k++) {
		size_t one = (first + n + k) % s->n_units;

		if (!has[one])
			has[one] = rotation_join(room, unit, &n, one);
	}
}

struct rotation_sets
rotation_sets_new(size_t n_units, const struct rotation_room *room)
{
	struct rotation_sets s = {.n_units = n_units};
	size_t *unit = mem_new_array(n_units + 1, sizeof *unit);

	for (size_t first = 0; first < n_units;) {
		unsigned char *has;
		size_t n = 0;

		s.has = mem_resize(s.has, (s.n + 1) * n_units, 1);
		has = s.has + s.n++ * n_units;
		for (size_t i = 0; i < n_units; i++)
			has[i] = 0;
		has[first] = 1;
		unit[n++] = first;
		while (first + n < n_units && rotation_join(room, unit, &n, first + n))
			has[first + n - 1] = 1;
		first += n;
		fill_up(&s, room, has, first - n, unit, n);
	}
	free(unit);
	return s;
}

void
rotation_sets_free(struct rotation_sets *s)
{
	free(s->has);
	*s = (struct rotation_sets){0};
}

bool
set_holds(const struct rotation_sets *sets, size_t set, const struct set_constraint *constraint)
{
	for (size_t i = 0; i < constraint->n; i++)
		if (constraint->unit[i] != SETS_ALWAYS && !sets->has[set * sets->n_units + constraint->unit[i]])
			return false;
	return true;
}

size_t
sets_whole(const struct rotation_sets *sets, const struct set_constraints *constraints)
{
	size_t whole = 0;

	for (size_t k = 0; k < constraints->n; k++)
		for (size_t s = 0; s < sets->n; s++)
			if (set_holds(sets, s, &constraints->at[k])) {
				whole++;
				break;
			}
	return whole;
}
