/* Writes a whole program: helper functions, functions, and the main function that calls them.
 *
 *   main:       loop { call f7; if (…) call f1; call f31; call f1; … }     `group` calls, `repeats` iterations
 *               loop { … }                                              … and so on until each function has its call
 *               jump main
 *   function:   blocks, ifs, loops, switches, calls of helpers; return
 *   helper:     the same without calls
 *
 * Every other call of main is of the next function that was not called yet; the others are drawn by Zipf's law, so some
 * functions run often and some rarely. Functions stand in memory in another order than they are called in.
 *
 * Shares of branches come out right in the executed code too, because each branch follows as many other operations as
 * its share asks for, counted as executed: what an `if` skips counts by its probability. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"
#include "sim/orders.h"
#include "sim/program/code.h"
#include "sim/program/operations.h"

#define ENTRY_INSNS 8u  /* functions begin at multiples of so many instructions */
#define DEEPEST 2u      /* loops in loops of one function */
#define FOLLOW_MAX 6u   /* branches back that a correlated branch looks */
#define PATTERN_MAX 8u
#define MOSTLY_NOT 8u   /* one biased branch in so many is mostly taken */
#define HELPER_PART 6u  /* one function in so many is a helper */

enum { TURN_LOOP, TURN_CALL, TURN_INDIRECT_CALL, TURN_SWITCH, TURN_IF };
enum { COND_HARD, COND_PERIODIC, COND_CORRELATED, COND_BIASED };

struct routines {
	struct sim_code *code;
	const struct sim_parameters *set;
	struct sim_operations op;
	uint64_t random;
	struct sim_quota turn, leaf_turn, condition, data, varying;
	double block;  /* operations before a branch, on average */
	double due;    /* operations that are still to come before the next branch */
	struct sim_zipf zipf;
	uint32_t *helper, *function; /* indices of first instructions */
	size_t helpers, functions;
};

static uint64_t
below(struct routines *r, uint64_t n)
{
	return random_below(&r->random, n);
}

static uint32_t
here(const struct routines *r)
{
	return (uint32_t)r->code->n;
}

/* Writes the operations before a branch, at least one. */
static void
write_block(struct routines *r)
{
	unsigned n;

	r->due += r->block * (0.5 + sim_operations_random(&r->random));
	n = r->due < 1 ? 1 : (unsigned)r->due;
	sim_operations_write(&r->op, n);
	r->due -= n;
}

/* Writes a conditional branch. Returns its index; *taken becomes the probability that it is taken. */
static uint32_t
write_condition(struct routines *r, double *taken)
{
	struct sim_site site = {0};
	double chance = sim_parameter_share(r->set, SIM_P_CHANCE);
	bool waits = false;
	enum sim_rule rule = SIM_RULE_CHANCE;
	struct sim_insn *s;
	uint32_t i;

	*taken = 0.5;
	switch (sim_quota_draw(&r->condition, &r->random)) {
	case COND_HARD:
		waits = sim_quota_draw(&r->data, &r->random) != 0;
		*taken = below(r, 2) ? chance : 1 - chance;
		break;
	case COND_PERIODIC:
		rule = SIM_RULE_PATTERN;
		site.limit = 2 + (uint32_t)below(r, PATTERN_MAX - 1);
		site.bits = 1 + below(r, ((uint64_t)1 << site.limit) - 2); /* neither all nor none */
		break;
	case COND_CORRELATED:
		rule = SIM_RULE_FOLLOW;
		site.limit = 1 + (uint32_t)below(r, FOLLOW_MAX);
		site.now = (uint32_t)below(r, 2);
		break;
	default:
		chance = sim_parameter_share(r->set, SIM_P_SURPRISE);
		*taken = below(r, MOSTLY_NOT) ? chance : 1 - chance;
	}
	if (rule == SIM_RULE_CHANCE)
		site.limit = *taken < 1 ? (uint32_t)(*taken * 0x1p32) : UINT32_MAX;
	i = sim_code_branch(r->code, SIM_CONDITIONAL, rule, site);
	s = &r->code->insn[i];
	s->src[0] = waits && r->op.loaded != SIM_NO_REGISTER ? r->op.loaded :
		sim_operations_result(&r->op, (unsigned)below(r, 3));
	return i;
}

