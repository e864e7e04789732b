/* Issue and execution: the oldest µops whose sources are there take ports; results arrive by a wheel of times; a branch
 * that was mispredicted squashes what follows it. */
#include "sim/pipeline/pipe_state.h"

#include "base/mem.h"

/* --- the wheel of times ------------------------------------------------------------------------------------------ */

static inline void
pipe_execute_add_event(struct sim_pipe *pipe, const struct pipe_uop *uop)
{
	unsigned slot = (unsigned)(uop->ready % PIPE_WHEEL);
	struct pipe_bucket *bucket = &pipe->wheel[slot];

	if (bucket->n == bucket->room) {
		bucket->room = bucket->room ? 2 * bucket->room : 8;
		bucket->event = mem_resize(bucket->event, bucket->room, sizeof *bucket->event);
	}
	bucket->event[bucket->n++] = (struct pipe_event){uop->id, uop->seq};
	pipe->busy[slot / 64] |= (uint64_t)1 << slot % 64;
	pipe->events++;
}

uint64_t
pipe_next_event(const struct sim_pipe *pipe)
{
	unsigned first = (unsigned)((pipe->now + 1) % PIPE_WHEEL);

	if (!pipe->events)
		return PIPE_NONE;
	/* Buckets also hold events of later rounds; to visit one in vain does no harm. */
	for (unsigned i = 0; i <= PIPE_WHEEL / 64; i++) {
		unsigned word = (first / 64 + i) % (PIPE_WHEEL / 64);
		uint64_t bits = pipe->busy[word];

		if (i == 0)
			bits &= UINT64_MAX << first % 64;
		if (bits) {
			unsigned slot = word * 64 + (unsigned)__builtin_ctzll(bits);

			return pipe->now + 1 + (slot + PIPE_WHEEL - first) % PIPE_WHEEL;
		}
	}
	return PIPE_NONE;
}

/* --- readiness --------------------------------------------------------------------------------------------------- */

void
pipe_make_ready(struct sim_pipe *p, struct pipe_uop *u)
{
	uint64_t place = u->seq & p->mask;

	u->stage = PIPE_READY;
	u->able = p->now;
	p->ready[place / 64] |= (uint64_t)1 << place % 64;
	p->n_ready++;
}

static void
leave_ready(struct sim_pipe *p, const struct pipe_uop *u)
{
	uint64_t place = u->seq & p->mask;

	p->ready[place / 64] &= ~((uint64_t)1 << place % 64);
	p->n_ready--;
}

/* --- issue ------------------------------------------------------------------------------------------------------- */

/* Counts a load's miss, and remembers what it waits for. */
static void
note_miss(struct sim_pipe *p, struct pipe_uop *u, const struct pipe_answer *a)
{
	u->part = (uint8_t)pipe_memory_part(&p->memory, a->by, true);
	u->missed = a->missed;
	p->count[SIM_PIPE_L1D_MISS] += a->missed;
	if (!a->missed || !sim_op_reads(&u->op))
		return;
	p->count[SIM_PIPE_L1D]++;
	p->count[SIM_PIPE_L2D] += u->part >= SIM_PART_L2D;
	p->count[SIM_PIPE_L3D] += u->part >= SIM_PART_L3D;
}

/* Returns the time at which the address is translated. */
static uint64_t
translate(struct sim_pipe *pipe, struct pipe_uop *uop, uint64_t time)
{
	struct sim_request q = {.at = uop->op.at, .time = time, .squash = SIM_NEVER, .oldest = time, .ask = SIM_NEVER,
		.store = !sim_op_reads(&uop->op)};
	struct sim_translation x;

	if (pipe_is_perfect(pipe, SIM_PART_DTLB) || sim_mmu_hit(&pipe->mmu, uop->op.at, time))
		return time;
	pipe->mmu.now = pipe->now;
	x = sim_mmu_miss(&pipe->mmu, &q);
	uop->dtlb_missed = true;
	pipe->count[SIM_PIPE_DTLB] += sim_op_reads(&uop->op);
	return x.ready;
}

