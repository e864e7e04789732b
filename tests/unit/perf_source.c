/* The source of perf events from opening to totals, with programs whose faults and forks are known; commands that
 * cannot start, descendants that stay, counters that the kernel refuses, and users without privilege. */
#include "collect/source.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "test.h"

#define MOST 24

struct run {
	struct event_item event[MOST];
	struct source_counter counter[MOST];
	size_t n;
	struct source_spec spec;
	struct source_status status[MOST];
	struct source_end end;
	int64_t count[MOST];
	unsigned char counted[MOST];
	bool opened;
	struct err e;
};

/* One counter for each event. */
static void
add_event(struct run *r, const char *name, const char *filter)
{
	r->event[r->n] = (struct event_item){.name = name, .filter = filter};
	r->counter[r->n] = (struct source_counter){.name = name, .event = &r->event[r->n], .n_events = 1};
	r->n++;
}

/* "@touch 50": a program of tests/programs with its arguments; without @, a command of this system. Free with
 * str_split_free(). */
static char **
command(const char *line)
{
	char **argv = str_split(line, ' ', NULL), *name = argv[0];

	if (*name == '@') {
		argv[0] = test_program(name + 1);
		free(name);
	}
	return argv;
}

static struct source *
open_run(struct run *r, const char *line)
{
	int out = r->spec.out_fd;
	char **argv = command(line);
	struct source *s;

	r->spec = (struct source_spec){.counter = r->counter,
		.n_counters = r->n,
		.argv = argv,
		.out_fd = out ? out : -1,
		.err_fd = -1,
		.no_input = true,
		.keep = r->spec.keep};
	s = source_perf.open(&r->spec, &r->e);
	str_split_free(argv);
	return s;
}

static bool
wait_for_end(struct source *s, struct source_end *end)
{
	struct pollfd p = {.fd = source_perf.wait_fd(s), .events = POLLIN};

	while (!source_perf.poll(s, end))
		if (poll(&p, 1, 60000) == 0)
			return false;
	return true;
}

/* A whole run; false (and r->e) if it failed. */
static bool
run(struct run *r, const char *line)
{
	struct source *s = open_run(r, line);
	bool good;

	r->opened = s != NULL;
	if (!s)
		return false;
	good = source_perf.start(s, &r->e) && CHECK(wait_for_end(s, &r->end)) &&
		source_perf.read(s, r->count, r->counted, &r->e);
	memcpy(r->status, source_perf.status(s), r->n * sizeof *r->status);
	source_perf.close(s);
	return good;
}

/* Runs, or skips the case with the reason of the first counter that is refused here. */
static bool
run_or_skip(struct run *r, const char *line)
{
	if (!run(r, line)) {
		if (r->opened)
			test_check(false, __FILE__, __LINE__, "%s: %s", line, r->e.what);
		else
			test_skip("%s", r->e.what);
		return false;
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->status[i].health == OBS_UNSUPPORTED) {
			test_skip("%s", r->status[i].why);
			return false;
		}
	return true;
}

static size_t
open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/* Two runs of one program differ by the pages that they touch. Without ASLR they differ by nothing else. */
static void
fresh_pages_are_counted_one_by_one(void)
{
	struct run r[2] = {0};

	for (int i = 0; i < 2; i++) {
		add_event(&r[i], "page-faults:u", NULL);
		add_event(&r[i], "minor-faults:u", NULL);
		add_event(&r[i], "major-faults:u", NULL);
		if (!run_or_skip(&r[i], i ? "@touch 5000" : "@touch"))
			return;
		CHECK(r[i].end.exited);
		CHECK_INT(r[i].end.code, 0);
		CHECK_INT(r[i].end.left_behind, 0);
		CHECK_INT(r[i].count[0], r[i].count[1] + r[i].count[2]);
	}
	/* Tolerance: what a random layout of libc and stack changes. */
	CHECK_NEAR((double)(r[1].count[0] - r[0].count[0]), 5000, 12);
}

static void
handled_segvs_are_faults_without_handling(void)
{
	struct run r = {0};

	add_event(&r, "page-faults:u", NULL);
	add_event(&r, "minor-faults:u", NULL);
	add_event(&r, "major-faults:u", NULL);
	if (run_or_skip(&r, "@segv 5000")) {
		CHECK_INT(r.end.code, 0);
		CHECK_INT(r.count[0], r.count[1] + r.count[2] + 5000);
	}
}

