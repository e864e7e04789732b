/* Flows of real programs on this kernel. All that the CPUs' counters rose by is in the flows, and each count is in
 * the flow of the task that caused it. Programs of tests/programs do a known amount of work. Needs root. */

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "collect/flow_records.h"
#include "core/network/flow.h"
#include "test.h"

enum { FAULTS, LOOKUPS, DIRTIED, CLOCK, COUNTERS };

static const struct event_item events[COUNTERS] = {
	[FAULTS] = {.name = "page-faults"},
	[LOOKUPS] = {.name = "filemap:mm_filemap_get_pages"},
	[DIRTIED] = {.name = "writeback:writeback_dirty_folio"},
	[CLOCK] = {.name = "task-clock"},
};
static const struct source_counter counters[COUNTERS] = {
	[FAULTS] = {.name = "faults", .event = &events[FAULTS], .n_events = 1},
	[LOOKUPS] = {.name = "lookups", .event = &events[LOOKUPS], .n_events = 1},
	[DIRTIED] = {.name = "dirtied", .event = &events[DIRTIED], .n_events = 1},
	[CLOCK] = {.name = "clock", .event = &events[CLOCK], .n_events = 1},
};
/* Two destinations: memory, shown by page faults; the page cache, shown by lookups and by pages made dirty. */
enum { MEMORY, CACHE, DESTINATIONS };
static const struct flow_counter kinds[COUNTERS] = {
	[FAULTS] = {.width = 64, .destination = MEMORY, .weighs = true},
	[LOOKUPS] = {.width = 64, .destination = CACHE, .weighs = true},
	[DIRTIED] = {.width = 64, .destination = CACHE, .weighs = true},
	[CLOCK] = {.width = 64, .destination = FLOW_NOWHERE},
};

struct run {
	struct flow_records *records;
	struct flows *flows;
	struct flow_records_health health;
	size_t refused, closed[FLOW_AT_LOSS + 1];
};

static void
take(void *ctx, const struct flow_event *event)
{
	struct run *r = ctx;
	struct err e;

	r->refused += !flows_take(r->flows, event, &e);
}

static void
note_closed(void *ctx, const struct flow_snapshot *s)
{
	((struct run *)ctx)->closed[s->why]++;
}

/* False, and the case is skipped, where switches cannot be recorded. */
static bool
begin(struct run *r, struct flow_records_spec spec, size_t most)
{
	struct err e;

	*r = (struct run){0};
	spec.counter = counters;
	spec.n_counters = COUNTERS;
	spec.take = take;
	spec.ctx = r;
	r->records = flow_records_open(&spec, &e);
	if (!r->records || flow_records_counters(r->records) != COUNTERS) {
		test_skip("needs root, and tracepoints");
		flow_records_free(r->records);
		return false;
	}
	r->flows = flows_new(&(struct flow_spec){.n_cores = flow_records_cpus(r->records),
		.n_destinations = DESTINATIONS,
		.counter = kinds,
		.n_counters = COUNTERS,
		.most = most,
		.closed = note_closed,
		.ctx = r});
	flow_records_start(r->records);
	return true;
}

static void
end(struct run *r)
{
	flow_records_free(r->records);
	flows_free(r->flows);
}

/* Starts a program that waits until `go` is closed; on this CPU, if it is not below 0. */
static pid_t
start(const char *const *argv, int cpu, const int *go)
{
	char *path = test_program(argv[0]), byte;
	cpu_set_t before, there;
	pid_t pid;

	sched_getaffinity(0, sizeof before, &before);
	CPU_ZERO(&there);
	CPU_SET(cpu < 0 ? 0 : (unsigned)cpu, &there);
	sched_setaffinity(0, sizeof there, cpu < 0 ? &before : &there); /* the child is created there */
	pid = fork();
	if (pid != 0) {
		sched_setaffinity(0, sizeof before, &before);
		free(path);
		return pid;
	}
	close(go[1]);
	(void)!read(go[0], &byte, 1);
	execv(path, (char *const *)(uintptr_t)argv);
	_exit(127);
}

static bool
wait_and_pump(struct run *r, pid_t pid, unsigned interval_ms)
{
	uint64_t next = clock_ns() + interval_ms * 1000000u;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct pollfd p = {.fd = flow_records_wait_fd(r->records), .events = POLLIN};

		poll(&p, 1, 2);
		if (interval_ms && clock_ns() >= next) {
			flow_records_read(r->records);
			next = clock_ns() + interval_ms * 1000000u;
		} else {
			flow_records_drain(r->records);
		}
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static uint64_t
total_of(const struct run *r, size_t counter)
{
	uint64_t sum = 0, v = 0;

	for (size_t c = 0; c < flow_records_cpus(r->records); c++) {
		CHECK(flow_records_total(r->records, c, counter, &v));
		sum += v;
	}
	return sum;
}

static uint64_t
flowed(const struct run *r, size_t counter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < flows_n(r->flows); i++)
		sum += flows_at(r->flows, i)->count[counter];
	return sum;
}

