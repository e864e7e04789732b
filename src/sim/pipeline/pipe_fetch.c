/* Fetch: instructions from the right path, or behind a mispredicted branch from code that was seen before. */
#include "sim/pipeline/pipe_state.h"

#define PAGE_SHIFT 12

/* Waits until `time` for a miss that belongs to `part`. */
static void
pipe_fetch_wait_for(struct sim_pipe *p, uint64_t time, enum sim_part part)
{
	p->fetch_until = time;
	p->fetch_waits = (uint8_t)part;
	if (part != SIM_PART_BASE)
		p->starved = (uint8_t)part;
}

/* Translates the address of an instruction. False: fetch waits. */
static bool
translate(struct sim_pipe *pipe, uint64_t pc)
{
	uint64_t ready;
	bool missed;

	if (pc >> PAGE_SHIFT == pipe->fetch_page)
		return true;
	if (!pipe->machine->pipe.itlb.entries || pipe_is_perfect(pipe, SIM_PART_ITLB)) {
		pipe->fetch_page = pc >> PAGE_SHIFT;
		return true;
	}
	pipe->mmu.now = pipe->now;
	ready = sim_mmu_fetch(&pipe->mmu, pc, pipe->now, &missed);
	pipe->fetch_page = pc >> PAGE_SHIFT;
	if (!missed || ready <= pipe->now)
		return true;
	pipe->count[SIM_PIPE_ITLB]++;
	pipe->fetch_missed |= SIM_MISSED_ITLB;
	pipe_fetch_wait_for(pipe, ready, SIM_PART_ITLB);
	return false;
}

/* Looks for an instruction in L1I. False: fetch waits. */
static bool
find_line(struct sim_pipe *pipe, uint64_t pc)
{
	uint64_t line = pc / SIM_LINE;
	struct pipe_answer a;
	enum sim_part part;

	if (line == pipe->fetch_line)
		return true;
	a = pipe_memory_fetch(&pipe->memory, pc, pipe->now);
	pipe->fetch_line = line;
	if (a.ready <= pipe->now)
		return true;
	part = pipe_memory_part(&pipe->memory, a.by, false);
	if (a.missed) {
		pipe->count[SIM_PIPE_L1I]++;
		pipe->fetch_missed |= SIM_MISSED_L1I;
		if (part >= SIM_PART_L2I) {
			pipe->count[SIM_PIPE_L2I]++;
			pipe->fetch_missed |= SIM_MISSED_L2I;
		}
		if (part >= SIM_PART_L3I) {
			pipe->count[SIM_PIPE_L3I]++;
			pipe->fetch_missed |= SIM_MISSED_L3I;
		}
	}
	pipe_fetch_wait_for(pipe, a.ready, part);
	return false;
}

/* Returns the next µop on the current path, or NULL if there is none now. */
static const struct sim_op *
next_op(struct sim_pipe *p, struct sim_op *room)
{
	if (!p->wrong)
		return p->at < p->n ? &p->input[p->at] : NULL;
	if (p->lost)
		return NULL;
	if (pipe_code_find(p->code, p->wrong_pc, p->nth, room))
		return room;
	find_line(p, p->wrong_pc); /* code that was never seen is fetched, though what it does is unknown */
	p->lost = true;
	return NULL;
}

/* Puts the µop into the front end. What is not set here is written by dispatch or execution before it is read; to
 * clear a whole µop would take longer than the rest of fetch. */
static struct pipe_uop *
enter(struct sim_pipe *pipe, const struct sim_op *op)
{
	struct pipe_uop *uop = pipe_at(pipe, pipe->fetched);

	uop->op = *op;
	uop->seq = pipe->fetched++;
	uop->id = pipe->ids++;
	uop->ready = pipe->now + pipe->size->front_end;
	uop->consumers = PIPE_NONE;
	uop->stage = PIPE_FRONT;
	uop->fetch_missed = pipe->fetch_missed;
	uop->starved = pipe->starved;
	uop->part = SIM_PART_BASE;
	uop->waits = 0;
	uop->missed = uop->dtlb_missed = uop->ordered = uop->mispredicted = uop->late = uop->joined = false;
	uop->wrong = pipe->wrong;
	pipe->fetch_missed = 0;
	pipe->starved = SIM_PART_BASE;
	pipe->count[SIM_PIPE_FETCHED]++;
	pipe->count[SIM_PIPE_L1I_ACCESS] += !pipe_is_perfect(pipe, SIM_PART_L1I);
	pipe->count[SIM_PIPE_WRONG_FETCH] += pipe->wrong;
	return uop;
}

