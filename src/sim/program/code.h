/* The static code of a program: instructions of 4 bytes, and for each branch and each access a rule that says how its
 * outcome or address changes from one execution to the next. program.c executes it. */
#ifndef SIM_PROGRAM_CODE_H
#define SIM_PROGRAM_CODE_H

#include <stdint.h>

#include "sim/op.h"
#include "sim/program/parameters.h"

#define SIM_CODE_BASE UINT64_C(0x400000)
#define SIM_INSN_BYTES 4

enum sim_rule {
	SIM_RULE_NONE,    /* no branch, no access; or a branch that always goes to its target */
	/* outcomes of conditional branches */
	SIM_RULE_CHANCE,  /* taken with probability site.limit / 2^32 */
	SIM_RULE_PATTERN, /* the site.limit outcomes in site.bits, repeatedly */
	SIM_RULE_FOLLOW,  /* the outcome of the conditional branch site.limit before; inverted if site.now */
	SIM_RULE_TRIPS,   /* taken site.limit - 1 times, then not taken */
	SIM_RULE_VARYING, /* the same with 1 to 2 × site.limit - 1 iterations, drawn anew for each loop */
	SIM_RULE_RARE,    /* taken once in site.limit executions on average: lessons */
	/* targets of indirect branches */
	SIM_RULE_CHOICE,  /* one of site.limit entries of sim_code.choice from site.bits on, usually the first */
	/* addresses */
	SIM_RULE_STACK,   /* byte number site of the current function's frame */
	SIM_RULE_STREAM,  /* the next element of array number site */
	SIM_RULE_LIST,    /* list number site: its next node, or `target` bytes into the current one */
	SIM_RULE_FAR,     /* anywhere in the footprint */
	SIM_RULE_MIXED,   /* hot, warm or far, drawn each time */
	SIM_RULE_EVENT,   /* a new line in one of site.limit executions, else always the same line: lessons */
};

struct sim_insn {
	uint8_t kind, branch, rule, size;
	uint8_t dst, src[3];
	uint32_t site;   /* index of a site, or a number that the rule explains */
	uint32_t target; /* index of the instruction to which a direct branch goes */
};

struct sim_site {
	uint64_t bits;
	uint32_t limit, now;
};

struct sim_code {
	struct sim_insn *insn;
	struct sim_site *site;
	uint32_t *choice; /* indices of instructions */
	size_t n, sites, choices;
	size_t insn_cap, site_cap, choice_cap;
	uint32_t start;   /* index of the first instruction to be executed */
};

/* Appends an instruction without registers. The pointer is good until the next one is added. */
struct sim_insn *sim_code_add(struct sim_code *, enum sim_op_kind);
/* Appends a branch with a rule for its outcome or target, and returns its index. */
uint32_t sim_code_branch(struct sim_code *, enum sim_branch, enum sim_rule, struct sim_site);
/* Appends a jump, call or return, and returns its index. */
uint32_t sim_code_go(struct sim_code *, enum sim_branch, uint32_t target);
uint32_t sim_code_site(struct sim_code *, struct sim_site);
/* Appends a target of an indirect branch, and returns its index in `choice`. */
uint32_t sim_code_choice(struct sim_code *, uint32_t insn);
/* Adds instructions that are never executed, up to a multiple of `insns`. */
void sim_code_align(struct sim_code *, uint32_t insns);
void sim_code_free(struct sim_code *); /* frees what it holds */

/* Writes the code of a program with these parameters. */
void sim_code_write(struct sim_code *, const struct sim_parameters *, uint64_t seed);

enum sim_lesson {
	SIM_LESSON_ICACHE, SIM_LESSON_MISPREDICT, SIM_LESSON_LONG, SIM_LESSON_TWO, SIM_LESSON_DEPENDENT,
};
/* Writes the code of a lesson. */
void sim_code_write_lesson(struct sim_code *, const struct sim_parameters *, enum sim_lesson);

#endif
