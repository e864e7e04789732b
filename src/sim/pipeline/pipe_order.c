/* Memory order: a load that is executed before an older store whose address is unknown may read what the store will
 * write. Without an oracle a load waits for all such stores, or goes ahead and is cleared when it was wrong; store sets
 * make those wait that were wrong before (Chrysos, Emer: Memory Dependence Prediction using Store Sets, ISCA 1998). */
#include "sim/pipeline/pipe_state.h"

/* True if the store's address is known, or it is no more in flight. */
static bool
pipe_order_is_known(struct sim_pipe *p, uint64_t seq)
{
	const struct pipe_uop *u = pipe_at(p, seq);

	return seq < p->head || u->seq != seq || u->stage >= PIPE_RUNS;
}

/* Returns the set of an instruction; 0: it has none. */
static uint64_t *
set_of(struct sim_pipe *p, uint64_t pc)
{
	return &p->set_of[(pc >> 2 ^ pc >> 12) % p->size->store_sets];
}

void
pipe_order_dispatch(struct sim_pipe *pipe, struct pipe_uop *uop)
{
	uint64_t set;

	if (pipe->size->disambiguation == SIM_ORACLE)
		return;
	set = pipe->set_of ? *set_of(pipe, uop->op.pc) : 0;
	uop->behind = PIPE_NONE;
	if (set && pipe->last_of[set % pipe->size->store_sets] < uop->seq)
		uop->behind = pipe->last_of[set % pipe->size->store_sets];
	if (!sim_op_writes(&uop->op))
		return;
	pipe->store[pipe->store_next++ & pipe->store_mask] = uop->seq;
	if (set)
		pipe->last_of[set % pipe->size->store_sets] = uop->seq;
}

void
pipe_order_undo(struct sim_pipe *p, const struct pipe_uop *u)
{
	if (p->size->disambiguation != SIM_ORACLE && sim_op_writes(&u->op) && p->store_next != p->store_first &&
		p->store[(p->store_next - 1) & p->store_mask] == u->seq)
		p->store_next--;
}

bool
pipe_order_lets(struct sim_pipe *p, const struct pipe_uop *u)
{
	if (p->size->disambiguation == SIM_ORACLE || !sim_op_reads(&u->op))
		return true;
	while (p->store_first != p->store_next && pipe_order_is_known(p, p->store[p->store_first & p->store_mask]))
		p->store_first++;
	if (p->size->disambiguation == SIM_WAIT)
		return p->store_first == p->store_next || p->store[p->store_first & p->store_mask] >= u->seq;
	return u->behind == PIPE_NONE || pipe_order_is_known(p, u->behind);
}

/* Puts a load and the store that it should have waited for into the same set. */
static void
join_sets(struct sim_pipe *pipe, uint64_t load, uint64_t store)
{
	uint64_t *a, *b;

	if (!pipe->set_of)
		return;
	a = set_of(pipe, load);
	b = set_of(pipe, store);
	if (!*a && !*b)
		*a = *b = ++pipe->sets;
	else if (!*a || !*b)
		*a = *b = *a ? *a : *b;
	else
		*a = *b = *a < *b ? *a : *b;
}

/* Makes a load that is under way wait for its store's result. A producer's list has the youngest consumer first,
 * because a squash takes them off in this order. */
static void
wait_for_store(struct sim_pipe *pipe, struct pipe_uop *u)
{
	struct pipe_uop *s = pipe_at(pipe, u->store);
	uint64_t me = u->seq * PIPE_SOURCES + PIPE_STORE, *link = &s->consumers;

	if (s->stage == PIPE_DONE || u->from[PIPE_STORE] != PIPE_NOWHERE)
		return;
	while (*link != PIPE_NONE && *link > me)
		link = &pipe_at(pipe, *link / PIPE_SOURCES)->next[*link % PIPE_SOURCES];
	u->next[PIPE_STORE] = *link;
	*link = me;
	u->from[PIPE_STORE] = (uint32_t)(u->store & pipe->mask);
	u->late = true;
}

void
pipe_order_forward(struct sim_pipe *p, struct pipe_uop *u)
{
	if (p->size->disambiguation == SIM_BLIND && u->store >= p->head)
		wait_for_store(p, u);
}

void
pipe_order_address(struct sim_pipe *pipe, struct pipe_uop *s)
{
	if (pipe->size->disambiguation != SIM_BLIND || s->wrong)
		return;
	for (uint64_t seq = s->seq + 1; seq < pipe->dispatched; seq++) {
		struct pipe_uop *u = pipe_at(pipe, seq);

		if (!sim_op_reads(&u->op) || u->wrong || u->store != s->seq || u->stage < PIPE_RUNS || u->ordered)
			continue;
		join_sets(pipe, u->op.pc, s->op.pc);
		u->ordered = true;
		if (u->stage == PIPE_RUNS && pipe_planted(pipe, SIM_PLANT_NUKE_REPLAY)) {
			uint64_t again = s->ready + pipe->size->latency[SIM_OP_LOAD] + pipe->size->forward;

			u->ready = again > u->ready ? again : u->ready;
			wait_for_store(pipe, u);
			continue;
		}
		pipe->count[SIM_PIPE_CLEARS]++;
		pipe->count[SIM_CLEARS]++;
		pipe_clear(pipe, seq);
		return;
	}
}
