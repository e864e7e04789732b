/* Perf events and numbers from the kernel's files in one run: rows add up to the totals of both, in the requested
 * order. The files count what the programs are known to do. Without perf the files are still counted. */

#include "collect/source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "test.h"

#define MOST 16

struct run {
	struct event_item event[MOST];
	struct source_counter counter[MOST];
	size_t n;
	int64_t total[MOST], sum[MOST];
	unsigned char counted[MOST], all_rows[MOST];
	struct source_status status[MOST];
	struct source_end end;
	size_t rows;
	struct err e;
};

static struct source *
open_source(struct run *r, const char *const *name, char *const *argv, const struct source_target *target,
	unsigned interval_ms)
{
	struct source_spec spec = {.counter = r->counter,
		.argv = argv,
		.target = target,
		.interval_ms = interval_ms,
		.out_fd = -1,
		.err_fd = -1,
		.no_input = true};
	struct source *s;

	memset(r, 0, sizeof *r);
	for (; name[r->n]; r->n++) {
		r->event[r->n].name = name[r->n];
		r->counter[r->n] = (struct source_counter){.name = name[r->n], .event = &r->event[r->n], .n_events = 1};
		r->all_rows[r->n] = 1;
	}
	spec.n_counters = r->n;
	s = source_all.open(&spec, &r->e);
	if (s)
		memcpy(r->status, source_all.status(s), r->n * sizeof *r->status);
	return s;
}

static bool
take_rows(struct source *s, struct run *r)
{
	int64_t count[MOST];
	unsigned char counted[MOST];
	double running[MOST];
	struct source_row row = {.count = count, .counted = counted, .running = running};
	enum source_news news;

	while ((news = source_all.row(s, &row, &r->e)) == SOURCE_ROW) {
		r->rows++;
		for (size_t i = 0; i < r->n; i++) {
			CHECK(count[i] >= 0);
			r->sum[i] += count[i];
			r->all_rows[i] &= counted[i];
		}
	}
	return CHECK_INT(news, SOURCE_NO_ROW);
}

/* From start to end, with totals; closes the source. */
static bool
finish(struct source *s, struct run *r)
{
	struct pollfd p = {.events = POLLIN};
	bool good = CHECK(source_all.start(s, &r->e));

	while (good) {
		good = take_rows(s, r);
		if (source_all.poll(s, &r->end))
			break;
		p.fd = source_all.wait_fd(s);
		good = good && CHECK(poll(&p, 1, 60000) > 0);
	}
	good = good && take_rows(s, r) && CHECK(source_all.read(s, r->total, r->counted, &r->e));
	memcpy(r->status, source_all.status(s), r->n * sizeof *r->status);
	source_all.close(s);
	return good;
}

static bool
run(struct run *r, const char *const *name, char *const *argv, unsigned interval_ms)
{
	struct source *s = open_source(r, name, argv, NULL, interval_ms);

	if (!s) {
		test_check(false, __FILE__, __LINE__, "%s", r->e.what);
		return false;
	}
	return finish(s, r);
}

static bool
live(const struct run *r, size_t i)
{
	return r->status[i].health != OBS_UNSUPPORTED;
}

static void
rows_add_up(void)
{
	static const char *const name[] = {
		"vmstat:pgfault", "page-faults:u", "io:wchar", "no_such_event", "stat:switches", "task-clock:u",
		"disk:nowhere/reads", "task:slices", NULL
	};
	char *path = test_program("churn"), *argv[] = {path, (char *)(uintptr_t)"20", (char *)(uintptr_t)"100", NULL};
	struct run r;

	if (run(&r, name, argv, 2)) {
		CHECK(r.rows > 0);
		CHECK(live(&r, 0) && live(&r, 4) && live(&r, 2));
		CHECK(!live(&r, 3) && *r.status[3].why);
		CHECK(!live(&r, 6) && strstr(r.status[6].why, "no block device"));
		CHECK(!r.counted[3] && !r.counted[6] && !r.all_rows[3]);
		for (size_t i = 0; i < r.n; i++) {
			test_label("%s: %s", name[i], r.status[i].why);
			if (r.counted[i] && r.all_rows[i])
				CHECK_INT(r.sum[i], r.total[i]);
		}
		test_label("%s", "the whole machine's faults are no fewer than the command's");
		if (live(&r, 1))
			CHECK(r.total[0] >= r.total[1] && r.total[1] > 0);
	}
	free(path);
}

/* What a script reads that has a part `dd`, which reads `count` times 512 bytes; -1: it cannot be counted. The loader's
 * reads come on top, and are the same each time. */