/* Checks what holds of every run: no count is lost, and none is counted twice. */
static void
check_sums(struct run *r)
{
	flow_records_stop(r->records);
	flow_records_health(r->records, &r->health);
	for (size_t c = FAULTS; c <= DIRTIED; c++)
		CHECK_INT(flowed(r, c), total_of(r, c));
	CHECK_INT(r->refused, 0);
	CHECK_INT(r->health.foreign, 0);
	CHECK_INT(flows_trouble(r->flows)->backwards, 0);
	/* a task whose switch-out was lost is seen on another CPU first */
	CHECK(flows_trouble(r->flows)->broken == 0 || r->health.lost > 0);
	for (size_t i = 0; i < flows_n(r->flows) && !r->health.lost; i++)
		for (size_t c = FAULTS; c <= DIRTIED; c++)
			CHECK_INT(flows_at(r->flows, i)->lost[c], 0);
}

static void
sums(void)
{
	int go[2];
	struct run r;
	pid_t pid;

	if (pipe(go) != 0 || !begin(&r, (struct flow_records_spec){0}, 4096))
		return;
	pid = start((const char *[]){"churn", "4", "200", NULL}, -1, go);
	close(go[0]);
	close(go[1]);
	wait_and_pump(&r, pid, 5);
	check_sums(&r);
	CHECK(r.closed[FLOW_AT_SWITCH] > 0);
	CHECK(r.closed[FLOW_AT_EXIT] > 0);
	end(&r);
}

/* Requests in the task's flows on a core to a destination, dead or alive, of all its lives together. */
static uint64_t
requests(const struct run *r, int32_t task, size_t core, size_t destination)
{
	uint64_t sum = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(r->flows); i++) {
		const struct flow *k = flows_at(r->flows, i);

		for (size_t c = 0; c < COUNTERS; c++)
			if (k->task == task && k->core == core && k->destination == destination &&
				kinds[c].destination == destination)
				sum += k->count[c];
	}
	return sum;
}

/* Counts whose task cannot be known: some kernels do not record the switches of some tasks. */
static uint64_t
mixed(const struct run *r, size_t counter)
{
	return flows_at(r->flows, FLOW_MIXED)->count[counter];
}

static uint64_t
ran(const struct run *r, int32_t task)
{
	uint64_t ns = 0;

	for (size_t i = FLOW_SPECIALS; i < flows_n(r->flows); i++)
		ns += flows_at(r->flows, i)->task == task ? flows_at(r->flows, i)->ran_ns : 0;
	return ns;
}

static size_t
core_of(const struct run *r, int cpu)
{
	for (size_t i = 0; i < flow_records_cpus(r->records); i++)
		if (flow_records_cpu(r->records, i) == cpu)
			return i;
	return FLOW_NOWHERE;
}

/* The first two CPUs that this process may run on. False, and the case is skipped, where there is only one. */
static bool
two_cpus(int cpu[2])
{
	cpu_set_t may;
	int n = 0;

	if (sched_getaffinity(0, sizeof may, &may) == 0)
		for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
			if (CPU_ISSET((size_t)i, &may))
				cpu[n++] = i;
	if (n < 2)
		test_skip("needs two CPUs");
	return n == 2;
}

/* One program touches memory on one CPU, the other one reads a file from the page cache on another: two tasks, two
 * cores, two destinations. */
static void
two_pinned_programs(void)
{
	char *file = str_format("flow-live.%d.tmp", (int)getpid());
	int go[2], cpu[2];
	struct run r;
	pid_t touch, read;
	FILE *f = fopen(file, "w");

	for (int i = 0; f && i < 64 * 4096; i++)
		fputc('x', f);
	if (f)
		fclose(f);
	if (!two_cpus(cpu) || pipe(go) != 0 || !begin(&r, (struct flow_records_spec){0}, 4096))
		goto out;
	touch = start((const char *[]){"touch", "3000", NULL}, cpu[0], go);
	read = start((const char *[]){"paths", "read", file, "2000", NULL}, cpu[1], go);
	close(go[0]);
	close(go[1]);
	CHECK(wait_and_pump(&r, touch, 0));
	CHECK(wait_and_pump(&r, read, 0));
	check_sums(&r);
	CHECK(requests(&r, read, core_of(&r, cpu[1]), CACHE) + mixed(&r, LOOKUPS) >= 2000);
	CHECK_INT(requests(&r, read, core_of(&r, cpu[0]), CACHE), 0);
	CHECK(requests(&r, touch, core_of(&r, cpu[0]), MEMORY) + mixed(&r, FAULTS) >= 3000);
	CHECK_INT(requests(&r, touch, core_of(&r, cpu[1]), MEMORY), 0);
	end(&r);
out:
	remove(file);
	free(file);
}

