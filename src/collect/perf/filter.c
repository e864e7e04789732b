#include "collect/perf/filter.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/perf/fault_item.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/source.h"

/* --- a probe of this kernel -------------------------------------------------------------------------------------- */

/* A probe of this kernel; `status` says why open() failed. */
struct fault_probe {
	const struct event_code *code; /* of memcg:count_memcg_events */
	const struct perf_world *world;
	struct source_status *status;
	int leader, faults;            /* descriptors: the group, the software event page-faults; -1: not open */
	int item[FAULT_BATCH];
};

#define FEWEST_PAGES 61  /* of a try: more than other items rise by at a time, … */
#define PAGES_STEP 9     /* … and one page table holds the most, so that its own charge does not matter */
#define ROUNDS_APART 5   /* so many rounds in turn have different numbers of pages */

/* --- descriptors ------------------------------------------------------------------------------------------------- */

static void
close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
probe_close(void *ctx)
{
	struct fault_probe *p = ctx;

	for (int i = 0; i < FAULT_BATCH; i++)
		close_one(&p->item[i]);
	close_one(&p->faults);
	close_one(&p->leader);
}

static bool
probe_open(void *ctx, int first)
{
	struct fault_probe *probe = ctx;
	struct event_code faults = {.kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS, .side_given = true, .name = "page-faults"};

	probe->leader = perf_open_leader(0, OPEN_THREAD, probe->world, probe->status);
	if (probe->leader < 0)
		return false;
	probe->faults = perf_open_in(&faults, NULL, 0, probe->leader, OPEN_THREAD, probe->world, probe->status);
	if (probe->faults < 0)
		return false;
	for (int i = 0; i < FAULT_BATCH; i++) {
		char filter[32];

		snprintf(filter, sizeof filter, "item == %d", first + i);
		probe->item[i] = perf_open_in(
			probe->code, filter, 0, probe->leader, OPEN_THREAD, probe->world, probe->status);
		if (probe->item[i] < 0)
			return false;
	}
	return true;
}

/* --- touches ----------------------------------------------------------------------------------------------------- */

/* Maps pages that are touched in this way. Huge pages are turned off, because one of them would be one fault. */
static char *
map_pages(enum fault_touch how, size_t pages, size_t page)
{
	bool again = how == FAULT_WRITE_AGAIN;
	char *area = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
		MAP_ANONYMOUS | (again ? MAP_SHARED : MAP_PRIVATE), -1, 0);

	if (area == MAP_FAILED)
		return NULL;
	madvise(area, pages * page, MADV_NOHUGEPAGE);
	if (!again)
		return area;
	for (size_t i = 0; i < pages; i++)
		((volatile char *)area)[i * page] = 1;
	/* The pages of a shared mapping stay, only their entries in the page table go. */
	madvise(area, pages * page, MADV_DONTNEED);
	return area;
}

static void
touch_pages(volatile char *area, enum fault_touch how, size_t pages, size_t page)
{
	for (size_t i = 0; i < pages; i++) {
		if (how == FAULT_READ_FRESH)
			(void)area[i * page];
		else
			area[i * page] = 1;
	}
}

static bool
probe_touch(void *ctx, enum fault_touch how, size_t round, struct fault_try *try)
{
	struct fault_probe *probe = ctx;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = FEWEST_PAGES + PAGES_STEP * (round % ROUNDS_APART) + (size_t)how;
	uint64_t before[FAULT_BATCH + 1], after[FAULT_BATCH + 1];
	struct perf_reading times;
	char *area = map_pages(how, pages, page);
	bool good;

	if (!area)
		return false;
	good = perf_read_group(probe->leader, FAULT_BATCH + 1, before, &times) && perf_enable(probe->leader, true);
	touch_pages(area, how, pages, page);
	good = perf_enable(probe->leader, false) && good &&
		perf_read_group(probe->leader, FAULT_BATCH + 1, after, &times);
	munmap(area, pages * page);
	if (!good)
		return false;
	try->touched = pages;
	try->faults = after[0] - before[0];
	for (int i = 0; i < FAULT_BATCH; i++)
		try->count[i] = after[i + 1] - before[i + 1];
	return true;
}

/* The functions that count on this kernel. They enable and read the software event and a batch of items as one group,
 * so that a fault between two system calls is in all counts or in none. */
