#include "sim/server/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/server/parts.h"

#define LINE_BYTES 64.0

static uint64_t
to_ticks(const struct server_run *run, double ns)
{
	return (uint64_t)llrint(ns * run->ticks_per_ns);
}

static void
set_latencies(struct server_run *run)
{
	const struct server *s = run->server;
	struct run_latencies *t = &run->ticks;

	t->l1 = s->l1.cycles * TICKS_PER_CYCLE;
	t->l2 = s->l2.cycles * TICKS_PER_CYCLE;
	t->l1_tag = s->l1_tag * TICKS_PER_CYCLE;
	t->l2_tag = s->l2_tag * TICKS_PER_CYCLE;
	t->mesh = to_ticks(run, s->mesh_ns);
	t->llc = to_ticks(run, s->llc_ns);
	t->ctl = to_ticks(run, s->ctl_ns);
	t->snoop = to_ticks(run, s->snoop_ns);
	t->cxl_link = to_ticks(run, s->link_ns);
	t->ddr = to_ticks(run, s->memory[SERVER_LOCAL].ns - server_way_ns(s, SERVER_LOCAL));
	if (s->memory[SERVER_REMOTE].there)
		t->cross = to_ticks(run, (s->memory[SERVER_REMOTE].ns - s->memory[SERVER_LOCAL].ns) / 2);
	if (s->memory[SERVER_CXL].there)
		t->cxl = to_ticks(run, s->memory[SERVER_CXL].ns - server_way_ns(s, SERVER_CXL));
}

/* Ticks of a line at `gb_per_s` split over n queues. */
static double
line_ticks(const struct server_run *run, double gb_per_s, unsigned n)
{
	return LINE_BYTES * n / gb_per_s * run->ticks_per_ns;
}

static void
build_socket(struct server_run *run, struct socket *socket)
{
	const struct server *s = run->server;
	const struct server_memory *ddr = &s->memory[SERVER_LOCAL], *far = &s->memory[SERVER_REMOTE];

	socket->slice = mem_new_array(s->slices, sizeof *socket->slice);
	for (unsigned i = 0; i < s->slices; i++)
		tags_init(&socket->slice[i].llc, s->llc.kib, s->llc.ways);
	socket->channel = mem_new_array(2u * s->channels, sizeof *socket->channel);
	for (unsigned i = 0; i < 2 * s->channels; i++) {
		struct channel *c = &socket->channel[i];

		c->server = station_server_of(
			line_ticks(run, ddr->gb_per_s, 2 * s->channels), &run->curve[SERVER_LOCAL]);
		station_init(&c->reads, &c->server, ddr->queue);
		station_init(&c->writes, &c->server, ddr->queue);
	}
	socket->link_server = station_server_of(
		far->there ? line_ticks(run, far->gb_per_s, 1) : 1, &run->curve[SERVER_REMOTE]);
	station_init(&socket->link, &socket->link_server, far->there ? far->queue : 1);
}

static void
build_port(struct server_run *run, struct port *port)
{
	const struct server_memory *cxl = &run->server->memory[SERVER_CXL];

	port->server = station_server_of(line_ticks(run, cxl->gb_per_s, 1), &run->curve[SERVER_CXL]);
	station_init(&port->reads, &port->server, cxl->queue);
	station_init(&port->writes, &port->server, cxl->queue);
}

static void
build_core(struct server_run *run, unsigned i)
{
	struct core *core = &run->core[i];

	core->socket = i / run->server->cores;
	core->ring.store = mem_new_array(run->server->store_buffer, sizeof *core->ring.store);
	core->flight.first_waiting = core->flight.last_waiting = WHEEL_NONE;
	core->chain_entry = SIZE_MAX;
	for (size_t p = 0; p < PAGES_OF_PREFETCHER; p++)
		core->page[p].page = UINT64_MAX;
}

