#include "sim/pipeline/seen_code.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"

#define SLOTS ((size_t)1 << 14) /* µops; one that meets another in its slot replaces it */

/* 64 bytes: fetch looks at one for each µop, so their size is the time that it waits for the host's caches. */
struct known {
	struct sim_op op;
	uint32_t nth;
	uint8_t steady;     /* how often in a row the stride was the same; 2: twice or more */
	bool varies;        /* its address has changed */
	uint64_t target;    /* of a branch: where it went when it was last taken; 0: it never was */
	int64_t stride;     /* between its last two addresses */
};

struct pipe_code {
	struct known *slot;
	uint64_t random;
};

struct pipe_code *
pipe_code_new(void)
{
	struct pipe_code *c = mem_new(sizeof *c);

	c->slot = mem_new_array(SLOTS, sizeof *c->slot);
	c->random = 1;
	return c;
}

void
pipe_code_free(struct pipe_code *c)
{
	if (!c)
		return;
	free(c->slot);
	free(c);
}

static struct known *
seen_code_slot_of(const struct pipe_code *c, uint64_t pc, unsigned nth)
{
	uint64_t key = (pc ^ pc >> 14) + nth * 0x9e5u;

	return &c->slot[(key ^ key >> 2) & (SLOTS - 1)];
}

static bool
is_in(const struct known *k, uint64_t pc, unsigned nth)
{
	return k->op.pc == pc && k->nth == nth && k->op.length > 0;
}

void
pipe_code_learn(struct pipe_code *code, const struct sim_op *op, unsigned nth)
{
	struct known *known = seen_code_slot_of(code, op->pc, nth);
	uint64_t target = op->branch && op->flags & SIM_OP_TAKEN ? op->next : 0;
	int64_t stride;

	if (!is_in(known, op->pc, nth)) {
		*known = (struct known){.op = *op, .target = target, .nth = nth};
		return;
	}
	if (target)
		known->target = target;
	if (!op->at)
		return;
	stride = (int64_t)(op->at - known->op.at);
	known->steady = stride != known->stride ? 0 : known->steady ? 2 : 1;
	known->stride = stride;
	known->varies |= stride != 0;
	known->op.at = op->at;
}

bool
pipe_code_find(struct pipe_code *code, uint64_t pc, unsigned nth, struct sim_op *out)
{
	const struct known *known = seen_code_slot_of(code, pc, nth);

	if (!is_in(known, pc, nth))
		return false;
	*out = known->op;
	if (known->target)
		out->next = known->target;
	if (!out->at)
		return true;
	if (known->steady > 1)
		out->at += (uint64_t)known->stride;
	else if (known->varies)
		out->at = (out->at & ~(uint64_t)4095) | (random_next(&code->random) & 4088);
	return true;
}

uint64_t
pipe_code_target(const struct pipe_code *c, uint64_t pc, unsigned nth)
{
	const struct known *k = seen_code_slot_of(c, pc, nth);

	return is_in(k, pc, nth) ? k->target : 0;
}
