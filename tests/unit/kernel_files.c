/* Counters in the kernel's files (collect/proc): their names, numbers that wrap or fall, a tree of files made for
 * the test, and processes that exist only as files. */
#include "collect/proc/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "collect/host/owners.h"
#include "collect/proc/files.h"
#include "collect/proc/names.h"
#include "collect/source.h"
#include "test.h"

/* --- names ------------------------------------------------------------------------------------------------------- */

static void
names(void)
{
	static const struct {
		const char *name;
		enum proc_family family;
		const char *part;
		unsigned at, bits;
		uint64_t factor;
	} good[] = {
		{"disk:vda/reads", PROC_DISK, "vda", 0, 8 * sizeof(long), 1},
		{"disk:nvme0n1/write_ns", PROC_DISK, "nvme0n1", 7, 32, 1000000},
		{"disk:*/read_bytes", PROC_DISK, "*", 2, 64, 512},
		{"disk:cciss!c0d0/flush_ns", PROC_DISK, "cciss!c0d0", 16, 32, 1000000},
		{"vmstat:pgpgin", PROC_VMSTAT, "", 0, 8 * sizeof(long), 1},
		{"vmstat:nr_written", PROC_VMSTAT, "", 0, 8 * sizeof(long), 1},
		{"psi:io/full_ns", PROC_PSI, "io", 0, 64, 1000},
		{"stat:switches", PROC_STAT, "", 0, 64, 1},
		{"task:wait_ns", PROC_TASK, "", 1, 64, 1},
		{"io:cancelled_write_bytes", PROC_IO, "", 6, 64, 1},
	};
	static const struct { const char *name, *says; } bad[] = {
		{"disk:vda", "write a device and a field"}, {"disk:/reads", "write a device and a field"},
			{"disk:vda/read", "there is no 'read'; nearest: reads, read_merges, read_bytes"},
		{"disk:../x/reads", "write a device and a field"}, {"disk:a/b/reads", "write a device and a field"},
			{"vmstat:", "names no field"},
		{"vmstat:a b", "names no field"}, {"vmstat:nr_free_pages", "is a level"},
			{"vmstat:workingset_nodes", "is a level"},
		{"psi:io/total", "there is no 'total'; known are some_ns, full_ns"}, {"psi:disk/some_ns",
			"the kernel measures the pressure of"}, {"stat:steal", "there is no 'steal'"},
		{"task:run", "there is no 'run'; nearest: run_ns"}, {"io:reads",
			"there is no 'reads'"}, {"page-faults", "not a counter in a file"},
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct source_status why = {0};
		struct proc_name p;

		test_label("%s", good[i].name);
		CHECK(proc_name_is(good[i].name));
		if (!CHECK(proc_name_parse(good[i].name, &p, &why)))
			continue;
		CHECK_INT(p.family, good[i].family);
		CHECK_STR(p.part, good[i].part);
		CHECK_INT(p.at, good[i].at);
		CHECK_INT(p.bits, good[i].bits);
		CHECK_INT(p.factor, good[i].factor);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct source_status why = {0};
		struct proc_name p;

		test_label("%s", bad[i].name);
		CHECK(!proc_name_parse(bad[i].name, &p, &why));
		CHECK_INT(why.health, OBS_UNSUPPORTED);
		if (!strstr(why.why, bad[i].says))
			CHECK_STR(why.why, bad[i].says);
	}
	test_label("%s", "tracepoints stay perf's");
	CHECK(!proc_name_is("task:task_newtask"));
	CHECK(!proc_name_is("block:block_rq_issue"));
	CHECK(!proc_name_is("page-faults:u"));
	CHECK(!proc_name_is("io"));
}

/* --- a tree of files --------------------------------------------------------------------------------------------- */

static char root[64];