/* On each CPU that the task moves to it has new flows, with what it does there. */
static void
migration(void)
{
	int go[2], cpu[2];
	struct run r;
	pid_t pid;

	if (!two_cpus(cpu) || pipe(go) != 0 || !begin(&r, (struct flow_records_spec){0}, 4096))
		return;
	pid = start((const char *[]){"hop", "10", "50", NULL}, -1, go);
	close(go[0]);
	close(go[1]);
	CHECK(wait_and_pump(&r, pid, 0));
	check_sums(&r);
	for (int i = 0; i < 2; i++) {
		test_label("CPU %d", cpu[i]);
		CHECK(requests(&r, pid, core_of(&r, cpu[i]), MEMORY) + mixed(&r, FAULTS) >= 500);
	}
	/* a migration is reported when the task is switched in, after its switch-out has closed the flows */
	CHECK(r.closed[FLOW_AT_MIGRATION] == 0);
	CHECK(ran(&r, pid) > 0);
	end(&r);
}

/* There are more flows than are kept: the others are added up in one flow and reported, and no count is missing. */
static void
flows_beyond_the_bound(void)
{
	int go[2];
	struct run r;
	pid_t pid;

	if (pipe(go) != 0 || !begin(&r, (struct flow_records_spec){0}, FLOW_SPECIALS + 4))
		return;
	pid = start((const char *[]){"churn", "4", "50", NULL}, -1, go);
	close(go[0]);
	close(go[1]);
	wait_and_pump(&r, pid, 5);
	check_sums(&r);
	CHECK(flows_n(r.flows) <= FLOW_SPECIALS + 4);
	CHECK(flows_trouble(r.flows)->folded > 0);
	CHECK(flows_at(r.flows, FLOW_OTHERS)->count[FAULTS] > 0);
	end(&r);
}

/* Nothing is read while thousands of switches are recorded in the smallest rings. Losses are reported. Their counts
 * belong to no task, but are not lost. */
static void
full_rings(void)
{
	int go[2], status;
	struct run r;
	pid_t pid;

	if (pipe(go) != 0 || !begin(&r, (struct flow_records_spec){.ring_kb = 4}, 4096))
		return;
	pid = start((const char *[]){"stall", "switch", "100", NULL}, -1, go);
	close(go[0]);
	close(go[1]);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	check_sums(&r);
	CHECK(r.health.lost > 0);
	CHECK(flows_at(r.flows, FLOW_MIXED)->snapshots > 0);
	end(&r);
}

/* Only the given task and its children have flows of their own; the others are one flow. */
static void
one_process(void)
{
	int go[2];
	struct run r;
	pid_t pid;

	if (pipe(go) != 0)
		return;
	pid = start((const char *[]){"churn", "2", "100", NULL}, -1, go);
	if (!begin(&r, (struct flow_records_spec){.pid = &pid, .n_pids = 1}, 4096)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	} else {
		size_t tasks = 0;

		close(go[0]);
		close(go[1]);
		wait_and_pump(&r, pid, 0);
		check_sums(&r);
		for (size_t i = FLOW_SPECIALS; i < flows_n(r.flows); i++) {
			const struct flow *k = flows_at(r.flows, i);

			tasks += k->task != pid && k->destination == MEMORY;
			test_label("%s", flow_records_name(r.records, k->task));
			CHECK(strncmp(flow_records_name(r.records, k->task), "churn-", 6) == 0 ||
				strncmp(flow_records_name(r.records, k->task), "flow_live-", 10) == 0);
		}
		CHECK(tasks >= 8); /* four threads in each round */
		CHECK(requests(&r, getpid(), 0, MEMORY) == 0);
		end(&r);
	}
}

TEST_MAIN(CASE(sums), CASE(two_pinned_programs), CASE(migration), CASE(flows_beyond_the_bound), CASE(full_rings),
	CASE(one_process))