/* True if a load reads from the store queue: its store has not been written to the cache yet. */
static bool
is_forwarded(struct sim_pipe *p, const struct pipe_uop *u)
{
	if (u->store == PIPE_NONE)
		return false;
	if (u->store >= p->head) /* a load that went ahead of an unknown address finds nothing in the queue */
		return p->size->disambiguation != SIM_BLIND || pipe_at(p, u->store)->stage >= PIPE_RUNS;
	for (uint64_t w = pipe_first_word(&u->op); w <= pipe_last_word(&u->op); w++)
		if (pipe_word_at(p, w)->seq == u->store && pipe_word_at(p, w)->written > p->now)
			return true;
	return false;
}

/* Makes the access of a load or a store whose address is known at `time`. Returns when the data are there. */
static uint64_t
make_access(struct sim_pipe *pipe, struct pipe_uop *uop, uint64_t time)
{
	struct pipe_answer a;

	uop->translated = translate(pipe, uop, time);
	if (uop->wrong && sim_op_writes(&uop->op)) /* stores of a wrong path touch no cache */
		return uop->translated;
	pipe->count[SIM_PIPE_L1D_ACCESS] += !pipe_is_perfect(pipe, SIM_PART_L1D);
	if (pipe->size->lookup_at_fetch && !uop->wrong) {
		a = pipe_memory_use(&pipe->memory, uop->op.at, (enum pipe_level)uop->by, uop->translated);
		a.missed = uop->missed;
	} else {
		a = pipe_memory_data(&pipe->memory, uop->op.at, uop->translated, true);
	}
	note_miss(pipe, uop, &a);
	if (sim_op_writes(&uop->op) && uop->op.kind != SIM_OP_ATOMIC) {
		uop->next[PIPE_STORE] = a.ready; /* when the line is there that the store will be written to */
		return uop->translated;
	}
	if (pipe->stride && !pipe->size->lookup_at_fetch)
		pipe_stride_load(pipe->stride, uop->op.pc, uop->op.at, pipe->now);
	if (is_forwarded(pipe, uop)) {
		pipe->count[SIM_PIPE_FORWARDED]++;
		pipe_order_forward(pipe, uop);
		uop->part = SIM_PART_BASE;
		return uop->translated + pipe->size->forward;
	}
	return a.ready;
}

/* Adds to or subtracts from the numbers of loads that wait, by what they wait for. */
static inline void
count_waiting_loads(struct sim_pipe *p, const struct pipe_uop *u, unsigned one)
{
	if (!sim_op_reads(&u->op))
		return;
	p->in_load += one;
	p->in_l1d += u->part >= SIM_PART_L1D ? one : 0;
	p->in_l2d += u->part >= SIM_PART_L2D ? one : 0;
	p->in_l3d += u->part >= SIM_PART_L3D ? one : 0;
	p->in_dtlb += u->dtlb_missed ? one : 0;
}

static unsigned
latency_of(const struct sim_pipe *p, const struct pipe_uop *u)
{
	const unsigned *latency = p->size->latency;

	if (u->op.kind == SIM_OP_FMA && pipe_planted(p, SIM_PLANT_FMA_SPLIT))
		return latency[SIM_OP_FMUL] + latency[SIM_OP_FADD];
	return latency[u->op.kind];
}

/* True if the bank of L1 that a load needs gives another word in this cycle already. */
static bool
bank_conflicts(struct sim_pipe *p, const struct pipe_uop *u)
{
	uint64_t word = u->op.at >> 3, bank = word & (p->size->banks - 1);

	if (!p->size->banks || !sim_op_reads(&u->op))
		return false;
	if (p->banks_used >> bank & 1 && p->bank_word[bank] != word)
		return true;
	p->banks_used |= (uint64_t)1 << bank;
	p->bank_word[bank] = word;
	return false;
}

/* True if nothing but ports and issue slots keeps the µop from execution. An atomic waits until it is the oldest. */
static bool
may_begin(struct sim_pipe *p, const struct pipe_uop *u)
{
	return (u->op.kind != SIM_OP_ATOMIC || u->seq == p->head) && pipe_order_lets(p, u);
}

/* Returns the first cycle from `time` on in which a load can write its result. */
static uint64_t
write_back_at(struct sim_pipe *pipe, uint64_t time)
{
	if (!pipe->size->write_back)
		return time;
	for (;; time++) {
		uint64_t slot = time % PIPE_WHEEL;

		if (pipe->written[slot].at != time) {
			pipe->written[slot].at = time;
			pipe->written[slot].n = 0;
		}
		if (pipe->written[slot].n < pipe->size->write_back) {
			pipe->written[slot].n++;
			return time;
		}
	}
}

