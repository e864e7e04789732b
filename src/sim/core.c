/* An out-of-order core in one pass over the program: each µop gets the times of its stages.
 *
 *   dispatch   one µop per slot; later while the reorder buffer, the load queue or the store queue is full
 *   issue      when its address is known: a SIM_DEPENDS µop waits for the data of the load before it
 *   translate  mmu/mmu.c
 *   data       mmu/cache.c; a mispredicted branch or a pointer waits for this
 *   retire     in program order, after all of the above
 *
 * The unit of time is a slot; a cycle has `width` slots. So one µop dispatches and one retires per slot, and no time is
 * ever divided. A µop is finished after one pass through these stages. It leaves ready times behind, in caches, TLBs
 * and queues.
 *
 * A wrong path is simulated the same way, up to the slot in which its branch is resolved. Then dispatch goes back to
 * where the right path stood:
 *
 *   right path   ──●──●──[mispredicted]· · · · · · · · · · ·●──●──►    penalty after the squash
 *   wrong path                     └──○──○──○──┤ squash                fills caches and TLBs, retires nothing */
#include "sim/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "sim/mmu/mmu.h"
#include "sim/workload.h"

/* The position of dispatch in program order. A squash restores it. */
struct front {
	uint64_t slot;         /* slot of the last µop dispatched */
	uint64_t place;        /* number of µops before it */
	uint64_t oldest, next; /* running numbers of the reorder buffer's entries that hold memory µops */
	uint64_t loads, stores;
	uint64_t value;        /* time at which the data of the last load are there */
	uint64_t addresses;    /* time at which the addresses of all stores so far are known */
	uint64_t line[2];      /* lines that the last load and the last store touched */
};

struct held { uint64_t place, until; };

struct sim_core {
	struct front front, right; /* right: where dispatch continues after a wrong path */
	uint64_t squash;           /* time at which the wrong path is squashed */
	bool wrong, over;          /* the wrong path is being simulated; its next µops would begin after the squash */
	uint64_t retired, written; /* time at which the last µop retired; at which the last store was written */
	uint64_t kernel;           /* cycles spent in page faults */
	struct held *rob;          /* rings; their sizes are powers of two */
	uint64_t *load, *store;    /* until when entries of the queues are occupied */
	uint64_t rob_mask, load_mask, store_mask;
	uint64_t rob_size, load_queue, store_queue, penalty, width;
	uint32_t up, down;         /* pairs of neighbouring lines of a page that trigger a prefetch */
	sim_plants plants;
	/* memory µops until accessed bits are cleared; and from one clearing to the next */
	uint64_t until_clear, refresh;
	struct sim_mmu mmu;
	struct sim_caches caches;
	uint64_t count[SIM_N_COUNTS];
	const struct sim_machine *machine;
	void (*observer)(void *, const struct sim_uop_counts *);
	void *observer_ctx;
};

static inline uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t
ring_mask(uint64_t least)
{
	uint64_t n = 1;

	while (n < least)
		n *= 2;
	return n - 1;
}

static uint32_t
pair(const unsigned line[2])
{
	return line[0] << 6 | line[1];
}

struct sim_core *
sim_core_new(const struct sim_machine *machine, sim_plants plants, const struct sim_memory *memory)
{
	struct sim_core *core;

	/* sim_machine_parse() never returns such a machine. Missing caches and tables are fine: their size is 0. */
	if (!machine->width || !machine->rob || !machine->load_queue || !machine->store_queue || !machine->l1.bytes ||
		!machine->data_mlp || !machine->walkers || machine->walkers > SIM_MOST_WALKERS || !machine->mshrs ||
		machine->mshrs > SIM_MOST_MSHRS)
		panic("simulated machine without width, queues, first cache, walkers or MSHRs, or with too many "
			"walkers or MSHRs");
	core = mem_new(sizeof *core);
	core->machine = machine;
	core->width = machine->width;
	core->rob_size = machine->rob;
	core->load_queue = machine->load_queue;
	core->store_queue = machine->store_queue;
	core->penalty = (uint64_t)machine->branch_penalty * machine->width;
	/* Twice the entries in flight: a wrong path ends when it has filled a queue, so it does not overwrite entries
	 * that the right path still reads. */
	core->rob_mask = ring_mask(2 * (uint64_t)machine->rob + 2);
	core->load_mask = ring_mask(2 * (uint64_t)machine->load_queue + 2);
	core->store_mask = ring_mask(2 * (uint64_t)machine->store_queue + 2);
	core->rob = mem_new_array(core->rob_mask + 1, sizeof *core->rob);
	core->load = mem_new_array(core->load_mask + 1, sizeof *core->load);
	core->store = mem_new_array(core->store_mask + 1, sizeof *core->store);
	core->up = pair(machine->line_up);
	core->down = pair(machine->line_down);
	core->front.line[0] = core->front.line[1] = SIM_NEVER;
	core->until_clear = core->refresh = memory->refresh;
	sim_caches_init(&core->caches, machine, core->width);
	sim_mmu_init(&core->mmu, machine, memory, &core->caches, core->count, core->width);
	sim_core_plant(core, plants);
	return core;
}

