/* Where the time of real programs goes on this kernel: records add up exactly in every window, and name the largest
 * part of each program. Nothing is asserted of times that a busy machine decides, such as waiting for a CPU. */

#include "collect/tasktime_source.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "collect/proc/schedstat.h"
#include "test.h"

struct seen {
	struct tasktime_row sum;
	uint64_t cost_ns, run_ns, wait_ns, coarse_ns;
	size_t rows, with_books, ended, windows, wrong;
	uint64_t last_to;
	struct tasktime_source_window last;
	struct tasktime_source_figures figures;
	enum tasktime_source_variant variant;
	char note[512];
	int status;
};

static uint64_t
costed_sum(const struct tasktime_costed *c)
{
	uint64_t sum = c->cost_ns + c->way_ns + c->taken_ns;

	for (int i = 0; i < TASKTIME_CLASSES; i++)
		sum += c->ns[i];
	return sum;
}

static void
look_at_window(struct seen *s, const struct tasktime_source_window *w, bool records)
{
	s->wrong += s->last_to && w->from_ns != s->last_to;
	s->wrong += w->to_ns < w->from_ns;
	s->last_to = w->to_ns;
	s->windows++;
	for (size_t i = 0; i < w->n; i++) {
		const struct tasktime_source_row *r = &w->row[i];
		uint64_t span = r->row.to_ns - r->row.from_ns;

		s->wrong += r->row.from_ns < w->from_ns || r->row.to_ns > w->to_ns || r->row.to_ns < r->row.from_ns;
		s->wrong += records && tasktime_row_elapsed(&r->row) != span;
		if (r->books) {
			s->with_books++;
			s->wrong += r->coarse.run_ns + r->coarse.wait_ns + r->coarse.io_ns + r->coarse.sleep_ns != span;
			s->wrong += records && costed_sum(&r->costed) != span;
			s->run_ns += r->run_ns;
			s->wait_ns += r->wait_ns;
			s->cost_ns += r->costed.cost_ns;
		}
		s->coarse_ns += span;
		s->ended += r->row.ended;
		s->rows++;
		tasktime_row_add(&s->sum, &r->row);
	}
	for (size_t i = 0; i < w->n_cpus; i++) {
		const struct tasktime_cpu_row *c = &w->cpu[i];

		s->wrong += c->from_ns != w->from_ns || c->to_ns != w->to_ns ||
			c->idle_ns + c->followed_ns + c->others_ns + c->switching_ns + c->unknown_ns !=
				c->to_ns - c->from_ns;
	}
	s->last = *w;
	s->last.row = NULL;
	s->last.cpu = NULL;
}

/* Watches to the end, or for `limit` windows. */
static void
watch(struct tasktime_source *s, struct seen *seen, size_t limit)
{
	uint64_t next = clock_ns();
	struct tasktime_source_window w;

	seen->variant = tasktime_source_variant(s);
	snprintf(seen->note, sizeof seen->note, "%s", tasktime_source_note(s));
	while (!tasktime_source_ended(s, &seen->status) && (!limit || seen->windows < limit)) {
		struct pollfd p = {.fd = tasktime_source_wait_fd(s), .events = POLLIN};

		poll(&p, 1, 10);
		tasktime_source_pump(s);
		if (clock_ns() < next)
			continue;
		tasktime_source_window(s, false, &w);
		look_at_window(seen, &w, seen->variant != TASKTIME_SOURCE_COUNTERS);
		next = clock_ns() + 40000000;
	}
	tasktime_source_window(s, true, &w);
	look_at_window(seen, &w, seen->variant != TASKTIME_SOURCE_COUNTERS);
	tasktime_source_figures(s, &seen->figures);
}

