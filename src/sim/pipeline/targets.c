/* The BTB is a set-associative table with the ways of a set in order of their last use.
 *
 * Indirect targets follow ITTAGE (Seznec and Michaud, JILP 2006): a base table by address, and tagged tables
 * by address and path, each with a longer path than the one before. The longest that matches predicts; after a wrong
 * prediction a longer one gets an entry. A new target replaces an old one only when confidence is gone.
 *
 * Each branch moves the path by two bits, and mixes six into it: a hash of its address and direction, and of its target
 * if that varies. Targets of direct branches say nothing new, and may be unknown until they are decoded.
 *
 * The return-address stack forgets its oldest entry when it overflows, and knows nothing when it is empty. Skadron and
 * others (MICRO 1998) restore its top and pointer after a misprediction; here each branch in flight keeps what it
 * changed, which is exact. */
#include "sim/pipeline/predictors.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/pipeline/counter.h"

#define ADDRESS_BITS 48
#define PATHS 4 /* tables of indirect targets */
#define TAG_BITS 10
#define TRUST_BITS 2

struct direct_target {
	uint64_t pc, target; /* target 0: empty */
};

struct indirect_target {
	uint64_t target;
	uint16_t tag;
	int8_t trust; /* −2 to 1: at least 0 keeps its target once more */
	bool useful;  /* was right where a shorter path was wrong */
};

struct sim_targets {
	struct direct_target *direct;
	unsigned sets, ways; /* sets 0: all targets are known */
	struct indirect_target *indirect[PATHS];
	unsigned entries;    /* of each table; 0: all targets are known */
	uint64_t *stack;
	unsigned returns;    /* 0: all are known */
	uint32_t top, depth;
	uint64_t path;
};

/* Bits of the path that each table of indirect targets sees, two for a branch. */
static const unsigned path_bits[PATHS] = {0, 8, 24, 64};

static bool
is_indirect(const struct sim_op *o)
{
	return o->branch == SIM_INDIRECT || o->branch == SIM_INDIRECT_CALL;
}

static bool
is_call(const struct sim_op *o)
{
	return o->branch == SIM_CALL || o->branch == SIM_INDIRECT_CALL;
}

struct sim_targets *
sim_targets_new(const struct sim_predictor_size *size)
{
	struct sim_targets *targets = mem_new(sizeof *targets);

	if (size->btb) {
		targets->ways = size->btb_ways == 0 ? 1 : size->btb_ways < size->btb ? size->btb_ways : size->btb;
		targets->sets = size->btb / targets->ways;
		targets->direct = mem_new_array((size_t)targets->sets * targets->ways, sizeof *targets->direct);
	}
	targets->entries = (size->indirect + PATHS - 1) / PATHS;
	for (int i = 0; i < PATHS && targets->entries; i++)
		targets->indirect[i] = mem_new_array(targets->entries, sizeof *targets->indirect[i]);
	targets->returns = size->returns;
	targets->stack = mem_new_array(targets->returns, sizeof *targets->stack);
	return targets;
}

void
sim_targets_free(struct sim_targets *t)
{
	if (!t)
		return;
	free(t->direct);
	for (int i = 0; i < PATHS; i++)
		free(t->indirect[i]);
	free(t->stack);
	free(t);
}

static struct direct_target *
set_of(const struct sim_targets *t, uint64_t pc)
{
	return t->direct + (size_t)((uint32_t)(pc ^ pc >> 2) % t->sets) * t->ways;
}

static uint64_t
read_direct(const struct sim_targets *t, uint64_t pc)
{
	const struct direct_target *set = set_of(t, pc);

	for (unsigned w = 0; w < t->ways; w++)
		if (set[w].target && set[w].pc == pc)
			return set[w].target;
	return 0;
}

/* Moves the branch to the front of its set; the last one falls out. */
static void
train_direct(struct sim_targets *t, uint64_t pc, uint64_t target)
{
	struct direct_target *set = set_of(t, pc);
	unsigned w = 0;

	while (w + 1 < t->ways && set[w].target && set[w].pc != pc)
		w++;
	memmove(set + 1, set, w * sizeof *set);
	set[0] = (struct direct_target){pc, target};
}

/* Returns the entry of one table for an address and a path, and its tag in *tag. */
static struct indirect_target *
indirect_entry(const struct sim_targets *t, int table, uint64_t pc, uint64_t path, uint16_t *tag)
{
	unsigned bits = path_bits[table];
	uint64_t seen = bits == 0 ? 0 : path << (64 - bits), h = sim_spread(sim_spread(pc + (uint64_t)table) ^ seen);

	*tag = (uint16_t)(table ? h & ((1u << TAG_BITS) - 1) : 0);
	return &t->indirect[table][(size_t)((h >> 32) * t->entries >> 32)];
}