void
sim_core_free(struct sim_core *c)
{
	if (!c)
		return;
	sim_mmu_free(&c->mmu);
	sim_caches_free(&c->caches);
	free(c->rob);
	free(c->load);
	free(c->store);
	free(c);
}

void
sim_core_plant(struct sim_core *c, sim_plants plants)
{
	c->plants = c->mmu.plants = plants;
}

void
sim_core_observe(struct sim_core *c, void (*observer)(void *ctx, const struct sim_uop_counts *), void *ctx)
{
	c->observer = observer;
	c->observer_ctx = ctx;
}

const uint64_t *
sim_core_counts(const struct sim_core *c)
{
	return c->count;
}

/* Returns an address in the page that this access, together with the one before it, asks to prefetch; SIM_NEVER: none.
 */
static inline uint64_t
prefetch_page(struct sim_core *core, const struct sim_uop *uop)
{
	bool store = uop->kind == SIM_STORE;
	uint64_t line = uop->at >> SIM_LINE_SHIFT, before = core->front.line[store];
	uint32_t lines = (uint32_t)((before & 63) << 6 | (line & 63));
	uint64_t page = line >> 6;

	core->front.line[store] = line;
	if ((lines != core->up && lines != core->down) || before >> 6 != page)
		return SIM_NEVER;
	if (!(core->plants >> SIM_PLANT_TLB_PF & 1) || (store && !(core->plants >> SIM_PLANT_PF_STORES & 1)))
		return SIM_NEVER;
	if (lines == core->up)
		return page + 1 < (uint64_t)1 << 36 ? (page + 1) << 12 : SIM_NEVER;
	return page > 0 ? (page - 1) << 12 : SIM_NEVER;
}

/* Returns when the µop enters the reorder buffer and its queue. */
static inline uint64_t
dispatch(struct sim_core *core, const struct sim_uop *uop)
{
	struct front *front = &core->front;
	uint64_t slot = front->slot + uop->other + 1;

	front->place += (uint64_t)uop->other + 1;
	for (; front->oldest < front->next; front->oldest++) {
		const struct held *h = &core->rob[front->oldest & core->rob_mask];

		if (h->place + core->rob_size > front->place)
			break;
		if (h->until > slot)
			slot = h->until;
	}
	if (uop->kind == SIM_LOAD) {
		uint64_t held = core->load[(front->loads - core->load_queue) & core->load_mask];

		if (front->loads >= core->load_queue && held > slot)
			slot = held;
	} else if (uop->kind == SIM_STORE) {
		uint64_t held = core->store[(front->stores - core->store_queue) & core->store_mask];

		if (front->stores >= core->store_queue && held > slot)
			slot = held;
	}
	front->slot = slot;
	return slot;
}

/* Records until when the µop occupies its entries of the reorder buffer and of its queue. */
static inline void
occupy_entries(struct sim_core *c, const struct sim_uop *u, uint64_t rob, uint64_t queue)
{
	struct front *f = &c->front;

	c->rob[f->next++ & c->rob_mask] = (struct held){f->place, rob};
	if (u->kind == SIM_LOAD)
		c->load[f->loads++ & c->load_mask] = queue;
	else if (u->kind == SIM_STORE)
		c->store[f->stores++ & c->store_mask] = queue;
}