/* Runs tests/programs/stall; false, and the case skipped, if this machine does not permit it. */
static bool
run(const char *kind, const char *ms, struct tasktime_source_spec spec, struct seen *seen)
{
	char *path = test_program("stall"), *file = str_format("stall-live.%d.tmp", (int)getpid());
	char *argv[] = {path, (char *)(uintptr_t)kind, (char *)(uintptr_t)ms, file, NULL};
	struct tasktime_source *s;
	struct err e;
	bool good = false;

	memset(seen, 0, sizeof *seen);
	spec.argv = argv;
	spec.out_fd = spec.err_fd = -1;
	spec.no_input = true;
	s = tasktime_source_open(&spec, &e);
	if (!s) {
		test_skip("%s", e.what);
	} else if (CHECK(tasktime_source_start(s, &e))) {
		watch(s, seen, 0);
		CHECK_INT(seen->status, 0);
		CHECK_INT(seen->wrong, 0);
		CHECK(seen->windows >= 2);
		good = true;
	}
	tasktime_source_free(s);
	free(path);
	free(file);
	return good;
}

static enum tasktime_class
largest_but_waits_for_cpus(struct tasktime_row r)
{
	r.ns[TASKTIME_PREEMPTED] = r.ns[TASKTIME_WOKEN] = 0;
	return tasktime_row_largest(&r);
}

static void
programs_name_their_largest_part(void)
{
	static const struct {
		const char *kind;
		enum tasktime_class largest;
	} row[] = {
		{"cpu", TASKTIME_ON_CPU}, {"faults", TASKTIME_FAULT_CPU}, {"lock", TASKTIME_FUTEX}, {"io",
			TASKTIME_BLOCK_IO}, {"sleep", TASKTIME_SLEEP},
	};
	struct tasktime_source_spec spec = {.variant_given = true, .variant = TASKTIME_SOURCE_RECORDS};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct seen seen;

		test_label("%s", row[i].kind);
		if (!run(row[i].kind, "250", spec, &seen))
			return;
		CHECK_INT(seen.ended, row[i].largest == TASKTIME_FUTEX ? 5 : 1);
		CHECK_INT(seen.figures.lost, seen.last.trouble.lost);
		if (!seen.last.believed) {
			test_skip("this machine did not record all: %s", seen.last.why);
			return;
		}
		if (*seen.note) { /* states or causes are not recorded here */
			test_skip("not all is recorded here: %s", seen.note);
			return;
		}
		if (row[i].largest == TASKTIME_BLOCK_IO && seen.sum.entered[TASKTIME_BLOCK_IO] < 20) {
			test_skip("no disk under the build folder");
			return;
		}
		if (seen.figures.toggles &&
			strstr(tasktime_class_name(largest_but_waits_for_cpus(seen.sum)), "untold")) {
			test_skip("others switch so often that causes were not recorded all the time");
			return;
		}
		test_label("%s: %s", row[i].kind, tasktime_class_name(largest_but_waits_for_cpus(seen.sum)));
		CHECK_INT(largest_but_waits_for_cpus(seen.sum), row[i].largest);
		CHECK_INT(seen.sum.broken, 0);
	}
}

static void
faults_of_signals_are_no_service(void)
{
	struct tasktime_source_spec spec = {.variant_given = true, .variant = TASKTIME_SOURCE_RECORDS};
	struct seen seen;

	if (!run("signal", "100", spec, &seen))
		return;
	if (!seen.last.believed || *seen.note) {
		test_skip("not all is recorded here: %s%s", seen.note, seen.last.why);
		return;
	}
	CHECK(seen.sum.failed >= 10);
	CHECK(seen.sum.failed_ns <= seen.sum.ns[TASKTIME_FAULT_CPU]);
	CHECK_INT(largest_but_waits_for_cpus(seen.sum), TASKTIME_ON_CPU);
}

static void
switches_alone(void)
{
	struct tasktime_source_spec spec = {.variant_given = true, .variant = TASKTIME_SOURCE_SWITCHES};
	struct seen seen;

	if (!run("sleep", "100", spec, &seen))
		return;
	CHECK_INT(seen.last.n_cpus, 0);
	CHECK_INT(largest_but_waits_for_cpus(seen.sum), TASKTIME_ASLEEP);
	CHECK_INT(seen.sum.ns[TASKTIME_WOKEN] + seen.sum.ns[TASKTIME_BLOCK_IO] + seen.sum.ns[TASKTIME_SLEEP], 0);
	CHECK(seen.sum.in >= 10);
	CHECK_INT(seen.ended, 1);
	if (run("lock", "100", spec, &seen))
		CHECK_INT(seen.ended, 5);
}