/* Returns the table with the longest path below `below` that knows a target, or 0: the base table may know none. */
static int
longest_path(const struct sim_targets *t, int below, uint64_t pc, uint64_t path)
{
	while (--below > 0) {
		uint16_t tag;
		const struct indirect_target *e = indirect_entry(t, below, pc, path, &tag);

		if (e->target && e->tag == tag)
			return below;
	}
	return 0;
}

static uint64_t
read_indirect(const struct sim_targets *t, uint64_t pc, uint64_t path)
{
	uint16_t tag;

	return indirect_entry(t, longest_path(t, PATHS, pc, path), pc, path, &tag)->target;
}

/* Gives the branch an entry with a longer path, or makes one of those free for the next time. */
static void
add_longer(struct sim_targets *targets, int longest, uint64_t pc, uint64_t path, uint64_t target)
{
	struct indirect_target *indirect_target;
	uint16_t tag;

	for (int i = longest + 1; i < PATHS; i++) {
		indirect_target = indirect_entry(targets, i, pc, path, &tag);
		if (!indirect_target->useful) {
			*indirect_target = (struct indirect_target){target, tag, -1, false};
			return;
		}
	}
	for (int i = longest + 1; i < PATHS; i++)
		indirect_entry(targets, i, pc, path, &tag)->useful = false;
}

static void
train_indirect(struct sim_targets *targets, uint64_t pc, uint64_t path, uint64_t target)
{
	int longest = longest_path(targets, PATHS, pc, path);
	uint16_t tag;
	struct indirect_target *indirect_target = indirect_entry(targets, longest, pc, path, &tag);
	bool right = indirect_target->target == target;

	if (right && longest > 0) {
		const struct indirect_target *other =
			indirect_entry(targets, longest_path(targets, longest, pc, path), pc, path, &tag);

		indirect_target->useful |= other->target != target;
	}
	if (!right && indirect_target->target)
		add_longer(targets, longest, pc, path, target);
	if (!right && (indirect_target->trust < 0 || !indirect_target->target)) {
		indirect_target->target = target;
		indirect_target->useful = false;
	}
	indirect_target->trust = sim_counter_move(indirect_target->trust, right, TRUST_BITS);
}

uint64_t
sim_targets_read(const struct sim_targets *targets, const struct sim_op *op)
{
	bool known = op->flags & SIM_OP_TAKEN || op->branch != SIM_CONDITIONAL;

	if (is_indirect(op))
		return targets->entries ? read_indirect(targets, op->pc, targets->path) : op->next;
	if (op->branch == SIM_RETURN) {
		if (targets->returns == 0)
			return op->next;
		return targets->depth ? targets->stack[targets->top] : 0;
	}
	if (targets->sets)
		return read_direct(targets, op->pc);
	return known ? op->next : 0;
}

void
sim_targets_push(
	struct sim_targets *targets, const struct sim_op *op, bool taken, uint64_t next, struct sim_targets_past *past)
{
	bool varies = is_indirect(op) || op->branch == SIM_RETURN;

	*past = (struct sim_targets_past){targets->path, 0, targets->top, targets->depth, false};
	targets->path = targets->path << 2 ^ sim_spread(op->pc << 1 ^ (varies ? next << 2 : 0) ^ taken) >> 58;
	if (targets->returns == 0)
		return;
	if (is_call(op)) {
		targets->top = (targets->top + 1) % targets->returns;
		past->overwritten = targets->stack[targets->top];
		past->called = true;
		targets->stack[targets->top] = op->pc + op->length;
		targets->depth += targets->depth < targets->returns;
	} else if (op->branch == SIM_RETURN && targets->depth) {
		targets->top = (targets->top + targets->returns - 1) % targets->returns;
		targets->depth--;
	}
}

void
sim_targets_undo(struct sim_targets *t, const struct sim_targets_past *past)
{
	if (past->called)
		t->stack[t->top] = past->overwritten;
	t->path = past->path;
	t->top = past->top;
	t->depth = past->depth;
}

void
sim_targets_train(struct sim_targets *t, const struct sim_op *o, const struct sim_targets_past *past)
{
	if (is_indirect(o)) {
		if (t->entries)
			train_indirect(t, o->pc, past->path, o->next);
	} else if (t->sets && o->branch != SIM_RETURN && (o->branch != SIM_CONDITIONAL || o->flags & SIM_OP_TAKEN))
		train_direct(t, o->pc, o->next);
}

uint64_t
sim_targets_bits(const struct sim_targets *t)
{
	uint64_t bits = 0, recency = t->ways > 1 ? sim_log2(t->ways - 1) + 1 : 0;

	/* A way: valid, address, target, its place in the order of use. */
	bits += (uint64_t)t->sets * t->ways * (1 + 2 * ADDRESS_BITS + recency);
	/* An entry: target, trust; tagged ones also have a tag, and whether they were useful. */
	bits += (uint64_t)t->entries * (PATHS * (ADDRESS_BITS + TRUST_BITS) + (PATHS - 1) * (TAG_BITS + 1));
	return bits + (uint64_t)t->returns * ADDRESS_BITS;
}
