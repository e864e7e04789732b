#include "sim/mmu/mmu.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/workload.h"

void
sim_mmu_init(struct sim_mmu *mmu, const struct sim_machine *machine, const struct sim_memory *memory,
	struct sim_caches *caches, uint64_t *count, uint64_t unit)
{
	unsigned bits = caches->line_bits + SIM_LINE_SHIFT;

	*mmu = (struct sim_mmu){
		.count = count, .caches = caches, .page = memory->page, .shift = sim_page_shift(memory->page)};
	sim_tags_init(&mmu->dtlb, machine->dtlb[mmu->page]);
	sim_tags_init(&mmu->itlb, machine->pipe.itlb);
	mmu->first = &mmu->dtlb;
	mmu->fetch_count = mem_new_array(SIM_N_COUNTS, sizeof *mmu->fetch_count);
	sim_tags_init(&mmu->stlb, machine->stlb_holds[mmu->page] ? machine->stlb : (struct sim_ways){0});
	sim_tags_init(&mmu->psc[1], machine->pde);
	sim_tags_init(&mmu->psc[2], machine->pdpte);
	sim_tags_init(&mmu->psc[3], machine->pml4e);
	mmu->stlb_latency = machine->stlb_latency * unit;
	mmu->walk_start = machine->walk_start * unit;
	mmu->walkers.n = machine->walkers;
	mmu->walkers.least = mmu->walk_start + caches->latency[SIM_BY_L1]; /* the shortest walk */
	sim_mshrs_init(&mmu->mshrs, machine->mshrs);
	mmu->half = (uint64_t)1 << (bits - 1);
	/* Each level gets a quarter of the upper half. Offsets of a few pages keep the first tables from sharing cache
	 * sets. */
	for (unsigned l = 0; l < SIM_LEVELS; l++)
		mmu->table[l] = mmu->half + l * (mmu->half / SIM_LEVELS) + l * 0x5000;
	sim_pages_init(&mmu->pages, memory);
}

void
sim_mmu_free(struct sim_mmu *m)
{
	sim_tags_free(&m->dtlb);
	sim_tags_free(&m->itlb);
	free(m->fetch_count);
	sim_tags_free(&m->stlb);
	for (unsigned l = 1; l < SIM_LEVELS; l++)
		sim_tags_free(&m->psc[l]);
	sim_pages_free(&m->pages);
}

static inline bool
planted(const struct sim_mmu *m, enum sim_plant p)
{
	return m->plants >> p & 1;
}

static inline void
count(struct sim_mmu *m, bool store, enum sim_event load_event)
{
	m->count[(int)load_event + (store ? SIM_STORE_EVENTS : 0)]++;
}

static inline void
count_done(struct sim_mmu *m, bool store)
{
	count(m, store, SIM_LOAD_WALK_DONE);
	count(m, store, (enum sim_event)((int)SIM_LOAD_WALK_DONE_4K + (int)m->page));
}

/* Returns the key of an address in the paging-structure cache of a level: the part of memory that one entry covers. */
static inline uint64_t
mmu_key_of(unsigned level, uint64_t at)
{
	return at >> (12 + 9 * level);
}

/* Looks up the PDE cache and counts a miss. The cache holds only entries that point to tables of 4 KB pages. */
SIM_INLINE bool
pde_lookup(struct sim_mmu *m, const struct sim_request *q, uint64_t time)
{
	if (m->page == SIM_4K && sim_tags_hit(&m->psc[1], mmu_key_of(1, q->at), time))
		return true;
	count(m, q->store, SIM_LOAD_PDE_MISS);
	return false;
}

/* Returns the highest level of table that the walker must read. Leaf entries are at the level of the page size and in
 * no paging-structure cache. */