static void
counters_alone(void)
{
	struct tasktime_source_spec spec = {.variant_given = true, .variant = TASKTIME_SOURCE_COUNTERS};
	struct seen seen;

	if (run("cpu", "200", spec, &seen)) {
		CHECK(seen.with_books > 0);
		CHECK(seen.run_ns > 0);
		CHECK_INT(tasktime_row_elapsed(&seen.sum), 0); /* the source invents no classes */
	}
}

/* A thread as /proc shows it, under any name. */
static void
a_task_in_proc(void)
{
	struct sched_stat look;
	uint64_t now = clock_ns();
	char name[16];

	CHECK_INT(prctl(PR_GET_NAME, name), 0);
	CHECK_INT(prctl(PR_SET_NAME, ") R 1 (2) x"), 0);
	if (CHECK(schedstat_read_stat(getpid(), getpid(), &look))) {
		CHECK_STR(look.name, ") R 1 (2) x");
		CHECK_INT(look.state, 'R');
		CHECK(look.start_ns > 0 && look.start_ns <= now);
		CHECK(look.delay_ns < now);
	}
	CHECK_INT(prctl(PR_SET_NAME, name), 0);
	CHECK(!schedstat_read_stat(4194305, 4194305, &look));
}

static size_t
open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* More tasks than files that stay open, read in turn; then half of them end. */
static void
accounts_stay_open(void)
{
	enum { TASKS = 100, MOST = 64 };
	struct sched_accounts *accounts = sched_accounts_new();
	size_t before = open_files(), good = 0, grows = 0, gone = 0;
	struct sched_times now, last[TASKS] = {{0}};
	pid_t pid[TASKS];

	for (int i = 0; i < TASKS; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			pause();
			_exit(0);
		}
	}
	for (int turn = 0; turn < 3; turn++)
		for (int i = 0; i < TASKS; i++) {
			good += sched_accounts_read(accounts, pid[i], pid[i], &now);
			grows += now.run_ns >= last[i].run_ns && now.slices >= last[i].slices;
			last[i] = now;
		}
	CHECK_INT(good, 3 * TASKS);
	CHECK_INT(grows, 3 * TASKS);
	CHECK_INT(open_files() - before, MOST);
	for (int i = 0; i < TASKS; i++) {
		if (i % 2) {
			kill(pid[i], SIGKILL);
			CHECK_INT(waitpid(pid[i], NULL, 0), pid[i]);
		}
		gone += !sched_accounts_read(accounts, pid[i], pid[i], &now);
	}
	CHECK_INT(gone, TASKS / 2);
	sched_accounts_free(accounts);
	CHECK_INT(open_files(), before);
	for (int i = 0; i < TASKS; i += 2) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
}

