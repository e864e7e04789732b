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
translate(struct sim_pipe *p, uint64_t pc)
{
	uint64_t ready;
	bool missed;

	if (pc >> PAGE_SHIFT == p->fetch_page)
		return true;
	if (!p->machine->pipe.itlb.entries || pipe_is_perfect(p, SIM_PART_ITLB)) {
		p->fetch_page = pc >> PAGE_SHIFT;
		return true;
	}
	p->mmu.now = p->now;
	ready = sim_mmu_fetch(&p->mmu, pc, p->now, &missed);
	p->fetch_page = pc >> PAGE_SHIFT;
	if (!missed || ready <= p->now)
		return true;
	p->count[SIM_PIPE_ITLB]++;
	p->fetch_missed |= SIM_MISSED_ITLB;
	pipe_fetch_wait_for(p, ready, SIM_PART_ITLB);
	return false;
}

/* Looks for an instruction in L1I. False: fetch waits. */
static bool
find_line(struct sim_pipe *p, uint64_t pc)
{
	uint64_t line = pc / SIM_LINE;
	struct pipe_answer a;
	enum sim_part part;

	if (line == p->fetch_line)
		return true;
	a = pipe_memory_fetch(&p->memory, pc, p->now);
	p->fetch_line = line;
	if (a.ready <= p->now)
		return true;
	part = pipe_memory_part(&p->memory, a.by, false);
	if (a.missed) {
		p->count[SIM_PIPE_L1I]++;
		p->fetch_missed |= SIM_MISSED_L1I;
		if (part >= SIM_PART_L2I) {
			p->count[SIM_PIPE_L2I]++;
			p->fetch_missed |= SIM_MISSED_L2I;
		}
		if (part >= SIM_PART_L3I) {
			p->count[SIM_PIPE_L3I]++;
			p->fetch_missed |= SIM_MISSED_L3I;
		}
	}
	pipe_fetch_wait_for(p, a.ready, part);
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
enter(struct sim_pipe *p, const struct sim_op *o)
{
	struct pipe_uop *u = pipe_at(p, p->fetched);

	u->op = *o;
	u->seq = p->fetched++;
	u->id = p->ids++;
	u->ready = p->now + p->size->front_end;
	u->consumers = PIPE_NONE;
	u->stage = PIPE_FRONT;
	u->fetch_missed = p->fetch_missed;
	u->starved = p->starved;
	u->part = SIM_PART_BASE;
	u->waits = 0;
	u->missed = u->dtlb_missed = u->ordered = u->mispredicted = u->late = u->joined = false;
	u->wrong = p->wrong;
	p->fetch_missed = 0;
	p->starved = SIM_PART_BASE;
	p->count[SIM_PIPE_FETCHED]++;
	p->count[SIM_PIPE_L1I_ACCESS] += !pipe_is_perfect(p, SIM_PART_L1I);
	p->count[SIM_PIPE_WRONG_FETCH] += p->wrong;
	return u;
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
predict(struct sim_pipe *p, struct pipe_uop *u)
{
	const struct sim_op *o = &u->op;
	uint64_t through = o->pc + o->length, actual = o->flags & SIM_OP_TAKEN ? o->next : through, next;
	struct sim_prediction guess;

	p->branches++;
	sim_account_fetch(p->account);
	if (pipe_is_perfect(p, SIM_PART_BRANCH)) {
		u->ticket = PIPE_NONE;
		return !(o->flags & SIM_OP_TAKEN);
	}
	guess = sim_predictor_ask(p->predictor, o);
	u->ticket = guess.ticket;
	next = guess.taken ? guess.target : through;
	if (!next)
		next = find_target(p, o);
	if (p->wrong) {
		p->lost = !next;
		p->wrong_pc = next;
		return !guess.taken;
	}
	if (next == actual)
		return !guess.taken && p->fetch_until <= p->now;
	u->mispredicted = true;
	p->wrong = true;
	p->lost = !next || !pipe_planted(p, SIM_PLANT_WRONG_PATH);
	p->wrong_pc = next;
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
advance(struct sim_pipe *p, struct pipe_uop *u)
{
	bool last = u->op.flags & SIM_OP_LAST;

	if (!u->wrong) {
		if (p->code)
			pipe_code_learn(p->code, &u->op, p->nth);
		if (p->size->lookup_at_fetch && (sim_op_reads(&u->op) || sim_op_writes(&u->op)))
			look_up(p, u);
		p->at++;
	} else if (last && !u->op.branch) {
		p->wrong_pc += u->op.length;
	}
	p->nth = last ? 0 : p->nth + 1;
}

/* True when the front end, the window and the table of branches have room for the next µop. */
static bool
has_room(const struct sim_pipe *p)
{
	return p->fetched - p->dispatched < p->front_room &&
		!pipe_window_is_full(p) && p->branches < p->size->branches;
}

void
pipe_fetch(struct sim_pipe *p)
{
	unsigned instructions = 0, branches = 0, taken = 0;
	struct sim_op room;

	p->now_fetched = 0;
	if (p->fetch_until > p->now)
		return;
	p->fetch_waits = SIM_PART_BASE;
	while (has_room(p)) {
		const struct sim_op *o = next_op(p, &room);
		struct pipe_uop *u;
		bool go_on = true;

		if (!o || (p->nth == 0 && !translate(p, o->pc)) || !find_line(p, o->pc))
			return;
		u = enter(p, o);
		p->now_fetched++;
		instructions += (o->flags & SIM_OP_LAST) != 0;
		if (o->branch) {
			bool was_wrong = p->wrong;

			branches++;
			go_on = predict(p, u);
			u->wrong = was_wrong;
			if (!go_on && p->fetch_until <= p->now && p->wrong == was_wrong)
				go_on = ++taken < p->size->fetch_taken;
		}
		advance(p, u);
		if (!go_on || instructions >= p->size->fetch || branches >= p->size->fetch_branches)
			return;
	}
}
