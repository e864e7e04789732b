/* Dispatch: µops leave the front end in order, are renamed, and take entries of the reorder buffer, the queues and the
 * scheduler. */
#include "sim/pipeline/pipe_state.h"

/* Makes one source of the µop wait for a producer, unless its result is there. */
static void
wait_for_producer(struct sim_pipe *pipe, struct pipe_uop *uop, unsigned source, uint64_t producer)
{
	struct pipe_uop *from;

	uop->from[source] = PIPE_NOWHERE;
	if (producer == PIPE_NONE || producer < pipe->head)
		return;
	from = pipe_at(pipe, producer);
	if (from->stage == PIPE_DONE)
		return;
	uop->from[source] = (uint32_t)(producer & pipe->mask);
	uop->next[source] = from->consumers;
	from->consumers = uop->seq * PIPE_SOURCES + source;
	if (pipe_is_late(pipe, uop, source))
		uop->late = true;
	else
		uop->waits++;
}

/* A store will write these bytes. */
static void
note_store(struct sim_pipe *p, const struct pipe_uop *u)
{
	for (uint64_t w = pipe_first_word(&u->op); w <= pipe_last_word(&u->op); w++)
		*pipe_word_at(p, w) = (struct pipe_word){w, u->seq, PIPE_NONE};
}

/* Returns the store in flight, or committed and not yet written, that a load may read a word from; PIPE_NONE: none. */
static uint64_t
store_of_word(struct sim_pipe *pipe, const struct pipe_uop *load, uint64_t word)
{
	const struct pipe_word *pipe_word = pipe_word_at(pipe, word);
	const struct pipe_uop *uop;

	if (pipe_word->word != word || pipe_word->seq == PIPE_NONE || pipe_word->seq >= load->seq)
		return PIPE_NONE;
	if (pipe_word->seq < pipe->head)
		return pipe_word->written != PIPE_NONE ? pipe_word->seq : PIPE_NONE;
	uop = pipe_at(pipe, pipe_word->seq);
	return uop->seq == pipe_word->seq && sim_op_writes(&uop->op) && uop->op.at < load->op.at + load->op.size &&
		load->op.at < uop->op.at + uop->op.size ? pipe_word->seq : PIPE_NONE;
}

/* Finds the store that a load may read from: of several that it overlaps the youngest. */
static void
find_store(struct sim_pipe *p, struct pipe_uop *u)
{
	for (uint64_t w = pipe_first_word(&u->op); w <= pipe_last_word(&u->op); w++) {
		uint64_t store = store_of_word(p, u, w);

		if (store != PIPE_NONE && (u->store == PIPE_NONE || store > u->store))
			u->store = store;
	}
	if (u->store != PIPE_NONE && u->store >= p->head &&
		(p->size->disambiguation != SIM_BLIND || pipe_at(p, u->store)->stage >= PIPE_RUNS))
		wait_for_producer(p, u, PIPE_STORE, u->store);
}

/* True for µops that may share an entry of the reorder buffer. */
static bool
is_simple(const struct sim_op *o)
{
	return o->kind != SIM_OP_LOAD && o->kind != SIM_OP_STORE && o->kind != SIM_OP_ATOMIC && !o->branch;
}

static bool
pipe_dispatch_is_fp(const struct sim_op *o)
{
	return o->kind == SIM_OP_FADD || o->kind == SIM_OP_FMUL || o->kind == SIM_OP_FDIV || o->kind == SIM_OP_FMA;
}

/* True if there is an entry of everything for the µop; otherwise the cycle's dispatch ends. */
static bool
has_entries(struct sim_pipe *pipe, const struct pipe_uop *uop, bool joins)
{
	const struct sim_pipeline *size = pipe->size;
	bool fp = uop->op.dst >= SIM_FIRST_FP && uop->op.dst != SIM_NO_REGISTER;

	if (!joins && pipe->rob_used >= pipe->machine->rob)
		return false;
	if (pipe->waiting >= size->scheduler || (sim_op_reads(&uop->op) && pipe->loads >= pipe->machine->load_queue))
		return false;
	if (sim_op_writes(&uop->op) && pipe->stores >= pipe->machine->store_queue) {
		pipe->store_blocked = true;
		return false;
	}
	if (uop->op.dst == SIM_NO_REGISTER)
		return true;
	return fp ? !size->fp_registers || pipe->fp_used < size->fp_registers
		: !size->int_registers || pipe->int_used < size->int_registers;
}