/* Returns where a branch goes that is predicted as taken without a target; 0: nothing says it. The target of a direct
 * branch is in its instruction. A machine with a table of targets learns it when the instruction is decoded; another
 * one knows it at fetch. The input does not have it where the branch is not taken; then it is that of the last time. */
static uint64_t
find_target(struct sim_pipe *p, const struct sim_op *o)
{
	bool direct = o->branch == SIM_CONDITIONAL || o->branch == SIM_JUMP || o->branch == SIM_CALL;

	if (direct && p->size->predictor.btb)
		pipe_fetch_wait_for(p, p->now + p->size->redirect, SIM_PART_BASE);
	if (direct && !p->wrong && o->flags & SIM_OP_TAKEN)
		return o->next;
	return p->code && (direct || p->wrong) ? pipe_code_target(p->code, o->pc, p->nth) : 0;
}

/* Predicts a branch. Returns false if fetch cannot go on in this cycle. */
static bool
predict(struct sim_pipe *pipe, struct pipe_uop *uop)
{
	const struct sim_op *op = &uop->op;
	uint64_t through = op->pc + op->length, actual = op->flags & SIM_OP_TAKEN ? op->next : through, next;
	struct sim_prediction guess;

	pipe->branches++;
	sim_account_fetch(pipe->account);
	if (pipe_is_perfect(pipe, SIM_PART_BRANCH)) {
		uop->ticket = PIPE_NONE;
		return !(op->flags & SIM_OP_TAKEN);
	}
	guess = sim_predictor_ask(pipe->predictor, op);
	uop->ticket = guess.ticket;
	next = guess.taken ? guess.target : through;
	if (!next)
		next = find_target(pipe, op);
	if (pipe->wrong) {
		pipe->lost = !next;
		pipe->wrong_pc = next;
		return !guess.taken;
	}
	if (next == actual)
		return !guess.taken && pipe->fetch_until <= pipe->now;
	uop->mispredicted = true;
	pipe->wrong = true;
	pipe->lost = !next || !pipe_planted(pipe, SIM_PLANT_WRONG_PATH);
	pipe->wrong_pc = next;
	return false;
}

/* Looks an access up in the data caches, in program order, and prefetches. */
static void
look_up(struct sim_pipe *p, struct pipe_uop *u)
{
	struct pipe_answer a;

	if (p->stride && sim_op_reads(&u->op))
		pipe_stride_load(p->stride, u->op.pc, u->op.at, p->now);
	a = pipe_memory_look(&p->memory, u->op.at, p->now);
	u->by = (uint8_t)a.by;
	u->missed = a.missed;
	if (p->stride)
		pipe_prefetch(p);
}

/* Moves on to the next µop. */
static void
advance(struct sim_pipe *pipe, struct pipe_uop *uop)
{
	bool last = uop->op.flags & SIM_OP_LAST;

	if (!uop->wrong) {
		if (pipe->code)
			pipe_code_learn(pipe->code, &uop->op, pipe->nth);
		if (pipe->size->lookup_at_fetch && (sim_op_reads(&uop->op) || sim_op_writes(&uop->op)))
			look_up(pipe, uop);
		pipe->at++;
	} else if (last && !uop->op.branch) {
		pipe->wrong_pc += uop->op.length;
	}
	pipe->nth = last ? 0 : pipe->nth + 1;
}

/* True when the front end, the window and the table of branches have room for the next µop. */
static bool
has_room(const struct sim_pipe *p)
{
	return p->fetched - p->dispatched < p->front_room &&
		!pipe_window_is_full(p) && p->branches < p->size->branches;
}

void
pipe_fetch(struct sim_pipe *pipe)
{
	unsigned instructions = 0, branches = 0, taken = 0;
	struct sim_op room;

	pipe->now_fetched = 0;
	if (pipe->fetch_until > pipe->now)
		return;
	pipe->fetch_waits = SIM_PART_BASE;
	while (has_room(pipe)) {
		const struct sim_op *op = next_op(pipe, &room);
		struct pipe_uop *uop;
		bool go_on = true;

		if (!op || (pipe->nth == 0 && !translate(pipe, op->pc)) || !find_line(pipe, op->pc))
			return;
		uop = enter(pipe, op);
		pipe->now_fetched++;
		instructions += (op->flags & SIM_OP_LAST) != 0;
		if (op->branch) {
			bool was_wrong = pipe->wrong;

			branches++;
			go_on = predict(pipe, uop);
			uop->wrong = was_wrong;
			if (!go_on && pipe->fetch_until <= pipe->now && pipe->wrong == was_wrong)
				go_on = ++taken < pipe->size->fetch_taken;
		}
		advance(pipe, uop);
		if (!go_on || instructions >= pipe->size->fetch || branches >= pipe->size->fetch_branches)
			return;
	}
}
