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
sim_pipe_new(const struct sim_machine *machine, sim_plants plants, sim_perfect perfect)
{
	const struct sim_pipeline *pipeline = &machine->pipe;
	struct sim_pipe *pipe = mem_new(sizeof *pipe);
	uint64_t size, pack = pipeline->rob_pack ? pipeline->rob_pack : 1;

	if (!pipeline->there)
		panic("simulated machine without a pipeline");
	pipe->machine = machine;
	pipe->size = pipeline;
	pipe->plants = plants;
	pipe->perfect = perfect;
	if (!pipeline->translates)
		pipe->perfect |= 1u << SIM_PART_ITLB | 1u << SIM_PART_DTLB;
	pipe->now = 1;
	for (unsigned g = 0; g < pipeline->n_ports; g++)
		for (unsigned kind = 0; kind < SIM_N_OP_KINDS; kind++)
			pipe->groups[kind] |= (uint8_t)((pipeline->ports[g].kinds >> kind & 1) << g);
	pipe->front_room = (uint64_t)pipeline->front_end * machine->width + pipeline->fetch_buffer;
	size = power_of_two(pipe->front_room + machine->rob * pack + 2);
	pipe->mask = size - 1;
	pipe->uop = mem_new_array(size, sizeof *pipe->uop);
	for (uint64_t i = 0; i < size; i++)
		pipe->uop[i].id = PIPE_NONE;
	pipe->ready = mem_new_array(size / 64, sizeof *pipe->ready);
	pipe->steps_most = UINT64_MAX;
	pipe->input_room = PIPE_INPUT + pipe->front_room + size;
	pipe->input = mem_new_array(pipe->input_room, sizeof *pipe->input);
	for (unsigned r = 0; r < SIM_REGISTERS; r++)
		pipe->writer[r] = PIPE_NONE;
	size = power_of_two(machine->store_queue + (uint64_t)1);
	pipe->release_mask = size - 1;
	pipe->released = mem_new_array(size, sizeof *pipe->released);
	pipe->released_from = mem_new_array(size, sizeof *pipe->released_from);
	pipe->word = mem_new_array(PIPE_WORDS, sizeof *pipe->word);
	size = pipe->mask + 1;
	pipe->store_mask = size - 1;
	pipe->store = mem_new_array(size, sizeof *pipe->store);
	if (pipeline->store_sets) {
		pipe->set_of = mem_new_array(pipeline->store_sets, sizeof *pipe->set_of);
		pipe->last_of = mem_new_array(pipeline->store_sets, sizeof *pipe->last_of);
		memset(pipe->last_of, 0xff, pipeline->store_sets * sizeof *pipe->last_of);
	}
	for (unsigned i = 0; i < PIPE_WORDS; i++)
		pipe->word[i].seq = PIPE_NONE;
	pipe->fetch_line = pipe->fetch_page = PIPE_NONE;
	pipe->predictor = sim_predictor_new(&pipeline->predictor);
	pipe->code = pipe_planted(pipe, SIM_PLANT_WRONG_PATH) ? pipe_code_new() : NULL;
	pipe->stride = pipeline->stride_entries ? pipe_stride_new(pipeline->stride_entries, pipeline->stride_ahead)
						: NULL;
	pipe->account = sim_account_new(pipeline->branches, machine->rob);
	pipe_memory_init(&pipe->memory, machine, perfect, pipe->count);
	init_mmu(pipe);
	return pipe;
}

void
sim_pipe_free(struct sim_pipe *pipe)
{
	if (!pipe)
		return;
	for (unsigned i = 0; i < PIPE_WHEEL; i++)
		free(pipe->wheel[i].event);
	sim_mmu_free(&pipe->mmu);
	sim_caches_free(&pipe->caches);
	pipe_memory_free(&pipe->memory);
	sim_account_free(pipe->account);
	pipe_stride_free(pipe->stride);
	pipe_code_free(pipe->code);
	sim_predictor_free(pipe->predictor);
	free(pipe->committed);
	free(pipe->store);
	free(pipe->set_of);
	free(pipe->last_of);
	free(pipe->word);
	free(pipe->released);
	free(pipe->released_from);
	free(pipe->input);
	free(pipe->ready);
	free(pipe->uop);
	free(pipe);
}