static void __attribute__((format(printf, 2, 3)))
put(const char *path, const char *fmt, ...)
{
	char *full = str_format("%s/%s", root, path), *slash = full;
	struct str text = {0};
	va_list ap;
	FILE *f;

	while ((slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	f = fopen(full, "w");
	if (CHECK(f)) {
		fputs(str_text(&text), f);
		fclose(f);
	}
	str_free(&text);
	free(full);
}

static void
disk(const char *name, unsigned long long reads, unsigned long long sectors, unsigned long long read_ms,
	unsigned long long busy_ms)
{
	char *path = str_format("sys/block/%s/stat", name);

	put(path, " %llu 0 %llu %llu 7 0 56 9 3 %llu %llu 0 0 0 0 4 2\n", reads, sectors, read_ms, busy_ms, read_ms);
	free(path);
}

static void
vmstat(unsigned long long pgpgin)
{
	put("proc/vmstat", "nr_free_pages 5\npgpgin_more 1\npgpgin %llu\npgpgout 3\n", pgpgin);
}

static bool
begin_tree(void)
{
	char *path;

	snprintf(root, sizeof root, "/tmp/hecate-files-XXXXXX");
	if (!CHECK(mkdtemp(root)))
		return false;
	path = str_format("%s/proc", root);
	setenv("HECATE_PROC", path, 1);
	free(path);
	path = str_format("%s/sys", root);
	setenv("HECATE_SYSFS", path, 1);
	free(path);
	disk("vda", 100, 800, 4294967290u, 50);
	disk("vdb", 10, 80, 1000, 10);
	disk("loop0", 999, 0, 0, 0);
	disk("zram0", 0, 0, 0, 0);
	disk("dm-0", 500, 0, 0, 0);
	disk("sr0", 0, 0, 0, 0);
	disk("nvme0c0n1", 77, 0, 0, 0);
	for (int i = 0; i < 2; i++)
		put(i ? "sys/block/vdb/size" : "sys/block/vda/size", "1000\n");
	put("sys/block/loop0/size", "8\n");
	put("sys/block/zram0/size", "8\n");
	put("sys/block/dm-0/size", "2000\n");
	put("sys/block/dm-0/slaves/vda", "\n");
	put("sys/block/sr0/size", "0\n");
	put("sys/block/nvme0c0n1/size", "8\n");
	put("sys/block/nvme0c0n1/hidden", "1\n");
	put("sys/block/old/stat", "1 2 3 4 5 6 7 8 9 10 11\n");
	put("proc/stat",
		"cpu  10 20 30 40 50 60 70 80 90 0\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 100 5 5\nctxt 1000\nprocesses 17\n");
	put("proc/pressure/io",
		"some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\nfull avg10=0.00 avg60=0.00 avg300=0.00 "
		"total=400\n");
	vmstat(1000);
	return true;
}

static void
end_tree(void)
{
	char *remove = str_format("rm -rf %s", root);

	CHECK_INT(system(remove), 0);
	free(remove);
	unsetenv("HECATE_PROC");
	unsetenv("HECATE_SYSFS");
}

static void
whole_disks(void)
{
	static const struct {
		const char *pattern, *names;
	} row[] = {{"*", "vda vdb "}, {"zram*", "zram0 "}, {"vd?", "vda vdb "}, {"sd*", ""}, {"dm-*", "dm-0 "}};

	if (!begin_tree())
		return;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str all = {0};
		size_t n = 0;
		char **name = proc_disks(row[i].pattern, &n);

		test_label("%s", row[i].pattern);
		for (size_t k = 0; CHECK(name) && k < n; k++)
			str_addf(&all, "%s ", name[k]);
		CHECK_STR(str_text(&all), row[i].names);
		str_free(&all);
		str_split_free(name);
	}
	end_tree();
}

/* Each disk that matches the pattern is an owner with its own counts. If events match different disks, there are no
 * owners. */
static void
disks_are_owners(void)
{
	static const struct event_item two[] = {
		{.name = "disk:*/reads"}, {.name = "disk:*/writes"}}, other[] = {{.name = "disk:*/reads"},
		{.name = "disk:vd*/reads"}
	};
	static const struct event_item mixed[] = {
		{.name = "disk:*/reads"}, {.name = "vmstat:pgpgin"}}, one[] = {{.name = "disk:vda/reads"}},
		none[] = {{.name = "disk:sd*/reads"}
	};
	const struct owner *list;
	struct owners *o;

	if (!begin_tree())
		return;
	o = owners_new(NULL);
	if (CHECK_INT(owners_of(o, SCOPE_DEVICE, two, 2, &list), 2)) {
		CHECK_STR(list[0].name, "vda");
		CHECK_STR(list[1].name, "vdb");
		CHECK_INT(list[1].n_events, 2);
		CHECK_STR(list[1].event[0].name, "disk:vdb/reads");
		CHECK_STR(list[1].event[1].name, "disk:vdb/writes");
		CHECK(!list[1].cpu);
	}
	CHECK_INT(owners_of(o, SCOPE_DEVICE, other, 2, &list), 0);
	CHECK_INT(owners_of(o, SCOPE_DEVICE, mixed, 2, &list), 0);
	CHECK_INT(owners_of(o, SCOPE_DEVICE, one, 1, &list), 0);
	CHECK_INT(owners_of(o, SCOPE_DEVICE, none, 1, &list), 0);
	CHECK_INT(owners_of(o, SCOPE_SYSTEM, two, 2, &list), 0);
	CHECK_INT(owners_of(o, SCOPE_CORE, two, 2, &list), 0);
	owners_free(o);
	end_tree();
}

/* --- counters ---------------------------------------------------------------------------------------------------- */

#define MOST 16

struct run {
	struct event_item event[MOST][2];
	struct source_counter counter[MOST];
	struct source_spec spec;
	struct source_status status[MOST];
	bool mine[MOST];
	int64_t count[MOST], total[MOST], sum[MOST];
	unsigned char counted[MOST], whole[MOST];
	struct proc_counters *c;
};

/* Opens these names; "a + b" is one counter of two events. */
static void
open_run(struct run *r, const char *const *name, const struct proc_subject *subject)
{
	static char part[MOST][2][64];
	size_t n = 0;

	memset(r, 0, sizeof *r);
	for (; name[n]; n++) {
		const char *plus = strstr(name[n], " + ");

		snprintf(part[n][0], sizeof part[n][0], "%.*s", plus ? (int)(plus - name[n]) : (int)strlen(name[n]),
			name[n]);
		snprintf(part[n][1], sizeof part[n][1], "%s", plus ? plus + 3 : "");
		r->event[n][0].name = part[n][0];
		r->event[n][1].name = part[n][1];
		r->counter[n] =
			(struct source_counter){.name = name[n], .event = r->event[n], .n_events = plus ? 2 : 1};
		r->mine[n] = true;
	}
	r->spec = (struct source_spec){.counter = r->counter, .n_counters = n};
	r->c = proc_counters_new(&r->spec, r->mine, subject, r->status);
}

static void
take(struct run *r)
{
	proc_counters_read(r->c);
	proc_counters_row(r->c, r->count, r->counted);
	proc_counters_totals(r->c, r->total, r->whole);
	for (size_t i = 0; i < r->spec.n_counters; i++) {
		CHECK(r->count[i] >= 0);
		r->sum[i] += r->count[i];
		if (r->whole[i])
			CHECK_INT(r->sum[i], r->total[i]);
	}
}

static void
numbers_of_the_machine(void)
{
	enum { ALL, BYTES, NS, BUSY, ZRAM, NONE, VM, PSI, FULL, STEAL, FORKS, BOTH, N };
	static const char *const name[] = {"disk:*/reads", "disk:vda/read_bytes", "disk:vda/read_ns", "disk:*/busy_ns",
		"disk:zram*/reads", "disk:sd*/reads", "vmstat:pgpgin", "psi:io/some_ns", "psi:io/full_ns",
		"stat:steal_ns", "stat:forks", "disk:vda/reads + vmstat:pgpgin", NULL};
	static const struct proc_subject nobody;
	const int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK);
	struct run r;

	if (!begin_tree())
		return;
	open_run(&r, name, &nobody);
	for (int i = 0; i < N; i++) {
		test_label("%s: %s", name[i], r.status[i].why);
		CHECK_INT(r.status[i].health, OBS_LIVE);
	}
	CHECK_INT(proc_counters_live(r.c), N);
	CHECK_STR(r.status[NONE].why, "");
	proc_counters_begin(r.c);
	take(&r);
	for (int i = 0; i < N; i++)
		CHECK_INT(r.count[i], 0);
	disk("vda", 104, 808, 10, 60); /* read_ms wrapped at 2^32: 6 ms before it and 10 after it */
	disk("vdb", 13, 80, 1000, 15);
	vmstat(1500);
	put("proc/stat", "cpu  10 20 30 40 50 60 70 83 90 0\nprocesses 20\n");
	put("proc/pressure/io",
		"some avg10=9.00 avg60=0.00 avg300=0.00 total=1250\nfull avg10=0.00 avg60=0.00 avg300=0.00 "
		"total=401\n");
	take(&r);
	CHECK_INT(r.count[ALL], 7);
	CHECK_INT(r.count[BYTES], 8 * 512);
	CHECK_INT(r.count[NS], 16 * 1000000);
	CHECK(r.counted[NS] && strstr(r.status[NS].why, "wrapped around at 2^32"));
	CHECK_INT(r.count[BUSY], 15 * 1000000);
	CHECK_INT(r.count[ZRAM], 0);
	CHECK_INT(r.count[NONE], 0);
	CHECK_INT(r.count[VM], 500);
	CHECK_INT(r.count[PSI], 250000);
	CHECK_INT(r.count[FULL], 1000);
	CHECK_INT(r.count[STEAL], 3 * tick);
	CHECK_INT(r.count[FORKS], 3);
	CHECK_INT(r.count[BOTH], 504);
	for (int i = 0; i < N; i++)
		CHECK(r.counted[i] && r.whole[i]);
	/* A number falls: the count of this interval is unknown, and so is that of the whole run. The next interval
	 * is right. */
	vmstat(200);
	take(&r);
	CHECK(!r.counted[VM] && !r.whole[VM] && !r.counted[BOTH] && !r.whole[BOTH] && r.counted[ALL] && r.whole[ALL]);
	CHECK(strstr(r.status[VM].why, "went backwards"));
	vmstat(230);
	take(&r);
	CHECK(r.counted[VM] && !r.whole[VM] && r.counted[BOTH]);
	CHECK_INT(r.count[VM], 30);
	CHECK_INT(r.count[BOTH], 30);
	proc_counters_free(r.c);
	end_tree();
}