/* Returns true if one of the ports that take the µop is free, and takes it. used: ports taken in this cycle, by
 * group. */
static bool
take_port(struct sim_pipe *pipe, const struct pipe_uop *uop, unsigned *used)
{
	const struct sim_pipeline *pipeline = pipe->size;
	bool blocks = pipeline->blocking >> uop->op.kind & 1;

	for (unsigned groups = pipe->groups[uop->op.kind]; groups; groups &= groups - 1) {
		unsigned g = (unsigned)__builtin_ctz(groups);

		if (used[g] >= pipeline->ports[g].n)
			continue;
		if (pipeline->blocking & pipeline->ports[g].kinds) {
			unsigned port = 0;

			while (port < pipeline->ports[g].n && pipe->port_free[g][port] > pipe->now)
				port++;
			if (port == pipeline->ports[g].n)
				continue;
			pipe->port_free[g][port] = pipe->now + (blocks ? latency_of(pipe, uop) : 1);
		}
		used[g]++;
		return true;
	}
	return false;
}

/* True for a load of the right path whose data come from memory. */
static bool
is_far(const struct sim_pipe *p, const struct pipe_uop *u)
{
	return sim_op_reads(&u->op) && u->missed && !u->wrong &&
		u->part == (p->memory.has_l3 ? SIM_PART_L3D : SIM_PART_L2D);
}

static void
pipe_execute_begin(struct sim_pipe *pipe, struct pipe_uop *u)
{
	uint64_t done = pipe->now + latency_of(pipe, u);

	leave_ready(pipe, u);
	pipe->waiting--;
	pipe->now_issued++;
	pipe->wrong_issued += u->wrong;
	u->stage = PIPE_RUNS;
	u->held_up = (uint32_t)(pipe->now - u->able);
	u->part = SIM_PART_BASE;
	if (sim_op_reads(&u->op) || sim_op_writes(&u->op))
		done = make_access(pipe, u, done);
	else if (u->op.kind == SIM_OP_DIV || u->op.kind == SIM_OP_FDIV)
		pipe->div_until = done > pipe->div_until ? done : pipe->div_until;
	if (sim_op_reads(&u->op) && u->op.dst != SIM_NO_REGISTER) /* a prefetch writes no result */
		done = write_back_at(pipe, done > pipe->now ? done : pipe->now + 1);
	count_waiting_loads(pipe, u, 1);
	pipe->far_begun += is_far(pipe, u);
	u->ready = done > pipe->now ? done : pipe->now + 1;
	pipe_execute_add_event(pipe, u);
	if (sim_op_writes(&u->op))
		pipe_order_address(pipe, u);
}

void
pipe_prefetch(struct sim_pipe *p)
{
	uint64_t address;

	for (; p->free_ports && pipe_stride_take(p->stride, p->now, &address); p->free_ports--)
		pipe_memory_prefetch(&p->memory, address, p->now);
}

/* Returns the load ports that no µop has taken in this cycle. */
static unsigned
free_load_ports(const struct sim_pipe *p, const unsigned *used)
{
	unsigned n = 0;

	for (unsigned g = 0; g < p->size->n_ports; g++)
		n += p->size->ports[g].kinds >> SIM_OP_LOAD & 1 ? p->size->ports[g].n - used[g] : 0;
	return n;
}

