/* Advice for a run: each rule at its threshold and below it, on made loads; invariants on random ones; and the load of
 * recorded runs. */
#include "work/timeline/run_advice.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "text/diag.h"
#include "test.h"
#include "work/files/data.h"
#include "work/timeline/network_data.h"
#include "work/timeline/run_load.h"
#include "work/timeline/timeline.h"

#define MS 1e6

static char vda[] = "vda";

static const struct run_load nothing = {
	.seconds = 1,
	.cpus = 2,
	.n_tasks = 1,
	.by_task = true,
	.disk = {.name = NULL,
		.reads = NAN,
		.writes = NAN,
		.flushes = NAN,
		.read_ns = NAN,
		.write_ns = NAN,
		.busy_ns = NAN,
		.read_bytes = NAN},
	.reads = {NAN, NAN, NAN, NAN, NAN},
	.memory_wait_ns = NAN,
	.steal_ns = NAN,
	.writes_own = NAN,
	.writeback_waits = NAN,
	.asked_bytes = NAN,
	.fetched_bytes = NAN,
	.dirty_bytes = NAN,
	.fresh_pages = NAN,
	.fault_ns = NAN,
	.major_faults = NAN,
	.swap_ins = NAN,
	.swap_outs = NAN,
	.refaults = NAN,
};

static struct run_load
with(double run_ms, double cpu_ms, double disk_ms, double pages_ms)
{
	struct run_load load = nothing;

	load.ns[RUN_ON_CPU] = run_ms * MS;
	load.ns[RUN_FOR_CPU] = cpu_ms * MS;
	load.ns[RUN_FOR_DISK] = disk_ms * MS;
	load.ns[RUN_FOR_PAGES] = pages_ms * MS;
	return load;
}

static const struct run_advice *
find(const struct run_advices *all, enum run_advice_about about)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].about == about)
			return &all->list[i];
	return NULL;
}

/* The load gives this advice in these words; NULL: not this advice. */
static void
gives(const struct run_load *load, enum run_advice_about about, const char *evidence, const char *change)
{
	struct run_advices *all = run_advices_new(load, true);
	const struct run_advice *got = find(all, about);

	test_check((got != NULL) == (evidence != NULL), __FILE__, __LINE__, "%s: %s", run_advice_name(about),
		got ? got->evidence : "missing");
	if (got && evidence) {
		CHECK_STR(got->evidence, evidence);
		CHECK_STR(got->change, change);
	}
	run_advices_free(all);
}

static void
cpus(void)
{
	struct run_load load = with(1900, 5100, 0, 0);

	gives(&load, ADVICE_CROWDED, "7 tasks were ready for 2 CPUs, and waited 72.9 % of that time",
		"2 at once (make -j2), or more CPUs");
	gives(&load, ADVICE_OTHERS, NULL, NULL);
	load = with(700, 300, 0, 0); /* one ready task for two CPUs, and still it waits */
	gives(&load, ADVICE_CROWDED, NULL, NULL);
	gives(&load, ADVICE_OTHERS, "0.7 of 2 CPUs used here, yet 30.0 % of the ready time waiting for one",
		"stop or nice other programs: hecate stall-sources -a shows them");
	load = with(960, 40, 0, 0);
	gives(&load, ADVICE_OTHERS, NULL, NULL);
	load.cpus = 0; /* not known */
	load.ns[RUN_FOR_CPU] = 5000 * MS;
	gives(&load, ADVICE_CROWDED, NULL, NULL);
	gives(&load, ADVICE_OTHERS, NULL, NULL);
	load = with(900, 0, 0, 0);
	load.steal_ns = 300 * MS;
	gives(&load, ADVICE_STEAL, "the host took 15.0 % of the CPU time",
		"CPUs that the host gives to no other guest");
	load.steal_ns = 90 * MS;
	gives(&load, ADVICE_STEAL, NULL, NULL);
}

