/* How the kernel's counters mislead, shown with bare perf_event_open(2): each case opens without an error and counts
 * wrongly. perf_source.c shows that hecate avoids them. Measured on Linux 6.18. If a case fails, the kernel has
 * changed: check whether hecate's precaution is still needed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collect/perf/filter.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "test.h"

#define PAGES 100

static void
touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *area = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile char *p = area;

	if (!CHECK(area != MAP_FAILED))
		return;
	madvise(area, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		p[i * page] = 1;
	munmap(area, PAGES * page);
}

/* The code of this name; false, and the case skipped, without one. */
static bool
get_code(const char *name, struct event_code *c)
{
	struct source_status s = {0};
	struct perf_world w;
	int fd;

	perf_world_probe(&w);
	if (!event_by_name(name, &w, c, &s)) {
		test_skip("%s", s.why);
		return false;
	}
	fd = perf_open_event(c, NULL, 0, OPEN_SELF, &w, &s);
	if (fd < 0 || s.user_only) {
		test_skip("%s", fd < 0 ? s.why : "the kernel side is not permitted");
		if (fd >= 0)
			close(fd);
		return false;
	}
	close(fd);
	return true;
}

static uint64_t
value_of(int fd)
{
	struct perf_reading r = {0};

	CHECK(perf_read(fd, &r));
	return r.value;
}

/* A member that is added to a running group is scheduled only at the task's next context switch. Until then it counts
 * nothing; without a switch it stays 0. Measured: 0 of 100 without a switch, all of 100 after a nanosleep(2), for any
 * leader and either order of opening. Time running is below time enabled each time, so a reader can notice. */
static void
a_tracepoint_under_an_enabled_leader_misses_what_comes_first(void)
{
	struct event_code faults, exceptions;

	if (!get_code("page-faults", &faults) || !get_code("exceptions:page_fault_user", &exceptions))
		return;
	for (int enabled_first = 0; enabled_first < 2; enabled_first++) {
		int leader = perf_open_raw(&faults, 0, -1, OPEN_SELF), member;
		struct perf_reading r = {0};

		test_label("leader enabled %s its member was opened", enabled_first ? "before" : "after");
		if (enabled_first)
			perf_enable(leader, true);
		member = perf_open_raw(&exceptions, 0, leader, OPEN_SELF);
		CHECK(member >= 0 && perf_enable(member, true));
		if (!enabled_first)
			perf_enable(leader, true);
		touch_pages();
		CHECK(value_of(leader) >= PAGES);
		CHECK(perf_read(member, &r));
		CHECK(r.enabled_ns > 0);
		if (enabled_first) {
			CHECK(r.running_ns < r.enabled_ns);
		} else {
			CHECK_INT(r.running_ns, r.enabled_ns);
			CHECK(r.value >= PAGES);
		}
		close(member);
		close(leader);
	}
}

static long
switches(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_nvcsw;
}

static void
excluding_the_kernel_silences_what_the_kernel_raises(void)
{
	struct event_code c;
	struct timespec nap = {.tv_nsec = 1};
	long from;
	int fd;

	if (!get_code("context-switches", &c))
		return;
	for (int exclude = 0; exclude < 2; exclude++) {
		c.no_kernel = exclude;
		fd = perf_open_raw(&c, 0, -1, OPEN_SELF);
		CHECK(fd >= 0 && perf_enable(fd, true));
		/* A nap that ends before the task leaves its CPU makes no switch, so the kernel's own count decides. */
		for (from = switches(); switches() < from + 5;)
			nanosleep(&nap, NULL);
		if (exclude)
			CHECK_INT(value_of(fd), 0);
		else
			CHECK(value_of(fd) >= 5);
		close(fd);
	}
	if (!get_code("exceptions:page_fault_user", &c))
		return;
	c.no_kernel = true;
	fd = perf_open_raw(&c, 0, -1, OPEN_SELF);
	CHECK(fd >= 0 && perf_enable(fd, true));
	touch_pages();
	CHECK_INT(value_of(fd), 0);
	close(fd);
}

static void
a_filter_that_failed_leaves_everything_counted(void)
{
	struct source_status s = {0};
	struct event_code c;
	struct perf_world w;
	int fd;

	if (!get_code("exceptions:page_fault_user", &c))
		return;
	fd = perf_open_raw(&c, 0, -1, OPEN_SELF);
	errno = 0;
	CHECK(!perf_set_filter(fd, "no_such_field == 1"));
	CHECK_INT(errno, EINVAL);
	CHECK(perf_enable(fd, true));
	touch_pages();
	CHECK(value_of(fd) >= PAGES);
	close(fd);
	perf_world_probe(&w);
	CHECK_INT(perf_open_event(&c, "no_such_field == 1", 0, OPEN_SELF, &w, &s), -1);
	CHECK(strstr(s.why, "does not take the filter \"no_such_field == 1\"") != NULL);
	CHECK_INT(s.health, OBS_UNSUPPORTED);
}

static void
pgfault_is_the_item_that_follows_faults(void)
{
	struct filter_constant pgfault = {.known = false};
	struct event_code c;
	struct perf_world w;
	char filter[32];
	int fd;

	if (!get_code("memcg:count_memcg_events", &c))
		return;
	perf_world_probe(&w);
	filter_probe_pgfault(&w, &pgfault);
	if (pgfault.value < 0) {
		test_skip("%s", pgfault.why);
		return;
	}
	for (int again = 0; again < 10; again++) {
		struct filter_constant other = {.known = false};

		filter_probe_pgfault(&w, &other);
		CHECK_INT(other.value, pgfault.value);
	}
	snprintf(filter, sizeof filter, "item == %d", pgfault.value);
	fd = perf_open_raw(&c, 0, -1, OPEN_SELF);
	CHECK(perf_set_filter(fd, filter) && perf_enable(fd, true));
	touch_pages();
	CHECK(value_of(fd) >= PAGES && value_of(fd) < PAGES + 10);
	close(fd);
}

TEST_MAIN(CASE(a_tracepoint_under_an_enabled_leader_misses_what_comes_first),
	CASE(excluding_the_kernel_silences_what_the_kernel_raises),
	CASE(a_filter_that_failed_leaves_everything_counted), CASE(pgfault_is_the_item_that_follows_faults))
