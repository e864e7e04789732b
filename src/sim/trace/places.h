/* What a reader has learned about addresses of instructions: a hash table of small records. */
#ifndef SIM_TRACE_PLACES_H
#define SIM_TRACE_PLACES_H

#include <stddef.h>
#include <stdint.h>

/* Most places, of which half are used: 48 MB. A program has far fewer branches; any beyond are not learned. */
#define SIM_PLACES_MAX ((size_t)1 << 21)

struct sim_place {
	uint64_t pc;     /* 0: free */
	/* set by the reader that owns the table: */
	uint64_t target;
	uint8_t length, branch, state, transfers, falls, same;
};

struct sim_places;

struct sim_places *sim_places_new(void);
void sim_places_free(struct sim_places *);

/* Returns the place of an address, valid until the next sim_places_add(). NULL: there is none. */
struct sim_place *sim_places_find(const struct sim_places *, uint64_t pc);
/* Returns the place of an address, or makes a zeroed one. NULL: the table is full, or pc is 0. */
struct sim_place *sim_places_add(struct sim_places *, uint64_t pc);

#endif
