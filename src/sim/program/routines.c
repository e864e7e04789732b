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
write_condition(struct routines *routines, double *taken)
{
	struct sim_site site = {0};
	double chance = sim_parameter_share(routines->set, SIM_P_CHANCE);
	bool waits = false;
	enum sim_rule rule = SIM_RULE_CHANCE;
	struct sim_insn *insn;
	uint32_t i;

	*taken = 0.5;
	switch (sim_quota_draw(&routines->condition, &routines->random)) {
	case COND_HARD:
		waits = sim_quota_draw(&routines->data, &routines->random) != 0;
		*taken = below(routines, 2) ? chance : 1 - chance;
		break;
	case COND_PERIODIC:
		rule = SIM_RULE_PATTERN;
		site.limit = 2 + (uint32_t)below(routines, PATTERN_MAX - 1);
		site.bits = 1 + below(routines, ((uint64_t)1 << site.limit) - 2); /* neither all nor none */
		break;
	case COND_CORRELATED:
		rule = SIM_RULE_FOLLOW;
		site.limit = 1 + (uint32_t)below(routines, FOLLOW_MAX);
		site.now = (uint32_t)below(routines, 2);
		break;
	default:
		chance = sim_parameter_share(routines->set, SIM_P_SURPRISE);
		*taken = below(routines, MOSTLY_NOT) ? chance : 1 - chance;
	}
	if (rule == SIM_RULE_CHANCE)
		site.limit = *taken < 1 ? (uint32_t)(*taken * 0x1p32) : UINT32_MAX;
	i = sim_code_branch(routines->code, SIM_CONDITIONAL, rule, site);
	insn = &routines->code->insn[i];
	insn->src[0] = waits && routines->op.loaded != SIM_NO_REGISTER ? routines->op.loaded :
		sim_operations_result(&routines->op, (unsigned)below(routines, 3));
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
write_indirect(struct routines *routines, enum sim_branch branch)
{
	struct sim_site site = {
		.limit = (uint32_t)routines->set->value[SIM_P_TARGETS], .bits = routines->code->choices,
	};
	uint32_t i;

	write_block(routines);
	i = sim_code_branch(routines->code, branch, SIM_RULE_CHOICE, site);
	routines->code->insn[i].src[0] = routines->op.loaded == SIM_NO_REGISTER
		? sim_operations_result(&routines->op, 0)
		: routines->op.loaded;
	for (uint32_t k = 0; k < site.limit; k++)
		sim_code_choice(routines->code, 0);
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
write_switch(struct routines *routines)
{
	uint32_t choice = write_indirect(routines, SIM_INDIRECT), cases = (uint32_t)routines->set->value[SIM_P_TARGETS];
	uint32_t *jump = mem_new_array(cases, sizeof *jump);

	for (uint32_t k = 0; k < cases; k++) {
		routines->code->choice[choice + k] = here(routines);
		write_block(routines);
		jump[k] = sim_code_go(routines->code, SIM_JUMP, 0);
	}
	for (uint32_t k = 0; k < cases; k++)
		routines->code->insn[jump[k]].target = here(routines);
	free(jump);
}

static void write_body(struct routines *r, uint32_t insns, unsigned depth, bool leaf);

/* Writes a loop, which has the right share of branches by itself, because it runs more often than what is around it. */
static void
write_loop(struct routines *routines, unsigned depth, bool leaf)
{
	uint32_t first = here(routines);
	uint64_t trips = (uint64_t)routines->set->value[SIM_P_TRIPS];
	double due = routines->due;

	routines->due = 0;
	if (depth < DEEPEST && below(routines, 4))
		write_body(routines, (uint32_t)(routines->block * (1 + (double)below(routines, 3))), depth + 1, leaf);
	write_block(routines);
	routines->due += due;
	if (depth && trips > 2)
		trips /= 2;
	if (sim_quota_draw(&routines->varying, &routines->random))
		close_loop(routines, first, SIM_RULE_VARYING, (uint32_t)trips);
	else
		close_loop(routines, first, SIM_RULE_TRIPS, 1 + (uint32_t)below(routines, 2 * trips - 1));
}

/* Writes branches with their blocks until about `insns` instructions are written; `leaf`: without calls. */
static void
write_body(struct routines *routines, uint32_t insns, unsigned depth, bool leaf)
{
	uint32_t end = here(routines) + insns;

	while (here(routines) < end) {
		switch (sim_quota_draw(leaf ? &routines->leaf_turn : &routines->turn, &routines->random)) {
		case TURN_LOOP:
			write_loop(routines, depth, leaf);
			break;
		case TURN_CALL:
			write_call(routines,
				routines->helper[sim_zipf_draw(&routines->zipf, &routines->random) %
					routines->helpers]);
			break;
		case TURN_INDIRECT_CALL:
			write_indirect_call(routines);
			break;
		case TURN_SWITCH:
			write_switch(routines);
			break;
		default:
			write_if(routines);
		}
	}
}

/* Writes a function and returns the index of its first instruction. */
static uint32_t
write_function(struct routines *routines, bool leaf)
{
	uint32_t mean = (uint32_t)routines->set->value[SIM_P_FUNCTION] / SIM_INSN_BYTES, first, i;
	uint32_t insns = mean / 2 + (uint32_t)below(routines, mean + 1);

	sim_code_align(routines->code, ENTRY_INSNS);
	first = here(routines);
	write_body(routines, insns, leaf, leaf);
	write_block(routines);
	i = sim_code_go(routines->code, SIM_RETURN, 0);
	routines->code->insn[i].src[0] = 0;
	return first;
}

static void
write_main(struct routines *routines)
{
	size_t sites = 2 * routines->functions, group = (size_t)routines->set->value[SIM_P_GROUP];
	int64_t repeats = routines->set->value[SIM_P_REPEATS];
	uint32_t first = here(routines);
	struct sim_order order = sim_order_of(routines->functions, random_next(&routines->random));

	routines->code->start = here(routines);
	for (size_t i = 0; i < sites; i++) {
		uint64_t place = i % 2 ? sim_zipf_draw(&routines->zipf, &routines->random) : i / 2;

		if (!below(routines, 4))
			write_if(routines);
		write_call(routines, routines->function[sim_order_at(&order, place)]);
		if ((i + 1) % group == 0 || i + 1 == sites) {
			write_block(routines);
			if (repeats > 1)
				close_loop(routines, first, SIM_RULE_TRIPS, (uint32_t)repeats);
			first = here(routines);
		}
	}
	sim_code_go(routines->code, SIM_JUMP, routines->code->start);
}

static void
routines_init(struct routines *routines, struct sim_code *code, const struct sim_parameters *parameters, uint64_t seed)
{
#define SHARE(id) sim_parameter_share(parameters, SIM_P_##id)
	double ifs = 1 - SHARE(LOOPS) - SHARE(CALLS) - SHARE(INDIRECT);

	*routines = (struct routines){
		.code = code, .set = parameters, .random = random_scatter(seed + 1), .block = 1 / SHARE(BRANCHES) - 1,
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
	sim_operations_init(&routines->op, code, parameters, seed + 2);
}

void
sim_code_write(struct sim_code *code, const struct sim_parameters *parameters, uint64_t seed)
{
	struct routines r;
	size_t n;
	/* bytes for each function beyond its mean: two calls, half an `if`, and what exceeds it at its end */
	double more;

	routines_init(&r, code, parameters, seed);
	more = SIM_INSN_BYTES * (4 * r.block + 4);
	n = 1 + (size_t)((double)parameters->value[SIM_P_CODE] / ((double)parameters->value[SIM_P_FUNCTION] + more));
	r.helpers = 1 + n / HELPER_PART;
	r.functions = n > r.helpers ? n - r.helpers : 1;
	r.helper = mem_new_array(r.helpers, sizeof *r.helper);
	r.function = mem_new_array(r.functions, sizeof *r.function);
	sim_zipf_init(&r.zipf, r.functions, sim_parameter_share(parameters, SIM_P_SKEW));
	for (size_t i = 0; i < r.helpers; i++)
		r.helper[i] = write_function(&r, true);
	for (size_t i = 0; i < r.functions; i++)
		r.function[i] = write_function(&r, false);
	sim_code_align(code, ENTRY_INSNS);
	write_main(&r);
	free(r.helper);
	free(r.function);
}
