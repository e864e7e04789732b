#include "sim/pipeline/pipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "sim/pipeline/pipe_state.h"
#include "sim/workload.h"

static uint64_t
power_of_two(uint64_t least)
{
	uint64_t n = 64;

	while (n < least)
		n *= 2;
	return n;
}

/* Gives a reference of a page-table walker to the caches. */
static struct sim_data
pipe_walk(void *ctx, uint64_t line, uint64_t time)
{
	static const enum sim_served served[] = {SIM_BY_L1, SIM_BY_L2, SIM_BY_L3, SIM_BY_MEMORY};
	struct sim_pipe *p = ctx;
	struct pipe_answer a = pipe_memory_data(&p->memory, line * SIM_LINE | (uint64_t)1 << 60, time, false);

	return (struct sim_data){a.ready, served[a.by]};
}

static void
init_mmu(struct sim_pipe *p)
{
	const struct sim_memory all = {.bytes = (uint64_t)1 << 48, .page = SIM_4K, .touched = true};

	sim_caches_init(&p->caches, p->machine, 1);
	p->caches.walk = pipe_walk;
	p->caches.walk_ctx = p;
	sim_mmu_init(&p->mmu, p->machine, &all, &p->caches, p->count, 1);
	p->mmu.plants = p->plants;
}

struct sim_pipe *
sim_pipe_new(const struct sim_machine *m, sim_plants plants, sim_perfect perfect)
{
	const struct sim_pipeline *s = &m->pipe;
	struct sim_pipe *p = mem_new(sizeof *p);
	uint64_t size, pack = s->rob_pack ? s->rob_pack : 1;

	if (!s->there)
		panic("simulated machine without a pipeline");
	p->machine = m;
	p->size = s;
	p->plants = plants;
	p->perfect = perfect;
	if (!s->translates)
		p->perfect |= 1u << SIM_PART_ITLB | 1u << SIM_PART_DTLB;
	p->now = 1;
	for (unsigned g = 0; g < s->n_ports; g++)
		for (unsigned kind = 0; kind < SIM_N_OP_KINDS; kind++)
			p->groups[kind] |= (uint8_t)((s->ports[g].kinds >> kind & 1) << g);
	p->front_room = (uint64_t)s->front_end * m->width + s->fetch_buffer;
	size = power_of_two(p->front_room + m->rob * pack + 2);
	p->mask = size - 1;
	p->uop = mem_new_array(size, sizeof *p->uop);
	for (uint64_t i = 0; i < size; i++)
		p->uop[i].id = PIPE_NONE;
	p->ready = mem_new_array(size / 64, sizeof *p->ready);
	p->steps_most = UINT64_MAX;
	p->input_room = PIPE_INPUT + p->front_room + size;
	p->input = mem_new_array(p->input_room, sizeof *p->input);
	for (unsigned r = 0; r < SIM_REGISTERS; r++)
		p->writer[r] = PIPE_NONE;
	size = power_of_two(m->store_queue + (uint64_t)1);
	p->release_mask = size - 1;
	p->released = mem_new_array(size, sizeof *p->released);
	p->released_from = mem_new_array(size, sizeof *p->released_from);
	p->word = mem_new_array(PIPE_WORDS, sizeof *p->word);
	size = p->mask + 1;
	p->store_mask = size - 1;
	p->store = mem_new_array(size, sizeof *p->store);
	if (s->store_sets) {
		p->set_of = mem_new_array(s->store_sets, sizeof *p->set_of);
		p->last_of = mem_new_array(s->store_sets, sizeof *p->last_of);
		memset(p->last_of, 0xff, s->store_sets * sizeof *p->last_of);
	}
	for (unsigned i = 0; i < PIPE_WORDS; i++)
		p->word[i].seq = PIPE_NONE;
	p->fetch_line = p->fetch_page = PIPE_NONE;
	p->predictor = sim_predictor_new(&s->predictor);
	p->code = pipe_planted(p, SIM_PLANT_WRONG_PATH) ? pipe_code_new() : NULL;
	p->stride = s->stride_entries ? pipe_stride_new(s->stride_entries, s->stride_ahead) : NULL;
	p->account = sim_account_new(s->branches, m->rob);
	pipe_memory_init(&p->memory, m, perfect, p->count);
	init_mmu(p);
	return p;
}

