#include "sim/trace/places.h"

#include <stdlib.h>

#include "base/mem.h"

#define PLACES_FIRST ((size_t)1 << 10)

struct sim_places {
	struct sim_place *place; /* open addressing, at most half full */
	size_t n, room;          /* room is a power of two */
};

struct sim_places *
sim_places_new(void)
{
	struct sim_places *t = mem_new(sizeof *t);

	t->room = PLACES_FIRST;
	t->place = mem_new_array(t->room, sizeof *t->place);
	return t;
}

void
sim_places_free(struct sim_places *t)
{
	if (!t)
		return;
	free(t->place);
	free(t);
}

/* Returns the place of the address, or the free one where it belongs. */
static struct sim_place *
places_place_of(const struct sim_places *t, uint64_t pc)
{
	/* Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, 6.4 */
	size_t i = (size_t)((pc * 0x9e3779b97f4a7c15u) >> 32) & (t->room - 1);

	while (t->place[i].pc != pc && t->place[i].pc)
		i = (i + 1) & (t->room - 1);
	return &t->place[i];
}

struct sim_place *
sim_places_find(const struct sim_places *t, uint64_t pc)
{
	struct sim_place *p = places_place_of(t, pc);

	return p->pc && pc ? p : NULL;
}

static void
places_grow(struct sim_places *t)
{
	struct sim_places old = *t;

	t->room *= 2;
	t->place = mem_new_array(t->room, sizeof *t->place);
	for (size_t i = 0; i < old.room; i++)
		if (old.place[i].pc)
			*places_place_of(t, old.place[i].pc) = old.place[i];
	free(old.place);
}

struct sim_place *
sim_places_add(struct sim_places *places, uint64_t pc)
{
	struct sim_place *place = places_place_of(places, pc);

	if (!pc || place->pc)
		return pc ? place : NULL;
	if (places->n >= SIM_PLACES_MAX / 2)
		return NULL;
	if (2 * (places->n + 1) > places->room) {
		places_grow(places);
		place = places_place_of(places, pc);
	}
	places->n++;
	place->pc = pc;
	return place;
}