static void
write_if(struct routines *r)
{
	double taken;
	unsigned n = 1 + (unsigned)below(r, (uint64_t)r->block + 1);
	uint32_t branch;

	write_block(r);
	branch = write_condition(r, &taken);
	sim_operations_write(&r->op, n);
	r->due -= (1 - taken) * n;
	r->code->insn[branch].target = here(r);
}

/* Closes a loop that begins at instruction `first`. */
static void
close_loop(struct routines *r, uint32_t first, enum sim_rule rule, uint32_t trips)
{
	uint32_t i = sim_code_branch(r->code, SIM_CONDITIONAL, rule, (struct sim_site){.limit = trips});

	r->code->insn[i].target = first;
	r->code->insn[i].src[0] = sim_operations_result(&r->op, 0);
}

static void
write_call(struct routines *r, uint32_t to)
{
	write_block(r);
	sim_code_go(r->code, SIM_CALL, to);
}

static uint32_t
write_indirect(struct routines *r, enum sim_branch branch)
{
	struct sim_site site = {
		.limit = (uint32_t)r->set->value[SIM_P_TARGETS], .bits = r->code->choices,
	};
	uint32_t i;

	write_block(r);
	i = sim_code_branch(r->code, branch, SIM_RULE_CHOICE, site);
	r->code->insn[i].src[0] = r->op.loaded == SIM_NO_REGISTER ? sim_operations_result(&r->op, 0) : r->op.loaded;
	for (uint32_t k = 0; k < site.limit; k++)
		sim_code_choice(r->code, 0);
	return (uint32_t)site.bits;
}

static void
write_indirect_call(struct routines *r)
{
	uint32_t choice = write_indirect(r, SIM_INDIRECT_CALL);

	for (int64_t k = 0; k < r->set->value[SIM_P_TARGETS]; k++)
		r->code->choice[choice + k] = r->helper[below(r, r->helpers)];
}

/* Writes a switch: each case is a block that ends with a jump to the end of the last case. */
static void
write_switch(struct routines *r)
{
	uint32_t choice = write_indirect(r, SIM_INDIRECT), cases = (uint32_t)r->set->value[SIM_P_TARGETS];
	uint32_t *jump = mem_new_array(cases, sizeof *jump);

	for (uint32_t k = 0; k < cases; k++) {
		r->code->choice[choice + k] = here(r);
		write_block(r);
		jump[k] = sim_code_go(r->code, SIM_JUMP, 0);
	}
	for (uint32_t k = 0; k < cases; k++)
		r->code->insn[jump[k]].target = here(r);
	free(jump);
}

static void write_body(struct routines *r, uint32_t insns, unsigned depth, bool leaf);

/* Writes a loop, which has the right share of branches by itself, because it runs more often than what is around it. */
static void
write_loop(struct routines *r, unsigned depth, bool leaf)
{
	uint32_t first = here(r);
	uint64_t trips = (uint64_t)r->set->value[SIM_P_TRIPS];
	double due = r->due;

	r->due = 0;
	if (depth < DEEPEST && below(r, 4))
		write_body(r, (uint32_t)(r->block * (1 + (double)below(r, 3))), depth + 1, leaf);
	write_block(r);
	r->due += due;
	if (depth && trips > 2)
		trips /= 2;
	if (sim_quota_draw(&r->varying, &r->random))
		close_loop(r, first, SIM_RULE_VARYING, (uint32_t)trips);
	else
		close_loop(r, first, SIM_RULE_TRIPS, 1 + (uint32_t)below(r, 2 * trips - 1));
}

/* Writes branches with their blocks until about `insns` instructions are written; `leaf`: without calls. */
static void
write_body(struct routines *r, uint32_t insns, unsigned depth, bool leaf)
{
	uint32_t end = here(r) + insns;

	while (here(r) < end) {
		switch (sim_quota_draw(leaf ? &r->leaf_turn : &r->turn, &r->random)) {
		case TURN_LOOP:
			write_loop(r, depth, leaf);
			break;
		case TURN_CALL:
			write_call(r, r->helper[sim_zipf_draw(&r->zipf, &r->random) % r->helpers]);
			break;
		case TURN_INDIRECT_CALL:
			write_indirect_call(r);
			break;
		case TURN_SWITCH:
			write_switch(r);
			break;
		default:
			write_if(r);
		}
	}
}