static void
every_forked_process_is_counted(void)
{
	struct run r = {0};

	add_event(&r, "page-faults:u", NULL);
	add_event(&r, "minor-faults:u", NULL);
	add_event(&r, "major-faults:u", NULL);
	if (run_or_skip(&r, "@forks 7")) {
		CHECK_INT(r.end.left_behind, 0);
		CHECK(r.count[0] >= 255);
		CHECK_INT(r.count[0], r.count[1] + r.count[2]);
	}
}

/* Every exception from user mode on x86 is a page-faults:u. Different code of the kernel counts the two. */
static void
tracepoints_agree_with_software_events(void)
{
	struct run r = {0};

	add_event(&r, "page-faults:u", NULL);
	add_event(&r, "exceptions:page_fault_user", NULL);
	add_event(&r, "exceptions:page_fault_user", "error_code & 2");
	add_event(&r, "exceptions:page_fault_user", "!(error_code & 2)");
	add_event(&r, "page-faults:k", NULL);
	add_event(&r, "memcg:count_memcg_events", "item == $PGFAULT");
	if (run_or_skip(&r, "@touch 3000")) {
		CHECK_INT(r.count[1], r.count[0]);
		CHECK_INT(r.count[2] + r.count[3], r.count[1]);
		CHECK(r.count[2] >= 3000 && r.count[3] > 0);
		CHECK(r.count[5] >= r.count[0] + r.count[4]);
	}
}

static void
the_events_of_a_counter_add_up(void)
{
	struct event_item both[] = {
		{.name = "minor-faults:u"}, {.name = "major-faults:u"}},
		half[] = {{.name = "page-faults:u"}, {.name = "nosuch"}
	};
	struct run r = {0};

	add_event(&r, "page-faults:u", NULL);
	r.counter[r.n++] = (struct source_counter){.name = "sum", .event = both, .n_events = 2};
	r.counter[r.n++] = (struct source_counter){.name = "half", .event = half, .n_events = 2};
	r.counter[r.n++] = (struct source_counter){.name = "empty", .event = NULL, .n_events = 0};
	if (!run(&r, "@touch 100")) {
		CHECK(!r.opened);
		test_skip("%s", r.e.what);
		return;
	}
	CHECK_INT(r.count[1], r.count[0]);
	CHECK_INT(r.status[2].health, OBS_UNSUPPORTED);
	CHECK(strstr(r.status[2].why, "no such event: nosuch") != NULL);
	CHECK_INT(r.counted[2], 0);
	CHECK_INT(r.count[2], 0);
	CHECK_INT(r.status[3].health, OBS_UNSUPPORTED);
}

static void
what_cannot_be_counted_has_a_reason(void)
{
	static const struct { const char *event, *filter, *why; } row[] = {
		{"context-switches:u", NULL, "would open and always count 0"}, {"nosuch", NULL, "no such event"},
		{"exceptions:page_fault_user", "nonsense == 1", NULL}, {"exceptions:page_fault_user",
			"item == $NOSUCH", NULL},
		{"page-faults:u", "x == 1", "a filter is for tracepoints only"},
	};
	struct run r = {0};

	add_event(&r, "page-faults:u", NULL);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		add_event(&r, row[i].event, row[i].filter);
	if (!run(&r, "@touch")) {
		CHECK(!r.opened);
		test_skip("%s", r.e.what);
		return;
	}
	CHECK_INT(r.counted[0], 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s if %s", row[i].event, row[i].filter ? row[i].filter : "");
		CHECK_INT(r.status[i + 1].health, OBS_UNSUPPORTED);
		CHECK_INT(r.counted[i + 1], 0);
		CHECK(r.status[i + 1].error != 0);
		test_check(*r.status[i + 1].why && (!row[i].why || strstr(r.status[i + 1].why, row[i].why)), __FILE__,
			__LINE__, "the reason is \"%s\"", r.status[i + 1].why);
	}
}

static void
nothing_to_count_is_an_error(void)
{
	struct run r = {0};

	add_event(&r, "nosuch", NULL);
	add_event(&r, "cs:u", NULL);
	CHECK(!run(&r, "true"));
	CHECK(str_starts(r.e.what, "none of the 2 counters can be counted here; nosuch: no such event"));
}