/* A file cannot be read for a while: its row is empty, and the next row includes what was missed. */
static void
files_that_disappear(void)
{
	static const char *const name[] = {"disk:*/reads", "vmstat:pgpgin", NULL};
	static const struct proc_subject nobody;
	char *path;
	struct run r;

	if (!begin_tree())
		return;
	path = str_format("%s/sys/block/vdb/stat", root);
	open_run(&r, name, &nobody);
	proc_counters_begin(r.c);
	disk("vda", 105, 0, 4294967290u, 50);
	CHECK_INT(unlink(path), 0);
	vmstat(1001);
	take(&r);
	CHECK(!r.counted[0] && !r.whole[0] && r.counted[1]);
	CHECK(strstr(r.status[0].why, "could not be read from"));
	disk("vdb", 12, 0, 1000, 10);
	take(&r);
	CHECK(r.counted[0] && r.whole[0]);
	CHECK_INT(r.count[0], 7);
	CHECK_INT(r.total[0], 7);
	proc_counters_free(r.c);
	free(path);
	end_tree();
}

static void
refusals_have_reasons(void)
{
	static const struct { const char *name, *says, *remedy; } row[] = {
		{"disk:sda/reads", "there is no block device sda", "ls /sys/block"},
		{"disk:old/reads", "", ""},
		{"disk:old/flushes", "has no such number", "5.5"},
		{"vmstat:pgpgin_less", "has no such number", ""},
		{"vmstat:pgpging", "has no such number; nearest: pgpgin", ""},
		{"psi:memory/some_ns", "keeps no such pressure", ""},
		{"task:run_ns", "whole CPUs are watched", "-p"},
		{"io:rchar", "whole CPUs are watched", "-p"},
		{"disk:vda/reads + disk:sda/reads", "there is no block device sda", ""},
		{"stat:interrupts", "", ""},
	};
	static const struct proc_subject nobody;
	const char *name[sizeof row / sizeof *row + 1] = {0};
	struct run r;

	if (!begin_tree())
		return;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		name[i] = row[i].name;
	open_run(&r, name, &nobody);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s: %s", row[i].name, r.status[i].why);
		CHECK_INT(r.status[i].health, *row[i].says ? OBS_UNSUPPORTED : OBS_LIVE);
		CHECK(strstr(r.status[i].why, row[i].says));
		CHECK(strstr(r.status[i].remedy, row[i].remedy));
		CHECK((r.status[i].error != 0) == (*row[i].says != '\0'));
	}
	test_label("%s", "what is refused stays empty");
	proc_counters_begin(r.c);
	take(&r);
	CHECK(!r.counted[0] && !r.whole[0] && r.counted[1] && !r.counted[7]);
	proc_counters_free(r.c);
	/* Only tracepoints have filters. */
	open_run(&r, (const char *const[]){"vmstat:pgpgin", NULL}, &nobody);
	proc_counters_free(r.c);
	r.event[0][0].filter = "x == 1";
	r.c = proc_counters_new(&r.spec, r.mine, &nobody, r.status);
	CHECK_INT(r.status[0].health, OBS_UNSUPPORTED);
	CHECK(strstr(r.status[0].why, "only tracepoints have filters"));
	proc_counters_free(r.c);
	end_tree();
}