/* Writes a function and returns the index of its first instruction. */
static uint32_t
write_function(struct routines *r, bool leaf)
{
	uint32_t mean = (uint32_t)r->set->value[SIM_P_FUNCTION] / SIM_INSN_BYTES, first, i;
	uint32_t insns = mean / 2 + (uint32_t)below(r, mean + 1);

	sim_code_align(r->code, ENTRY_INSNS);
	first = here(r);
	write_body(r, insns, leaf, leaf);
	write_block(r);
	i = sim_code_go(r->code, SIM_RETURN, 0);
	r->code->insn[i].src[0] = 0;
	return first;
}

static void
write_main(struct routines *r)
{
	size_t sites = 2 * r->functions, group = (size_t)r->set->value[SIM_P_GROUP];
	int64_t repeats = r->set->value[SIM_P_REPEATS];
	uint32_t first = here(r);
	struct sim_order order = sim_order_of(r->functions, random_next(&r->random));

	r->code->start = here(r);
	for (size_t i = 0; i < sites; i++) {
		uint64_t place = i % 2 ? sim_zipf_draw(&r->zipf, &r->random) : i / 2;

		if (!below(r, 4))
			write_if(r);
		write_call(r, r->function[sim_order_at(&order, place)]);
		if ((i + 1) % group == 0 || i + 1 == sites) {
			write_block(r);
			if (repeats > 1)
				close_loop(r, first, SIM_RULE_TRIPS, (uint32_t)repeats);
			first = here(r);
		}
	}
	sim_code_go(r->code, SIM_JUMP, r->code->start);
}

static void
routines_init(struct routines *r, struct sim_code *c, const struct sim_parameters *p, uint64_t seed)
{
#define SHARE(id) sim_parameter_share(p, SIM_P_##id)
	double ifs = 1 - SHARE(LOOPS) - SHARE(CALLS) - SHARE(INDIRECT);

	*r = (struct routines){
		.code = c, .set = p, .random = random_scatter(seed + 1), .block = 1 / SHARE(BRANCHES) - 1,
		.turn.weight = {
			[TURN_LOOP] = SHARE(LOOPS), [TURN_CALL] = SHARE(CALLS),
			[TURN_INDIRECT_CALL] = SHARE(INDIRECT) / 2, [TURN_SWITCH] = SHARE(INDIRECT) / 2,
			[TURN_IF] = ifs,
		},
		.leaf_turn.weight = {
			[TURN_LOOP] = SHARE(LOOPS), [TURN_SWITCH] = SHARE(INDIRECT) / 2,
			[TURN_IF] = ifs + SHARE(CALLS) + SHARE(INDIRECT) / 2,
		},
		.condition.weight = {
			[COND_HARD] = SHARE(HARD), [COND_PERIODIC] = SHARE(PERIODIC),
			[COND_CORRELATED] = SHARE(CORRELATED),
			[COND_BIASED] = 1 - SHARE(HARD) - SHARE(PERIODIC) - SHARE(CORRELATED),
		},
		.data.weight = {1 - SHARE(DATA), SHARE(DATA)},
		.varying.weight = {1 - SHARE(VARYING), SHARE(VARYING)},
	};
#undef SHARE
	sim_operations_init(&r->op, c, p, seed + 2);
}

void
sim_code_write(struct sim_code *c, const struct sim_parameters *p, uint64_t seed)
{
	struct routines r;
	size_t n;
	/* bytes for each function beyond its mean: two calls, half an `if`, and what exceeds it at its end */
	double more;

	routines_init(&r, c, p, seed);
	more = SIM_INSN_BYTES * (4 * r.block + 4);
	n = 1 + (size_t)((double)p->value[SIM_P_CODE] / ((double)p->value[SIM_P_FUNCTION] + more));
	r.helpers = 1 + n / HELPER_PART;
	r.functions = n > r.helpers ? n - r.helpers : 1;
	r.helper = mem_new_array(r.helpers, sizeof *r.helper);
	r.function = mem_new_array(r.functions, sizeof *r.function);
	sim_zipf_init(&r.zipf, r.functions, sim_parameter_share(p, SIM_P_SKEW));
	for (size_t i = 0; i < r.helpers; i++)
		r.helper[i] = write_function(&r, true);
	for (size_t i = 0; i < r.functions; i++)
		r.function[i] = write_function(&r, false);
	sim_code_align(c, ENTRY_INSNS);
	write_main(&r);
	free(r.helper);
	free(r.function);
}