static struct run_load
reading(double disk_ms, double busy_ms, double kb, double direct, double needed, double ahead)
{
	struct run_load load = with(100, 0, disk_ms, 0);

	load.disk = (struct run_disk){.name = vda,
		.reads = needed + ahead,
		.read_ns = 2 * busy_ms * MS,
		.writes = 0,
		.write_ns = 0,
		.flushes = 0,
		.busy_ns = busy_ms * MS,
		.read_bytes = (needed + ahead) * kb * 1e3};
	load.reads = (struct run_reads){
		.lookups = direct > 0 ? 0 : 4000, .misses = needed, .direct = direct, .needed = needed, .ahead = ahead};
	return load;
}

static void
reads(void)
{
	struct run_load load = reading(500, 600, 131, 0, 40, 360);

	gives(&load, ADVICE_READAHEAD, "vda: 400 reads of 131 kB, 3.0 ms each, 90.0 % ahead of need, busy 60.0 %",
		"a larger read-ahead: blockdev --setra 8192 /dev/vda");
	load = reading(500, 600, 3000, 0, 40, 360); /* it is large already */
	gives(&load, ADVICE_READAHEAD, NULL, NULL);
	gives(&load, ADVICE_DISK, "vda: 400 reads of 3.0 MB, 3.0 ms each, busy 60.0 %, 1.2 GB/s",
		"read less, keep it in the page cache, or a faster disk");
	load = reading(500, 950, 131, 0, 40, 360);
	gives(&load, ADVICE_READAHEAD, NULL, NULL);
	gives(&load, ADVICE_DISK, "vda: 400 reads of 131 kB, 4.8 ms each, busy 95.0 %, 52 MB/s",
		"read less, keep it in the page cache, or a faster disk");
	load = reading(500, 600, 16, 0, 380, 20);
	gives(&load, ADVICE_SCATTERED, "vda: 400 reads of 16 kB, 3.0 ms each, 5.0 % ahead of need",
		"ask ahead (posix_fadvise(2) WILLNEED), or read in order");
	load = reading(500, 600, 128, 400, 400, 0);
	gives(&load, ADVICE_DIRECT, "vda: 400 reads of 128 kB, 3.0 ms each, 2 at a time, past the page cache",
		"several at once (io_uring, threads), or larger ones");
	gives(&load, ADVICE_SCATTERED, NULL, NULL);
	load = reading(9, 600, 16, 0, 380, 20); /* hardly any wait */
	gives(&load, ADVICE_SCATTERED, NULL, NULL);
	load = reading(500, 600, 131, 0, 40, 360);
	load.refaults = 4000;
	gives(&load, ADVICE_AGAIN, "4 000 pages came back soon after they were given up, of 52 MB read",
		"more memory, or O_DIRECT for data that is read once");
	load.disk.writes = 900; /* the tasks wait for these, not for the pages that are read again */
	load.disk.write_ns = 50 * load.disk.read_ns;
	load.writes_own = 900;
	load.ns[RUN_FOR_PAGES] = 0;
	gives(&load, ADVICE_AGAIN, NULL, NULL);
	load = reading(500, 600, 131, 0, 40, 360);
	load.refaults = 2000;
	gives(&load, ADVICE_AGAIN, NULL, NULL);
}

static void
writes(void)
{
	struct run_load load = with(100, 0, 800, 0);

	load.disk = (struct run_disk){.name = vda,
		.reads = 0,
		.read_ns = 0,
		.writes = 900,
		.write_ns = 900 * MS,
		.flushes = 600,
		.busy_ns = 800 * MS,
		.read_bytes = 0};
	load.writes_own = 900;
	load.writeback_waits = 300;
	gives(&load, ADVICE_FLUSHES, "600 flushes of vda, one every 1.7 ms, 300 waits for writeback",
		"commit more at once (one transaction), with fewer calls of fsync(2)");
	load.disk.flushes = 1;
	gives(&load, ADVICE_FLUSHES, NULL, NULL);
	gives(&load, ADVICE_WRITES, "vda: 900 writes, 1.0 ms each, 900 by the tasks themselves",
		"larger writes, several at once, or leave them to writeback");
	load.writes_own = load.writeback_waits = 0; /* the kernel's writeback */
	gives(&load, ADVICE_WRITES, NULL, NULL);
}