/* --- processes that exist only as files -------------------------------------------------------------------------- */

static void
process(int pid, int parent, unsigned long long run, unsigned long long rchar)
{
	char *path = str_format("proc/%d/stat", pid);

	put(path, "%d (a) b) S %d 1 1\n", pid, parent);
	free(path);
	path = str_format("proc/%d/task/%d/schedstat", pid, pid);
	put(path, "%llu %llu 3\n", run, run / 2);
	free(path);
	for (int thread = 0; thread < 2; thread++) {
		path = thread ? str_format("proc/%d/task/%d/io", pid, pid) : str_format("proc/%d/io", pid);
		put(path,
			"rchar: %llu\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: "
			"0\ncancelled_write_bytes: 0\n",
			rchar);
		free(path);
	}
}

static void
gone(int pid)
{
	char *remove = str_format("rm -r %s/proc/%d", root, pid);

	CHECK_INT(system(remove), 0);
	free(remove);
}

static void
accounts_move_to_the_parent(void)
{
	static const char *const name[] = {"io:rchar", NULL};
	static const int watched[] = {4000010};
	static const struct proc_subject these = {.kind = PROC_PROCESSES, .id = watched, .n = 1};
	struct run r;

	if (!begin_tree())
		return;
	process(4000001, 0, 1, 1000000); /* another process, and its child */
	process(4000002, 4000001, 1, 1000000);
	process(4000010, 4000001, 100, 50);
	process(4000012, 4000010, 10, 5);
	open_run(&r, name, &these);
	CHECK_INT(r.status[0].health, OBS_LIVE);
	proc_counters_begin(r.c);
	process(4000010, 4000001, 100, 60);
	process(4000011, 4000012, 1, 7); /* a grandchild, created since then */
	process(4000002, 4000001, 1, 2000000);
	take(&r);
	CHECK_INT(r.count[0], 17);
	/* The child has ended, and its parent waited for it. The grandchild has another parent now and still belongs
	 * to the tree. */
	gone(4000012);
	process(4000010, 4000001, 100, 60 + 5 + 3);
	process(4000011, 4000001, 1, 8);
	take(&r);
	CHECK(r.counted[0]);
	CHECK_INT(r.count[0], 4);
	/* A grandchild ends whose parent is outside of the tree: its account is lost. */
	gone(4000011);
	take(&r);
	CHECK(!r.counted[0] && !r.whole[0]);
	CHECK(strstr(r.status[0].why, "whose I/O account ended with it"));
	process(4000010, 4000001, 100, 100);
	take(&r);
	CHECK(r.counted[0] && !r.whole[0]);
	proc_counters_free(r.c);
	end_tree();
}