static int64_t
bytes_read(const char *script, unsigned count, unsigned interval_ms, size_t *rows)
{
	static const char *const name[] = {"io:rchar", "io:syscr", NULL};
	char *text = str_format("dd() { command dd if=/dev/zero of=/dev/null bs=512 count=%u 2>/dev/null; }; %s", count,
		script), *argv[] = {(char *)(uintptr_t)"/bin/sh", (char *)(uintptr_t)"-c", text, NULL};
	struct run r;
	int64_t total = -1;

	test_label("%s, rows of %u ms", script, interval_ms);
	if (run(&r, name, argv, interval_ms) && !live(&r, 0)) {
		test_skip("%s", r.status[0].why);
	} else if (live(&r, 0)) {
		CHECK(r.counted[0]);
		if (r.all_rows[0] && interval_ms)
			CHECK_INT(r.sum[0], r.total[0]);
		*rows += r.rows;
		total = r.total[0];
	}
	free(text);
	return total;
}

/* 1000 reads by a child that a shell waits for, by a child's child, and by one of a child that lives on. Without rows,
 * processes are looked for at the end alone. */
static void
accounts_of_children_are_kept(void)
{
	static const struct {
		const char *script;
		int64_t more; /* bytes that a loader may have read by then */
	} made[] = {{"dd; true", 0}, {"(dd; true) & wait", 0},
		{"trap exit USR1; (dd; kill -USR1 $$; sleep 1) & wait", 4096}};
	size_t rows = 0;

	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		for (unsigned interval_ms = 0; interval_ms <= 1; interval_ms++) {
			int64_t none = bytes_read(made[i].script, 0, interval_ms, &rows), some;

			if (none < 0)
				return;
			some = bytes_read(made[i].script, 1000, interval_ms, &rows);
			if (!CHECK(some - none >= 512000 - made[i].more && some - none <= 512000 + made[i].more))
				CHECK_INT(some - none, 512000);
		}
	CHECK(rows > 0);
}

/* A tree of tasks, most of which begin and end between two samples. */
static void
threads_that_end_are_kept(void)
{
	static const char *const name[] = {"task:run_ns", "task:slices", "task:wait_ns", NULL};
	char *path = test_program("churn"), *argv[] = {path, (char *)(uintptr_t)"20", (char *)(uintptr_t)"100", NULL};
	struct run r;

	if (run(&r, name, argv, 1)) {
		if (!live(&r, 0)) {
			test_skip("%s", r.status[0].why);
		} else if (strstr(r.status[0].why, "CAP_NET_ADMIN") || strstr(r.status[0].why, "taskstats")) {
			CHECK(!r.counted[0]); /* the command itself succeeded */
		} else {
			CHECK(r.counted[0] && r.counted[1] && r.counted[2]);
			CHECK_INT(r.sum[0], r.total[0]);
			/* each task that runs is scheduled at least once: four threads and two children a round */
			CHECK(r.total[1] >= 20 * (4 + 2));
		}
	}
	free(path);
}

/* A process that runs already, and then exits. */
static void
a_running_process(void)
{
	static const char *const name[] = {"io:rchar", "task:run_ns", "vmstat:pgfault", NULL};
	int go[2], hear[2], id;
	struct source *s;
	struct run r;
	char byte = 0;
	pid_t pid;

	if (!CHECK(pipe(go) == 0 && pipe(hear) == 0))
		return;
	pid = fork();
	if (pid == 0) {
		char buf[100];
		int zero = open("/dev/zero", O_RDONLY);

		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		for (int i = 0; i < 50; i++)
			if (read(zero, buf, sizeof buf) != (ssize_t)sizeof buf)
				_exit(1);
		(void)!write(hear[1], "x", 1);
		(void)!read(go[0], &byte, 1);
		_exit(0);
	}
	id = (int)pid;
	s = open_source(&r, name, NULL, &(struct source_target){.kind = SOURCE_PROCESSES, .id = &id, .n = 1}, 10);
	if (!s) {
		test_check(false, __FILE__, __LINE__, "%s", r.e.what);
	} else if (CHECK(source_all.start(s, &r.e))) {
		CHECK(write(go[1], "x", 1) == 1 && read(hear[0], &byte, 1) == 1);
		CHECK(source_all.read(s, r.total, r.counted, &r.e));
		if (live(&r, 0) && CHECK(r.counted[0]))
			CHECK_INT(r.total[0], 5001); /* 50 times 100 bytes, and the byte that starts it */
		if (live(&r, 1))
			CHECK(r.counted[1]);
		CHECK(r.counted[2]);
		source_all.stop(s);
		CHECK(source_all.poll(s, &r.end));
		CHECK(take_rows(s, &r));
		CHECK(source_all.read(s, r.total, r.counted, &r.e));
		for (size_t i = 0; i < r.n; i++)
			if (r.counted[i] && r.all_rows[i])
				CHECK_INT(r.sum[i], r.total[i]);
	}
	if (s)
		source_all.close(s);
	CHECK(write(go[1], "x", 1) == 1);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		close(go[i]);
		close(hear[i]);
	}
}

