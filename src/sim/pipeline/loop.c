/* An entry learns the number of iterations from one end of the loop to the next, and is trusted when several executions
 * in a row had that number. A branch gets an entry when it is mispredicted, which is most likely at the end of a loop.
 * An entry with an age of 0 is free: others that want it make it younger, its own right predictions make it older. */
#include "sim/pipeline/loop.h"

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
sim_loops_read(const struct sim_loops *l, uint64_t pc)
{
	uint16_t tag;
	unsigned first = first_way(l, pc, &tag);

	for (unsigned i = first; i < first + WAYS; i++) {
		const struct loop *p = &l->loop[i];
		struct sim_loop_past found = {(int16_t)i, p->predicted, false, p->body};

		if (!p->age || p->tag != tag)
			continue;
		found.known = p->trips && (p->trust == TRUST_MOST || p->trust * p->trips > TRUST_ITERATIONS);
		found.taken ^= p->predicted + 1 == p->trips;
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
sim_loops_train(struct sim_loops *l, const struct sim_loop_past *past, bool taken, bool needed)
{
	struct loop *p;

	if (past->entry < 0)
		return;
	p = &l->loop[past->entry];
	if (!p->age)
		return; /* given up while the branch was in flight */
	if (past->known && past->taken != taken)
		forget_trips(p);
	else if (past->known && needed && p->age < AGE_MOST)
		p->age++;
	if (p->committed < COUNT_MOST)
		p->committed++;
	if (p->trips && p->committed > p->trips)
		forget_trips(p);
	if (taken != p->body)
		train_end(p);
	/* Two ends in a row: the other direction is the body. Too many iterations to count: of no use. */
	if (p->trips == 1 || p->committed == COUNT_MOST)
		p->age = 0;
}

int
sim_loops_add(struct sim_loops *l, uint64_t pc, bool taken, uint64_t random)
{
	uint16_t tag;
	unsigned i = first_way(l, pc, &tag) + (unsigned)(random >> 2) % WAYS;
	struct loop *p = &l->loop[i];

	if (random & 3)
		return -1;
	if (p->age) {
		p->age--;
		return -1;
	}
	*p = (struct loop){.tag = tag, .age = AGE_FIRST, .body = !taken};
	return (int)i;
}

uint64_t
sim_loops_bits(const struct sim_loops *l)
{
	/* tag, trips, two counts, trust, age, body */
	return (uint64_t)l->sets * WAYS * (TAG_BITS + 3 * COUNT_BITS + 4 + 4 + 1);
}