/* Nothing reports the end of these processes: when a thread vanishes, its counts are missing. */
static void
threads_that_vanish_are_missed(void)
{
	static const char *const name[] = {"task:run_ns", "task:wait_ns", "task:slices", NULL};
	static const int watched[] = {4000010};
	static const struct proc_subject these = {.kind = PROC_PROCESSES, .id = watched, .n = 1};
	struct run r;

	if (!begin_tree())
		return;
	process(4000010, 1, 100, 0);
	open_run(&r, name, &these);
	CHECK_INT(r.status[0].health, OBS_LIVE);
	proc_counters_begin(r.c);
	process(4000010, 1, 160, 0);
	process(4000011, 4000010, 40, 0);
	take(&r);
	CHECK_INT(r.count[0], 100);
	CHECK_INT(r.count[1], 50);
	CHECK_INT(r.count[2], 3); /* those of the new thread */
	gone(4000011);
	take(&r);
	CHECK(!r.counted[0] && !r.whole[0]);
	CHECK(strstr(r.status[0].why, "whose end was not reported"));
	process(4000010, 1, 170, 0);
	take(&r);
	CHECK(r.counted[0] && !r.whole[0]);
	CHECK_INT(r.count[0], 10);
	proc_counters_free(r.c);
	end_tree();
}

TEST_MAIN(CASE(names), CASE(whole_disks), CASE(disks_are_owners), CASE(numbers_of_the_machine),
	CASE(files_that_disappear), CASE(refusals_have_reasons), CASE(accounts_move_to_the_parent),
	CASE(threads_that_vanish_are_missed))
