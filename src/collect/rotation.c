#include "collect/rotation.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"

struct rotation {
	size_t n, at;
	uint64_t mean_ns, random;
	size_t *order;
};

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

struct rotation *
rotation_new(size_t n_sets, uint64_t mean_ns, uint64_t seed)
{
	struct rotation *r = mem_new(sizeof *r);

	*r = (struct rotation){.n = n_sets, .mean_ns = mean_ns > 1 ? mean_ns : 1, .random = seed};
	r->order = mem_new_array(n_sets, sizeof *r->order);
	for (size_t i = 0; i < n_sets; i++)
		r->order[i] = i;
	return r;
}

void
rotation_free(struct rotation *r)
{
	if (!r)
		return;
	free(r->order);
	free(r);
}

/* Puts the sets in random order (Fisher and Yates). */
static void
rotation_shuffle(struct rotation *r)
{
	for (size_t i = r->n; i > 1; i--) {
		size_t k = (size_t)random_below(&r->random, i), kept = r->order[i - 1];

		r->order[i - 1] = r->order[k];
		r->order[k] = kept;
	}
}

struct rotation_turn
rotation_next(struct rotation *r)
{
	struct rotation_turn t;

	if (r->at == 0)
		rotation_shuffle(r);
	t.set = r->order[r->at];
	t.ns = r->mean_ns - r->mean_ns / 2 + random_below(&r->random, 2 * (r->mean_ns / 2) + 1);
	r->at = (r->at + 1) % r->n;
	return t;
}