static void
take_entries(struct sim_pipe *pipe, struct pipe_uop *uop, bool joins)
{
	uop->joined = joins;
	uop->entry = pipe->dispatched == pipe->head ? pipe->entry : pipe_at(pipe, pipe->dispatched - 1)->entry + !joins;
	if (uop->entry >= pipe->machine->rob)
		uop->entry = 0;
	pipe->rob_used += !joins;
	pipe->loads += sim_op_reads(&uop->op);
	pipe->stores += sim_op_writes(&uop->op);
	pipe->waiting++;
	if (uop->op.dst == SIM_NO_REGISTER)
		return;
	if (uop->op.dst >= SIM_FIRST_FP)
		pipe->fp_used++;
	else
		pipe->int_used++;
}

/* A copy of a register that is eliminated: its destination is its source. True if it is one. */
static bool
eliminate(struct sim_pipe *pipe, struct pipe_uop *uop)
{
	if (uop->op.kind == SIM_OP_NOP ||
		(uop->op.kind == SIM_OP_MOVE && pipe_planted(pipe, SIM_PLANT_MOVE_ELIMINATION))) {
		if (uop->op.kind == SIM_OP_MOVE && uop->op.dst != SIM_NO_REGISTER) {
			uop->writer = pipe->writer[uop->op.dst];
			pipe->writer[uop->op.dst] = uop->op.src[0] == SIM_NO_REGISTER ? PIPE_NONE
										      : pipe->writer[uop->op.src[0]];
		}
		uop->stage = PIPE_DONE;
		uop->ready = pipe->now;
		pipe->waiting--;
		return true;
	}
	return false;
}

static void
rename_registers(struct sim_pipe *pipe, struct pipe_uop *uop)
{
	for (unsigned i = 0; i < PIPE_STORE; i++)
		wait_for_producer(
			pipe, uop, i, uop->op.src[i] == SIM_NO_REGISTER ? PIPE_NONE : pipe->writer[uop->op.src[i]]);
	uop->from[PIPE_STORE] = PIPE_NOWHERE;
	uop->store = PIPE_NONE;
	if (sim_op_reads(&uop->op))
		find_store(pipe, uop);
	if (sim_op_reads(&uop->op) || sim_op_writes(&uop->op))
		pipe_order_dispatch(pipe, uop);
	if (sim_op_writes(&uop->op) && !uop->wrong)
		note_store(pipe, uop);
	if (uop->op.dst != SIM_NO_REGISTER) {
		uop->writer = pipe->writer[uop->op.dst];
		pipe->writer[uop->op.dst] = uop->seq;
	}
}

static void
release_stores(struct sim_pipe *p)
{
	while (p->release_first != p->release_next && p->released[p->release_first & p->release_mask] <= p->now) {
		p->release_first++;
		p->stores--;
	}
}

void
pipe_dispatch(struct sim_pipe *p)
{
	unsigned packed = 1, fp = 0, pack = pipe_planted(p, SIM_PLANT_ROB_COMPRESSION) ? p->size->rob_pack : 1;

	p->now_dispatched = p->wrong_dispatched = p->again_dispatched = 0;
	p->now_mispredicted = false;
	p->blocked = p->store_blocked = p->fp_full = false;
	release_stores(p);
	while (p->dispatched < p->fetched && p->now_dispatched < p->machine->width) {
		struct pipe_uop *uop = pipe_at(p, p->dispatched);
		bool joins = p->now_dispatched && packed < pack && is_simple(&uop->op) &&
			is_simple(&pipe_at(p, p->dispatched - 1)->op);

		if (uop->ready > p->now)
			break;
		p->fp_full = pipe_dispatch_is_fp(&uop->op) && p->size->fp_dispatch && fp == p->size->fp_dispatch;
		if (p->fp_full)
			break;
		if (!has_entries(p, uop, joins)) {
			p->blocked = true;
			break;
		}
		packed = joins ? packed + 1 : 1;
		take_entries(p, uop, joins);
		fp += pipe_dispatch_is_fp(&uop->op);
		p->dispatched++;
		p->now_dispatched++;
		if (!uop->wrong) {
			p->recovering = false;
			p->again_dispatched += p->again != 0;
			p->again -= p->again != 0;
		}
		p->wrong_dispatched += uop->wrong;
		p->wrong_in_rob += uop->wrong;
		p->now_mispredicted |= uop->mispredicted;
		if (uop->op.branch)
			sim_account_dispatch(p->account, uop->entry);
		uop->stage = PIPE_WAITS;
		if (eliminate(p, uop))
			continue;
		rename_registers(p, uop);
		if (!uop->waits)
			pipe_make_ready(p, uop);
	}
	p->count[SIM_PIPE_DISPATCHED] += p->now_dispatched;
}