static struct fault_kernel
fault_probe_kernel(struct fault_probe *p, const struct event_code *code, const struct perf_world *world,
	struct source_status *status)
{
	*p = (struct fault_probe){.code = code, .world = world, .status = status, .leader = -1, .faults = -1};
	for (int i = 0; i < FAULT_BATCH; i++)
		p->item[i] = -1;
	return (struct fault_kernel){.open = probe_open, .touch = probe_touch, .close = probe_close, .ctx = p};
}

/* --- constants --------------------------------------------------------------------------------------------------- */

static void
cannot_probe(struct filter_constant *c, const char *remedy, const char *why)
{
	c->value = -1;
	snprintf(c->why, sizeof c->why, "%s", why);
	snprintf(c->remedy, sizeof c->remedy, "%s", remedy);
}

/* Writes "0 and 23", "0, 7 and 23", "0, 7, 23, 40 and 2 more". */
static void
write_items(const struct fault_item *item, char *out, size_t size)
{
	size_t shown = item->n < FAULT_SEVERAL ? item->n : FAULT_SEVERAL, n = 0;

	for (size_t i = 0; i < shown && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%d",
			i == 0                               ? ""
				: i + 1 == shown && item->n == shown ? " and "
								   : ", ",
			item->item[i]);
	if (item->n > shown && n < size)
		snprintf(out + n, size - n, " and %zu more", item->n - shown);
}

void
filter_take_pgfault(
	struct filter_constant *constant, const struct fault_item *item, const struct source_status *refused)
{
	char items[64] = "", why[256];

	*constant = (struct filter_constant){.known = true, .value = -1};
	switch (item->finding) {
	case FAULT_ITEM_FOUND:
		constant->value = item->item[0];
		return;
	case FAULT_ITEM_NONE:
		cannot_probe(constant, "",
			"no item of memcg:count_memcg_events follows page faults here (is the memory "
			"controller off: cgroup_disable=memory?)");
		return;
	case FAULT_ITEM_SEVERAL:
		write_items(item, items, sizeof items);
		snprintf(why, sizeof why, "several items of memcg:count_memcg_events follow page faults here: %s; "
			"no access tells them apart", items);
		cannot_probe(constant, "", why);
		return;
	case FAULT_ITEM_DISTURBED:
		snprintf(why, sizeof why, "the probe of memcg:count_memcg_events was disturbed: other page faults came "
			"between in %zu of %zu tries", item->disturbed, item->tries);
		cannot_probe(constant, "run it again", why);
		constant->known = false;
		return;
	case FAULT_ITEM_REFUSED:
		cannot_probe(constant, refused->remedy, refused->why);
		return;
	}
}

void
filter_probe_pgfault(const struct perf_world *world, struct filter_constant *constant)
{
	struct source_status why = {0};
	struct event_code code;
	struct fault_probe probe;
	struct fault_item found = {.finding = FAULT_ITEM_REFUSED};
	struct fault_kernel kernel;

	if (event_by_name("memcg:count_memcg_events", world, &code, &why)) {
		kernel = fault_probe_kernel(&probe, &code, world, &why);
		found = fault_item_find(&kernel);
	}
	filter_take_pgfault(constant, &found, &why);
}

bool
filter_expand(const char *filter, struct filter_constants *constants, const struct perf_world *world, char *out,
	size_t size, struct source_status *why)
{
	size_t n = 0;

	for (const char *p = filter; *p;) {
		char value[16] = {*p, '\0'};
		size_t len = 1, m;

		if (*p == '$') {
			while (isalnum((unsigned char)p[len]) || p[len] == '_')
				len++;
			if (len != 8 || strncmp(p, "$PGFAULT", 8) != 0)
				return source_status_refuse(why, EINVAL, NULL, "unknown constant %.*s in the filter "
					"\"%s\"; known: $PGFAULT", (int)len, p, filter);
			if (!constants->pgfault.known)
				filter_probe_pgfault(world, &constants->pgfault);
			if (constants->pgfault.value < 0)
				return source_status_refuse(why, ENOTSUP, constants->pgfault.remedy,
					"$PGFAULT cannot be probed: %s", constants->pgfault.why);
			snprintf(value, sizeof value, "%d", constants->pgfault.value);
		}
		m = strlen(value);
		if (n + m >= size)
			return source_status_refuse(
				why, EINVAL, NULL, "the filter is longer than %zu bytes: %.60s…", size - 1, filter);
		memcpy(out + n, value, m);
		n += m;
		p += len;
	}
	out[n] = '\0';
	return true;
}