SIM_INLINE unsigned
top_level(struct sim_mmu *m, uint64_t at, uint64_t time, bool pde)
{
	if (pde)
		return 0;
	if (m->page < SIM_1G && sim_tags_hit(&m->psc[2], mmu_key_of(2, at), time))
		return 1;
	if (planted(m, SIM_PLANT_PML4E) && sim_tags_hit(&m->psc[3], mmu_key_of(3, at), time)) {
		m->count[SIM_TRUE_ROOT_HITS]++;
		return 2;
	}
	return 3;
}

/* Makes one reference of a walker. dtlb_l1 counts "walker hits in the L1 and FB", so a line in flight counts as L1. */
SIM_INLINE struct sim_data
reference_entry(struct sim_mmu *m, unsigned level, uint64_t at, uint64_t time)
{
	uint64_t line = sim_mmu_entry(m, level, at);
	struct sim_data d = m->caches->walk ? m->caches->walk(m->caches->walk_ctx, line, time)
		: sim_caches_ask(m->caches, line, time, true);

	if (d.by == SIM_BY_FILL)
		d.by = SIM_BY_L1;
	return d;
}

SIM_INLINE uint64_t
counted_reference(struct sim_mmu *m, unsigned level, uint64_t at, uint64_t time)
{
	struct sim_data d = reference_entry(m, level, at, time);

	m->count[(int)SIM_REF_L1 + (int)d.by]++;
	return d.ready;
}

/* Makes all references from a level down to the page's entry without counting them. */
static uint64_t
uncounted_references(struct sim_mmu *m, unsigned top, uint64_t at, uint64_t time)
{
	for (unsigned l = top + 1; l-- > (unsigned)m->page;)
		time = reference_entry(m, l, at, time).ready;
	return time;
}

SIM_INLINE void
fill_caches(struct sim_mmu *m, unsigned top, uint64_t at, uint64_t ready)
{
	sim_tags_fill(m->first, at >> m->shift, ready);
	sim_tags_fill(&m->stlb, at >> m->shift, ready);
	for (unsigned l = (unsigned)m->page + 1; l <= top; l++)
		sim_tags_fill(&m->psc[l], mmu_key_of(l, at), ready);
}

/* Sets the accessed bit of the page's entry. Returns true on the first touch of the page. */
static bool
set_accessed(struct sim_mmu *m, uint64_t at)
{
	m->count[SIM_TRUE_ACCESSED_SET]++;
	return sim_pages_access(&m->pages, at >> m->shift);
}

/* Makes the walk of a prefetch. Only its references are counted. It occupies no MSHR that a request would wait for. */
static void
prefetch(struct sim_mmu *mmu, uint64_t at, uint64_t time, bool store)
{
	struct sim_walker *walker;
	uint64_t page = at >> mmu->shift, begin, end;
	unsigned top;

	if (sim_tags_has(&mmu->dtlb, page, time) || sim_tags_has(&mmu->stlb, page, time) ||
		sim_mshrs_room(&mmu->mshrs) > time)
		return;
	if (planted(mmu, SIM_PLANT_MERGING) && sim_mshrs_find(&mmu->mshrs, at >> 12, time))
		return;
	begin = sim_walkers_free(&mmu->walkers, time + mmu->stlb_latency, mmu->now, &walker);
	top = top_level(mmu, at, begin, mmu->page == SIM_4K && sim_tags_hit(&mmu->psc[1], mmu_key_of(1, at), begin));
	end = begin + mmu->walk_start;
	for (unsigned l = top + 1; l-- > (unsigned)mmu->page;) {
		struct sim_data d = reference_entry(mmu, l, at, end);

		mmu->count[(int)SIM_REF_L1 + (int)d.by]++;
		mmu->prefetched[d.by]++;
		end = d.ready;
	}
	sim_walker_take(walker, begin, end);
	mmu->count[SIM_TRUE_PREFETCHES]++;
	if (!sim_pages_accessed(&mmu->pages, page)) {
		if (!planted(mmu, SIM_PLANT_PF_SETS)) {
			mmu->count[SIM_TRUE_PREFETCH_ABORTS]++;
			return;
		}
		set_accessed(mmu, at);
	}
	mmu->count[SIM_TRUE_PREFETCH_FILLS]++;
	if (planted(mmu, SIM_PLANT_PF_DONE)) {
		mmu->count[SIM_TRUE_PREFETCHES_DONE]++;
		count_done(mmu, store);
	}
	fill_caches(mmu, top, at, end);
	sim_mshrs_take(&mmu->mshrs, at >> 12, time, end);
}

