/* Commit: the oldest µops leave the reorder buffer in order, when their results are there. */
#include "base/mem.h"
#include "sim/account/instructions.h"
#include "sim/pipeline/pipe_state.h"

static void
count_retired(struct sim_pipe *pipe, const struct pipe_uop *uop)
{
	uint64_t *count = pipe->count;

	count[SIM_PIPE_UOPS]++;
	count[SIM_INSTRUCTIONS] += (uop->op.flags & SIM_OP_LAST) != 0;
	if (uop->fetch_missed) {
		count[SIM_PIPE_L1I_RETIRED] += (uop->fetch_missed & SIM_MISSED_L1I) != 0;
		count[SIM_PIPE_L2I_RETIRED] += (uop->fetch_missed & SIM_MISSED_L2I) != 0;
		count[SIM_PIPE_L3I_RETIRED] += (uop->fetch_missed & SIM_MISSED_L3I) != 0;
		count[SIM_PIPE_ITLB_RETIRED] += (uop->fetch_missed & SIM_MISSED_ITLB) != 0;
	}
	if (sim_op_reads(&uop->op)) {
		count[SIM_LOAD_RET]++;
		count[SIM_PIPE_DTLB_RETIRED] += uop->dtlb_missed;
		if (uop->missed) {
			count[SIM_PIPE_L1D_RETIRED]++;
			count[SIM_PIPE_L2D_RETIRED] += uop->part >= SIM_PART_L2D;
			count[SIM_PIPE_L3D_RETIRED] += uop->part >= SIM_PART_L3D;
		}
	}
	count[SIM_STORE_RET] += sim_op_writes(&uop->op);
	if (uop->op.branch) {
		count[SIM_PIPE_BRANCHES]++;
		count[SIM_PIPE_CONDITIONALS] += uop->op.branch == SIM_CONDITIONAL;
		count[SIM_PIPE_BRANCH_RETIRED] += uop->mispredicted;
		count[SIM_BRANCH_MISSES] += uop->mispredicted;
	}
}

/* A committed store is written when its line is there, in order; then its entry is free. */
static void
write_store(struct sim_pipe *pipe, const struct pipe_uop *uop)
{
	uint64_t time = uop->op.kind == SIM_OP_ATOMIC ? pipe->now : uop->next[PIPE_STORE];

	if (time < pipe->now)
		time = pipe->now;
	if (time < pipe->last_release)
		time = pipe->last_release;
	pipe->last_release = time;
	pipe->released_from[pipe->release_next & pipe->release_mask] = uop->part;
	pipe->released[pipe->release_next++ & pipe->release_mask] = time;
	for (uint64_t w = pipe_first_word(&uop->op); w <= pipe_last_word(&uop->op); w++) {
		struct pipe_word *at = pipe_word_at(pipe, w);

		if (at->word == w && at->seq == uop->seq)
			at->written = time;
	}
}

static void
free_entries(struct sim_pipe *pipe, const struct pipe_uop *uop)
{
	const struct pipe_uop *next = pipe_at(pipe, uop->seq + 1);

	pipe->rob_used -= !(uop->seq + 1 < pipe->dispatched && next->joined);
	pipe->entry = uop->entry + 1 == pipe->machine->rob ? 0 : uop->entry + 1;
	pipe->loads -= sim_op_reads(&uop->op);
	if (uop->op.dst == SIM_NO_REGISTER)
		return;
	if (uop->op.dst >= SIM_FIRST_FP)
		pipe->fp_used--;
	else
		pipe->int_used--;
}

void
pipe_commit(struct sim_pipe *pipe)
{
	pipe->now_committed = 0;
	while (pipe->head < pipe->dispatched && pipe->now_committed < pipe->size->commit) {
		const struct pipe_uop *uop = pipe_at(pipe, pipe->head);

		if (uop->stage != PIPE_DONE)
			break;
		if (pipe->instructions)
			pipe->committed[pipe->now_committed] = uop->op;
		count_retired(pipe, uop);
		free_entries(pipe, uop);
		if (sim_op_writes(&uop->op))
			write_store(pipe, uop);
		if (uop->op.branch) {
			pipe->branches--;
			if (uop->ticket != PIPE_NONE)
				sim_predictor_commit(pipe->predictor, uop->ticket, &uop->op);
		}
		sim_account_commit(
			pipe->account, uop->op.branch != SIM_NO_BRANCH, uop->mispredicted, uop->fetch_missed);
		pipe->head++;
		pipe->now_committed++;
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
pipe_attribute(struct sim_pipe *pipe, uint64_t n)
{
	enum sim_part part = sim_account_last_tea(pipe->account);
	const struct sim_op *op;

	if (pipe->now_committed) {
		sim_instructions_commit(pipe->instructions, pipe->committed, pipe->now_committed);
		return;
	}
	if (pipe->head < pipe->dispatched)
		op = &pipe_at(pipe, pipe->head)->op;
	else if (part == SIM_PART_BRANCH)
		op = &pipe->flushed_by;
	else
		op = next_dispatched(pipe);
	if (!op) /* the input has ended, and the last µop has committed */
		op = &pipe->input[pipe->n - 1];
	sim_instructions_charge(pipe->instructions, op, part, n * SIM_CYCLE_UNITS);
}