void
sim_pipe_watch(struct sim_pipe *p, void (*watch)(void *ctx, const struct sim_pipe_cycle *), void *ctx)
{
	p->watch = watch;
	p->watch_ctx = ctx;
}

/* Returns the component that the oldest µop waits for, and in *until the time at which that changes, if it is known. */
static enum sim_part
head_waits(struct sim_pipe *pipe, uint64_t *until)
{
	const struct pipe_uop *uop = pipe_at(pipe, pipe->head);

	*until = PIPE_NONE;
	if (pipe->head == pipe->dispatched || uop->stage != PIPE_RUNS)
		return SIM_PART_BASE;
	if (sim_op_reads(&uop->op)) {
		if (uop->dtlb_missed && pipe->now < uop->translated) {
			*until = uop->translated;
			return SIM_PART_DTLB;
		}
		return (enum sim_part)uop->part;
	}
	if (sim_op_writes(&uop->op))
		return uop->dtlb_missed && pipe->now < uop->translated ? SIM_PART_DTLB : SIM_PART_BASE;
	return pipe->size->latency[uop->op.kind] > 1 ? SIM_PART_UNIT : SIM_PART_BASE;
}

/* Counts the events of the Top-Down method for `n` cycles that are alike. */
static void
count_slots(struct sim_pipe *pipe, uint64_t n)
{
	uint64_t *count = pipe->count;

	if (!pipe->recovering && !pipe_back_end_is_full(pipe)) {
		count[SIM_PIPE_UNDELIVERED] += n * (pipe->machine->width - pipe->now_dispatched);
		count[SIM_PIPE_NONE_DELIVERED] += pipe->now_dispatched ? 0 : n;
	}
	count[SIM_PIPE_RECOVERY] += pipe->recovering ? n : 0;
	count[SIM_PIPE_STORE_FULL] += pipe->store_blocked ? n : 0;
	count[SIM_PIPE_DIV_BUSY] += pipe->div_until > pipe->now ? n : 0;
	if (pipe->fetch_until > pipe->now) {
		bool tlb = pipe->fetch_waits == SIM_PART_ITLB;

		count[SIM_PIPE_ITLB_WAIT] += tlb ? n : 0;
		count[SIM_PIPE_L1I_WAIT] += !tlb && pipe->fetch_waits != SIM_PART_BASE ? n : 0;
	}
	if (pipe->now_issued)
		return;
	count[SIM_PIPE_EXEC_NONE] += n;
	count[SIM_PIPE_LOAD_WAIT] += pipe->in_load ? n : 0;
	count[SIM_PIPE_L1D_WAIT] += pipe->in_l1d ? n : 0;
	count[SIM_PIPE_L2D_WAIT] += pipe->in_l2d ? n : 0;
	count[SIM_PIPE_L3D_WAIT] += pipe->in_l3d ? n : 0;
	count[SIM_PIPE_DTLB_WAIT] += pipe->in_dtlb ? n : 0;
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
cycles_alike(const struct sim_pipe *pipe, uint64_t head_changes)
{
	uint64_t next, t;

	if (pipe->now_dispatched || pipe->now_committed || pipe->now_issued || pipe->now_fetched || pipe->now_done ||
		pipe->n_ready || (pipe->stride && pipe_stride_waits(pipe->stride)))
		return 1;
	next = pipe_next_event(pipe);
	next = head_changes < next ? head_changes : next;
	if (pipe->fetch_until > pipe->now && pipe->fetch_until < next)
		next = pipe->fetch_until;
	if (pipe->div_until > pipe->now && pipe->div_until < next)
		next = pipe->div_until;
	if (pipe->dispatched < pipe->fetched && !pipe->blocked) {
		t = pipe->uop[pipe->dispatched & pipe->mask].ready;
		next = t < next ? t : next;
	}
	if (pipe->release_first != pipe->release_next) {
		t = pipe->released[pipe->release_first & pipe->release_mask];
		next = t < next ? t : next;
	}
	return next != PIPE_NONE && next > pipe->now ? next - pipe->now : 1;
}

static void
run_cycle(struct sim_pipe *pipe)
{
	uint64_t n, head_changes;
	struct sim_signals s;

	pipe_finish(pipe);
	pipe_commit(pipe);
	pipe_issue(pipe);
	pipe_dispatch(pipe);
	pipe_fetch(pipe);
	s = (struct sim_signals){
		.dispatched = (uint16_t)pipe->now_dispatched,
		.committed = (uint16_t)pipe->now_committed,
		.fetch_waits = pipe->fetch_until > pipe->now ? pipe->fetch_waits : (uint8_t)SIM_PART_BASE,
		.starved_by = pipe->dispatched < pipe->fetched ? pipe_at(pipe, pipe->dispatched)->starved
							       : pipe->starved,
		.rob_empty = pipe->head == pipe->dispatched,
		.rob_full = pipe->blocked || pipe_window_is_full(pipe),
		.head_waits = (uint8_t)head_waits(pipe, &head_changes),
	};
	s.cycles = n = cycles_alike(pipe, head_changes);
	sim_account_cycle(pipe->account, &s);
	if (pipe->instructions)
		pipe_attribute(pipe, n);
	count_slots(pipe, n);
	pipe_count_slots(pipe, n);
	pipe->count[SIM_PIPE_HIDDEN] += is_hidden(pipe, &s) ? n : 0;
	if (pipe->watch)
		pipe->watch(pipe->watch_ctx,
			&(struct sim_pipe_cycle){.at = pipe->now,
				.signals = s,
				.dispatched = pipe->now_dispatched - pipe->wrong_dispatched,
				.issued = pipe->now_issued - pipe->wrong_issued,
				.rob = (unsigned)(pipe->dispatched - pipe->head),
				.wrong = pipe->wrong_in_rob,
				.far_begun = pipe->far_begun,
				.far_ended = pipe->far_ended,
				.mispredicted = pipe->now_mispredicted,
				.resolved = pipe->now_resolved});
	pipe->now += n;
	pipe->steps++;
}

static void
update_counts(struct sim_pipe *pipe)
{
	static const enum sim_event first[SIM_N_METHODS] = {
		[SIM_POWER5] = SIM_POWER5_BASE, [SIM_FMT] = SIM_FMT_BASE, [SIM_SFMT] = SIM_SFMT_BASE,
		[SIM_TEA] = SIM_TEA_BASE,
	};

	pipe->count[SIM_CYCLES] = pipe->now - 1;
	pipe->count[SIM_LOAD_WALK_CYCLES] = pipe->mmu.walk_time[0];
	pipe->count[SIM_STORE_WALK_CYCLES] = pipe->mmu.walk_time[1];
	for (int m = 0; m < (int)SIM_N_METHODS; m++)
		memcpy(&pipe->count[first[m]], sim_account_counts(pipe->account, (enum sim_method)m),
			SIM_N_PARTS * sizeof *pipe->count);
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
sim_pipe_run(struct sim_pipe *pipe, const struct sim_op *op, size_t n)
{
	while (n && !sim_pipe_is_spent(pipe)) {
		/* As many as can be in flight are kept: a clear fetches them again. */
		size_t kept = pipe->at < pipe->mask + 1 ? pipe->at : pipe->mask + 1, room, take;

		memmove(pipe->input, pipe->input + pipe->at - kept, (pipe->n - pipe->at + kept) * sizeof *pipe->input);
		pipe->n -= pipe->at - kept;
		pipe->at = kept;
		room = pipe->input_room - pipe->n;
		take = n < room ? n : room;
		memcpy(pipe->input + pipe->n, op, take * sizeof *op);
		pipe->n += take;
		op += take;
		n -= take;
		while (pipe->n - pipe->at >= pipe->front_room && !sim_pipe_is_spent(pipe)) /* no cycle fetches more */
			run_cycle(pipe);
	}
	update_counts(pipe);
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
