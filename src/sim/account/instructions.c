#include "sim/account/instructions.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"

struct sim_instructions {
	struct sim_instruction *item;
	size_t n, cap;
	size_t *slot; /* open addressing by pc: number of an item + 1; 0: empty */
	size_t mask;
};

struct sim_instructions *
sim_instructions_new(void)
{
	struct sim_instructions *t = mem_new(sizeof *t);

	t->mask = 1023;
	t->slot = mem_new_array(t->mask + 1, sizeof *t->slot);
	return t;
}

void
sim_instructions_free(struct sim_instructions *t)
{
	if (!t)
		return;
	free(t->item);
	free(t->slot);
	free(t);
}

/* Returns the slot of an address: its own, or the empty one where it belongs. */
static size_t *
instructions_slot_of(const struct sim_instructions *t, uint64_t pc)
{
	uint64_t random = pc;
	size_t i = (size_t)random_next(&random) & t->mask;

	while (t->slot[i] && t->item[t->slot[i] - 1].op.pc != pc)
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static void
instructions_grow(struct sim_instructions *t)
{
	t->mask = 2 * t->mask + 1;
	free(t->slot);
	t->slot = mem_new_array(t->mask + 1, sizeof *t->slot);
	for (size_t i = 0; i < t->n; i++)
		*instructions_slot_of(t, t->item[i].op.pc) = i + 1;
}

static struct sim_instruction *
instructions_find(struct sim_instructions *instructions, const struct sim_op *o)
{
	size_t *slot = instructions_slot_of(instructions, o->pc);

	if (*slot)
		return &instructions->item[*slot - 1];
	mem_grow(&instructions->item, &instructions->cap, instructions->n + 1, sizeof *instructions->item);
	instructions->item[instructions->n] = (struct sim_instruction){.op = *o};
	*slot = ++instructions->n;
	if (2 * instructions->n > instructions->mask)
		instructions_grow(instructions);
	return &instructions->item[instructions->n - 1];
}

void
sim_instructions_charge(struct sim_instructions *t, const struct sim_op *o, enum sim_part part, uint64_t units)
{
	instructions_find(t, o)->units[part] += units;
}

void
sim_instructions_commit(struct sim_instructions *t, const struct sim_op *o, size_t n)
{
	uint64_t share = SIM_CYCLE_UNITS / n;

	for (size_t i = 0; i < n; i++) {
		struct sim_instruction *x = instructions_find(t, &o[i]);

		x->uops++;
		x->units[SIM_PART_BASE] += i ? share : SIM_CYCLE_UNITS - share * (n - 1);
	}
}

const struct sim_instruction *
sim_instructions_all(const struct sim_instructions *t, size_t *n)
{
	*n = t->n;
	return t->item;
}