/* Places the pages of a program as they are before any is promoted. */
static void
place_pages(struct server_run *run, size_t program)
{
	const struct load_program *p = &run->load.program[program];
	struct tiers *t = &run->tiers[program];
	uint64_t instances = p->value[LOAD_SHARED] ? 1 : (uint64_t)p->value[LOAD_CORES];

	t->pages = p->lines >> LOAD_PAGE_SHIFT;
	t->fast = mem_new_array(instances * t->pages, 1);
	t->heat = mem_new_array(instances * t->pages, sizeof *t->heat);
	for (uint64_t i = 0; i < instances; i++)
		for (uint64_t page = 0; page < t->pages; page++)
			t->fast[i * t->pages + page] = !load_is_slow(
				p, (uint64_t)program << 48 | i << 40 | page << LOAD_PAGE_SHIFT);
}

static void
start_program(struct server_run *run, size_t program, uint64_t seed)
{
	const struct server *s = run->server;
	const struct load_program *p = &run->load.program[program];

	for (unsigned k = 0; k < p->value[LOAD_CORES]; k++) {
		unsigned i = (unsigned)p->value[LOAD_FIRST] + k;
		struct core *core = &run->core[i];

		core->program = p;
		load_stream_begin(&core->stream, &run->load, program, k, seed);
		tags_init(&core->l1, s->l1.kib, s->l1.ways);
		tags_init(&core->l2, s->l2.kib, s->l2.ways);
		core->scheduled = true;
		/* cores that start together would go in step */
		core->time = random_scatter(seed ^ (i + 1)) % (TICKS_PER_CYCLE * ((uint64_t)p->value[LOAD_GAP] + 64));
		wheel_add(run->wheel, core->time, i);
	}
	if (p->value[LOAD_MEMORY] == LOAD_TIERS && s->has >> SERVER_PROMOTION & 1)
		place_pages(run, program);
}

static bool
memory_is_there(const struct server_run *run, struct err *e)
{
	static const enum server_memory_kind needs[] = {[LOAD_LOCAL] = SERVER_LOCAL,
		[LOAD_REMOTE] = SERVER_REMOTE,
		[LOAD_CXL] = SERVER_CXL,
		[LOAD_TIERS] = SERVER_CXL};

	for (size_t i = 0; i < run->load.n; i++) {
		const struct load_program *p = &run->load.program[i];
		enum server_memory_kind kind = needs[p->value[LOAD_MEMORY]];

		if (run->server->memory[kind].there)
			continue;
		err_set(e, "%s: the server %s has no %s memory", load_kind_name(p->kind), run->server->name,
			server_memory_name(kind));
		return err_hint(e, "give it memory=local, or the server 'memory %s …;'", server_memory_name(kind));
	}
	return true;
}

struct server_run *
server_run_new(const struct server *server, const char *programs, uint64_t seed, struct err *e)
{
	struct server_run *run = mem_new(sizeof *run);

	run->server = server;
	run->free = WHEEL_NONE;
	run->ticks_per_ns = server->core_mhz * (double)TICKS_PER_CYCLE / 1000;
	run->n_cores = (size_t)server->sockets * server->cores;
	if (!load_parse(programs, (unsigned)run->n_cores, &run->load, e) || !memory_is_there(run, e)) {
		server_run_free(run);
		return NULL;
	}
	set_latencies(run);
	tor_index_fill(&run->tor);
	for (int i = 0; i < SERVER_MEMORIES; i++)
		curve_fill(&run->curve[i], &server->memory[i].curve, run->ticks_per_ns);
	run->wheel = wheel_new(run->n_cores);
	run->socket = mem_new_array(server->sockets, sizeof *run->socket);
	for (unsigned i = 0; i < server->sockets; i++)
		build_socket(run, &run->socket[i]);
	run->port = mem_new_array(server->ports, sizeof *run->port);
	for (unsigned i = 0; i < server->ports; i++)
		build_port(run, &run->port[i]);
	run->core = mem_new_array(run->n_cores, sizeof *run->core);
	for (unsigned i = 0; i < run->n_cores; i++)
		build_core(run, i);
	run->promotion.hot = mem_new_array(server->promote_pages, sizeof(uint64_t));
	run->promotion.waiting = mem_new_array(server->promote_pages, sizeof(uint64_t));
	run->promotion.most = server->promote_pages;
	run->promotion.length = run->promotion.end = to_ticks(run, server->promote_us * 1000.0);
	for (size_t i = 0; i < run->load.n; i++)
		start_program(run, i, seed);
	return run;
}