/* A running process with threads: all are found, whatever they do. */
static void
a_running_process(void)
{
	char *path = test_program("stall");
	pid_t pid = fork();
	struct tasktime_source_spec spec = {
		.pid = &pid, .n_pids = 1, .variant_given = true, .variant = TASKTIME_SOURCE_RECORDS};
	struct seen seen = {0};
	struct tasktime_source *s;
	struct err e;

	if (pid == 0) {
		execl(path, path, "lock", "60000", (char *)NULL);
		_exit(127);
	}
	s = tasktime_source_open(&spec, &e);
	if (!s) {
		test_skip("%s", e.what);
	} else if (CHECK(tasktime_source_start(s, &e))) {
		watch(s, &seen, 8);
		CHECK_INT(seen.wrong, 0);
		CHECK(seen.rows >= seen.windows);
		CHECK(seen.sum.in > 0);
		CHECK_INT(seen.ended, 0);
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	tasktime_source_free(s);
	free(path);
}

static void
the_whole_machine(void)
{
	struct tasktime_source_spec spec = {.variant_given = true, .variant = TASKTIME_SOURCE_RECORDS};
	struct seen seen = {0};
	struct tasktime_source *s;
	struct err e;

	s = tasktime_source_open(&spec, &e);
	if (!s) {
		test_skip("%s", e.what);
		return;
	}
	if (CHECK(tasktime_source_start(s, &e))) {
		watch(s, &seen, 4);
		CHECK_INT(seen.wrong, 0);
		CHECK(seen.rows > 10);
		CHECK(seen.last.n_cpus >= 1);
	}
	tasktime_source_free(s);
}

/* A ring that is too small and not read in time: losses are reported, results are marked as unreliable, and all still
 * adds up. */
static void
losses_are_reported(void)
{
	char *path = test_program("stall"), kind[] = "switch", ms[] = "200", *argv[] = {path, kind, ms, NULL};
	struct tasktime_source_spec spec = {.argv = argv,
		.out_fd = -1,
		.err_fd = -1,
		.no_input = true,
		.ring_kb = 64,
		.variant_given = true,
		.variant = TASKTIME_SOURCE_RECORDS};
	struct tasktime_source_window w;
	struct seen seen = {0};
	struct tasktime_source *s;
	struct err e;

	s = tasktime_source_open(&spec, &e);
	if (!s) {
		test_skip("%s", e.what);
	} else if (CHECK(tasktime_source_start(s, &e))) {
		while (!tasktime_source_ended(s, &seen.status))
			poll(NULL, 0, 5);
		tasktime_source_window(s, true, &w);
		look_at_window(&seen, &w, true);
		tasktime_source_figures(s, &seen.figures);
		CHECK_INT(seen.wrong, 0);
		CHECK_INT(seen.figures.ring_kb, 64);
		CHECK(seen.figures.lost > 0);
		CHECK_INT(seen.figures.lost, w.trouble.lost);
		CHECK(!w.believed);
		CHECK(strstr(w.why, "records were lost: the rings of 64 KiB were full") != NULL);
		for (size_t i = 0; i < w.n; i++)
			CHECK(w.row[i].row.doubtful);
	}
	tasktime_source_free(s);
	free(path);
}

static bool
write_file(const char *folder, const char *name, const char *text)
{
	char *path = str_format("%s/%s", folder, name);
	FILE *f = fopen(path, "we");
	bool good = f && fputs(text, f) >= 0;

	if (f)
		good &= fclose(f) == 0;
	free(path);
	return CHECK(good);
}

/* Each window reads sysfs again. Here it is a sysfs made for the test, without tracefs, so that states are unknown. */
static void
cpus_that_go_and_come_are_reported(void)
{
	char folder[] = "/tmp/hecate-cpus-XXXXXX", *cpus;
	struct tasktime_source_spec spec = {.variant_given = true, .variant = TASKTIME_SOURCE_RECORDS};
	struct tasktime_source_figures f;
	struct tasktime_source_window w;
	struct seen seen = {0};
	struct tasktime_source *s;
	struct err e;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		test_skip("needs two CPUs");
		return;
	}
	if (!CHECK(mkdtemp(folder) != NULL))
		return;
	cpus = str_format("mkdir -p %s/devices/system/cpu", folder);
	CHECK_INT(system(cpus), 0);
	free(cpus);
	if (!write_file(folder, "devices/system/cpu/online", "0-1\n"))
		return;
	setenv("HECATE_SYSFS", folder, 1);
	s = tasktime_source_open(&spec, &e);
	if (!s) {
		test_skip("%s", e.what);
	} else if (CHECK(tasktime_source_start(s, &e))) {
		CHECK(strstr(tasktime_source_note(s), "states, causes and wake-ups") != NULL);
		tasktime_source_window(s, false, &w);
		look_at_window(&seen, &w, true);
		tasktime_source_figures(s, &f);
		CHECK_INT(f.cpus, 2);
		CHECK_INT(f.offline + f.new_cpus, 0);
		write_file(folder, "devices/system/cpu/online", "0,7\n");
		tasktime_source_window(s, true, &w);
		look_at_window(&seen, &w, true);
		tasktime_source_figures(s, &f);
		CHECK_INT(f.offline, 1);
		CHECK_INT(f.new_cpus, 1);
		CHECK_INT(seen.wrong, 0);
		CHECK_INT(seen.sum.entered[TASKTIME_SLEEP] + seen.sum.entered[TASKTIME_BLOCK_IO] +
				seen.sum.entered[TASKTIME_FUTEX],
			0);
	}
	tasktime_source_free(s);
	unsetenv("HECATE_SYSFS");
	cpus = str_format("rm -r %s", folder);
	CHECK_INT(system(cpus), 0);
	free(cpus);
}