/* A walk and its request. */
struct walk {
	const struct sim_request *q;
	uint64_t asked, begin; /* times: of the TLB lookup; when the walker begins */
	bool early, pde;       /* the PDE cache was looked up before the walk; and hit */
	struct sim_walker *walker;
};

static void
record_squashed(struct sim_mmu *m, const struct walk *k, uint64_t end)
{
	sim_mshrs_take(&m->mshrs, k->q->at >> 12, k->asked, end < k->q->squash ? end : k->q->squash);
}

SIM_INLINE void
finish_walk(struct sim_mmu *m, const struct walk *k, unsigned top, uint64_t end)
{
	fill_caches(m, top, k->q->at, end);
	sim_mshrs_take(&m->mshrs, k->q->at >> 12, k->asked, end);
	count_done(m, k->q->store);
}

/* Makes a walk at retirement, by references that are not counted. */
static struct sim_translation
walk_at_retirement(struct sim_mmu *mmu, struct walk *walk)
{
	struct sim_translation x = {.missed = true};
	const struct sim_request *request = walk->q;
	uint64_t time = request->oldest > walk->begin ? request->oldest : walk->begin;
	unsigned top;

	walk->begin = sim_walkers_free(&mmu->walkers, time, mmu->now, &walk->walker);
	if (!walk->early)
		walk->pde = pde_lookup(mmu, request, walk->begin);
	count(mmu, request->store, SIM_LOAD_CAUSES_WALK);
	mmu->count[SIM_TRUE_BYPASSED]++;
	top = top_level(mmu, request->at, walk->begin, walk->pde);
	x.ready = uncounted_references(mmu, top, request->at, walk->begin + mmu->walk_start);
	sim_walker_take(walk->walker, walk->begin, x.ready);
	if (!sim_pages_accessed(&mmu->pages, request->at >> mmu->shift))
		x.first = set_accessed(mmu, request->at);
	finish_walk(mmu, walk, top, x.ready);
	return x;
}

static struct sim_translation
abort_walk(struct sim_mmu *m, const struct walk *k, uint64_t end, enum sim_event truth)
{
	m->count[truth]++;
	m->walk_time[k->q->store] += end - k->begin;
	sim_walker_take(k->walker, k->begin, end);
	record_squashed(m, k, end);
	return (struct sim_translation){.ready = SIM_NEVER, .missed = true};
}

/* Makes a second walk for a page that is being walked, by a walker that no request waits for. Returns the time at which
 * both walks have ended. */
static uint64_t
walk_twice(struct sim_mmu *m, const struct walk *k, uint64_t first)
{
	const struct sim_request *q = k->q;
	uint64_t time = k->asked + m->stlb_latency + m->walk_start;
	bool pde = k->early ? k->pde : pde_lookup(m, q, k->asked);

	m->count[SIM_TRUE_TWINS]++;
	for (unsigned l = top_level(m, q->at, time, pde) + 1; l-- > (unsigned)m->page;)
		time = counted_reference(m, l, q->at, time);
	count_done(m, q->store);
	return time > first ? time : first;
}

/* Stops the walk and begins it again, several times. */
static void
restart_walk(struct sim_mmu *m, const struct walk *k, uint64_t *time)
{
	for (unsigned i = 0; i < SIM_STORM_STOPS; i++) {
		count(m, k->q->store, SIM_LOAD_CAUSES_WALK);
		m->count[SIM_TRUE_STORMED]++;
		*time += m->walk_start;
	}
}

