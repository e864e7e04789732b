/* Pages in two tiers, and their promotion: a page of CXL memory that is used often within an epoch changes places, in
 * the next one, with one of local memory that is not. Both cross the bus: 64 lines are read and written in each
 * direction.
 *
 * With `balance`, pages move to the memory that was faster in the last epoch, the fewer the closer both are (Colloid:
 * Vuppalapati and Agarwal, SOSP 2024). It goes by the time of demand reads in the table of requests, or, `advised`, by
 * that of the kind with most misses (PathFinder: Li et al., SIGCOMM 2025, section 5.8). A memory that answered none of
 * the kind counts as idle. */
#include "sim/server/parts.h"

#define HOT 4u           /* accesses of a page in an epoch that make it hot */
#define ALIKE 0.05       /* least difference of delays, relative to the larger one, for which pages move */
#define LOOK_AT_MOST 64u /* pages that are looked at to find an idle one */

static uint64_t
page_of(uint64_t line)
{
	return (line & ((UINT64_C(1) << 40) - 1)) >> LOAD_PAGE_SHIFT;
}

bool
tiers_is_fast(const struct server_run *run, uint64_t line)
{
	const struct tiers *t = &run->tiers[line >> 48];

	if (t->fast)
		return t->fast[(line >> 40 & 0xff) * t->pages + page_of(line)];
	return !load_is_slow(&run->load.program[line >> 48], line);
}

static void
copy_page(struct server_run *run, unsigned socket)
{
	uint64_t now = run->wheel->now + run->ticks.ctl;

	for (uint64_t i = 0; i < 64; i++) {
		struct port *port = &run->port[i % run->server->ports];
		struct channel *channel = &run->socket[socket].channel[i % (2u * run->server->channels)];

		station_pass(&port->reads, now, 0);
		station_pass(&port->writes, now, 0);
		station_pass(&channel->reads, now, 0);
		station_pass(&channel->writes, now, 0);
	}
}

/* Takes a hot page to the other memory, in exchange for one there that was idle in this epoch. */
static void
promote(struct server_run *run, unsigned socket, uint64_t line)
{
	struct tiers *t = &run->tiers[line >> 48];
	uint64_t base = (line >> 40 & 0xff) * t->pages, at = base + page_of(line);

	uint8_t from = run->promotion.down;

	for (unsigned i = 0; i < LOOK_AT_MOST && t->fast[at] == from; i++) {
		uint64_t other = base + t->hand++ % t->pages;

		if (t->fast[other] == from || t->heat[other] >> 8 == (run->epoch & 0xff))
			continue;
		t->fast[other] = from;
		t->fast[at] = !from;
		t->moved++;
		copy_page(run, socket);
	}
}

/* What the slices have seen of a kind since the beginning, in local memory or in CXL memory. */
static struct tier_seen
seen_by_slices(const struct server_run *run, enum tier_kind kind, bool cxl)
{
	static const enum server_kind of[TIER_KINDS][2] = {
		{SERVER_DRD, SERVER_DRD}, {SERVER_RFO, SERVER_RFO}, {SERVER_DRD_PREF, SERVER_RFO_PREF}};
	enum server_place place = cxl ? PLACE_CXL : PLACE_DDR;
	struct tier_seen seen = {0};

	for (unsigned i = 0; i < run->server->sockets; i++)
		for (unsigned s = 0; s < run->server->slices; s++) {
			const struct server_slice_counts *counts = &run->socket[i].slice[s].counts;

			for (int k = 0; k < (of[kind][0] == of[kind][1] ? 1 : 2); k++) {
				seen.n += counts->inserts[of[kind][k]][place];
				seen.ticks += counts->occupancy[of[kind][k]][place];
			}
		}
	return seen;
}

/* Decides where pages move in the epoch that begins, by the delays in the one that ends. */
static void
balance(struct server_run *run)
{
	struct promotion *p = &run->promotion;
	const struct server_memory *memory = run->server->memory;
	double delay[TIER_KINDS][2], gap;
	uint64_t misses[TIER_KINDS] = {0};
	enum tier_kind by = TIER_DRD;

	for (enum tier_kind k = 0; k < TIER_KINDS; k++)
		for (int cxl = 0; cxl < 2; cxl++) {
			struct tier_seen now = seen_by_slices(run, k, cxl), *before = &p->seen[k][cxl];
			uint64_t n = now.n - before->n;

			delay[k][cxl] = n ? (double)(now.ticks - before->ticks) / (double)n
					  : memory[cxl ? SERVER_CXL : SERVER_LOCAL].ns * run->ticks_per_ns;
			misses[k] += n;
			*before = now;
		}
	if (run->server->has >> SERVER_ADVISED & 1)
		for (enum tier_kind k = 0; k < TIER_KINDS; k++)
			by = misses[k] > misses[by] ? k : by;
	p->down = delay[by][0] > delay[by][1];
	gap = 1 - delay[by][!p->down ? 0 : 1] / delay[by][!p->down ? 1 : 0];
	p->most = gap < ALIKE ? 0 : (size_t)(gap * run->server->promote_pages);
}

/* An epoch ends: the pages that were hot in it wait for their promotion, one after the other. */
static void
end_epoch(struct server_run *run)
{
	struct promotion *p = &run->promotion;
	uint64_t *waiting = p->waiting;
	bool down = p->down;

	run->epoch++;
	if (run->server->has >> SERVER_BALANCE & 1)
		balance(run);
	p->waiting = p->hot;
	p->n_waiting = p->down != down ? 0 : p->n_hot < p->most ? p->n_hot : p->most;
	p->hot = waiting;
	p->n_hot = 0;
	p->end = run->wheel->now + p->length;
	p->next = run->wheel->now;
}

void
tiers_touch(struct server_run *run, unsigned socket, uint64_t line)
{
	struct tiers *t = &run->tiers[line >> 48];
	struct promotion *p = &run->promotion;
	uint64_t at;
	uint16_t epoch;

	if (!t->fast)
		return;
	if (run->wheel->now >= p->end)
		end_epoch(run);
	if (p->n_waiting && run->wheel->now >= p->next) {
		promote(run, socket, p->waiting[--p->n_waiting]);
		p->next += p->length / run->server->promote_pages;
	}
	epoch = (uint16_t)(run->epoch << 8);
	at = (line >> 40 & 0xff) * t->pages + page_of(line);
	if ((t->heat[at] & 0xff00) != epoch)
		t->heat[at] = epoch;
	if ((t->heat[at] & 0xff) == 0xff)
		return;
	t->heat[at]++;
	if (t->fast[at] == p->down && (t->heat[at] & 0xff) == HOT && p->n_hot < run->server->promote_pages)
		p->hot[p->n_hot++] = line;
}