void
pipe_issue(struct sim_pipe *pipe)
{
	unsigned used[SIM_PORTS_MAX] = {0};
	uint64_t left = pipe->n_ready, words = (pipe->mask + 1) / 64, first = pipe->head & pipe->mask;
	/* bits before the oldest µop in its word: the youngest ones */
	uint64_t below = ((uint64_t)1 << first % 64) - 1;

	pipe->now_issued = pipe->wrong_issued = pipe->far_begun = 0;
	pipe->banks_used = 0;
	pipe->cleared = false;
	for (uint64_t i = 0; i <= words && left && !pipe->cleared && pipe->now_issued < pipe->size->issue; i++) {
		uint64_t w = (first / 64 + i) & (words - 1);
		uint64_t bits = pipe->ready[w] & (i == 0 ? ~below : i == words ? below : UINT64_MAX);

		for (; bits && !pipe->cleared && pipe->now_issued < pipe->size->issue; bits &= bits - 1, left--) {
			struct pipe_uop *uop = &pipe->uop[w * 64 + (unsigned)__builtin_ctzll(bits)];

			if (may_begin(pipe, uop) && !bank_conflicts(pipe, uop) && take_port(pipe, uop, used))
				pipe_execute_begin(pipe, uop);
		}
	}
	pipe->count[SIM_PIPE_ISSUED] += pipe->now_issued;
	if (pipe->stride) {
		pipe->free_ports = free_load_ports(pipe, used);
		pipe_prefetch(pipe);
	}
}

static void finish_one(struct sim_pipe *, struct pipe_uop *);

/* The µop's result is there: wakes its consumers. */
static void
pipe_wake(struct sim_pipe *pipe, struct pipe_uop *u)
{
	uint64_t link = u->consumers;

	u->consumers = PIPE_NONE;
	while (link != PIPE_NONE) {
		struct pipe_uop *c = pipe_at(pipe, link / PIPE_SOURCES);
		unsigned source = (unsigned)(link % PIPE_SOURCES);

		link = c->next[source];
		c->from[source] = PIPE_NOWHERE;
		if (pipe_is_late(pipe, c, source)) {
			c->late = false;
			if (c->stage == PIPE_HELD)
				finish_one(pipe, c);
		} else if (--c->waits == 0) {
			pipe_make_ready(pipe, c);
		}
	}
}

/* --- results ----------------------------------------------------------------------------------------------------- */

/* Takes a µop off the lists of the producers that it waits for. It is the youngest µop, so it is first in them. */
static void
stop_waiting(struct sim_pipe *p, const struct pipe_uop *u)
{
	for (unsigned i = PIPE_SOURCES; i-- > 0;)
		if (u->stage != PIPE_FRONT && u->stage != PIPE_DONE && u->from[i] != PIPE_NOWHERE)
			p->uop[u->from[i]].consumers = u->next[i];
}

/* Undoes what the dispatch of the youngest µop did. */
static void
undo(struct sim_pipe *pipe, struct pipe_uop *uop)
{
	stop_waiting(pipe, uop);
	if (uop->stage == PIPE_READY)
		leave_ready(pipe, uop);
	pipe->waiting -= uop->stage == PIPE_WAITS || uop->stage == PIPE_READY;
	if (uop->stage == PIPE_RUNS || uop->stage == PIPE_HELD)
		count_waiting_loads(pipe, uop, -1u);
	pipe_order_undo(pipe, uop);
	pipe->rob_used -= !uop->joined;
	pipe->wrong_in_rob -= uop->wrong;
	pipe->loads -= sim_op_reads(&uop->op);
	pipe->stores -= sim_op_writes(&uop->op);
	if (uop->op.dst == SIM_NO_REGISTER)
		return;
	if (uop->op.kind != SIM_OP_NOP)
		pipe->writer[uop->op.dst] = uop->writer;
	if (uop->op.dst >= SIM_FIRST_FP)
		pipe->fp_used--;
	else
		pipe->int_used--;
}

/* Removes all µops younger than `seq`; fetch goes on with the right path. */
static void
pipe_squash(struct sim_pipe *pipe, uint64_t seq)
{
	while (pipe->fetched > seq + 1) {
		struct pipe_uop *uop = pipe_at(pipe, --pipe->fetched);

		pipe->branches -= uop->op.branch != SIM_NO_BRANCH;
		if (pipe->fetched < pipe->dispatched) {
			pipe->dispatched = pipe->fetched;
			undo(pipe, uop);
		}
		uop->id = PIPE_NONE; /* its event in the wheel finds it no more */
	}
	pipe->wrong = pipe->lost = false;
	pipe->nth = 0;
	pipe->fetch_until = pipe->now;
	pipe->fetch_waits = SIM_PART_BASE;
	pipe->fetch_missed = 0;
	pipe->starved = SIM_PART_BASE;
	pipe->fetch_line = pipe->fetch_page = PIPE_NONE;
	pipe->recovering = true;
}