static struct sim_translation
walk_now(struct sim_mmu *mmu, struct walk *walk)
{
	struct sim_translation x = {.missed = true};
	const struct sim_request *request = walk->q;
	uint64_t time = walk->begin + mmu->walk_start;
	unsigned top;

	if (!walk->early)
		walk->pde = pde_lookup(mmu, request, walk->begin);
	count(mmu, request->store, SIM_LOAD_CAUSES_WALK);
	if (planted(mmu, SIM_PLANT_STORM) && request->squash == SIM_NEVER)
		restart_walk(mmu, walk, &time);
	if (planted(mmu, SIM_PLANT_AB_WALK) && time >= request->squash)
		return abort_walk(mmu, walk, walk->begin > request->squash ? walk->begin : request->squash,
			(enum sim_event)SIM_TRUE_ABORTED_UNSEEN);
	top = top_level(mmu, request->at, walk->begin, walk->pde);
	for (unsigned l = top + 1; l-- > (unsigned)mmu->page;) {
		time = counted_reference(mmu, l, request->at, time);
		if (l == (unsigned)mmu->page ? time > request->squash : time >= request->squash)
			return abort_walk(mmu, walk, time, (enum sim_event)SIM_TRUE_ABORTED);
	}
	x.ready = time;
	if (!sim_pages_accessed(&mmu->pages, request->at >> mmu->shift)) {
		if (planted(mmu, SIM_PLANT_REPLAY) && request->oldest > time) {
			if (request->squash != SIM_NEVER)
				return abort_walk(mmu, walk, time, (enum sim_event)SIM_TRUE_ABORTED);
			mmu->count[SIM_TRUE_REPLAYED]++;
			/* counts like the first walk, except that its references are not counted */
			count(mmu, request->store, SIM_LOAD_CAUSES_WALK);
			x.ready = uncounted_references(mmu, top, request->at, request->oldest);
		}
		x.first = set_accessed(mmu, request->at);
	}
	mmu->walk_time[request->store] += time - walk->begin;
	sim_walker_take(walk->walker, walk->begin, time);
	if (x.ready != time)
		sim_walker_take(walk->walker, request->oldest, x.ready);
	finish_walk(mmu, walk, top, x.ready);
	return x;
}

/* Handles a request that misses both TLBs and has a free MSHR. */
static struct sim_translation
miss_both_tlbs(struct sim_mmu *mmu, const struct sim_request *request, uint64_t time, uint64_t merge)
{
	struct walk k = {.q = request, .asked = time, .early = planted(mmu, SIM_PLANT_EARLY_PSC)};
	bool blocked;

	if (k.early) {
		mmu->count[SIM_TRUE_EARLY_LOOKUPS]++;
		k.pde = pde_lookup(mmu, request, time);
	}
	if (merge) {
		if (planted(mmu, SIM_PLANT_TWIN))
			merge = walk_twice(mmu, &k, merge);
		else
			mmu->count[SIM_TRUE_MERGED]++;
		return (struct sim_translation){
			.ready = merge > time + mmu->stlb_latency ? merge : time + mmu->stlb_latency, .missed = true};
	}
	k.begin = sim_walkers_free(&mmu->walkers, time + mmu->stlb_latency, mmu->now, &k.walker);
	blocked = planted(mmu, SIM_PLANT_BYPASS) && !request->store && request->stores > k.begin;
	if (request->squash == SIM_NEVER)
		return blocked ? walk_at_retirement(mmu, &k) : walk_now(mmu, &k);
	/* An early lookup has already been counted, so the request cannot just vanish, unless ab_psc is planted.
	 * Otherwise the walk begins, and stops after its first reference. */
	if ((blocked || k.begin >= request->squash) && (!k.early || planted(mmu, SIM_PLANT_AB_PSC))) {
		mmu->count[SIM_TRUE_DROPPED]++;
		record_squashed(mmu, &k, SIM_NEVER);
		return (struct sim_translation){.ready = SIM_NEVER, .missed = true};
	}
	return walk_now(mmu, &k);
}