static void
refusals(void)
{
	static const char *const nothing[] = {
		"no_such_event", "disk:nowhere/reads", NULL}, *const one[] = {"no_such_event", "vmstat:pgfault", NULL
	};
	static const char *const cpus[] = {"task:run_ns", "io:rchar", "vmstat:pgfault", NULL};
	static const char *const perf_alone[] = {"no_such_event", NULL};
	static const struct event_item both[] = {{.name = "page-faults:u"}, {.name = "vmstat:pgfault"}};
	struct source_counter mixed = {"mixed", both, 2, NULL, 0, 0};
	struct source_counter pair[] = {mixed, {"plain", both + 1, 1, NULL, 0, 0}};
	char *argv[] = {(char *)(uintptr_t)"true", NULL}, *missing[] = {(char *)(uintptr_t)"./no/such/program", NULL};
	struct source_spec spec = {.counter = pair, .n_counters = 2, .argv = argv, .out_fd = -1, .err_fd = -1};
	struct source *s;
	struct run r;

	test_label("%s", "nothing can be counted");
	CHECK(!open_source(&r, nothing, argv, NULL, 0) && strstr(r.e.what, "none of the 2 counters"));
	CHECK(!open_source(&r, perf_alone, argv, NULL, 0) && strstr(r.e.what, "none of the 1 counters"));
	test_label("%s", "perf counts nothing, and the files do");
	if (run(&r, one, argv, 0)) {
		CHECK(!r.counted[0] && r.counted[1] && r.total[1] > 0);
		CHECK(r.end.exited && r.end.code == 0);
	}
	test_label("%s", "whole CPUs while a command runs: tasks are not told apart");
	s = open_source(&r, cpus, argv, &(struct source_target){.kind = SOURCE_CPUS}, 0);
	if (CHECK(s) && CHECK(finish(s, &r))) {
		CHECK(!live(&r, 0) && !live(&r, 1) && strstr(r.status[0].why, "whole CPUs are watched"));
		CHECK(r.counted[2] && r.total[2] > 0);
	}
	test_label("%s", "the command cannot start");
	s = open_source(&r, one, missing, NULL, 0);
	if (CHECK(s)) {
		CHECK(!source_all.start(s, &r.e) && strstr(r.e.what, "no/such/program"));
		source_all.close(s);
	}
	test_label("%s", "a counter of both kinds");
	s = source_all.open(&spec, &r.e);
	if (CHECK(s)) {
		CHECK_INT(source_all.status(s)[0].health, OBS_UNSUPPORTED);
		CHECK(strstr(source_all.status(s)[0].why, "adds perf events and numbers from the kernel's files"));
		CHECK_INT(source_all.status(s)[1].health, OBS_LIVE);
		source_all.close(s);
	}
}

static void
files_alone(void)
{
	static const char *const name[] = {"vmstat:pgfault", "stat:switches", NULL};
	char *argv[] = {(char *)(uintptr_t)"true", NULL};
	struct run r;

	if (run(&r, name, argv, 5)) {
		CHECK(r.counted[0] && r.counted[1] && r.rows > 0);
		CHECK_INT(r.sum[0], r.total[0]);
		CHECK_INT(r.sum[1], r.total[1]);
		CHECK(r.end.exited && r.end.code == 0);
	}
}

/* As in a container whose seccomp(2) filter forbids perf_event_open(2): not even a group's leader can be opened. */
static bool
forbid_perf(void)
{
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof rule / sizeof *rule, .filter = rule};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void
perf_is_forbidden(void)
{
	static const char *const name[] = {"page-faults", "vmstat:pgfault", "io:rchar", NULL};
	char *argv[] = {(char *)(uintptr_t)"true", NULL};
	int status = -1;
	pid_t pid = fork();
	struct run r;

	if (pid == 0) {
		if (!forbid_perf())
			_exit(77);
		for (unsigned interval_ms = 0; interval_ms <= 5; interval_ms += 5)
			if (!run(&r, name, argv, interval_ms) || live(&r, 0) || !*r.status[0].why || r.counted[0] ||
				!r.counted[1] || r.total[1] <= 0 || !r.end.exited ||
				(interval_ms && (r.rows == 0 || r.sum[1] != r.total[1] || r.sum[2] != r.total[2])))
				_exit(1);
		_exit(0);
	}
	if (!CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status)))
		return;
	if (WEXITSTATUS(status) == 77)
		test_skip("needs root, or a kernel with seccomp filters");
	else
		CHECK_INT(WEXITSTATUS(status), 0);
}

TEST_MAIN(CASE(rows_add_up), CASE(accounts_of_children_are_kept), CASE(threads_that_end_are_kept),
	CASE(a_running_process), CASE(refusals), CASE(files_alone), CASE(perf_is_forbidden))