static void
memory(void)
{
	struct run_load load = with(400, 0, 0, 500);

	load.major_faults = 250;
	gives(&load, ADVICE_MAPPED, "250 faults waited for a file's pages, 2.0 ms each",
		"madvise(2) WILLNEED or POPULATE_READ, or read(2) in large pieces");
	load.swap_ins = 80000;
	load.swap_outs = 98000;
	load.memory_wait_ns = 300 * MS;
	gives(&load, ADVICE_MEMORY, "98 000 pages swapped out, 80 000 pages back in; memory pressure 30.0 %",
		"more memory (or a higher memory.max), or a smaller working set");
	gives(&load, ADVICE_MAPPED, NULL, NULL);
	load = with(900, 0, 0, 0);
	load.fresh_pages = 65536;
	load.fault_ns = 450 * MS;
	gives(&load, ADVICE_FRESH, "65 536 fresh pages, 50.0 % of the CPU time in page faults",
		"huge pages (madvise(2) HUGEPAGE), or reuse memory instead of freeing it");
	load.n_tasks = 100; /* less than two huge pages for each task */
	gives(&load, ADVICE_FRESH, NULL, NULL);
	load.n_tasks = 1;
	load.fault_ns = 80 * MS;
	gives(&load, ADVICE_FRESH, NULL, NULL);
}

static void
code(void)
{
	struct run_load load = with(950, 0, 0, 0);

	gives(&load, ADVICE_CODE, "100.0 % of the busy time on a CPU", "a profiler: perf record shows which code runs");
	load.fault_ns = 95 * MS;
	gives(&load, ADVICE_CODE, "100.0 % of the busy time on a CPU, 10.0 % of that in page faults",
		"a profiler: perf record shows which code runs");
	load.asked_bytes = load.fetched_bytes = 950e6;
	gives(&load, ADVICE_CODE, NULL, NULL);
	gives(&load, ADVICE_COPY, "950 MB read through the page cache, 1.0 GB per s of CPU time",
		"O_DIRECT with large requests, which spares the copy");
	load.fetched_bytes = 0;
	gives(&load, ADVICE_COPY, "950 MB read through the page cache, 1.0 GB per s of CPU time",
		"mmap(2) or copy_file_range(2), which spare the copy");
	load = with(100, 0, 0, 0);
	load.ns[RUN_FOR_LOCK] = 900 * MS;
	gives(&load, ADVICE_LOCKS, "90.0 % of the busy time waiting for locks (futexes)",
		"shorter critical sections, or fewer threads");
	gives(&load, ADVICE_CODE, NULL, NULL);
	load = with(5, 0, 0, 0); /* idle */
	gives(&load, ADVICE_CODE, NULL, NULL);
}

static double
amount(uint64_t *seed)
{
	return test_random(seed) % 8 == 0 ? NAN
		: test_random(seed) % 4 == 0
		? 0
		: (double)(test_random(seed) % 1000000) * pow(10, (double)(test_random(seed) % 5));
}

/* Whatever is known, each advice has a number, no number is NaN, weights fall, and none is said twice. */
static void
any_load(void)
{
	uint64_t seed = 15;

	for (unsigned round = 0; round < test_rounds(20000, 400000); round++) {
		struct run_load load = nothing;
		struct run_advices *all;
		char disk[] = "sdb";

		load.cpus = (unsigned)(test_random(&seed) % 3);
		load.n_tasks = test_random(&seed) % 5;
		for (int c = 0; c < RUN_CLASSES; c++)
			load.ns[c] = fmax(0, amount(&seed));
		if (test_random(&seed) % 3)
			load.disk = (struct run_disk){disk, amount(&seed), amount(&seed), amount(&seed), amount(&seed),
				amount(&seed), amount(&seed), amount(&seed)};
		load.reads = (struct run_reads){
			amount(&seed), amount(&seed), amount(&seed), amount(&seed), amount(&seed)};
		load.memory_wait_ns = amount(&seed);
		load.steal_ns = amount(&seed);
		load.writes_own = amount(&seed);
		load.writeback_waits = amount(&seed);
		load.asked_bytes = amount(&seed);
		load.fetched_bytes = amount(&seed);
		load.fresh_pages = amount(&seed);
		load.fault_ns = amount(&seed);
		load.major_faults = amount(&seed);
		load.swap_ins = amount(&seed);
		load.swap_outs = amount(&seed);
		load.refaults = amount(&seed);
		all = run_advices_new(&load, true);
		for (size_t i = 0; i < all->n; i++) {
			const struct run_advice *a = &all->list[i];
			bool digit = false;

			CHECK(a->weight > 0 && a->weight <= 1 && (!i || a->weight <= all->list[i - 1].weight));
			for (const char *c = a->evidence; *c; c++)
				digit |= isdigit((unsigned char)*c) != 0;
			test_check(digit && !strstr(a->evidence, "nan") && !strstr(a->evidence, "inf") &&
					!strstr(a->evidence, " . ") && *a->change,
				__FILE__, __LINE__, "%s: %s", run_advice_name(a->about), a->evidence);
			for (size_t k = 0; k < i; k++)
				CHECK(all->list[k].about != a->about);
		}
		run_advices_free(all);
	}
}

