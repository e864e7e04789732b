/* Pages in two tiers, and their promotion: a page of CXL memory that is used often within an epoch changes places with
 * one of local memory that was not. Both cross the bus: 64 lines are read and written in each direction. */
#include "sim/server/parts.h"

#define HOT 4u           /* accesses of a page in an epoch that make it hot */
#define LOOK_AT_MOST 64u /* pages that are looked at to find an idle one */

bool
tiers_is_fast(const struct server_run *run, uint64_t line)
{
	const struct tiers *t = &run->tiers[line >> 48];
	uint64_t page = (line & ((UINT64_C(1) << 40) - 1)) >> LOAD_PAGE_SHIFT, instance = line >> 40 & 0xff;

	if (t->fast)
		return t->fast[instance * t->pages + page];
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

void
tiers_touch(struct server_run *run, unsigned socket, uint64_t line)
{
	struct tiers *t = &run->tiers[line >> 48];
	uint64_t page, at, base, now = run->wheel->now;
	uint16_t epoch;

	if (!t->fast)
		return;
	if (now >= run->epoch_end) {
		run->epoch++;
		run->tokens = run->server->promote_pages;
		run->epoch_end = now + (uint64_t)(run->server->promote_us * 1000.0 * run->ticks_per_ns);
	}
	epoch = (uint16_t)(run->epoch << 8);
	page = (line & ((UINT64_C(1) << 40) - 1)) >> LOAD_PAGE_SHIFT;
	base = (line >> 40 & 0xff) * t->pages;
	at = base + page;
	if ((t->heat[at] & 0xff00) != epoch)
		t->heat[at] = epoch;
	if ((t->heat[at] & 0xff) < 0xff)
		t->heat[at]++;
	if (t->fast[at] || (t->heat[at] & 0xff) < HOT || !run->tokens)
		return;
	for (unsigned i = 0; i < LOOK_AT_MOST; i++) {
		uint64_t other = base + t->hand++ % t->pages;

		if (!t->fast[other] || (t->heat[other] & 0xff00) == epoch)
			continue;
		t->fast[other] = 0;
		t->fast[at] = 1;
		t->moved++;
		run->tokens--;
		copy_page(run, socket);
		return;
	}
}
