#include "collect/perf/fault_probe.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/source.h"

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
	struct fault_probe *p = ctx;
	struct event_code faults = {.kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS, .side_given = true, .name = "page-faults"};

	p->leader = perf_open_leader(0, OPEN_THREAD, p->world, p->status);
	if (p->leader < 0)
		return false;
	p->faults = perf_open_in(&faults, NULL, 0, p->leader, OPEN_THREAD, p->world, p->status);
	if (p->faults < 0)
		return false;
	for (int i = 0; i < FAULT_BATCH; i++) {
		char filter[32];

		snprintf(filter, sizeof filter, "item == %d", first + i);
		p->item[i] = perf_open_in(p->code, filter, 0, p->leader, OPEN_THREAD, p->world, p->status);
		if (p->item[i] < 0)
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
probe_touch(void *ctx, enum fault_touch how, size_t round, struct fault_try *t)
{
	struct fault_probe *p = ctx;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = FEWEST_PAGES + PAGES_STEP * (round % ROUNDS_APART) + (size_t)how;
	uint64_t before[FAULT_BATCH + 1], after[FAULT_BATCH + 1];
	struct perf_reading times;
	char *area = map_pages(how, pages, page);
	bool good;

	if (!area)
		return false;
	good = perf_read_group(p->leader, FAULT_BATCH + 1, before, &times) && perf_enable(p->leader, true);
	touch_pages(area, how, pages, page);
	good = perf_enable(p->leader, false) && good &&
		perf_read_group(p->leader, FAULT_BATCH + 1, after, &times);
	munmap(area, pages * page);
	if (!good)
		return false;
	t->touched = pages;
	t->faults = after[0] - before[0];
	for (int i = 0; i < FAULT_BATCH; i++)
		t->count[i] = after[i + 1] - before[i + 1];
	return true;
}

struct fault_kernel
fault_probe_kernel(struct fault_probe *p, const struct event_code *code, const struct perf_world *world,
	struct source_status *status)
{
	*p = (struct fault_probe){.code = code, .world = world, .status = status, .leader = -1, .faults = -1};
	for (int i = 0; i < FAULT_BATCH; i++)
		p->item[i] = -1;
	return (struct fault_kernel){.open = probe_open, .touch = probe_touch, .close = probe_close, .ctx = p};
}
