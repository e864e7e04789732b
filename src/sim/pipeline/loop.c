/* An entry learns the number of iterations from one end of the loop to the next, and is trusted when several executions
 * in a row had that number. A branch gets an entry when it is mispredicted, which is most likely at the end of a loop.
 * An entry with an age of 0 is free: others that want it make it younger, its own right predictions make it older. */
#include "sim/pipeline/predictors.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/pipeline/counter.h"

#define SETS_LOG 4 /* for 64 KiB */
#define SETS_MOST 4096
#define WAYS 4
#define TAG_BITS 10
#define COUNT_BITS 10
#define COUNT_MOST ((1u << COUNT_BITS) - 1)
#define TRUST_MOST 15 /* executions of the loop, all with the same number of iterations */
#define TRUST_ITERATIONS 128 /* so many iterations are enough, too */
#define AGE_FIRST 7
#define AGE_MOST 15

struct loop {
	uint16_t tag;
	uint16_t trips;     /* iterations with the one at the end; 0: unknown */
	uint16_t predicted; /* iterations since the last end */
	uint16_t committed;
	uint8_t trust, age; /* age 0: free */
	bool body;          /* direction of all iterations except the last */
};

struct sim_loops {
	struct loop *loop;
	unsigned sets;
};

struct sim_loops *
sim_loops_new(unsigned kib)
{
	struct sim_loops *l = mem_new(sizeof *l);

	l->sets = 1u << sim_table_log(SETS_LOG, kib, 0);
	if (l->sets > SETS_MOST)
		l->sets = SETS_MOST;
	l->loop = mem_new_array((size_t)l->sets * WAYS, sizeof *l->loop);
	return l;
}

void
sim_loops_free(struct sim_loops *l)
{
	if (!l)
		return;
	free(l->loop);
	free(l);
}

/* Returns the first of the entries that a branch may have, and its tag in *tag. */
static unsigned
first_way(const struct sim_loops *l, uint64_t pc, uint16_t *tag)
{
	uint64_t h = sim_spread(pc);

	*tag = (uint16_t)(h >> 32 & ((1u << TAG_BITS) - 1));
	return (unsigned)(h >> 48) % l->sets * WAYS;
}

struct sim_loop_past
sim_loops_read(const struct sim_loops *loops, uint64_t pc)
{
	uint16_t tag;
	unsigned first = first_way(loops, pc, &tag);

	for (unsigned i = first; i < first + WAYS; i++) {
		const struct loop *loop = &loops->loop[i];
		struct sim_loop_past found = {(int16_t)i, loop->predicted, false, loop->body};

		if (!loop->age || loop->tag != tag)
			continue;
		found.known = loop->trips &&
			(loop->trust == TRUST_MOST || loop->trust * loop->trips > TRUST_ITERATIONS);
		found.taken ^= loop->predicted + 1 == loop->trips;
		return found;
	}
	return (struct sim_loop_past){.entry = -1};
}

void
sim_loops_push(struct sim_loops *l, const struct sim_loop_past *past, bool taken)
{
	struct loop *p;

	if (past->entry < 0)
		return;
	p = &l->loop[past->entry];
	if (taken != p->body)
		p->predicted = 0;
	else if (p->predicted < COUNT_MOST)
		p->predicted++;
}

void
sim_loops_undo(struct sim_loops *l, const struct sim_loop_past *past)
{
	if (past->entry >= 0)
		l->loop[past->entry].predicted = past->count;
}

/* The number of iterations is not what it was: learns it again, from the next end on. */
static void
forget_trips(struct loop *p)
{
	p->trips = 0;
	p->trust = 0;
}

static void
train_end(struct loop *p)
{
	if (p->trips == 0)
		p->trips = p->committed;
	else if (p->trips != p->committed)
		forget_trips(p);
	else if (p->trust < TRUST_MOST)
		p->trust++;
	p->committed = 0;
}

void
sim_loops_train(struct sim_loops *loops, const struct sim_loop_past *past, bool taken, bool needed)
{
	struct loop *loop;

	if (past->entry < 0)
		return;
	loop = &loops->loop[past->entry];
	if (!loop->age)
		return; /* given up while the branch was in flight */
	if (past->known && past->taken != taken)
		forget_trips(loop);
	else if (past->known && needed && loop->age < AGE_MOST)
		loop->age++;
	if (loop->committed < COUNT_MOST)
		loop->committed++;
	if (loop->trips && loop->committed > loop->trips)
		forget_trips(loop);
	if (taken != loop->body)
		train_end(loop);
	/* Two ends in a row: the other direction is the body. Too many iterations to count: of no use. */
	if (loop->trips == 1 || loop->committed == COUNT_MOST)
		loop->age = 0;
}

int
sim_loops_add(struct sim_loops *loops, uint64_t pc, bool taken, uint64_t random)
{
	uint16_t tag;
	unsigned i = first_way(loops, pc, &tag) + (unsigned)(random >> 2) % WAYS;
	struct loop *loop = &loops->loop[i];

	if (random & 3)
		return -1;
	if (loop->age) {
		loop->age--;
		return -1;
	}
	*loop = (struct loop){.tag = tag, .age = AGE_FIRST, .body = !taken};
	return (int)i;
}

uint64_t
sim_loops_bits(const struct sim_loops *l)
{
	/* tag, trips, two counts, trust, age, body */
	return (uint64_t)l->sets * WAYS * (TAG_BITS + 3 * COUNT_BITS + 4 + 4 + 1);
}
