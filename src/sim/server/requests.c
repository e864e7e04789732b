/* Requests from L2 to memory and back. */
#include "sim/server/parts.h"

#include "base/mem.h"

#define WRITE_TICKS (20 * TICKS_PER_CYCLE) /* a written line's time in the table of requests */

static uint32_t
slice_of(const struct server_run *run, uint64_t line)
{
	return (uint32_t)((random_scatter(line) >> 32) * run->server->slices >> 32);
}

uint32_t
request_new(struct server_run *run, uint32_t core, uint64_t line, enum server_kind kind)
{
	uint32_t number = run->free;
	struct request *r;

	if (number == WHEEL_NONE) {
		size_t n = run->n_requests ? 2 * run->n_requests : 1024;

		run->request = mem_resize(run->request, n, sizeof *run->request);
		wheel_grow(run->wheel, run->n_cores + n);
		for (size_t i = n; i-- > run->n_requests;) {
			run->request[i].next = run->free;
			run->free = (uint32_t)i;
		}
		run->n_requests = n;
		number = run->free;
	}
	r = &run->request[number];
	run->free = r->next;
	r->line = line;
	r->core = core;
	r->slice = slice_of(run, line);
	r->loads = r->stores = r->next = WHEEL_NONE;
	r->kind = kind;
	r->found = 0;
	r->found_at = 0;
	r->in_l1 = r->load = r->missed = r->dirty = r->offcore = r->queued = r->l2_miss = r->l3_miss = r->of_l1 = false;
	return number;
}

void
request_free(struct server_run *run, uint32_t number)
{
	run->request[number].next = run->free;
	run->free = number;
}

/* --- where memory is --------------------------------------------------------------------------------------------- */

struct home {
	unsigned socket;
	bool cxl;
};

static struct home
home_of(const struct server_run *run, unsigned socket, uint64_t line)
{
	const struct load_program *p = &run->load.program[line >> 48];

	switch ((enum load_memory)p->value[LOAD_MEMORY]) {
	case LOAD_LOCAL:
		return (struct home){socket, false};
	case LOAD_REMOTE:
		return (struct home){(socket + 1) % run->server->sockets, false};
	case LOAD_CXL:
		return (struct home){0, true};
	case LOAD_TIERS:
		return tiers_is_fast(run, line) ? (struct home){socket, false} : (struct home){0, true};
	}
	return (struct home){socket, false};
}

/* Lines are spread over n parts by bits that the slices do not use. */
static size_t
spread_line(uint64_t line, size_t n)
{
	return (size_t)((random_scatter(line ^ UINT64_C(0x5851f42d4c957f2d)) >> 32) * n >> 32);
}

/* A read reaches the controller of its home. */
static struct station_times
read_memory(struct server_run *run, struct home home, uint64_t line, uint64_t arrival)
{
	if (home.cxl) {
		struct port *port = &run->port[spread_line(line, run->server->ports)];
		struct station_times t = station_pass(&port->reads, arrival, run->ticks.cxl + 2 * run->ticks.cxl_link);
		uint64_t from = arrival > port->ingress_covered ? arrival : port->ingress_covered,
			 to = t.enter > arrival + TICKS_PER_CYCLE ? t.enter : arrival + TICKS_PER_CYCLE;

		port->ingress_inserts++;
		if (to > from) {
			port->ingress_not_empty += to - from;
			port->ingress_covered = to;
		}
		return t;
	}
	return station_pass(&run->socket[home.socket].channel[spread_line(line, 2u * run->server->channels)].reads,
		arrival, run->ticks.ddr);
}

static struct station_times
write_memory(struct server_run *run, struct home home, uint64_t line, uint64_t arrival)
{
	struct channel *channel;

	if (home.cxl) {
		struct port *port = &run->port[spread_line(line, run->server->ports)];

		port->ingress_inserts++;
		return station_pass(&port->writes, arrival, run->ticks.cxl_link);
	}
	channel = &run->socket[home.socket].channel[spread_line(line, 2u * run->server->channels)];
	return station_pass(&channel->writes, arrival, 0);
}

/* --- victims ----------------------------------------------------------------------------------------------------- */

