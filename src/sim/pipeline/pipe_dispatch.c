/* Dispatch: µops leave the front end in order, are renamed, and take entries of the reorder buffer, the queues and the
 * scheduler. */
#include "sim/pipeline/pipe_state.h"

/* Makes one source of the µop wait for a producer, unless its result is there. */
static void
wait_for_producer(struct sim_pipe *p, struct pipe_uop *u, unsigned source, uint64_t producer)
{
	struct pipe_uop *from;

	u->from[source] = PIPE_NOWHERE;
	if (producer == PIPE_NONE || producer < p->head)
		return;
	from = pipe_at(p, producer);
	if (from->stage == PIPE_DONE)
		return;
	u->from[source] = (uint32_t)(producer & p->mask);
	u->next[source] = from->consumers;
	from->consumers = u->seq * PIPE_SOURCES + source;
	if (pipe_is_late(p, u, source))
		u->late = true;
	else
		u->waits++;
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
store_of_word(struct sim_pipe *p, const struct pipe_uop *load, uint64_t word)
{
	const struct pipe_word *w = pipe_word_at(p, word);
	const struct pipe_uop *s;

	if (w->word != word || w->seq == PIPE_NONE || w->seq >= load->seq)
		return PIPE_NONE;
	if (w->seq < p->head)
		return w->written != PIPE_NONE ? w->seq : PIPE_NONE;
	s = pipe_at(p, w->seq);
	return s->seq == w->seq && sim_op_writes(&s->op) && s->op.at < load->op.at + load->op.size &&
		load->op.at < s->op.at + s->op.size ? w->seq : PIPE_NONE;
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
has_entries(struct sim_pipe *p, const struct pipe_uop *u, bool joins)
{
	const struct sim_pipeline *size = p->size;
	bool fp = u->op.dst >= SIM_FIRST_FP && u->op.dst != SIM_NO_REGISTER;

	if (!joins && p->rob_used >= p->machine->rob)
		return false;
	if (p->waiting >= size->scheduler || (sim_op_reads(&u->op) && p->loads >= p->machine->load_queue))
		return false;
	if (sim_op_writes(&u->op) && p->stores >= p->machine->store_queue) {
		p->store_blocked = true;
		return false;
	}
	if (u->op.dst == SIM_NO_REGISTER)
		return true;
	return fp ? !size->fp_registers || p->fp_used < size->fp_registers
		: !size->int_registers || p->int_used < size->int_registers;
}

static void
take_entries(struct sim_pipe *p, struct pipe_uop *u, bool joins)
{
	u->joined = joins;
	u->entry = p->dispatched == p->head ? p->entry : pipe_at(p, p->dispatched - 1)->entry + !joins;
	if (u->entry >= p->machine->rob)
		u->entry = 0;
	p->rob_used += !joins;
	p->loads += sim_op_reads(&u->op);
	p->stores += sim_op_writes(&u->op);
	p->waiting++;
	if (u->op.dst == SIM_NO_REGISTER)
		return;
	if (u->op.dst >= SIM_FIRST_FP)
		p->fp_used++;
	else
		p->int_used++;
}

/* A copy of a register that is eliminated: its destination is its source. True if it is one. */
static bool
eliminate(struct sim_pipe *p, struct pipe_uop *u)
{
	if (u->op.kind == SIM_OP_NOP || (u->op.kind == SIM_OP_MOVE && pipe_planted(p, SIM_PLANT_MOVE_ELIMINATION))) {
		if (u->op.kind == SIM_OP_MOVE && u->op.dst != SIM_NO_REGISTER) {
			u->writer = p->writer[u->op.dst];
			p->writer[u->op.dst] = u->op.src[0] == SIM_NO_REGISTER ? PIPE_NONE : p->writer[u->op.src[0]];
		}
		u->stage = PIPE_DONE;
		u->ready = p->now;
		p->waiting--;
		return true;
	}
	return false;
}

static void
rename_registers(struct sim_pipe *p, struct pipe_uop *u)
{
	for (unsigned i = 0; i < PIPE_STORE; i++)
		wait_for_producer(p, u, i, u->op.src[i] == SIM_NO_REGISTER ? PIPE_NONE : p->writer[u->op.src[i]]);
	u->from[PIPE_STORE] = PIPE_NOWHERE;
	u->store = PIPE_NONE;
	if (sim_op_reads(&u->op))
		find_store(p, u);
	if (sim_op_reads(&u->op) || sim_op_writes(&u->op))
		pipe_order_dispatch(p, u);
	if (sim_op_writes(&u->op) && !u->wrong)
		note_store(p, u);
	if (u->op.dst != SIM_NO_REGISTER) {
		u->writer = p->writer[u->op.dst];
		p->writer[u->op.dst] = u->seq;
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
		struct pipe_uop *u = pipe_at(p, p->dispatched);
		bool joins = p->now_dispatched && packed < pack && is_simple(&u->op) &&
			is_simple(&pipe_at(p, p->dispatched - 1)->op);

		if (u->ready > p->now)
			break;
		p->fp_full = pipe_dispatch_is_fp(&u->op) && p->size->fp_dispatch && fp == p->size->fp_dispatch;
		if (p->fp_full)
			break;
		if (!has_entries(p, u, joins)) {
			p->blocked = true;
			break;
		}
		packed = joins ? packed + 1 : 1;
		take_entries(p, u, joins);
		fp += pipe_dispatch_is_fp(&u->op);
		p->dispatched++;
		p->now_dispatched++;
		if (!u->wrong) {
			p->recovering = false;
			p->again_dispatched += p->again != 0;
			p->again -= p->again != 0;
		}
		p->wrong_dispatched += u->wrong;
		p->wrong_in_rob += u->wrong;
		p->now_mispredicted |= u->mispredicted;
		if (u->op.branch)
			sim_account_dispatch(p->account, u->entry);
		u->stage = PIPE_WAITS;
		if (eliminate(p, u))
			continue;
		rename_registers(p, u);
		if (!u->waits)
			pipe_make_ready(p, u);
	}
	p->count[SIM_PIPE_DISPATCHED] += p->now_dispatched;
}
