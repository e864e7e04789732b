#include "sim/program/code.h"

#include <stdlib.h>

#include "base/mem.h"

struct sim_insn *
sim_code_add(struct sim_code *c, enum sim_op_kind kind)
{
	mem_grow(&c->insn, &c->insn_cap, c->n + 1, sizeof *c->insn);
	c->insn[c->n] = (struct sim_insn){
		.kind = (uint8_t)kind, .dst = SIM_NO_REGISTER,
		.src = {SIM_NO_REGISTER, SIM_NO_REGISTER, SIM_NO_REGISTER},
	};
	return &c->insn[c->n++];
}

uint32_t
sim_code_site(struct sim_code *c, struct sim_site site)
{
	mem_grow(&c->site, &c->site_cap, c->sites + 1, sizeof *c->site);
	c->site[c->sites] = site;
	return (uint32_t)c->sites++;
}

uint32_t
sim_code_choice(struct sim_code *c, uint32_t insn)
{
	mem_grow(&c->choice, &c->choice_cap, c->choices + 1, sizeof *c->choice);
	c->choice[c->choices] = insn;
	return (uint32_t)c->choices++;
}

uint32_t
sim_code_branch(struct sim_code *c, enum sim_branch branch, enum sim_rule rule, struct sim_site site)
{
	struct sim_insn *s = sim_code_add(c, SIM_OP_BRANCH);

	s->branch = (uint8_t)branch;
	s->rule = (uint8_t)rule;
	s->site = sim_code_site(c, site);
	return (uint32_t)(s - c->insn);
}

uint32_t
sim_code_go(struct sim_code *c, enum sim_branch branch, uint32_t target)
{
	struct sim_insn *s = sim_code_add(c, SIM_OP_BRANCH);

	s->branch = (uint8_t)branch;
	s->target = target;
	return (uint32_t)(s - c->insn);
}

void
sim_code_align(struct sim_code *c, uint32_t insns)
{
	while (c->n % insns)
		sim_code_add(c, SIM_OP_NOP);
}

void
sim_code_free(struct sim_code *c)
{
	free(c->insn);
	free(c->site);
	free(c->choice);
	*c = (struct sim_code){0};
}