void
sim_pipe_free(struct sim_pipe *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < PIPE_WHEEL; i++)
		free(p->wheel[i].event);
	sim_mmu_free(&p->mmu);
	sim_caches_free(&p->caches);
	pipe_memory_free(&p->memory);
	sim_account_free(p->account);
	pipe_stride_free(p->stride);
	pipe_code_free(p->code);
	sim_predictor_free(p->predictor);
	free(p->committed);
	free(p->store);
	free(p->set_of);
	free(p->last_of);
	free(p->word);
	free(p->released);
	free(p->released_from);
	free(p->input);
	free(p->ready);
	free(p->uop);
	free(p);
}

void
sim_pipe_watch(struct sim_pipe *p, void (*watch)(void *ctx, const struct sim_pipe_cycle *), void *ctx)
{
	p->watch = watch;
	p->watch_ctx = ctx;
}

/* Returns the component that the oldest µop waits for, and in *until the time at which that changes, if it is known. */
static enum sim_part
head_waits(struct sim_pipe *p, uint64_t *until)
{
	const struct pipe_uop *u = pipe_at(p, p->head);

	*until = PIPE_NONE;
	if (p->head == p->dispatched || u->stage != PIPE_RUNS)
		return SIM_PART_BASE;
	if (sim_op_reads(&u->op)) {
		if (u->dtlb_missed && p->now < u->translated) {
			*until = u->translated;
			return SIM_PART_DTLB;
		}
		return (enum sim_part)u->part;
	}
	if (sim_op_writes(&u->op))
		return u->dtlb_missed && p->now < u->translated ? SIM_PART_DTLB : SIM_PART_BASE;
	return p->size->latency[u->op.kind] > 1 ? SIM_PART_UNIT : SIM_PART_BASE;
}

/* Counts the events of the Top-Down method for `n` cycles that are alike. */
static void
count_slots(struct sim_pipe *p, uint64_t n)
{
	uint64_t *count = p->count;

	if (!p->recovering && !pipe_back_end_is_full(p)) {
		count[SIM_PIPE_UNDELIVERED] += n * (p->machine->width - p->now_dispatched);
		count[SIM_PIPE_NONE_DELIVERED] += p->now_dispatched ? 0 : n;
	}
	count[SIM_PIPE_RECOVERY] += p->recovering ? n : 0;
	count[SIM_PIPE_STORE_FULL] += p->store_blocked ? n : 0;
	count[SIM_PIPE_DIV_BUSY] += p->div_until > p->now ? n : 0;
	if (p->fetch_until > p->now) {
		bool tlb = p->fetch_waits == SIM_PART_ITLB;

		count[SIM_PIPE_ITLB_WAIT] += tlb ? n : 0;
		count[SIM_PIPE_L1I_WAIT] += !tlb && p->fetch_waits != SIM_PART_BASE ? n : 0;
	}
	if (p->now_issued)
		return;
	count[SIM_PIPE_EXEC_NONE] += n;
	count[SIM_PIPE_LOAD_WAIT] += p->in_load ? n : 0;
	count[SIM_PIPE_L1D_WAIT] += p->in_l1d ? n : 0;
	count[SIM_PIPE_L2D_WAIT] += p->in_l2d ? n : 0;
	count[SIM_PIPE_L3D_WAIT] += p->in_l3d ? n : 0;
	count[SIM_PIPE_DTLB_WAIT] += p->in_dtlb ? n : 0;
}

/* True while a right-path instruction's miss, or a branch that was mispredicted, keeps useful instructions away, and at
 * the same time a long miss of data blocks a full reorder buffer (Eyerman et al., section 3.3). */
static bool
is_hidden(const struct sim_pipe *p, const struct sim_signals *s)
{
	bool front = p->wrong || (p->fetch_until > p->now && p->fetch_waits != SIM_PART_BASE);

	return front && s->rob_full && s->head_waits >= SIM_PART_L2D && s->head_waits <= SIM_PART_DTLB;
}

/* Returns how many cycles, this one included, will look like this one. */
static uint64_t
cycles_alike(const struct sim_pipe *p, uint64_t head_changes)
{
	uint64_t next, t;

	if (p->now_dispatched || p->now_committed || p->now_issued || p->now_fetched || p->now_done || p->n_ready ||
		(p->stride && pipe_stride_waits(p->stride)))
		return 1;
	next = pipe_next_event(p);
	next = head_changes < next ? head_changes : next;
	if (p->fetch_until > p->now && p->fetch_until < next)
		next = p->fetch_until;
	if (p->div_until > p->now && p->div_until < next)
		next = p->div_until;
	if (p->dispatched < p->fetched && !p->blocked) {
		t = p->uop[p->dispatched & p->mask].ready;
		next = t < next ? t : next;
	}
	if (p->release_first != p->release_next) {
		t = p->released[p->release_first & p->release_mask];
		next = t < next ? t : next;
	}
	return next != PIPE_NONE && next > p->now ? next - p->now : 1;
}

