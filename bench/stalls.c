/* Where the time of known programs goes, compared with the scheduler's accounts, and the cost of recording: `make
 * bench-stalls`. Run it as root, and the second part on an idle machine. `bench/stalls record KIND MS` prints the
 * events of a run in the form of tests/data/stalls. */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "bench.h"
#include "collect/flow_records.h"
#include "collect/perf/records.h"
#include "collect/proc/schedstat.h"
#include "collect/perf/world.h"
#include "collect/process/child.h"
#include "collect/source.h"
#include "collect/tasktime_source.h"
#include "core/network/flow.h"
#include "test.h"

#define REPEATS 3

struct total {
	struct tasktime_row sum;
	uint64_t run_ns, wait_ns, cost_ns, slowest_window_ns, windows_ns;
	size_t windows, rows, without_books;
	double reader_s, seconds;
	bool exact, believed;
	char why[256];
	struct tasktime_source_figures figures;
};

static double
cpu_seconds(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void
take_window(struct tasktime_source *s, bool last, struct total *t)
{
	struct tasktime_source_window w;
	double before = cpu_seconds(RUSAGE_SELF);
	uint64_t took;

	tasktime_source_window(s, last, &w);
	took = (uint64_t)((cpu_seconds(RUSAGE_SELF) - before) * 1e9);
	t->windows_ns += took;
	t->windows++;
	for (size_t i = 0; i < w.n; i++) {
		const struct tasktime_source_row *r = &w.row[i];

		t->exact &= tasktime_row_elapsed(&r->row) == r->row.to_ns - r->row.from_ns;
		t->rows++;
		t->without_books += !r->books;
		t->run_ns += r->run_ns;
		t->wait_ns += r->wait_ns;
		t->cost_ns += r->costed.cost_ns;
		tasktime_row_add(&t->sum, &r->row);
	}
	t->believed = w.believed;
	memcpy(t->why, w.why, sizeof t->why);
}

static bool
record(const char *kind, const char *ms, struct tasktime_source_spec spec, unsigned interval_ms, struct total *t)
{
	char *path = test_program("stall"), *file = str_format("bench-stalls.%d.tmp", (int)getpid()),
	     *argv[] = {path, (char *)(uintptr_t)kind, (char *)(uintptr_t)ms, file, NULL};
	struct tasktime_source *s;
	struct err e;
	uint64_t begin, next;
	double cpu;
	int status;

	*t = (struct total){.exact = true};
	spec.argv = argv;
	spec.out_fd = spec.err_fd = -1;
	spec.no_input = true;
	s = tasktime_source_open(&spec, &e);
	if (!s || !tasktime_source_start(s, &e)) {
		printf("%s: %s\n", kind, e.what);
		tasktime_source_free(s);
		return false;
	}
	cpu = cpu_seconds(RUSAGE_SELF);
	begin = clock_ns();
	next = begin + interval_ms * 1000000ull;
	while (!tasktime_source_ended(s, &status)) {
		struct pollfd p = {.fd = tasktime_source_wait_fd(s), .events = POLLIN};

		poll(&p, 1, 20);
		tasktime_source_pump(s);
		if (interval_ms && clock_ns() >= next) {
			take_window(s, false, t);
			next += interval_ms * 1000000ull;
		}
	}
	take_window(s, true, t);
	t->seconds = (double)(clock_ns() - begin) / 1e9;
	t->reader_s = cpu_seconds(RUSAGE_SELF) - cpu;
	tasktime_source_figures(s, &t->figures);
	tasktime_source_free(s);
	free(path);
	free(file);
	return true;
}

/* --- where the time goes ----------------------------------------------------------------------------------------- */

static void
print_partition(const char *kind, const struct total *t)
{
	const struct tasktime_row *r = &t->sum;
	double elapsed = (double)tasktime_row_elapsed(r),
	       run = (double)(r->ns[TASKTIME_ON_CPU] + r->ns[TASKTIME_FAULT_CPU]),
	       wait = (double)(r->ns[TASKTIME_PREEMPTED] + r->ns[TASKTIME_WOKEN]);

	printf("%s: largest %s; %.3f ms, sums %s; %.0f switches/s%s%s\n", kind,
		tasktime_class_name(tasktime_row_largest(r)), elapsed / 1e6, t->exact ? "exact" : "WRONG",
		(double)r->in / (elapsed / 1e9), t->believed ? "" : "; not to be believed: ", t->why);
	for (int c = 0; c < TASKTIME_CLASSES; c++)
		if (r->ns[c])
			printf("    %-15s %10.3f ms %6.2f %%  entered %llu times\n",
				tasktime_class_name((enum tasktime_class)c), (double)r->ns[c] / 1e6,
				(double)r->ns[c] / elapsed * 100, (unsigned long long)r->entered[c]);
	printf("    run %10.3f ms, scheduler's %10.3f: %+.2f %% of elapsed, %+.2f %% with the cost row of %.3f ms\n",
		run / 1e6, (double)t->run_ns / 1e6, (run - (double)t->run_ns) / elapsed * 100,
		(run + (double)t->cost_ns - (double)t->run_ns) / elapsed * 100, (double)t->cost_ns / 1e6);
	printf("    wait %9.3f ms, scheduler's %10.3f: %+.2f %% of elapsed\n", wait / 1e6, (double)t->wait_ns / 1e6,
		(wait - (double)t->wait_ns) / elapsed * 100);
	printf("    faults: %llu minor, %llu major, %llu failed holding %.3f ms; sleeps without a wake-up record %llu; "
	       "rows %zu, of them without books %zu\n",
		(unsigned long long)r->minor, (unsigned long long)r->major, (unsigned long long)r->failed,
		(double)r->failed_ns / 1e6, (unsigned long long)r->unwoken, t->rows, t->without_books);
	printf("    records %llu, lost %llu, wake-ups missing %llu; reader %.2f %% of a CPU, %zu windows of %.0f us "
	       "CPU\n",
		(unsigned long long)t->figures.records, (unsigned long long)t->figures.lost,
		(unsigned long long)t->figures.missing_wakeups, t->reader_s / t->seconds * 100, t->windows,
		(double)t->windows_ns / 1e3 / (double)t->windows);
}

/* --- what it costs ----------------------------------------------------------------------------------------------- */

/* Processor time of the same program, without recording. */
static double
run_alone(const char *kind, const char *n)
{
	char *path = test_program("stall");
	double before = cpu_seconds(RUSAGE_CHILDREN);
	pid_t pid = fork();

	if (pid == 0) {
		execl(path, path, kind, n, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	free(path);
	return cpu_seconds(RUSAGE_CHILDREN) - before;
}

static void
print_cost(const char *name, struct tasktime_source_spec spec, double alone, uint64_t switches)
{
	double used[REPEATS], cost;
	struct total t;
	double memory = 0;
	uint64_t lost = 0;

	for (int i = 0; i < REPEATS; i++) {
		double before = cpu_seconds(RUSAGE_CHILDREN);

		if (!record("pass", "50", spec, 100, &t))
			return;
		used[i] = cpu_seconds(RUSAGE_CHILDREN) - before;
		lost += t.figures.lost;
		memory = bench_megabytes() > memory ? bench_megabytes() : memory;
	}
	cost = (bench_median(used, REPEATS) - alone) / (double)switches;
	printf("%-28s %+.3f us a switch: %5.2f %% of each CPU at 100 000/s (%.0f /s and CPU here); %llu records, %llu "
	       "lost; reader %.2f %% of a CPU; own memory %.1f MB\n",
		name, cost * 1e6, cost * 1e5 * 100,
		(double)t.sum.in / t.seconds / (double)sysconf(_SC_NPROCESSORS_ONLN),
		(unsigned long long)t.figures.records, (unsigned long long)lost, t.reader_s / t.seconds * 100, memory);
}

/* --- flows: the counters of a CPU read at each switch ------------------------------------------------------------ */

#define FLOW_COUNTERS_MOST 32

struct flow_bench {
	struct flow_records *records;
	struct flows *flows;
};

static void
take_flow(void *ctx, const struct flow_event *event)
{
	struct flow_bench *b = ctx;
	struct err e;

	flows_take(b->flows, event, &e);
}

/* `n` counters: a tracepoint that never fires here, and page faults, so that the reading itself is measured. False if
 * they cannot be recorded. */
static bool
record_flows(size_t n, double *used, double *reader, struct flow_records_health *health)
{
	static const struct event_item event[2] = {{.name = "page-faults"}, {.name = "block:block_io_start"}};
	struct source_counter counter[FLOW_COUNTERS_MOST];
	struct flow_counter kind[FLOW_COUNTERS_MOST];
	struct flow_bench b = {0};
	struct err e;
	char *path = test_program("stall");
	double before, mine;
	pid_t pid;

	for (size_t i = 0; i < n; i++) {
		counter[i] = (struct source_counter){.name = "c", .event = &event[i > 0], .n_events = 1};
		kind[i] = (struct flow_counter){
			.width = 64, .destination = i > 0 ? (i - 1) % 4 : FLOW_NOWHERE, .weighs = true};
	}
	b.records = flow_records_open(
		&(struct flow_records_spec){.counter = counter, .n_counters = n, .take = take_flow, .ctx = &b}, &e);
	if (!b.records || flow_records_counters(b.records) != n) {
		printf("flows: %s\n", b.records ? "not all counters could be opened" : e.what);
		flow_records_free(b.records);
		free(path);
		return false;
	}
	b.flows = flows_new(&(struct flow_spec){.n_cores = flow_records_cpus(b.records),
		.n_destinations = 4,
		.counter = kind,
		.n_counters = n,
		.most = 4096});
	before = cpu_seconds(RUSAGE_CHILDREN);
	mine = cpu_seconds(RUSAGE_SELF);
	flow_records_start(b.records);
	pid = fork();
	if (pid == 0) {
		execl(path, path, "pass", "50", (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		struct pollfd p = {.fd = flow_records_wait_fd(b.records), .events = POLLIN};

		poll(&p, 1, 20);
		flow_records_drain(b.records);
	}
	flow_records_stop(b.records);
	*used = cpu_seconds(RUSAGE_CHILDREN) - before;
	*reader = cpu_seconds(RUSAGE_SELF) - mine;
	flow_records_health(b.records, health);
	flow_records_free(b.records);
	flows_free(b.flows);
	free(path);
	return true;
}

static void
bench_flows(size_t n, double alone, uint64_t switches)
{
	double used[REPEATS], reader[REPEATS], cost, each;
	struct flow_records_health health = {0};
	uint64_t dropped = 0, recorded = 0;

	for (int i = 0; i < REPEATS; i++) {
		if (!record_flows(n, &used[i], &reader[i], &health))
			return;
		reader[i] /= (double)(health.switches ? health.switches : 1);
		dropped += health.dropped;
		recorded += health.switches;
	}
	cost = (bench_median(used, REPEATS) - alone) / (double)switches;
	each = bench_median(reader, REPEATS);
	printf("flows, %2zu counters           %+.3f us a switch: %5.2f %% of each CPU at 100 000/s; %llu switches, "
	       "%llu records dropped; reader %.3f us a switch\n",
		n, cost * 1e6, cost * 1e5 * 100, (unsigned long long)recorded, (unsigned long long)dropped, each * 1e6);
}

static void
bench_costs(void)
{
	/* A round trip is two switches; each CPU makes 50 000. */
	uint64_t switches = 100000u * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	double alone[REPEATS], base;

	for (int i = 0; i < REPEATS; i++)
		alone[i] = run_alone("pass", "50");
	base = bench_median(alone, REPEATS);
	print_cost("records, causes adaptive", (struct tasktime_source_spec){0}, base, switches);
	print_cost("records, no causes", (struct tasktime_source_spec){.never_causes = true}, base, switches);
	print_cost("switches of one's own",
		(struct tasktime_source_spec){.variant_given = true, .variant = TASKTIME_SOURCE_SWITCHES}, base,
		switches);
	print_cost("counters alone",
		(struct tasktime_source_spec){.variant_given = true, .variant = TASKTIME_SOURCE_COUNTERS}, base,
		switches);
	bench_flows(1, base, switches);
	bench_flows(8, base, switches);
	bench_flows(32, base, switches);
}

/* --- a recording for tests --------------------------------------------------------------------------------------- */

struct printing {
	struct tasktime_partition *p;
	uint64_t start;
	int32_t root;
};

static void
print_event(void *to, const struct tasktime_event *e)
{
	const struct printing *f = to;
	bool ours = tasktime_is_followed(f->p, e->tid) || e->tid == f->root;

	tasktime_take(f->p, e);
	ours |= tasktime_is_followed(f->p, e->tid);
	if (ours || e->kind == TASKTIME_IN || e->kind == TASKTIME_OUT)
		printf("%d %llu %u %d %d %d %d %d %d %s\n", e->kind, (unsigned long long)(e->ns - f->start), e->cpu,
			e->tid, e->pid, e->other, e->state, e->cause, e->preempted, *e->name ? e->name : "-");
}

static void
print_books(void *to, const struct tasktime_row *r)
{
	(void)to;
	(void)r;
}

static int
print_recording(const char *kind, const char *ms)
{
	char *path = test_program("stall"),
	     *argv[] = {path, (char *)(uintptr_t)kind, (char *)(uintptr_t)ms, (char *)(uintptr_t) "bench-stalls.tmp",
		     NULL};
	struct source_spec command = {.argv = argv, .out_fd = -1, .err_fd = -1, .no_input = true};
	struct tasktime_options o = {.follow = TASKTIME_FOLLOW_TREE, .from_exec = true, .row = print_books};
	struct records_spec spec = {.causes = RECORDS_CAUSES_ALWAYS};
	struct source_status why = {0};
	struct perf_world w;
	struct err e;
	struct child_end end;
	struct child *c = child_new(&command, &e);
	struct printing f = {0};
	struct records *r;
	uint64_t at;

	perf_world_probe(&w);
	r = c ? records_open(&spec, &w, &why) : NULL;
	if (!r || !records_start(r, &f.start)) {
		printf("%s\n", c ? why.why : e.what);
		return 1;
	}
	f.root = child_pid(c);
	f.p = tasktime_partition_new(&o, records_cpus(r), f.start);
	tasktime_watch(f.p, f.root, f.root);
	printf("cpus %zu root %d\n", records_cpus(r), f.root);
	if (!child_start(c, &at, &e))
		return 1;
	while (!child_poll(c, &end)) {
		struct pollfd p = {.fd = child_wait_fd(c), .events = POLLIN};

		poll(&p, 1, 10);
		records_drain(r, print_event, &f);
	}
	records_settle(r, print_event, &f);
	records_stop(r);
	printf("end %llu\n", (unsigned long long)(records_settle(r, print_event, &f) - f.start));
	tasktime_partition_free(f.p);
	records_free(r);
	child_free(c);
	free(path);
	return 0;
}

int
main(int argc, char **argv)
{
	static const char *const kind[] = {"cpu", "faults", "lock", "io", "sleep", "signal", "switch"};
	struct total t;

	if (argc == 4 && str_eq(argv[1], "record"))
		return print_recording(argv[2], argv[3]);
	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
		if (record(kind[i], "1000", (struct tasktime_source_spec){0}, 100, &t))
			print_partition(kind[i], &t);
	bench_costs();
	return 0;
}