/* The youngest store before µop `seq` to a word; PIPE_NONE: none is in flight. */
static uint64_t
store_before(struct sim_pipe *p, uint64_t seq, uint64_t word)
{
	while (seq-- > p->head) {
		const struct sim_op *o = &pipe_at(p, seq)->op;

		if (sim_op_writes(o) && pipe_first_word(o) <= word && word <= pipe_last_word(o))
			return seq;
	}
	return PIPE_NONE;
}

/* Words that a store writes which is cleared, from µop `seq` on, belong to the store before it again. */
static void
forget_store(struct sim_pipe *p, const struct pipe_uop *u, uint64_t seq)
{
	for (uint64_t w = pipe_first_word(&u->op); w <= pipe_last_word(&u->op); w++)
		if (pipe_word_at(p, w)->word == w && pipe_word_at(p, w)->seq == u->seq)
			*pipe_word_at(p, w) = (struct pipe_word){w, store_before(p, seq, w), PIPE_NONE};
}

void
pipe_clear(struct sim_pipe *pipe, uint64_t seq)
{
	uint64_t ticket = PIPE_NONE, again = 0;
	unsigned branches = 0;

	for (uint64_t s = pipe->fetched; s-- > seq;) {
		const struct pipe_uop *uop = pipe_at(pipe, s);

		again += !uop->wrong;
		pipe->again += !uop->wrong && s < pipe->dispatched;
		if (uop->op.branch)
			ticket = uop->ticket;
		if (s < pipe->dispatched && sim_op_writes(&uop->op) && !uop->wrong)
			forget_store(pipe, uop, seq);
	}
	for (uint64_t s = pipe->head; s < seq; s++)
		branches += pipe_at(pipe, s)->op.branch != SIM_NO_BRANCH;
	pipe_squash(pipe, seq - 1);
	if (ticket != PIPE_NONE)
		sim_predictor_forget(pipe->predictor, ticket);
	pipe->at -= again;
	while (pipe->at > pipe->nth && !(pipe->input[pipe->at - pipe->nth - 1].flags & SIM_OP_LAST))
		pipe->nth++;
	pipe->cleared = true;
	sim_account_squash(pipe->account, (unsigned)(seq - pipe->head), branches);
}

static void
pipe_execute_resolve(struct sim_pipe *p, struct pipe_uop *u)
{
	if (u->mispredicted) {
		p->count[SIM_PIPE_BRANCH]++;
		p->now_resolved = true;
		p->flushed_by = u->op;
		pipe_squash(p, u->seq);
		sim_predictor_recover(p->predictor, u->ticket, &u->op);
	}
	sim_account_resolve(p->account, u->entry, u->mispredicted, (unsigned)(u->seq + 1 - p->head));
}

static void
finish_one(struct sim_pipe *p, struct pipe_uop *u)
{
	count_waiting_loads(p, u, -1u);
	u->stage = PIPE_DONE;
	pipe_wake(p, u);
	p->now_done++;
	p->far_ended += is_far(p, u);
	if (u->op.branch)
		pipe_execute_resolve(p, u);
}

void
pipe_finish(struct sim_pipe *pipe)
{
	unsigned slot = (unsigned)(pipe->now % PIPE_WHEEL);
	struct pipe_bucket *bucket = &pipe->wheel[slot];
	unsigned kept = 0;

	pipe->now_done = pipe->far_ended = 0;
	pipe->now_resolved = false;
	for (unsigned i = 0; i < bucket->n; i++) {
		struct pipe_event e = bucket->event[i];
		struct pipe_uop *uop = pipe_at(pipe, e.seq);

		if (uop->id == e.id && uop->ready > pipe->now && uop->ready % PIPE_WHEEL == slot) {
			bucket->event[kept++] = e;
			continue;
		}
		pipe->events--;
		if (uop->id == e.id && uop->ready > pipe->now) { /* a replay has put it off */
			pipe_execute_add_event(pipe, uop);
			continue;
		}
		if (uop->id != e.id)
			continue;
		if (uop->late)
			uop->stage = PIPE_HELD;
		else
			finish_one(pipe, uop);
	}
	bucket->n = kept;
	if (!kept)
		pipe->busy[slot / 64] &= ~((uint64_t)1 << slot % 64);
}
