/* The cost of sampling, and how much rows tear: `make bench-sampling`. A task takes page faults as fast as it can; its
 * events are read as a group (as hecate does) and one by one. Then a whole row of the source is timed, with the tasks
 * counted. */

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/source.h"
#include "test.h"

#define READINGS 2000
#define MOST 30
/* the first three are page faults, minor faults and major faults; the latter two add up to the first */
#define TEARABLE 3

static const char *const name[] = {"page-faults:u", "minor-faults:u", "major-faults:u", "task-clock:u", "cpu-clock:u",
	"alignment-faults:u", "emulation-faults:u", "page-faults:u"};

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
part(double *t, size_t n, double share)
{
	qsort(t, n, sizeof *t, compare);
	return n ? t[(size_t)((double)(n - 1) * share)] : 0;
}

/* A child that touches fresh pages until it is killed. */
static pid_t
start_toucher(int go[2])
{
	char *path = test_program("touch"), byte;
	pid_t pid;

	if (pipe(go) != 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			execl(path, path, "1000000", (char *)NULL);
		_exit(1);
	}
	close(go[0]);
	free(path);
	return pid;
}

static uint64_t
gap(uint64_t a, uint64_t b, uint64_t c)
{
	return a > b + c ? a - b - c : b + c - a;
}

static void
bench_reading(size_t n)
{
	static double group_us[READINGS], single_us[READINGS];
	struct perf_world w;
	struct source_status s = {0};
	uint64_t value[MOST], group_tear = 0, single_tear = 0;
	int leader, fd[MOST], alone[MOST], go[2];
	size_t readings = 0;
	pid_t pid = start_toucher(go);

	perf_world_probe(&w);
	leader = perf_open_leader(pid, OPEN_COMMAND, &w, &s);
	for (size_t i = 0; i < n; i++) {
		struct event_code c;

		if (!event_by_name(name[i % (sizeof name / sizeof *name)], &w, &c, &s))
			exit(1);
		fd[i] = perf_open_in(&c, NULL, pid, leader, OPEN_COMMAND, &w, &s);
		alone[i] = perf_open_event(&c, NULL, pid, OPEN_COMMAND, &w, &s);
	}
	if (s.error)
		printf("%2zu counters: %s\n", n, s.why);
	if (write(go[1], "+", 1) != 1)
		exit(1);
	while (readings < READINGS && waitpid(pid, NULL, WNOHANG) == 0) {
		struct perf_reading times, r[MOST];
		double t = clock_seconds();

		if (!perf_read_group(leader, n, value, &times))
			continue;
		group_us[readings] = (clock_seconds() - t) * 1e6;
		t = clock_seconds();
		for (size_t i = 0; i < n; i++)
			perf_read(alone[i], &r[i]);
		single_us[readings++] = (clock_seconds() - t) * 1e6;
		group_tear =
			gap(value[0], value[1], value[2]) > group_tear ? gap(value[0], value[1], value[2]) : group_tear;
		single_tear = gap(r[0].value, r[1].value, r[2].value) > single_tear
			? gap(r[0].value, r[1].value, r[2].value)
			: single_tear;
		poll(NULL, 0, 1);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (size_t i = 0; i < n; i++) {
		close(fd[i]);
		close(alone[i]);
	}
	close(leader);
	close(go[1]);
	printf("%2zu counters, %4zu readings   as a group %6.1f us (99 %%: %6.1f), torn by %2llu at most   one by one "
	       "%6.1f us (99 %%: %6.1f), by %llu\n",
		n, readings, part(group_us, readings, 0.5), part(group_us, readings, 0.99),
		(unsigned long long)group_tear, part(single_us, readings, 0.5), part(single_us, readings, 0.99),
		(unsigned long long)single_tear);
}

static void
bench_rows(size_t n)
{
	static double us[READINGS];
	struct event_item event[MOST];
	struct source_counter counter[MOST];
	int64_t count[MOST];
	unsigned char counted[MOST];
	double running[MOST], all = 0;
	char *path = test_program("touch"), pages[] = "1000000", *argv[] = {path, pages, NULL};
	struct source_spec spec = {.counter = counter,
		.n_counters = n,
		.argv = argv,
		.interval_ms = 1,
		.out_fd = -1,
		.err_fd = -1,
		.no_input = true};
	struct source_row row = {.count = count, .counted = counted, .running = running};
	struct source_end end;
	struct source *s;
	struct err e;
	size_t rows = 0;

	for (size_t i = 0; i < n; i++) {
		event[i] = (struct event_item){.name = name[i % (sizeof name / sizeof *name)]};
		counter[i] = (struct source_counter){.name = event[i].name, .event = &event[i], .n_events = 1};
	}
	s = source_perf.open(&spec, &e);
	if (!s || !source_perf.start(s, &e)) {
		printf("%s\n", e.what);
		exit(1);
	}
	while (rows < READINGS && !source_perf.poll(s, &end)) {
		struct pollfd p = {.fd = source_perf.wait_fd(s), .events = POLLIN};
		double t;

		poll(&p, 1, 1000);
		t = clock_seconds();
		if (source_perf.row(s, &row, &e) != SOURCE_ROW)
			continue;
		us[rows] = (clock_seconds() - t) * 1e6;
		all += us[rows++];
	}
	source_perf.close(s);
	free(path);
	if (rows)
		printf("%2zu counters, %4zu rows       a row takes %6.1f us (99 %%: %6.1f); with tasks counted %6.1f "
		       "us on average: %.3f %% of 100 ms\n",
			n, rows, part(us, rows, 0.5), part(us, rows, 0.99), all / (double)rows,
			all / (double)rows / 1e5 * 100);
}

int
main(void)
{
	static const size_t n[] = {TEARABLE, 8, MOST};

	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		bench_reading(n[i]);
	for (size_t i = 1; i < sizeof n / sizeof *n; i++)
		bench_rows(n[i]);
	return 0;
}
