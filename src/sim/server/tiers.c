/* Pages in two tiers, and their promotion: a page of CXL memory that is used often within an epoch changes places, in
 * the next one, with one of local memory that is not. Both cross the bus: 64 lines are read and written in each
 * direction. */
#include "sim/server/parts.h"

#define HOT 4u           /* accesses of a page in an epoch that make it hot */
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

/* Takes a hot page to local memory, in exchange for one that was idle in this epoch. */
static void
promote(struct server_run *run, unsigned socket, uint64_t line)
{
	struct tiers *t = &run->tiers[line >> 48];
	uint64_t base = (line >> 40 & 0xff) * t->pages, at = base + page_of(line);

	for (unsigned i = 0; i < LOOK_AT_MOST && !t->fast[at]; i++) {
		uint64_t other = base + t->hand++ % t->pages;

		if (!t->fast[other] || t->heat[other] >> 8 == (run->epoch & 0xff))
			continue;
		t->fast[other] = 0;
		t->fast[at] = 1;
		t->moved++;
		copy_page(run, socket);
	}
}

/* An epoch ends: the pages that were hot in it wait for their promotion, one after the other. */
static void
end_epoch(struct server_run *run)
{
	struct promotion *p = &run->promotion;
	uint64_t *waiting = p->waiting;

	run->epoch++;
	p->waiting = p->hot;
	p->n_waiting = p->n_hot;
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
	if (!t->fast[at] && (t->heat[at] & 0xff) == HOT && p->n_hot < run->server->promote_pages)
		p->hot[p->n_hot++] = line;
}