static void
run_wrong_uop(struct sim_core *core, const struct sim_uop *u)
{
	struct front *front = &core->front;
	uint64_t slot = dispatch(core, u), time = slot, data;
	struct sim_request q = {
		.at = u->at, .squash = core->squash, .oldest = SIM_NEVER, .store = u->kind == SIM_STORE};
	struct sim_translation x;

	/* Nothing more is written into the queues' rings, because the right path still needs their contents. */
	core->over = slot >= core->squash;
	if (core->over)
		return;
	if ((u->flags & SIM_DEPENDS) && front->value > time)
		time = front->value;
	occupy_entries(core, u, core->squash, core->squash);
	data = SIM_NEVER;
	if (u->kind != SIM_FETCH && time < core->squash) {
		core->count[SIM_TRUE_WRONG_PATH]++;
		q.time = time;
		q.stores = front->addresses;
		q.ask = prefetch_page(core, u);
		x = q.ask == SIM_NEVER && sim_mmu_hit(&core->mmu, u->at, time) ? (struct sim_translation){.ready = time}
			: sim_mmu_ask(&core->mmu, &q);
		if (x.ready < core->squash)
			data = sim_caches_ask(&core->caches, sim_mmu_line(&core->mmu, u->at), x.ready, false).ready;
	}
	if (u->kind == SIM_LOAD)
		front->value = data;
	else if (u->kind == SIM_STORE && time > front->addresses)
		front->addresses = time;
}

/* Begins a wrong path after this µop; `squash` is when it ends. */
static void
begin_wrong_path(struct sim_core *c, uint64_t squash)
{
	c->wrong = true;
	c->over = false;
	c->squash = squash;
	c->right = c->front;
}

static inline void
end_wrong_path(struct sim_core *c)
{
	c->front = c->right;
	c->wrong = false;
	if (c->squash + c->penalty > c->front.slot)
		c->front.slot = c->squash + c->penalty;
	c->mmu.now = c->front.slot;
}

static void
act_on_flags(struct sim_core *c, const struct sim_uop *u, uint64_t address)
{
	uint64_t squash = (u->kind == SIM_LOAD ? c->front.value : address) + c->width;

	if (u->flags & SIM_MISPREDICT)
		c->count[SIM_BRANCH_MISSES]++;
	if (u->flags & SIM_CLEAR) {
		c->count[SIM_CLEARS]++;
		squash = c->retired;
	}
	begin_wrong_path(c, squash);
}

static inline void
clear_accessed_when_due(struct sim_core *c)
{
	if (c->refresh && --c->until_clear == 0) {
		c->until_clear = c->refresh;
		sim_pages_clear(&c->mmu.pages);
	}
}

/* Sends a request to the MMU: for misses of the first-level TLB, and for accesses that trigger a prefetch. It is not
 * inline, because most µops need none. */
static __attribute__((noinline)) struct sim_translation
translate(struct sim_core *c, const struct sim_uop *u, uint64_t time, uint64_t ask)
{
	struct sim_request q = {
		.at = u->at, .time = time, .squash = SIM_NEVER, .oldest = c->retired, .stores = c->front.addresses,
		.ask = ask, .store = u->kind == SIM_STORE,
	};

	return ask == SIM_NEVER ? sim_mmu_miss(&c->mmu, &q) : sim_mmu_ask(&c->mmu, &q);
}

static inline void
run_right_uop(struct sim_core *core, const struct sim_uop *u)
{
	struct front *front = &core->front;
	uint64_t slot = dispatch(core, u), time = slot, ask = prefetch_page(core, u);
	struct sim_translation x;
	struct sim_data d;

	if ((u->flags & SIM_DEPENDS) && front->value > time)
		time = front->value;
	core->mmu.now = slot;
	x = ask == SIM_NEVER && sim_mmu_hit(&core->mmu, u->at, time) ? (struct sim_translation){.ready = time}
		: translate(core, u, time, ask);
	d = sim_caches_ask(&core->caches, sim_mmu_line(&core->mmu, u->at), x.ready, false);
	core->count[SIM_INSTRUCTIONS] += (uint64_t)u->other + 1;
	core->retired += (uint64_t)u->other + 1;
	if (u->kind == SIM_STORE) {
		core->count[SIM_STORE_RET]++;
		core->count[SIM_STORE_RET_STLB_MISS] += x.missed;
		if (x.ready > core->retired)
			core->retired = x.ready;
		if (time > front->addresses)
			front->addresses = time;
		core->written = later(later(core->written, d.ready), core->retired);
		occupy_entries(core, u, core->retired, core->written);
	} else {
		core->count[SIM_LOAD_RET]++;
		core->count[SIM_LOAD_RET_STLB_MISS] += x.missed;
		if (d.by != SIM_BY_FILL)
			core->count[(int)SIM_DATA_L1_HIT + (int)d.by]++;
		core->retired = later(core->retired, d.ready);
		front->value = d.ready;
		occupy_entries(core, u, core->retired, core->retired);
	}
	if (x.first) {
		core->count[SIM_PAGE_FAULTS]++;
		core->kernel += core->machine->fault_cycles;
	}
	if (u->flags & (SIM_MISPREDICT | SIM_CLEAR))
		act_on_flags(core, u, time);
	clear_accessed_when_due(core);
}

