/* Commit: the oldest µops leave the reorder buffer in order, when their results are there. */
#include "base/mem.h"
#include "sim/account/instructions.h"
#include "sim/pipeline/pipe_state.h"

static void
count_retired(struct sim_pipe *p, const struct pipe_uop *u)
{
	uint64_t *count = p->count;

	count[SIM_PIPE_UOPS]++;
	count[SIM_INSTRUCTIONS] += (u->op.flags & SIM_OP_LAST) != 0;
	if (u->fetch_missed) {
		count[SIM_PIPE_L1I_RETIRED] += (u->fetch_missed & SIM_MISSED_L1I) != 0;
		count[SIM_PIPE_L2I_RETIRED] += (u->fetch_missed & SIM_MISSED_L2I) != 0;
		count[SIM_PIPE_L3I_RETIRED] += (u->fetch_missed & SIM_MISSED_L3I) != 0;
		count[SIM_PIPE_ITLB_RETIRED] += (u->fetch_missed & SIM_MISSED_ITLB) != 0;
	}
	if (sim_op_reads(&u->op)) {
		count[SIM_LOAD_RET]++;
		count[SIM_PIPE_DTLB_RETIRED] += u->dtlb_missed;
		if (u->missed) {
			count[SIM_PIPE_L1D_RETIRED]++;
			count[SIM_PIPE_L2D_RETIRED] += u->part >= SIM_PART_L2D;
			count[SIM_PIPE_L3D_RETIRED] += u->part >= SIM_PART_L3D;
		}
	}
	count[SIM_STORE_RET] += sim_op_writes(&u->op);
	if (u->op.branch) {
		count[SIM_PIPE_BRANCHES]++;
		count[SIM_PIPE_CONDITIONALS] += u->op.branch == SIM_CONDITIONAL;
		count[SIM_PIPE_BRANCH_RETIRED] += u->mispredicted;
		count[SIM_BRANCH_MISSES] += u->mispredicted;
	}
}

/* A committed store is written when its line is there, in order; then its entry is free. */
static void
write_store(struct sim_pipe *p, const struct pipe_uop *u)
{
	uint64_t time = u->op.kind == SIM_OP_ATOMIC ? p->now : u->next[PIPE_STORE];

	if (time < p->now)
		time = p->now;
	if (time < p->last_release)
		time = p->last_release;
	p->last_release = time;
	p->released_from[p->release_next & p->release_mask] = u->part;
	p->released[p->release_next++ & p->release_mask] = time;
	for (uint64_t w = pipe_first_word(&u->op); w <= pipe_last_word(&u->op); w++) {
		struct pipe_word *at = pipe_word_at(p, w);

		if (at->word == w && at->seq == u->seq)
			at->written = time;
	}
}

static void
free_entries(struct sim_pipe *p, const struct pipe_uop *u)
{
	const struct pipe_uop *next = pipe_at(p, u->seq + 1);

	p->rob_used -= !(u->seq + 1 < p->dispatched && next->joined);
	p->entry = u->entry + 1 == p->machine->rob ? 0 : u->entry + 1;
	p->loads -= sim_op_reads(&u->op);
	if (u->op.dst == SIM_NO_REGISTER)
		return;
	if (u->op.dst >= SIM_FIRST_FP)
		p->fp_used--;
	else
		p->int_used--;
}

void
pipe_commit(struct sim_pipe *p)
{
	p->now_committed = 0;
	while (p->head < p->dispatched && p->now_committed < p->size->commit) {
		const struct pipe_uop *u = pipe_at(p, p->head);

		if (u->stage != PIPE_DONE)
			break;
		if (p->instructions)
			p->committed[p->now_committed] = u->op;
		count_retired(p, u);
		free_entries(p, u);
		if (sim_op_writes(&u->op))
			write_store(p, u);
		if (u->op.branch) {
			p->branches--;
			if (u->ticket != PIPE_NONE)
				sim_predictor_commit(p->predictor, u->ticket, &u->op);
		}
		sim_account_commit(p->account, u->op.branch != SIM_NO_BRANCH, u->mispredicted, u->fetch_missed);
		p->head++;
		p->now_committed++;
	}
}

/* --- cycles of instructions: that which the time-proportional account has just charged ---------------------------- */

void
sim_pipe_attribute(struct sim_pipe *p, struct sim_instructions *t)
{
	if (!p->committed)
		p->committed = mem_new_array(p->size->commit, sizeof *p->committed);
	p->instructions = t;
}

/* Returns the µop that is dispatched next: the oldest in the front end, or the next one of the input. NULL: there is
 * none left. On a wrong path the reorder buffer is empty only after its branch committed, which ends the path. */
static const struct sim_op *
next_dispatched(struct sim_pipe *p)
{
	if (p->dispatched < p->fetched)
		return &pipe_at(p, p->dispatched)->op;
	return p->at < p->n ? &p->input[p->at] : NULL;
}

void
pipe_attribute(struct sim_pipe *p, uint64_t n)
{
	enum sim_part part = sim_account_last_tea(p->account);
	const struct sim_op *o;

	if (p->now_committed) {
		sim_instructions_commit(p->instructions, p->committed, p->now_committed);
		return;
	}
	if (p->head < p->dispatched)
		o = &pipe_at(p, p->head)->op;
	else if (part == SIM_PART_BRANCH)
		o = &p->flushed_by;
	else
		o = next_dispatched(p);
	if (!o) /* the input has ended, and the last µop has committed */
		o = &p->input[p->n - 1];
	sim_instructions_charge(p->instructions, o, part, n * SIM_CYCLE_UNITS);
}
