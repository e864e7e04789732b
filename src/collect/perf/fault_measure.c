#include "collect/perf/fault_measure.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/sort.h"
#include "collect/perf/ring.h"
#include "collect/perf/world.h"

#define BATCH 32           /* pages between two readings of the clock */
#define ROUNDS 24
#define BRIEF_ROUNDS 12    /* of touched pages only: less than 1 ms */
#define MOST_NS 14000000   /* after which no round begins */
#define RING_KB 64
#define EVENTS 5

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* What a batch of pages is measured for, in turn. */
enum way { POPULATED, TOUCHED, RECORDED, COUNTED, WAYS };

struct measuring {
	size_t page;
	struct ring ring;          /* of the records of RECORDED */
	int event[WAYS][EVENTS];   /* what is counted or recorded meanwhile; -1: nothing */
	double ns[WAYS][ROUNDS];
	size_t rounds;
};

static uint64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
touch_batch(volatile char *p, size_t page)
{
	for (size_t i = 0; i < BATCH; i++)
		p[i * page] = 1;
}

/* Empties a ring, so that the kernel always has room for the next record. */
static void
drop_records(struct ring *ring)
{
	size_t size;

	if (!ring->base)
		return;
	ring_poll(ring);
	while (ring_next(ring, &size))
		continue;
	ring_release(ring);
}

static void
switch_events(const int fd[EVENTS], bool on)
{
	for (int i = 0; i < EVENTS; i++)
		if (fd[i] >= 0)
			ioctl(fd[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* Measures ns a page of fresh pages; NAN: the kernel refuses it. */
static double
measure_batch(struct measuring *m, enum way way, char *at)
{
	uint64_t first, second, end;
	bool good = true;

	switch_events(m->event[way], true);
	first = cpu_ns();
	if (way == POPULATED)
		good = madvise(at, BATCH * m->page, MADV_POPULATE_WRITE) == 0;
	else
		touch_batch(at, m->page);
	second = cpu_ns();
	touch_batch(at, m->page);
	end = cpu_ns();
	switch_events(m->event[way], false);
	drop_records(&m->ring);
	return good ? ((double)(second - first) - (double)(end - second)) / BATCH : NAN;
}

/* Measures rounds of the ways from `first` on, which are `n`. */
static bool
measure_rounds(struct measuring *m, size_t rounds, int first, int n)
{
	size_t size = rounds * (size_t)n * BATCH * m->page;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at = p;
	uint64_t begin = cpu_ns();
	bool good = p != MAP_FAILED;

	if (good)
		madvise(p, size, MADV_NOHUGEPAGE);
	for (; good && m->rounds < rounds && cpu_ns() - begin < MOST_NS; m->rounds++)
		for (int way = first; way < first + n && good; way++, at += BATCH * m->page) {
			m->ns[way][m->rounds] = measure_batch(m, (enum way)way, at);
			good = !isnan(m->ns[way][m->rounds]);
		}
	if (p != MAP_FAILED)
		munmap(p, size);
	return good && m->rounds > 0;
}

/* Returns the lower quartile: a busy core next to this one and the host make pages slower, nothing makes them faster.
 *  */
static double
quartile_of(double ns[ROUNDS], size_t n, double *spread)
{
	sort_doubles(ns, n);
	if (spread)
		*spread = (ns[n * 3 / 4] - ns[n / 4]) / 2;
	return ns[n / 4];
}

static int
open_event(struct perf_event_attr *a)
{
	a->size = sizeof *a;
	a->disabled = 1;
	return (int)syscall(SYS_perf_event_open, a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void
close_events(int fd[EVENTS])
{
	for (int i = 0; i < EVENTS; i++) {
		if (fd[i] >= 0)
			close(fd[i]);
		fd[i] = -1;
	}
}

/* Opens records of this thread's faults, as collect/perf/records.h has them. */
static bool
open_records(int fd[EVENTS], struct ring *ring)
{
	struct perf_event_attr fault = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS,
				       .sample_period = 1,
				       .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
				       .sample_id_all = 1, .watermark = 1, .wakeup_watermark = RING_KB * 1024 / 2},
			       minor = fault;

	minor.config = PERF_COUNT_SW_PAGE_FAULTS_MIN;
	minor.sample_type |= PERF_SAMPLE_PERIOD;
	fd[0] = open_event(&fault);
	fd[1] = open_event(&minor);
	return fd[0] >= 0 && fd[1] >= 0 && ring_map(ring, fd[0], RING_KB) &&
		ioctl(fd[1], PERF_EVENT_IOC_SET_OUTPUT, fd[0]) == 0;
}

/* Opens counters of this thread's faults and exceptions, as the network linux-vm has them. */
static bool
open_counters(const struct perf_world *world, int fd[EVENTS])
{
	static const char *const filter[] = {
		"!(error_code & 2) && !(error_code & 16)", "error_code & 16", "error_code & 2"};
	struct perf_event_attr faults = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS},
			       minor = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS_MIN},
			       exception = {.type = PERF_TYPE_TRACEPOINT};
	long long id = perf_tracepoint_id(world, "exceptions", "page_fault_user");
	bool good = id >= 0;

	exception.config = (__u64)id;
	for (int i = 0; i < 3 && good; i++) {
		fd[i] = open_event(&exception);
		good = fd[i] >= 0 && ioctl(fd[i], PERF_EVENT_IOC_SET_FILTER, filter[i]) == 0;
	}
	fd[3] = good ? open_event(&faults) : -1;
	fd[4] = good ? open_event(&minor) : -1;
	return good && fd[3] >= 0 && fd[4] >= 0;
}

/* Fills in the cost. The first of the two records of a fault is written before its service, in which it seems to be,
 * and the second one after it. */
static void
evaluate(struct measuring *m, struct fault_cost *cost)
{
	double recorded = quartile_of(m->ns[RECORDED], m->rounds, NULL),
	       counted = quartile_of(m->ns[COUNTED], m->rounds, NULL);

	cost->service_ns = quartile_of(m->ns[POPULATED], m->rounds, NULL);
	cost->touch_ns = quartile_of(m->ns[TOUCHED], m->rounds, &cost->spread_ns);
	cost->unrecorded_ns = fmax(0, (recorded + cost->touch_ns) / 2 - cost->service_ns);
	cost->exception_ns = fmax(0, counted - cost->service_ns);
	cost->pages = m->rounds * WAYS * BATCH;
}

bool
fault_cost_measure(const struct perf_world *world, struct fault_cost *cost)
{
	struct measuring m = {.page = (size_t)sysconf(_SC_PAGESIZE)};
	bool good;

	*cost = (struct fault_cost){0};
	memset(m.event, -1, sizeof m.event);
	if (!open_records(m.event[RECORDED], &m.ring))
		close_events(m.event[RECORDED]);
	if (!open_counters(world, m.event[COUNTED]))
		close_events(m.event[COUNTED]);
	good = measure_rounds(&m, ROUNDS, POPULATED, WAYS);
	if (m.ring.base)
		ring_unmap(&m.ring);
	close_events(m.event[RECORDED]);
	close_events(m.event[COUNTED]);
	if (good)
		evaluate(&m, cost);
	return good;
}

double
fault_cost_measure_briefly(void)
{
	struct measuring m = {.page = (size_t)sysconf(_SC_PAGESIZE)};

	memset(m.event, -1, sizeof m.event);
	return measure_rounds(&m, BRIEF_ROUNDS, TOUCHED, 1) ? quartile_of(m.ns[TOUCHED], m.rounds, NULL) : NAN;
}