static struct sim_translation
stlb_hit(struct sim_mmu *m, const struct sim_request *q, uint64_t time)
{
	uint64_t ready = time + m->stlb_latency;

	count(m, q->store, SIM_LOAD_STLB_HIT);
	if (m->page < SIM_1G)
		count(m, q->store, m->page == SIM_4K ? SIM_LOAD_STLB_HIT_4K : SIM_LOAD_STLB_HIT_2M);
	sim_tags_fill(m->first, q->at >> m->shift, ready);
	return (struct sim_translation){.ready = ready};
}

#define NO_PAGE ((uint64_t)1 << 60) /* a page that no request asks for */

/* Handles a request that misses the DTLB. Without a free MSHR it waits, and moves *time to the time at which one is
 * free. Then it repeats the lookups, whose results differ only by what became ready meanwhile. */
static inline struct sim_translation
after_dtlb(struct sim_mmu *mmu, const struct sim_request *request, uint64_t *time)
{
	uint64_t page = request->at >> mmu->shift,
		small = planted(mmu, SIM_PLANT_MERGING) || planted(mmu, SIM_PLANT_TWIN) ? request->at >> 12 : NO_PAGE,
		room = sim_mshrs_room(&mmu->mshrs), match, merge;

	if (sim_tags_hit(&mmu->stlb, page, *time))
		return stlb_hit(mmu, request, *time);
	match = sim_mshrs_match(&mmu->mshrs, small);
	merge = sim_mshrs_end(&mmu->mshrs, match, small, *time);
	if (merge || room <= *time)
		return miss_both_tlbs(mmu, request, *time, merge);
	*time = room;
	if (room >= request->squash)
		return (struct sim_translation){.ready = SIM_NEVER};
	if (sim_tags_hit(mmu->first, page, room))
		return (struct sim_translation){.ready = room};
	if (sim_tags_hit(&mmu->stlb, page, room))
		return stlb_hit(mmu, request, room);
	return miss_both_tlbs(mmu, request, room, sim_mshrs_end(&mmu->mshrs, match, small, room));
}

struct sim_translation
sim_mmu_miss(struct sim_mmu *m, const struct sim_request *q)
{
	uint64_t time = q->time;

	return after_dtlb(m, q, &time);
}

struct sim_translation
sim_mmu_ask(struct sim_mmu *mmu, const struct sim_request *request)
{
	struct sim_translation x = {.ready = request->time};
	uint64_t time = request->time;
	bool asks = request->ask != SIM_NEVER, at_dtlb_miss = planted(mmu, SIM_PLANT_PF_DTLB_MISS),
		at_stlb_miss = planted(mmu, SIM_PLANT_PF_STLB_MISS), hit;

	if (asks && !at_dtlb_miss && !at_stlb_miss)
		prefetch(mmu, request->ask, time, request->store);
	hit = sim_mmu_hit(mmu, request->at, time);
	if (!hit)
		x = after_dtlb(mmu, request, &time);
	if (asks && time < request->squash && (at_stlb_miss ? x.missed : at_dtlb_miss && !hit))
		prefetch(mmu, request->ask, time, request->store);
	return x;
}

uint64_t
sim_mmu_fetch(struct sim_mmu *mmu, uint64_t at, uint64_t time, bool *missed)
{
	const struct sim_request q = {.at = at, .time = time, .squash = SIM_NEVER, .oldest = time, .ask = SIM_NEVER};
	uint64_t *count = mmu->count;
	struct sim_translation x;

	*missed = !sim_tags_hit(&mmu->itlb, at >> mmu->shift, time);
	if (!*missed)
		return time;
	mmu->first = &mmu->itlb;
	mmu->count = mmu->fetch_count;
	x = sim_mmu_miss(mmu, &q);
	mmu->first = &mmu->dtlb;
	mmu->count = count;
	return x.ready;
}