static void
count_write(struct server_run *run, struct core *core, struct home home, uint64_t line)
{
	uint64_t now = run->wheel->now, arrival = now + run->ticks.ctl;
	struct station_times t = write_memory(run, home, line, arrival);
	enum server_place place = home.cxl ? PLACE_CXL : home.socket == core->socket ? PLACE_DDR : PLACE_FAR;

	core->counts.requests[SERVER_WRITE][place]++;
	core->counts.waited[SERVER_WRITE][place][STAGE_CHA] += arrival - now;
	core->counts.waited[SERVER_WRITE][place][STAGE_CONTROLLER] += t.enter - arrival;
	core->counts.waited[SERVER_WRITE][place][STAGE_MEMORY] += t.done - t.enter;
}

void
victim_of_l2(struct server_run *run, struct core *core, uint64_t tagged)
{
	uint64_t line = tagged >> 2, out;
	struct slice *slice;

	if (!(tagged & TAGS_THERE))
		return;
	slice = &run->socket[core->socket].slice[slice_of(run, line)];
	if (tagged & TAGS_DIRTY) {
		core->counts.event[CORE_WRITEBACK]++;
		slice->counts.inserts[SERVER_WRITE][PLACE_LLC]++;
		slice->counts.occupancy[SERVER_WRITE][PLACE_LLC] += WRITE_TICKS;
	} else {
		slice->counts.clean_out++;
	}
	if (tags_touch(&slice->llc, line, tagged & TAGS_DIRTY))
		return;
	out = tags_put(&slice->llc, line, tagged & TAGS_DIRTY);
	if ((out & 3) == (TAGS_THERE | TAGS_DIRTY))
		count_write(run, core, home_of(run, core->socket, out >> 2), out >> 2);
}

/* --- the table of requests --------------------------------------------------------------------------------------- */

static void
leave_table(struct server_run *run, struct request *r, uint64_t back)
{
	struct server_slice_counts *counts = &run->socket[run->core[r->core].socket].slice[r->slice].counts;

	counts->inserts[r->kind][r->place]++;
	/* whole cycles, so that the parts of a sum add up */
	counts->occupancy[r->kind][r->place] += (back - r->time[STAGE_CHA] + TICKS_PER_CYCLE / 2) / TICKS_PER_CYCLE *
		TICKS_PER_CYCLE;
	slice_cover(counts, run->tor.row[r->kind][r->place], r->time[STAGE_CHA], back);
}

/* The request is back at the CHA at a time that is known. */
static void
go_back(struct server_run *run, uint32_t number, uint64_t at_cha)
{
	struct request *r = &run->request[number];

	const struct core *core = &run->core[r->core];
	uint64_t leaves = tags_set(&core->l2, r->line)[core->l2.ways - 1] >> 2; /* likely the victim, when it is back */

	tags_fetch(&run->socket[core->socket].slice[slice_of(run, leaves)].llc, leaves);
	leave_table(run, r, at_cha);
	r->time[SERVER_STAGES] = at_cha + run->ticks.mesh;
	request_wait(run, number, r->time[SERVER_STAGES], PHASE_DONE);
}

/* Takes a line of a shared footprint out of another core of the program, or copies it. */
static bool
snoop(struct server_run *run, struct request *r)
{
	const struct load_program *p = &run->load.program[r->line >> 48];
	unsigned own = run->core[r->core].socket;
	int64_t first = p->value[LOAD_FIRST];

	if (!p->value[LOAD_SHARED])
		return false;
	for (int64_t i = first; i < first + p->value[LOAD_CORES]; i++) {
		struct core *peer = &run->core[i];
		bool takes = r->kind == SERVER_RFO || r->kind == SERVER_RFO_PREF;
		uint64_t flags;

		if (i == r->core || !(tags_has(&peer->l2, r->line) || tags_has(&peer->l1, r->line)))
			continue;
		flags = tags_take(&peer->l2, r->line) | tags_take(&peer->l1, r->line);
		if (!takes)
			victim_of_l2(run, peer, tags_put(&peer->l2, r->line, 0));
		r->dirty = flags & TAGS_DIRTY;
		r->place = peer->socket == own ? PLACE_PEER : PLACE_FAR_CACHE;
		return true;
	}
	return false;
}

static void
set_later(struct request *r, enum server_stage from, uint64_t time)
{
	for (enum server_stage i = from; i < SERVER_STAGES; i++)
		r->time[i] = time;
}

static void
count_offcore(struct core *core, const struct request *r)
{
	enum ocr_kind kind = r->kind == SERVER_DRD ? OCR_DEMAND_DATA_RD
		: r->kind == SERVER_RFO            ? OCR_DEMAND_RFO
		: r->of_l1                         ? OCR_HWPF_L1D
		: r->kind == SERVER_DRD_PREF       ? OCR_HWPF_L2_DRD
						   : OCR_HWPF_L2_RFO;

	core->counts.ocr[kind][r->place]++;
}

