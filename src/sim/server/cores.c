/* Cores: they issue loads and stores in program order until something stops them, and count why.
 *
 *     window    the oldest load is not back, and as many younger instructions wait as the window holds
 *     chain     the address is what the last load brings
 *     fill      no fill buffer is free
 *     store     no place in the store buffer is free
 *
 * Loads that hit L1D never stop a core, except in a chain. While it is stopped, it does nothing else: the time is a
 * stall, and the request whose return ends it is its cause. */
#include "sim/server/parts.h"

#include <string.h>

#include "base/panic.h"

#define SLOTS 6u      /* instructions in a cycle of other work, of which an access is one */
#define STREAM_RUN 2u /* accesses in a row after which a prefetcher begins */

static size_t
hash(uint64_t line)
{
	return (line * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

void
core_count(struct server_run *run, struct core *core)
{
	uint64_t *event = core->counts.event, t = run->wheel->now - core->counted_to;
	const struct core_under_way *way = &core->way;

	if (!t)
		return;
	core->counted_to = run->wheel->now;
	if (core->running)
		event[CORE_UNHALTED] += t;
	event[CORE_L1_PENDING] += t * core->flight.fill;
	event[CORE_DATA_RD] += t * way->data_read;
	event[CORE_DEMAND_RD] += t * way->demand_read;
	event[CORE_L3_MISS_DEMAND_RD] += t * way->demand_l3;
	event[CORE_DATA_RD_CYCLES] += way->data_read ? t : 0;
	event[CORE_DEMAND_RD_CYCLES] += way->demand_read ? t : 0;
	event[CORE_DEMAND_RFO_CYCLES] += way->demand_rfo ? t : 0;
	event[CORE_CYCLES_L1] += way->load_l1 ? t : 0;
	event[CORE_CYCLES_L2] += way->load_l2 ? t : 0;
	if (core->block == BLOCK_NONE)
		return;
	core->counts.blocked += t;
	event[CORE_STALL_L1] += way->load_l1 ? t : 0;
	event[CORE_STALL_L2] += way->load_l2 ? t : 0;
	event[CORE_STALL_L3] += way->load_l3 ? t : 0;
	event[CORE_FB_FULL] += core->block == BLOCK_FILL ? t : 0;
	if (core->block == BLOCK_STORE) {
		event[CORE_SB_FULL] += t;
		event[CORE_BOUND_ON_STORES] += way->load_l1 ? 0 : t;
	}
}

/* --- requests under way ------------------------------------------------------------------------------------------ */

/* The core's request for a line; WHEEL_NONE: none is under way. */
static uint32_t
under_way(const struct core_flight *f, uint64_t line)
{
	if (!f->filter[hash(line)])
		return WHEEL_NONE;
	for (size_t i = 0; i < f->n; i++)
		if (f->line[i] == line)
			return f->request[i];
	return WHEEL_NONE;
}

static void
flight_add(struct core_flight *f, uint64_t line, uint32_t request)
{
	if (f->n == OUTSTANDING_MAX)
		panic("a simulated core has more than %d requests under way", OUTSTANDING_MAX);
	f->line[f->n] = line;
	f->request[f->n++] = request;
	f->filter[hash(line)]++;
}

static void
flight_remove(struct core_flight *f, uint64_t line)
{
	size_t i = 0;

	while (f->line[i] != line)
		i++;
	f->filter[hash(line)]--;
	f->line[i] = f->line[--f->n];
	f->request[i] = f->request[f->n];
}

/* Makes a request that misses L1D. Where it goes from there is known at once; L2 answers, or passes it on, later. */
static struct request *
send_to_l2(struct server_run *run, uint32_t of, uint64_t line, enum server_kind kind, bool in_l1)
{
	struct core *core = &run->core[of];
	uint32_t number = request_new(run, of, line, kind);
	struct request *r = &run->request[number];
	uint64_t now = run->wheel->now, tags = run->ticks.l1_tag + run->ticks.l2_tag;
	enum core_event all = kind == SERVER_DRD ? CORE_DRD : kind == SERVER_RFO ? CORE_RFO : CORE_HWPF;

	flight_add(&core->flight, line, number);
	r->in_l1 = in_l1;
	core->flight.fill += in_l1;
	core->counts.event[all]++;
	r->time[STAGE_L1] = now;
	r->time[STAGE_L2] = now + run->ticks.l1_tag;
	if (tags_touch(&core->l2, line, 0)) {
		if (kind == SERVER_DRD || kind == SERVER_RFO)
			core->counts.event[kind == SERVER_DRD ? CORE_DRD_HIT : CORE_RFO_HIT]++;
		r->place = PLACE_L2;
		for (int i = STAGE_CHA; i <= SERVER_STAGES; i++)
			r->time[i] = now + run->ticks.l2;
		request_wait(run, number, now + run->ticks.l2, PHASE_DONE);
		return r;
	}
	if (all == CORE_HWPF)
		core->counts.event[CORE_HWPF_MISS]++;
	r->l2_miss = true;
	tags_fetch(&run->socket[core->socket].slice[r->slice].llc, line);
	request_wait(run, number, now + tags, PHASE_L2);
	return r;
}

/* --- prefetchers ------------------------------------------------------------------------------------------------- */

static void
prefetch_line(struct server_run *run, uint32_t of, uint64_t line, bool store, bool to_l1)
{
	struct core *core = &run->core[of];
	struct request *r;

	if (under_way(&core->flight, line) != WHEEL_NONE || tags_has(to_l1 ? &core->l1 : &core->l2, line))
		return;
	r = send_to_l2(run, of, line, store ? SERVER_RFO_PREF : SERVER_DRD_PREF, to_l1);
	r->of_l1 = to_l1;
}

/* An access missed L1D: the prefetchers learn of it. */
static void
prefetchers_see(struct server_run *run, uint32_t of, uint64_t line, bool store)
{
	const struct server *server = run->server;
	struct core *core = &run->core[of];
	uint64_t page = line >> LOAD_PAGE_SHIFT;
	struct prefetch_page *p = &core->page[page % PAGES_OF_PREFETCHER];
	uint32_t at = (uint32_t)(line & ((1u << LOAD_PAGE_SHIFT) - 1)), end;

	if (!(server->has & (1u << SERVER_L1_PREFETCH | 1u << SERVER_L2_PREFETCH)))
		return;
	if (p->page != page) {
		*p = (struct prefetch_page){.page = page, .last = at, .ahead = at};
		return;
	}
	if (at <= p->last || at > p->last + 2)
		p->run = at == p->last ? p->run : 0;
	else
		p->run++;
	p->last = at;
	if (p->run < STREAM_RUN)
		return;
	if (server->has >> SERVER_L1_PREFETCH & 1 && at + 1 < 1u << LOAD_PAGE_SHIFT &&
		core->flight.fill + 4 <= server->fill_buffers)
		prefetch_line(run, of, line + 1, store, true);
	if (!(server->has >> SERVER_L2_PREFETCH & 1))
		return;
	end = at + server->ahead < (1u << LOAD_PAGE_SHIFT) - 1 ? at + server->ahead : (1u << LOAD_PAGE_SHIFT) - 1;
	if (p->ahead < at)
		p->ahead = at;
	/* prefetches leave a part of L2's queue to the core */
	while (p->ahead < end && core->flight.l2 + server->l2_queue / 4 < server->l2_queue &&
		core->flight.n + server->fill_buffers < server->l2_queue + server->fill_buffers)
		prefetch_line(run, of, page << LOAD_PAGE_SHIFT | ++p->ahead, store, false);
}

/* --- loads ------------------------------------------------------------------------------------------------------- */

static void
add_to_window(struct core *core, struct request *r)
{
	struct core_rings *ring = &core->ring;
	size_t at = (ring->window_first + ring->window_n++) % WINDOW_MAX;

	ring->window[at] = (struct window_entry){.index = core->index, .next = r->loads};
	r->loads = (uint32_t)at;
	core->chain_entry = at;
}

/* A demand load now waits for the request: it counts as one, and gets a fill buffer. */
static void
make_load(struct core *core, struct request *r)
{
	if (!r->in_l1) {
		r->in_l1 = true;
		core->flight.fill++;
	}
	if (r->load)
		return;
	r->load = true;
	core->way.load_l1++;
	core->way.load_l2 += r->l2_miss && r->phase != PHASE_L2;
	core->way.load_l3 += r->l3_miss;
}

static bool
issue_load(struct server_run *run, uint32_t of)
{
	struct core *core = &run->core[of];
	uint64_t line = core->access.line;
	struct request *r;
	uint32_t number;
	bool filling;

	if (tags_touch(&core->l1, line, 0)) {
		core->counts.event[CORE_L1_HIT]++;
		core->counts.event[CORE_LOADS]++;
		core->counts.held[SERVER_DRD][HELD_L1D] += run->ticks.l1;
		core->chain_entry = SIZE_MAX;
		core->chain_ready = run->wheel->now + run->ticks.l1;
		return true;
	}
	number = under_way(&core->flight, line);
	r = number == WHEEL_NONE ? NULL : &run->request[number];
	if (core->ring.window_n == WINDOW_MAX || ((!r || !r->in_l1) && core->flight.fill >= run->server->fill_buffers))
		return false;
	filling = r && r->in_l1;
	core->counts.event[CORE_LOADS]++;
	core->counts.held[SERVER_DRD][HELD_L1D] += run->ticks.l1_tag;
	core_count(run, core);
	if (filling) {
		core->counts.event[CORE_FB_HIT]++;
		r->found++;
		r->found_at += run->wheel->now;
	} else {
		core->counts.event[CORE_L1_MISS]++;
		if (r) { /* L2 is already fetching it */
			core->counts.event[CORE_DRD]++;
			core->counts.event[CORE_L2_MISS] += r->l2_miss;
		}
	}
	if (!r) {
		r = send_to_l2(run, of, line, SERVER_DRD, true);
		core->counts.event[r->l2_miss ? CORE_L2_MISS : CORE_L2_HIT]++;
	}
	r->missed |= !filling;
	make_load(core, r);
	add_to_window(core, r);
	prefetchers_see(run, of, line, false);
	return true;
}

/* --- stores ------------------------------------------------------------------------------------------------------ */

static void
leave_store_buffer(struct core *core, unsigned size)
{
	struct core_rings *ring = &core->ring;

	while (ring->store_begun && ring->store[ring->store_first].done) {
		ring->store_first = (ring->store_first + 1) % size;
		ring->store_n--;
		ring->store_begun--;
	}
}

/* Stores leave the buffer in program order; their requests for ownership are sent as early as fill buffers allow. */
static void
drain_stores(struct server_run *run, uint32_t of)
{
	struct core *core = &run->core[of];
	struct core_rings *ring = &core->ring;
	unsigned size = run->server->store_buffer;

	for (; ring->store_begun < ring->store_n; ring->store_begun++) {
		size_t at = (ring->store_first + ring->store_begun) % size;
		struct store_entry *entry = &ring->store[at];
		uint32_t number;
		struct request *r;

		if (tags_touch(&core->l1, entry->line, TAGS_DIRTY)) {
			entry->done = true;
			continue;
		}
		number = under_way(&core->flight, entry->line);
		r = number == WHEEL_NONE ? NULL : &run->request[number];
		if ((!r || !r->in_l1) && core->flight.fill >= run->server->fill_buffers)
			break;
		core_count(run, core);
		if (!r) {
			r = send_to_l2(run, of, entry->line, SERVER_RFO, true);
			core->counts.event[CORE_STORE_L2_HIT] += !r->l2_miss;
			prefetchers_see(run, of, entry->line, true);
			number = under_way(&core->flight, entry->line);
			r = &run->request[number];
		} else if (!r->in_l1) {
			r->in_l1 = true;
			core->flight.fill++;
		}
		entry->next = r->stores;
		r->stores = (uint32_t)at;
	}
	leave_store_buffer(core, size);
}

static bool
issue_store(struct server_run *run, uint32_t of)
{
	struct core *core = &run->core[of];
	struct core_rings *ring = &core->ring;
	unsigned size = run->server->store_buffer;

	if (ring->store_n == size)
		return false;
	core->counts.event[CORE_STORES]++;
	ring->store[(ring->store_first + ring->store_n++) % size] = (struct store_entry){.line = core->access.line};
	drain_stores(run, of);
	return true;
}

/* --- the core ---------------------------------------------------------------------------------------------------- */

static void
core_schedule(struct server_run *run, uint32_t of, uint64_t time)
{
	run->core[of].scheduled = true;
	wheel_add(run->wheel, time, of);
}

/* What stops the next access now. */
static enum block
what_stops(const struct server_run *run, const struct core *core)
{
	const struct core_rings *ring = &core->ring;

	if (ring->window_n && core->index - ring->window[ring->window_first].index >= run->server->window)
		return BLOCK_WINDOW;
	if (core->access.chained && core->chain_entry != SIZE_MAX && !ring->window[core->chain_entry].done)
		return BLOCK_CHAIN;
	return BLOCK_NONE;
}

/* Takes the next access of the program. False when the program pauses; then the core is scheduled. */
static bool
next_access(struct server_run *run, uint32_t of)
{
	struct core *core = &run->core[of];
	uint64_t ns = core->program->timed ? (uint64_t)((double)run->wheel->now / run->ticks_per_ns) : 0,
		 at = core->program->timed ? load_runs_at(core->program, ns) : 0, time;

	if (at > ns) {
		core_count(run, core);
		core->running = false;
		time = at == UINT64_MAX ? UINT64_MAX : (uint64_t)((double)at * run->ticks_per_ns) + TICKS_PER_CYCLE;
		if (at != UINT64_MAX)
			core_schedule(run, of, time);
		core->time = time;
		return false;
	}
	if (!core->running) {
		core_count(run, core);
		core->running = true;
	}
	core->access = load_stream_next(&core->stream);
	core->has_access = true;
	tags_fetch(&core->l2, core->access.line);
	core->time += core->access.gap * TICKS_PER_CYCLE;
	core->index += 1 + core->access.gap * SLOTS;
	run->accesses++;
	return true;
}

static void
core_block(struct server_run *run, struct core *core, enum block why)
{
	core_count(run, core);
	core->block = why;
	core->block_since = run->wheel->now;
}

void
core_run(struct server_run *run, uint32_t of)
{
	struct core *core = &run->core[of];
	uint64_t now = run->wheel->now;

	core->scheduled = false;
	while (core->block == BLOCK_NONE) {
		enum block why;

		if (!core->has_access && !next_access(run, of))
			return;
		if (core->access.chained && core->chain_entry == SIZE_MAX && core->chain_ready > core->time)
			core->time = core->chain_ready;
		if (core->time > now) {
			core_schedule(run, of, core->time);
			return;
		}
		why = what_stops(run, core);
		if (why == BLOCK_NONE && !(core->access.store ? issue_store(run, of) : issue_load(run, of)))
			why = core->access.store ? BLOCK_STORE : BLOCK_FILL;
		if (why != BLOCK_NONE) {
			core_block(run, core, why);
			return;
		}
		core->has_access = false;
		core->time += TICKS_PER_CYCLE / 2;
	}
}

/* The core goes on: the request's time in each place during the stall was its cause. */
static void
core_unblock(struct server_run *run, struct core *core, const struct request *r)
{
	uint64_t now = run->wheel->now;

	core_count(run, core);
	for (int i = 0; i < SERVER_STAGES; i++) {
		uint64_t from = r->time[i] > core->block_since ? r->time[i] : core->block_since,
			 to = i + 1 == SERVER_STAGES ? now : r->time[i + 1];

		if (i == 0 && from > core->block_since) /* the request came later than the stall */
			from = core->block_since;
		if (to > from)
			core->counts.stalled[r->kind][r->place][i] += to - from;
	}
	core->block = BLOCK_NONE;
	core->time = now;
}

static bool
still_blocked(const struct server_run *run, const struct core *core)
{
	switch (core->block) {
	case BLOCK_NONE:
		return false;
	case BLOCK_WINDOW:
	case BLOCK_CHAIN:
		return what_stops(run, core) != BLOCK_NONE;
	case BLOCK_FILL:
		return core->flight.fill >= run->server->fill_buffers;
	case BLOCK_STORE:
		return core->ring.store_n == run->server->store_buffer;
	}
	return false;
}

/* --- the way back ------------------------------------------------------------------------------------------------ */

static void
fill_l1(struct server_run *run, struct core *core, const struct request *r)
{
	uint64_t victim, flags = r->stores != WHEEL_NONE ? TAGS_DIRTY : 0;

	if (tags_touch(&core->l1, r->line, flags))
		return;
	victim = tags_put(&core->l1, r->line, flags);
	core->counts.event[CORE_REPLACEMENT]++;
	if ((victim & 3) == (TAGS_THERE | TAGS_DIRTY) && !tags_touch(&core->l2, victim >> 2, TAGS_DIRTY))
		victim_of_l2(run, core, tags_put(&core->l2, victim >> 2, TAGS_DIRTY));
}

static void
wake_waiters(struct core *core, const struct request *r, unsigned store_buffer)
{
	struct core_rings *ring = &core->ring;

	for (uint32_t i = r->loads; i != WHEEL_NONE; i = ring->window[i].next)
		ring->window[i].done = true;
	while (ring->window_n && ring->window[ring->window_first].done) {
		if (core->chain_entry == ring->window_first) {
			core->chain_entry = SIZE_MAX;
			core->chain_ready = 0;
		}
		ring->window_first = (ring->window_first + 1) % WINDOW_MAX;
		ring->window_n--;
	}
	for (uint32_t i = r->stores; i != WHEEL_NONE; i = ring->store[i].next)
		ring->store[i].done = true;
	leave_store_buffer(core, store_buffer);
}

static void
count_source(struct core *core, const struct request *r)
{
	static const enum core_event of[SERVER_PLACES] = {
		[PLACE_L1] = CORE_EVENTS,
		[PLACE_L2] = CORE_EVENTS,
		[PLACE_LLC] = CORE_XSNP_NONE,
		[PLACE_PEER] = CORE_XSNP_FWD,
		[PLACE_FAR_CACHE] = CORE_REMOTE_FWD,
		[PLACE_DDR] = CORE_LOCAL_DRAM,
		[PLACE_FAR] = CORE_REMOTE_DRAM,
		[PLACE_CXL] = CORE_L3_CXL,
	};
	bool hit = r->place == PLACE_LLC || r->place == PLACE_PEER;

	if (r->place < PLACE_LLC)
		return;
	core->counts.event[hit ? CORE_L3_HIT : CORE_L3_MISS]++;
	core->counts.event[r->place == PLACE_FAR_CACHE && r->dirty ? CORE_REMOTE_HITM : of[r->place]]++;
}

/* Lets the first request that waits for a place in L2's queue go. */
static void
leave_queue(struct server_run *run, struct core *core)
{
	uint32_t first = core->flight.first_waiting;

	if (first == WHEEL_NONE)
		return;
	core->flight.first_waiting = run->request[first].next;
	request_leave_l2(run, first);
}

/* Where the request was held: its times, and for a while those of loads that found its line under way. */
static void
count_held(const struct run_latencies *way, struct core *core, const struct request *r)
{
	static const enum server_queue memory[SERVER_PLACES] = {
		[PLACE_DDR] = HELD_DDR, [PLACE_FAR] = HELD_FAR, [PLACE_CXL] = HELD_CXL};
	uint64_t *held = core->counts.held[r->kind], back = r->time[SERVER_STAGES] - way->mesh;

	core->counts.held[SERVER_DRD][HELD_LFB] += r->found * r->time[SERVER_STAGES] - r->found_at;
	held[HELD_L2] += r->time[STAGE_CHA] - r->time[STAGE_L2] - (r->place == PLACE_L2 ? 0 : way->mesh);
	if (r->place == PLACE_L2)
		return;
	held[HELD_CHA] += back - r->time[STAGE_CHA];
	if (memory[r->place])
		held[memory[r->place]] += back - r->time[STAGE_CHA] - way->llc;
}

static void
count_truth(struct core *core, const struct request *r)
{
	core->counts.requests[r->kind][r->place]++;
	for (int i = 0; i < SERVER_STAGES; i++)
		core->counts.waited[r->kind][r->place][i] += r->time[i + 1] - r->time[i];
}

void
core_finish(struct server_run *run, uint32_t number)
{
	struct request *r = &run->request[number];
	uint32_t of = r->core;
	struct core *core = &run->core[of];

	core_count(run, core);
	if (r->load) {
		core->way.load_l1--;
		core->way.load_l2 -= r->l2_miss;
		core->way.load_l3 -= r->l3_miss;
		if (r->missed)
			count_source(core, r);
	}
	core->flight.fill -= r->in_l1;
	flight_remove(&core->flight, r->line);
	if (r->offcore) {
		core->way.data_read -= r->kind == SERVER_DRD || r->kind == SERVER_DRD_PREF;
		core->way.demand_read -= r->kind == SERVER_DRD;
		core->way.demand_rfo -= r->kind == SERVER_RFO;
		core->way.demand_l3 -= r->l3_miss && r->kind == SERVER_DRD;
		core->flight.l2--;
		victim_of_l2(run, core, tags_put(&core->l2, r->line, r->dirty ? TAGS_DIRTY : 0));
		leave_queue(run, core);
	}
	if (r->in_l1)
		fill_l1(run, core, r);
	count_truth(core, r);
	count_held(&run->ticks, core, r);
	wake_waiters(core, r, run->server->store_buffer);
	drain_stores(run, of);
	r = &run->request[number]; /* new requests may have moved it */
	if (core->block != BLOCK_NONE && !still_blocked(run, core))
		core_unblock(run, core, r);
	request_free(run, number);
	if (core->block == BLOCK_NONE && !core->scheduled && core->program && core->running)
		core_run(run, of);
}