void
server_run_free(struct server_run *run)
{
	if (!run)
		return;
	for (unsigned i = 0; run->socket && i < run->server->sockets; i++) {
		struct socket *socket = &run->socket[i];

		for (unsigned k = 0; k < run->server->slices; k++)
			tags_free(&socket->slice[k].llc);
		for (unsigned k = 0; k < 2 * run->server->channels; k++) {
			station_free(&socket->channel[k].reads);
			station_free(&socket->channel[k].writes);
		}
		station_free(&socket->link);
		free(socket->slice);
		free(socket->channel);
	}
	for (unsigned i = 0; run->port && i < run->server->ports; i++) {
		station_free(&run->port[i].reads);
		station_free(&run->port[i].writes);
	}
	for (size_t i = 0; run->core && i < run->n_cores; i++) {
		tags_free(&run->core[i].l1);
		tags_free(&run->core[i].l2);
		free(run->core[i].ring.store);
	}
	for (size_t i = 0; i < LOAD_PROGRAMS_MAX; i++) {
		free(run->tiers[i].fast);
		free(run->tiers[i].heat);
	}
	free(run->promotion.hot);
	free(run->promotion.waiting);
	wheel_free(run->wheel);
	free(run->socket);
	free(run->port);
	free(run->core);
	free(run->request);
	load_free(&run->load);
	free(run);
}

void
server_run_until(struct server_run *run, double ns)
{
	uint64_t end = to_ticks(run, ns);
	uint32_t node;

	while ((node = wheel_take(run->wheel, end)) != WHEEL_NONE) {
		if (node < run->n_cores)
			core_run(run, node);
		else
			request_step(run, node - (uint32_t)run->n_cores);
	}
}

double
server_run_ns(const struct server_run *run)
{
	return (double)run->wheel->now / run->ticks_per_ns;
}

uint64_t
server_run_accesses(const struct server_run *run)
{
	return run->accesses;
}

uint64_t
server_run_moved_pages(const struct server_run *run)
{
	uint64_t moved = 0;

	for (size_t i = 0; i < run->load.n; i++)
		moved += run->tiers[i].moved;
	return moved;
}

bool
server_run_uses(const struct server_run *run, unsigned core)
{
	return run->core[core].program != NULL;
}

double
server_run_cycle_ticks(void)
{
	return TICKS_PER_CYCLE;
}

const struct server_core_counts *
server_run_core(struct server_run *run, unsigned core)
{
	core_count(run, &run->core[core]);
	return &run->core[core].counts;
}

const struct server_slice_counts *
server_run_slice(const struct server_run *run, unsigned socket, unsigned slice)
{
	return &run->socket[socket].slice[slice].counts;
}

const struct station_sums *
server_run_channel(const struct server_run *run, unsigned socket, unsigned pseudo, bool writes)
{
	const struct channel *c = &run->socket[socket].channel[pseudo];

	return writes ? &c->writes.sums : &c->reads.sums;
}

const struct station_sums *
server_run_port(const struct server_run *run, unsigned port, bool writes)
{
	return writes ? &run->port[port].writes.sums : &run->port[port].reads.sums;
}

void
server_run_ingress(const struct server_run *run, unsigned port, uint64_t *inserts, uint64_t *not_empty)
{
	*inserts = run->port[port].ingress_inserts;
	*not_empty = run->port[port].ingress_not_empty;
}