/* As another user: what works without privilege. The exit status names what failed. */
static int
as_nobody(void)
{
	char name[] = "sleep", time[] = "0.05", *argv[] = {name, time, NULL};
	struct tasktime_source_spec spec = {.argv = argv, .out_fd = -1, .err_fd = -1, .no_input = true};
	struct seen seen = {0};
	struct tasktime_source *s;
	struct err e;

	if (setgroups(0, NULL) != 0 || setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
		return 9;
	/* or the kernel hides our children, because we changed users without execve(2) */
	prctl(PR_SET_DUMPABLE, 1);
	s = tasktime_source_open(&spec, &e);
	if (!s)
		return 1;
	if (tasktime_source_variant(s) == TASKTIME_SOURCE_COUNTERS) {
		printf("# %s\n", tasktime_source_note(s));
		fflush(stdout);
		return 8;
	}
	if (tasktime_source_variant(s) != TASKTIME_SOURCE_SWITCHES || !*tasktime_source_note(s))
		return 2;
	if (!tasktime_source_start(s, &e))
		return 3;
	watch(s, &seen, 0);
	if (seen.wrong || seen.ended != 1 || seen.figures.ring_kb < 64)
		return 4;
	if (largest_but_waits_for_cpus(seen.sum) != TASKTIME_ASLEEP)
		return 5;
	tasktime_source_free(s);
	return 0;
}

static void
without_privilege(void)
{
	pid_t pid;
	int status = 0;

	if (geteuid() != 0) {
		test_skip("needs root, to become another user");
		return;
	}
	pid = fork();
	if (pid == 0)
		_exit(as_nobody());
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) >= 8) {
		test_skip("perf_event_open: counting is for privileged users only here");
		return;
	}
	CHECK_INT(status, 0);
}

static void
what_is_not_there_is_said(void)
{
	char name[] = "/nowhere/hecate-test", *argv[] = {name, NULL};
	struct tasktime_source_spec spec = {.argv = argv, .out_fd = -1, .err_fd = -1, .no_input = true};
	pid_t none = 4194305; /* above the largest */
	struct tasktime_source *s;
	struct err e = {0};

	s = tasktime_source_open(&spec, &e);
	if (CHECK(s != NULL)) {
		CHECK(!tasktime_source_start(s, &e));
		CHECK(strstr(e.what, "command not found") != NULL);
	}
	tasktime_source_free(s);
	spec = (struct tasktime_source_spec){.pid = &none, .n_pids = 1};
	CHECK(tasktime_source_open(&spec, &e) == NULL);
	CHECK_STR(e.what, "there is no process 4194305");
	none = getpid();
	spec.variant_given = true;
	spec.variant = TASKTIME_SOURCE_SWITCHES;
	CHECK(tasktime_source_open(&spec, &e) == NULL);
	CHECK_STR(e.what, "without privilege, switches are recorded of a command only");
}

TEST_MAIN(CASE(programs_name_their_largest_part), CASE(faults_of_signals_are_no_service), CASE(switches_alone),
	CASE(counters_alone), CASE(a_task_in_proc), CASE(accounts_stay_open), CASE(a_running_process),
	CASE(the_whole_machine), CASE(losses_are_reported), CASE(cpus_that_go_and_come_are_reported),
	CASE(without_privilege),
	CASE(what_is_not_there_is_said))
