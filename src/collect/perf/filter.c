#include "collect/perf/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "core/machine/doctor_items.h"

#define ITEMS 256       /* enum vm_event_item has about 110 entries */
#define BATCH 32        /* descriptors open at once */
#define READ_PAGES 61   /* accesses of each probe: two numbers that nothing else in the kernel counts to by chance, */
#define WRITE_PAGES 107 /* and small enough for one page table, so that its own charge does not matter */

/* Touches fresh private pages. Huge pages are turned off, because one of them would be one fault. */
static bool
touch_pages(size_t pages, size_t page, bool write)
{
	void *area = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile char *p = area;

	if (area == MAP_FAILED)
		return false;
	madvise(area, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++) {
		if (write)
			p[i * page] = 1;
		else
			(void)p[i * page];
	}
	munmap(area, pages * page);
	return true;
}

/* Counts one kind of access on every descriptor; -1: not open. */
static bool
count_touches(const int fd[BATCH], size_t pages, bool write, uint64_t count[BATCH])
{
	struct perf_reading before, after;
	bool good = true;

	for (int i = 0; i < BATCH; i++)
		count[i] = fd[i] >= 0 && perf_read(fd[i], &before) ? before.value : 0;
	for (int i = 0; i < BATCH; i++)
		if (fd[i] >= 0)
			good = perf_enable(fd[i], true) && good;
	good = touch_pages(pages, (size_t)sysconf(_SC_PAGESIZE), write) && good;
	for (int i = 0; i < BATCH; i++) {
		if (fd[i] < 0)
			continue;
		perf_enable(fd[i], false);
		good = perf_read(fd[i], &after) && good;
		count[i] = after.value - count[i];
	}
	return good;
}

/* Returns the item of first … first + BATCH - 1 that rises with both kinds of access; -1: none; -2: several. */
static int
probe_batch(const struct event_code *code, int first, bool *opened)
{
	int fd[BATCH], found = -1;
	uint64_t reads[BATCH] = {0}, writes[BATCH] = {0};
	bool good;

	for (int i = 0; i < BATCH; i++) {
		char filter[32];

		snprintf(filter, sizeof filter, "item == %d", first + i);
		fd[i] = perf_open_raw(code, 0, -1, OPEN_SELF);
		if (fd[i] >= 0 && !perf_set_filter(fd[i], filter)) {
			close(fd[i]);
			fd[i] = -1;
		}
		*opened = *opened && fd[i] >= 0;
	}
	good = *opened && count_touches(fd, READ_PAGES, false, reads) && count_touches(fd, WRITE_PAGES, true, writes);
	for (int i = 0; i < BATCH; i++) {
		if (good && reads[i] == READ_PAGES && writes[i] == WRITE_PAGES)
			found = found == -1 ? first + i : -2;
		if (fd[i] >= 0)
			close(fd[i]);
	}
	return found;
}

static void
cannot_probe(struct filter_constant *c, const char *remedy, const char *why)
{
	c->value = -1;
	snprintf(c->why, sizeof c->why, "%s", why);
	snprintf(c->remedy, sizeof c->remedy, "%s", remedy);
}

void
filter_probe_pgfault(const struct perf_world *w, struct filter_constant *c)
{
	struct source_status why = {0};
	struct event_code code;
	bool opened = true;
	int found = -1;

	c->known = true;
	if (!event_by_name("memcg:count_memcg_events", w, &code, &why)) {
		cannot_probe(c, why.remedy, why.why);
		return;
	}
	/* Tried at most twice: a page fault elsewhere, as in a signal handler, may spoil one try. */
	for (int try = 0; try < 2 && found < 0; try++)
		for (int first = 0; first < ITEMS && found == -1 && opened; first += BATCH)
			found = probe_batch(&code, first, &opened);
	if (!opened)
		cannot_probe(c,
			"run as root, or: sudo setcap cap_perfmon,cap_dac_read_search=ep \"$(command -v hecate)\"",
			"memcg:count_memcg_events may not be opened to probe it");
	else if (found < 0)
		cannot_probe(c, "", "no item of memcg:count_memcg_events follows page faults here (is the memory "
			"controller off: cgroup_disable=memory?)");
	else
		c->value = found;
}

bool
filter_expand(const char *filter, struct filter_constants *constants, const struct perf_world *w, char *out,
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
				filter_probe_pgfault(w, &constants->pgfault);
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