/* The load of a recorded run, by the network; false: a file could not be read. */
static bool
load_recorded(const char *path, struct run_load *load)
{
	struct diags d = {0};
	struct err e = {0};
	char *at = NULL;
	struct network *network = network_load("linux-vm", &at, &d, &e);
	struct obs_table *table = data_read(path, true, &e);
	const struct obs_table *tables[] = {table};
	struct timeline *timeline;
	struct timeline_analysis *run;
	struct run_answer *answer;
	struct run_counts counts;
	bool good;

	test_check(network && table, __FILE__, __LINE__, "%s: %s", path, e.what);
	if (!network || !table)
		return false;
	timeline = timeline_new(network, NULL);
	timeline_take(timeline, tables, 1);
	run = timeline_analysis_run(timeline, timeline_snapshots(timeline) - 1, NULL);
	answer = run_answer_new(table, -INFINITY, INFINITY, &(struct run_end){RUN_EXITED, 0, 0, 2}, "run");
	counts = run_counts_of(timeline, run);
	good = CHECK(run_load_of(&counts, answer, load));
	run_answer_free(answer);
	timeline_analysis_free(run);
	timeline_free(timeline);
	obs_table_free(table);
	diags_free(&d);
	free(at);
	return good;
}

/* Figures are sums of the recorded columns, worked out by hand. A CSV does not say when its first interval began, so
 * that is taken to be as long as the others. A fresh page costs 1.52 us, the network's constant. */
static void
recorded(void)
{
	static const struct { const char *file; enum run_advice_about about; const char *evidence; } row[] = {
		{"data/linux/run-cold.csv", ADVICE_DISK,
			"vda: 117 reads of 1.8 MB, 16 ms each, busy 47.6 %, 172 MB/s"},
		{"data/linux/run-cold.csv", ADVICE_OTHERS,
			"0.25 of 2 CPUs used here, yet 71.3 % of the ready time waiting for one"},
		{"data/linux/run-direct.csv", ADVICE_DIRECT,
			"vda: 3 222 reads of 78 kB, 137 us each, 1.3 at a time, past the page cache"},
		{"data/linux/run-fsync.csv", ADVICE_FLUSHES,
			"634 flushes of vda, one every 4.2 ms, 400 waits for writeback"},
		{"data/linux/run-make.csv", ADVICE_OTHERS,
			"0.37 of 2 CPUs used here, yet 93.4 % of the ready time waiting for one"},
		{"data/linux/run-touch.csv", ADVICE_FRESH, "60 017 fresh pages, 72.1 % of the CPU time in page faults"},
		{"data/linux/run-touch.csv", ADVICE_DISK, NULL},
		{"data/linux/run-make.csv", ADVICE_FRESH, NULL},
		{"data/linux/run-fsync.csv", ADVICE_DISK, NULL},
	};

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct run_load load;
		struct run_advices *all;
		const struct run_advice *got;

		if (!load_recorded(row[i].file, &load))
			continue;
		all = run_advices_new(&load, true);
		got = find(all, row[i].about);
		test_label("%s", row[i].file);
		CHECK_STR(got ? got->evidence : "none", row[i].evidence ? row[i].evidence : "none");
		run_advices_free(all);
		run_load_clear(&load);
	}
}

TEST_MAIN(CASE(recorded), CASE(cpus), CASE(reads), CASE(writes), CASE(memory), CASE(code), CASE(any_load))