/* Runs an instruction without memory access, and those before it. */
static void
run_fetch(struct sim_core *c, const struct sim_uop *u)
{
	uint64_t slot = dispatch(c, u);

	c->count[SIM_INSTRUCTIONS] += (uint64_t)u->other + 1;
	c->retired += (uint64_t)u->other + 1;
	if (slot > c->retired)
		c->retired = slot;
	occupy_entries(c, u, c->retired, c->retired);
}

static inline void
core_step(struct sim_core *core, const struct sim_uop *uop)
{
	if (uop->flags & SIM_WRONG) {
		if (core->wrong && !core->over)
			run_wrong_uop(core, uop);
		return;
	}
	if (core->wrong)
		end_wrong_path(core);
	if (uop->kind == SIM_FETCH)
		run_fetch(core, uop);
	else
		run_right_uop(core, uop);
}

static void
report_one(struct sim_core *core, const struct sim_uop *uop, const uint64_t *before, const unsigned char *prefetched,
	bool prefetch)
{
	struct sim_uop_counts counts = {.uop = uop};

	for (int i = 0; i < (int)SIM_N_EVENTS; i++) {
		uint64_t n = core->count[i] - before[i];

		if (i >= (int)SIM_REF_L1 && i <= (int)SIM_REF_MEM)
			n = prefetch ? prefetched[i - (int)SIM_REF_L1] : n - prefetched[i - (int)SIM_REF_L1];
		else if (prefetch)
			n = 0;
		counts.count[i] = n < 255 ? (unsigned char)n : 255;
	}
	core->observer(core->observer_ctx, &counts);
}

static void
step_and_report(struct sim_core *c, const struct sim_uop *u)
{
	uint64_t before[SIM_N_EVENTS], prefetches = c->count[SIM_TRUE_PREFETCHES];

	memcpy(before, c->count, sizeof before);
	memset(c->mmu.prefetched, 0, sizeof c->mmu.prefetched);
	core_step(c, u);
	if (c->count[SIM_TRUE_PREFETCHES] != prefetches)
		report_one(c, NULL, before, c->mmu.prefetched, true);
	report_one(c, u, before, c->mmu.prefetched, false);
}

static void
cycles(struct sim_core *c)
{
	c->count[SIM_CYCLES] = c->retired / c->width + c->kernel;
	c->count[SIM_LOAD_WALK_CYCLES] = c->mmu.walk_time[0] / c->width;
	c->count[SIM_STORE_WALK_CYCLES] = c->mmu.walk_time[1] / c->width;
}

#define AHEAD 8 /* distance in µops at which the host prefetches what a µop needs */

void
sim_core_run(struct sim_core *core, const struct sim_uop *uop, size_t n)
{
	size_t ahead = n > AHEAD ? n - AHEAD : 0;

	if (core->observer)
		for (size_t i = 0; i < n; i++)
			step_and_report(core, &uop[i]);
	else
		for (size_t i = 0; i < n; i++) {
			if (i < ahead)
				sim_mmu_expect(&core->mmu, uop[i + AHEAD].at);
			core_step(core, &uop[i]);
		}
	cycles(core);
}

void
sim_core_drain(struct sim_core *core)
{
	uint64_t end;

	if (core->wrong)
		end_wrong_path(core);
	end = core->retired > core->written ? core->retired : core->written;
	if (core->mmu.mshrs.last > end)
		end = core->mmu.mshrs.last;
	if (end > core->front.slot)
		core->front.slot = end;
	if (core->front.slot > core->retired)
		core->retired = core->front.slot;
	core->mmu.now = core->front.slot;
	cycles(core);
}