static void
run_cycle(struct sim_pipe *p)
{
	uint64_t n, head_changes;
	struct sim_signals s;

	pipe_finish(p);
	pipe_commit(p);
	pipe_issue(p);
	pipe_dispatch(p);
	pipe_fetch(p);
	s = (struct sim_signals){
		.dispatched = (uint16_t)p->now_dispatched, .committed = (uint16_t)p->now_committed,
		.fetch_waits = p->fetch_until > p->now ? p->fetch_waits : (uint8_t)SIM_PART_BASE,
		.starved_by = p->dispatched < p->fetched ? pipe_at(p, p->dispatched)->starved : p->starved,
		.rob_empty = p->head == p->dispatched, .rob_full = p->blocked || pipe_window_is_full(p),
		.head_waits = (uint8_t)head_waits(p, &head_changes),
	};
	s.cycles = n = cycles_alike(p, head_changes);
	sim_account_cycle(p->account, &s);
	if (p->instructions)
		pipe_attribute(p, n);
	count_slots(p, n);
	pipe_count_slots(p, n);
	p->count[SIM_PIPE_HIDDEN] += is_hidden(p, &s) ? n : 0;
	if (p->watch)
		p->watch(p->watch_ctx, &(struct sim_pipe_cycle){.at = p->now, .signals = s,
			.dispatched = p->now_dispatched - p->wrong_dispatched,
			.issued = p->now_issued - p->wrong_issued, .rob = (unsigned)(p->dispatched - p->head),
			.wrong = p->wrong_in_rob, .far_begun = p->far_begun, .far_ended = p->far_ended,
			.mispredicted = p->now_mispredicted, .resolved = p->now_resolved});
	p->now += n;
	p->steps++;
}

static void
update_counts(struct sim_pipe *p)
{
	static const enum sim_event first[SIM_N_METHODS] = {
		[SIM_POWER5] = SIM_POWER5_BASE, [SIM_FMT] = SIM_FMT_BASE, [SIM_SFMT] = SIM_SFMT_BASE,
		[SIM_TEA] = SIM_TEA_BASE,
	};

	p->count[SIM_CYCLES] = p->now - 1;
	p->count[SIM_LOAD_WALK_CYCLES] = p->mmu.walk_time[0];
	p->count[SIM_STORE_WALK_CYCLES] = p->mmu.walk_time[1];
	for (int m = 0; m < (int)SIM_N_METHODS; m++)
		memcpy(&p->count[first[m]], sim_account_counts(p->account, (enum sim_method)m),
			SIM_N_PARTS * sizeof *p->count);
}

void
sim_pipe_bound(struct sim_pipe *p, uint64_t cycles)
{
	p->steps = 0;
	p->steps_most = cycles;
}

bool
sim_pipe_is_spent(const struct sim_pipe *p)
{
	return p->steps >= p->steps_most;
}

void
sim_pipe_run(struct sim_pipe *p, const struct sim_op *o, size_t n)
{
	while (n && !sim_pipe_is_spent(p)) {
		/* As many as can be in flight are kept: a clear fetches them again. */
		size_t kept = p->at < p->mask + 1 ? p->at : p->mask + 1, room, take;

		memmove(p->input, p->input + p->at - kept, (p->n - p->at + kept) * sizeof *p->input);
		p->n -= p->at - kept;
		p->at = kept;
		room = p->input_room - p->n;
		take = n < room ? n : room;
		memcpy(p->input + p->n, o, take * sizeof *o);
		p->n += take;
		o += take;
		n -= take;
		while (p->n - p->at >= p->front_room && !sim_pipe_is_spent(p)) /* no cycle fetches more */
			run_cycle(p);
	}
	update_counts(p);
}

void
sim_pipe_drain(struct sim_pipe *p)
{
	while ((p->at < p->n || p->head < p->fetched) && !sim_pipe_is_spent(p))
		run_cycle(p);
	update_counts(p);
}

const uint64_t *
sim_pipe_counts(const struct sim_pipe *p)
{
	return p->count;
}