static void
miss_l3(struct server_run *run, struct request *r)
{
	struct core *core = &run->core[r->core];

	core_count(run, core);
	r->l3_miss = true;
	core->way.load_l3 += r->load;
	core->way.demand_l3 += r->kind == SERVER_DRD;
}

/* The request is at its CHA, whose cache hits or misses. */
static void
at_cha(struct server_run *run, uint32_t number)
{
	struct request *r = &run->request[number];
	struct core *core = &run->core[r->core];
	struct slice *slice = &run->socket[core->socket].slice[r->slice];
	uint64_t now = run->wheel->now, known = now + run->ticks.llc, flags = tags_take(&slice->llc, r->line);
	struct station_times t;
	struct home home;

	if (flags) {
		r->place = PLACE_LLC;
		r->dirty = flags & TAGS_DIRTY;
		count_offcore(core, r);
		set_later(r, STAGE_CONTROLLER, known + run->ticks.mesh);
		go_back(run, number, known);
		return;
	}
	if (snoop(run, r)) {
		bool far = r->place == PLACE_FAR_CACHE;

		count_offcore(core, r);
		known += run->ticks.snoop + (far ? 2 * run->ticks.cross : 0);
		set_later(r, STAGE_CONTROLLER, known + run->ticks.mesh);
		go_back(run, number, known);
		if (far)
			miss_l3(run, r);
		return;
	}
	home = home_of(run, core->socket, r->line);
	r->place = home.cxl ? PLACE_CXL : home.socket == core->socket ? PLACE_DDR : PLACE_FAR;
	count_offcore(core, r);
	miss_l3(run, r);
	r->time[STAGE_CONTROLLER] = known + run->ticks.ctl;
	tiers_touch(run, core->socket, r->line);
	if (home.socket != core->socket) {
		t = station_pass(&run->socket[core->socket].link, known, run->ticks.cross);
		request_wait(run, number, t.done + run->ticks.ctl, PHASE_LINK);
		return;
	}
	t = read_memory(run, home, r->line, r->time[STAGE_CONTROLLER]);
	r->time[STAGE_MEMORY] = t.start + (home.cxl ? run->ticks.cxl_link : 0);
	go_back(run, number, t.done);
}

/* The request crossed the link to the other socket. */
static void
across_link(struct server_run *run, uint32_t number)
{
	struct request *r = &run->request[number];
	struct station_times t = read_memory(
		run, home_of(run, run->core[r->core].socket, r->line), r->line, run->wheel->now);

	r->time[STAGE_MEMORY] = run->wheel->now;
	go_back(run, number, t.done + run->ticks.cross);
}

void
request_leave_l2(struct server_run *run, uint32_t number)
{
	struct request *r = &run->request[number];
	struct core *core = &run->core[r->core];

	core->flight.l2++;
	r->offcore = true;
	core->way.data_read += r->kind == SERVER_DRD || r->kind == SERVER_DRD_PREF;
	core->way.demand_read += r->kind == SERVER_DRD;
	core->way.demand_rfo += r->kind == SERVER_RFO;
	r->time[STAGE_CHA] = run->wheel->now + run->ticks.mesh;
	request_wait(run, number, r->time[STAGE_CHA], PHASE_CHA);
}

/* L2 found that it lacks the line. */
static void
left_l2(struct server_run *run, uint32_t number)
{
	struct request *r = &run->request[number];
	struct core *core = &run->core[r->core];

	core_count(run, core);
	core->way.load_l2 += r->load;
	if (core->flight.l2 < run->server->l2_queue && core->flight.first_waiting == WHEEL_NONE) {
		request_leave_l2(run, number);
		return;
	}
	r->next = WHEEL_NONE;
	r->phase = PHASE_CHA;
	if (core->flight.first_waiting == WHEEL_NONE)
		core->flight.first_waiting = number;
	else
		run->request[core->flight.last_waiting].next = number;
	core->flight.last_waiting = number;
}

void
request_step(struct server_run *run, uint32_t number)
{
	switch (run->request[number].phase) {
	case PHASE_L2:
		left_l2(run, number);
		break;
	case PHASE_CHA:
		at_cha(run, number);
		break;
	case PHASE_LINK:
		across_link(run, number);
		break;
	case PHASE_DONE:
		core_finish(run, number);
		break;
	}
}