static void
commands_that_cannot_start(void)
{
	static const struct { const char *name, *what; } row[] = {
		{"/nonexistent/command", "/nonexistent/command: command not found"}, {"no-such-command-anywhere",
			"command not found"},
		{"/", "/ is a directory, not a command"}, {"/dev/null", "/dev/null may not be executed"},
			{"/dev/null/x", "a part of its path is not a directory"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct run r = {0};

		test_label("%s", row[i].name);
		add_event(&r, "page-faults:u", NULL);
		CHECK(!run(&r, row[i].name));
		if (!r.opened)
			test_skip("%s", r.e.what);
		else
			test_check(strstr(r.e.what, row[i].what) != NULL, __FILE__, __LINE__, "the message is \"%s\"",
				r.e.what);
	}
}

static void
ends_are_reported(void)
{
	static const struct { const char *line; bool signalled; int code; } row[] = {
		{"@dies exit 0", false, 0}, {"@dies exit 77", false, 77}, {"@dies 9", true, SIGKILL}, {"@dies 6",
			true, SIGABRT}, {"@dies 15", true, SIGTERM},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct run r = {0};

		test_label("%s", row[i].line);
		add_event(&r, "page-faults:u", NULL);
		if (run_or_skip(&r, row[i].line)) {
			CHECK_INT(r.end.signalled, row[i].signalled);
			CHECK_INT(r.end.exited, !row[i].signalled);
			CHECK_INT(r.end.code, row[i].code);
			CHECK(r.count[0] > 0);
			CHECK(r.end.seconds > 0);
		}
	}
}

/* The pids that leaves.c prints; false if it printed none. */
static bool
read_pids_or_end(int fd, int pid[3])
{
	char text[100] = "";
	size_t n = 0;

	while (n < sizeof text - 1 && !strchr(text, '\n')) {
		ssize_t k = read(fd, text + n, sizeof text - 1 - n);

		if (k <= 0)
			break;
		n += (size_t)k;
	}
	return sscanf(text, "%d %d %d", &pid[0], &pid[1], &pid[2]) == 3;
}

static bool
read_pids(int fd, int pid[3])
{
	return CHECK(read_pids_or_end(fd, pid));
}

static void
descendants_left_behind_are_noticed_and_left_alone(void)
{
	struct run r = {0};
	int out[2], pid[3] = {0};

	CHECK(pipe2(out, O_CLOEXEC) == 0);
	r.spec.out_fd = out[1];
	add_event(&r, "page-faults:u", NULL);
	if (run_or_skip(&r, "@leaves") && read_pids(out[0], pid)) {
		CHECK(r.end.exited);
		CHECK_INT(r.end.left_behind, 2);
		for (int i = 0; i < 2; i++) {
			CHECK(kill(pid[i], 0) == 0);
			kill(pid[i], SIGKILL);
		}
	}
	close(out[0]);
	close(out[1]);
}

static void
closing_kills_a_command_that_ignores_sigterm_and_its_daemons(void)
{
	struct run r = {0};
	int out[2], pid[3] = {0};
	uint64_t from;
	struct source *s;

	CHECK(pipe2(out, O_CLOEXEC) == 0);
	r.spec.out_fd = out[1];
	add_event(&r, "page-faults:u", NULL);
	s = open_run(&r, "@leaves deaf");
	if (!s) {
		test_skip("%s", r.e.what);
	} else if (CHECK(source_perf.start(s, &r.e)) && read_pids(out[0], pid)) {
		CHECK(!source_perf.poll(s, &r.end));
		CHECK(source_perf.read(s, r.count, r.counted, &r.e));
		CHECK(r.count[0] > 0);
	}
	from = clock_ns();
	source_perf.close(s);
	if (s && pid[0]) {
		CHECK(clock_ns() - from < 10000000000u);
		for (int i = 0; i < 3; i++)
			CHECK(kill(pid[i], 0) != 0 && errno == ESRCH);
	}
	close(out[0]);
	close(out[1]);
}

static void
a_run_that_is_never_started_leaves_nothing(void)
{
	size_t before = open_descriptors();
	struct run r = {0};
	struct source *s;

	add_event(&r, "page-faults:u", NULL);
	s = open_run(&r, "@leaves");
	if (s)
		CHECK(!source_perf.poll(s, &r.end));
	else
		test_skip("%s", r.e.what);
	source_perf.close(s);
	CHECK_INT(open_descriptors(), before);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static void
missing_descriptors_are_reported_without_a_leak(void)
{
	size_t before = open_descriptors(), failed = 0;
	struct rlimit old, tight;

	getrlimit(RLIMIT_NOFILE, &old);
	for (rlim_t limit = 4; limit < 40; limit++) {
		struct run r = {0};
		struct source *s;

		for (int i = 0; i < MOST; i++)
			add_event(&r, "page-faults:u", NULL);
		tight = (struct rlimit){limit, old.rlim_max};
		setrlimit(RLIMIT_NOFILE, &tight);
		s = open_run(&r, "true");
		setrlimit(RLIMIT_NOFILE, &old);
		test_label("limit %d", (int)limit);
		if (!s && strstr(r.e.what, "none of the")) {
			test_skip("%s", r.e.what);
			break;
		}
		failed += !s;
		if (!s) {
			test_check(strstr(r.e.what, "descriptors") || strstr(r.e.what, "Too many open files"), __FILE__,
				__LINE__, "\"%s\"", r.e.what);
			CHECK(strstr(r.e.hint, "ulimit -n") != NULL);
		}
		source_perf.close(s);
		CHECK_INT(open_descriptors(), before);
		CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	}
	CHECK(failed > 5);
}

static void
runs_share_a_keep(void)
{
	struct source_keep *keep = source_keep_new();
	int64_t first = 0;

	for (int i = 0; i < 3; i++) {
		struct run r = {0};

		add_event(&r, "exceptions:page_fault_user", "error_code & 2");
		r.spec.keep = keep;
		if (!run_or_skip(&r, "@touch 10"))
			break;
		first = i ? first : r.count[0];
		CHECK(r.count[0] > 10);
		CHECK_NEAR((double)r.count[0], (double)first, 12);
	}
	source_keep_free(keep);
}

/* Runs in a child process as user nobody: what each kind of counter can still count. Exits with the number of
 * failures. */
_Noreturn static void
be_nobody(void)
{
	static const struct { const char *name; bool open, user_only; const char *remedy; } row[] = {
		{"page-faults", true, true, ""}, {"page-faults:u", true, false, ""}, {"minor-faults", true, true,
			""}, {"task-clock", true, false, ""},
		{"page-faults:k", false, false, "paranoid=1"}, {"context-switches", false, false, "paranoid=1"},
		{"sched:sched_process_exec", false, false, NULL},
	};
	struct run r = {0};
	int failed = 0;

	if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
		_exit(100);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* as after execve(2); else our own command would not be ours to watch */
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		add_event(&r, row[i].name, NULL);
	failed += !CHECK(run(&r, "true"));
	for (size_t i = 0; i < r.n; i++) {
		test_label("%s as nobody: %s", row[i].name, r.status[i].why);
		failed += !CHECK_INT(r.status[i].health != OBS_UNSUPPORTED, row[i].open);
		failed += !CHECK_INT(r.status[i].user_only, row[i].user_only);
		failed += row[i].remedy && !CHECK(strstr(r.status[i].remedy, row[i].remedy) != NULL);
		failed += !CHECK_INT(r.counted[i], row[i].open);
		failed += !CHECK((r.count[i] > 0) == row[i].open);
	}
	fflush(stdout);
	_exit(failed);
}

/* perf_event_paranoid above 2, which distributions have: nothing may be counted. */
static void
a_paranoid_kernel_is_named(void)
{
	const struct event_code code = {.name = "page-faults"};
	const struct perf_world world = {.paranoid = 4};
	struct source_status status = {0};

	perf_explain_refusal(&code, EACCES, 0, OPEN_COMMAND, &world, &status);
	CHECK(strstr(status.why, "perf_event_paranoid is 4, which forbids all counting") != NULL);
	CHECK_STR(status.remedy, "sudo sysctl kernel.perf_event_paranoid=2");
}

static void
user_nobody_counts_the_user_side(void)
{
	char paranoid[16] = "";
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY), status = 0;
	pid_t pid;

	if (fd < 0 || read(fd, paranoid, sizeof paranoid - 1) <= 0 || atoi(paranoid) != 2 || geteuid() != 0) {
		test_skip("needs root, to become nobody, and perf_event_paranoid 2");
	} else {
		fflush(stdout);
		pid = fork();
		if (pid == 0)
			be_nobody();
		waitpid(pid, &status, 0);
		CHECK(WIFEXITED(status));
		CHECK_INT(WEXITSTATUS(status), 0);
	}
	if (fd >= 0)
		close(fd);
}

/* A copy of a test program that runs as nobody, whichever user starts it; NULL on failure. */
static char *
make_set_user_id_copy(const char *name)
{
	char **argv = command(name), *copy = str_format("%s-setuid", argv[0]), buffer[65536];
	int from = open(argv[0], O_RDONLY), to = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	ssize_t n = -1;
	bool good = from >= 0 && to >= 0;

	while (good && (n = read(from, buffer, sizeof buffer)) > 0)
		good = write(to, buffer, (size_t)n) == n;
	good = good && n == 0 && fchown(to, 65534, 65534) == 0 && fchmod(to, 04755) == 0;
	close(from);
	close(to);
	str_split_free(argv);
	if (good)
		return copy;
	unlink(copy);
	free(copy);
	return NULL;
}

/* The kernel takes the events off silently; a total of the time before would be false. */
static void
a_set_user_id_command_is_no_total(void)
{
	char *copy = geteuid() == 0 ? make_set_user_id_copy("@spin") : NULL, *line;
	struct run r = {0};

	if (!copy) {
		test_skip("needs root, to make a program of another user");
		return;
	}
	line = str_format("%s 60", copy);
	add_event(&r, "task-clock", NULL);
	if (run(&r, line) && r.count[0] > 50000000)
		test_skip("set-user-ID programs are ignored here (nosuid)");
	else if (!r.opened)
		test_skip("%s", r.e.what);
	else
		test_check(strstr(r.e.what, "the kernel stopped counting after") != NULL, __FILE__, __LINE__,
			"%lld ns, \"%s\"", (long long)r.count[0], r.e.what);
	unlink(copy);
	free(line);
	free(copy);
}

static void
an_ordinary_command_is_counted_to_the_end(void)
{
	struct run r = {0};

	add_event(&r, "task-clock", NULL);
	if (run_or_skip(&r, "@spin 60"))
		CHECK(r.count[0] > 50000000);
}

/* hecate was killed: its command and the command's daemons must not stay. */
static void
the_command_dies_with_hecate(void)
{
	int out[2], pid[3] = {0}, fd[3] = {-1, -1, -1};
	struct run r = {0};
	pid_t hecate;

	CHECK(pipe2(out, O_CLOEXEC) == 0);
	add_event(&r, "page-faults:u", NULL);
	fflush(stdout);
	hecate = fork();
	if (hecate == 0) {
		struct source *s;

		r.spec.out_fd = out[1];
		s = open_run(&r, "@leaves deaf");
		if (!s || !source_perf.start(s, &r.e))
			_exit(1);
		for (;;)
			pause();
	}
	close(out[1]);
	if (poll(&(struct pollfd){.fd = out[0], .events = POLLIN}, 1, 60000) == 1 && read_pids_or_end(out[0], pid)) {
		for (int i = 0; i < 3; i++)
			fd[i] = (int)syscall(SYS_pidfd_open, pid[i], 0);
		kill(hecate, SIGKILL);
		for (int i = 0; i < 3; i++) {
			CHECK(fd[i] >= 0 && poll(&(struct pollfd){.fd = fd[i], .events = POLLIN}, 1, 60000) == 1);
			close(fd[i]);
		}
	} else {
		test_skip("nothing can be counted here");
	}
	waitpid(hecate, NULL, 0);
	close(out[0]);
}

static void
the_empty_source_refuses(void)
{
	struct source_spec spec = {.out_fd = -1, .err_fd = -1};
	struct source_end end;
	struct err e;

	CHECK(!source_none.open(&spec, &e));
	CHECK_STR(e.what, "counting is not supported on this system");
	CHECK(!source_none.start(NULL, &e));
	CHECK_INT(source_none.wait_fd(NULL), -1);
	CHECK(source_none.poll(NULL, &end));
	CHECK(!source_none.read(NULL, NULL, NULL, &e));
	CHECK(!source_none.status(NULL));
	source_none.close(NULL);
}

TEST_MAIN(CASE(fresh_pages_are_counted_one_by_one), CASE(handled_segvs_are_faults_without_handling),
	CASE(every_forked_process_is_counted), CASE(tracepoints_agree_with_software_events),
	CASE(the_events_of_a_counter_add_up), CASE(what_cannot_be_counted_has_a_reason),
	CASE(nothing_to_count_is_an_error), CASE(commands_that_cannot_start), CASE(ends_are_reported),
	CASE(descendants_left_behind_are_noticed_and_left_alone),
	CASE(closing_kills_a_command_that_ignores_sigterm_and_its_daemons),
	CASE(a_run_that_is_never_started_leaves_nothing), CASE(missing_descriptors_are_reported_without_a_leak),
	CASE(runs_share_a_keep), CASE(a_paranoid_kernel_is_named),
	CASE(user_nobody_counts_the_user_side), CASE(a_set_user_id_command_is_no_total),
	CASE(an_ordinary_command_is_counted_to_the_end), CASE(the_command_dies_with_hecate),
	CASE(the_empty_source_refuses))
