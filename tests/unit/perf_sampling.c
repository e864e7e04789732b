/* Rows of the real counters: they add up exactly to the totals while tasks come and go, tear by no more than they
 * state, and come from running processes too. */

#include "collect/source.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "test.h"

enum { FAULTS, MINOR, MAJOR, CLOCK, SEEN, CONTEXT, N };

static const struct event_item event[N] = {
	{.name = "page-faults:u"}, {.name = "minor-faults:u"}, {.name = "major-faults:u"}, {.name = "task-clock:u"},
	{.name = "exceptions:page_fault_user"}, {.name = "context-switches"},
};

struct sampled {
	int64_t sum[N], total[N];
	unsigned char counted[N];
	struct source_status status[N];
	struct source_end end;
	/* torn: rows whose page-faults differ from minor + major by more than there are tasks. A group tears by 1 per
	 * task. The source must read a row event by event when a task leaves, or on a busy machine, and then it tears
	 * by more. If it always did, nearly all rows would; so the tests demand that half of them do not. */
	size_t rows, torn;
	double most_tasks;
	bool opened;
	struct err e;
};

static struct source *
open_source(struct sampled *r, struct source_spec *spec)
{
	static struct source_counter counter[N];
	struct source *s;

	for (int i = 0; i < N; i++)
		counter[i] = (struct source_counter){.name = event[i].name, .event = &event[i], .n_events = 1};
	spec->counter = counter;
	spec->n_counters = N;
	spec->interval_ms = spec->interval_ms ? spec->interval_ms : 1;
	spec->out_fd = spec->err_fd = -1;
	spec->no_input = true;
	s = source_perf.open(spec, &r->e);
	r->opened = s != NULL;
	if (s)
		memcpy(r->status, source_perf.status(s), sizeof r->status);
	return s;
}

/* Takes the rows that are due; false if one cannot be read. */
static bool
take_rows(struct source *s, struct sampled *r)
{
	int64_t count[N];
	unsigned char counted[N];
	double running[N];
	struct source_row row = {.count = count, .counted = counted, .running = running};
	enum source_news news;

	while ((news = source_perf.row(s, &row, &r->e)) == SOURCE_ROW) {
		r->rows++;
		for (int i = 0; i < N; i++) {
			CHECK(count[i] >= 0);
			CHECK_INT(counted[i], r->status[i].health != OBS_UNSUPPORTED);
			r->sum[i] += count[i];
		}
		if (row.tasks > r->most_tasks)
			r->most_tasks = row.tasks;
		/* The tear of all rows so far is that of the last reading. */
		r->torn += fabs((double)(r->sum[FAULTS] - r->sum[MINOR] - r->sum[MAJOR])) > fmax(row.tasks, 1);
	}
	return CHECK_INT(news, SOURCE_NO_ROW);
}

static bool
wait_and_sample(struct source *s, struct sampled *r)
{
	struct pollfd p = {.fd = source_perf.wait_fd(s), .events = POLLIN};

	while (take_rows(s, r)) {
		if (source_perf.poll(s, &r->end))
			return take_rows(s, r) && CHECK(source_perf.read(s, r->total, r->counted, &r->e));
		if (!CHECK(poll(&p, 1, 60000) > 0))
			break;
	}
	return false;
}


/* Samples a command from beginning to end; skips the case if nothing of it can be counted. */
static bool
sample(struct sampled *r, const char *name, const char *a, const char *b)
{
	char *path = test_program(name), *argv[] = {path, (char *)(uintptr_t)a, (char *)(uintptr_t)b, NULL};
	struct source_spec spec = {.argv = argv};
	struct source *s = open_source(r, &spec);
	bool good = s && CHECK(source_perf.start(s, &r->e)) && wait_and_sample(s, r);

	if (!s)
		test_skip("%s", r->e.what);
	else
		source_perf.close(s);
	free(path);
	return good;
}

static void
check_sums(const struct sampled *r)
{
	for (int i = 0; i < N; i++) {
		test_label("%s", event[i].name);
		CHECK_INT(r->sum[i], r->total[i]);
	}
	test_label("exact");
	/* A process killed during a fault leaves a fault that is neither minor nor major. */
	if (r->total[FAULTS] != r->total[MINOR] + r->total[MAJOR] + r->end.signalled)
		CHECK_INT(r->total[FAULTS], r->total[MINOR] + r->total[MAJOR]);
	if (r->counted[SEEN])
		CHECK_INT(r->total[SEEN], r->total[FAULTS]);
}

static void
rows_add_up_to_the_totals(void)
{
	struct sampled r = {0};

	if (sample(&r, "touch", "200000", NULL)) {
		check_sums(&r);
		CHECK(r.total[FAULTS] >= 200000);
		CHECK(r.rows > 2);
		CHECK(2 * r.torn <= r.rows);
	}
}

static void
threads_and_forks_come_and_go(void)
{
	struct sampled r = {0};

	if (sample(&r, "churn", "60", "400")) {
		check_sums(&r);
		CHECK(r.total[FAULTS] >= 60 * 6 * 400);
		CHECK_INT(r.end.left_behind, 0);
		CHECK(r.rows > 2);
		CHECK(r.most_tasks >= 1);
		CHECK(r.most_tasks <= 60);
	}
	r = (struct sampled){0};
	if (sample(&r, "forks", "8", NULL)) {
		check_sums(&r);
		CHECK(r.total[FAULTS] >= 511);
	}
}

/* A command that ends before the first tick has one row with everything. */
static void
a_short_command_has_one_row(void)
{
	char *path = test_program("touch"), fifty[] = "50", *argv[] = {path, fifty, NULL};
	struct source_spec spec = {.argv = argv, .interval_ms = 86400000};
	struct sampled r = {0};
	struct source *s = open_source(&r, &spec);

	if (!s) {
		test_skip("%s", r.e.what);
	} else if (CHECK(source_perf.start(s, &r.e)) && wait_and_sample(s, &r)) {
		CHECK_INT(r.rows, 1);
		check_sums(&r);
	}
	if (s)
		source_perf.close(s);
	free(path);
}

static void
a_command_can_be_ended(void)
{
	char sleep_name[] = "sleep", thousand[] = "1000", *argv[] = {sleep_name, thousand, NULL};
	struct source_spec spec = {.argv = argv};
	struct sampled r = {0};
	struct source *s = open_source(&r, &spec);

	if (!s) {
		test_skip("%s", r.e.what);
		return;
	}
	if (CHECK(source_perf.start(s, &r.e))) {
		source_perf.stop(s);
		if (wait_and_sample(s, &r)) {
			CHECK(r.end.signalled);
			CHECK_INT(r.end.code, SIGTERM);
			check_sums(&r);
		}
	}
	source_perf.close(s);
}

/* A child process with threads, which waits at two pipes. */
struct waiting {
	pid_t pid;
	int in, out;
};

static bool
start_waiting(struct waiting *w, const char *rounds, const char *pages)
{
	int in[2], out[2];
	char *path = test_program("churn"), byte;

	if (!CHECK(pipe(in) == 0 && pipe(out) == 0))
		return false;
	w->pid = fork();
	if (w->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execl(path, path, rounds, pages, "wait", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	w->in = in[1];
	w->out = out[0];
	free(path);
	return CHECK(read(w->out, &byte, 1) == 1);
}

static void
end_waiting(const struct waiting *w)
{
	close(w->out);
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static void
all_threads_of_a_running_process(void)
{
	struct sampled r = {0};
	struct waiting w;
	struct source_target t = {SOURCE_PROCESSES, &w.pid, 1};
	struct source_spec spec = {.target = &t};
	struct source *s;
	char byte;

	if (!start_waiting(&w, "50", "400"))
		return;
	s = open_source(&r, &spec);
	if (!s) {
		test_skip("%s", r.e.what);
	} else if (CHECK(source_perf.start(s, &r.e))) {
		CHECK(write(w.in, "+", 1) == 1 && read(w.out, &byte, 1) == 1);
		CHECK(take_rows(s, &r));
		close(w.in); /* it ends, and so does the run */
		w.in = -1;
		if (wait_and_sample(s, &r)) {
			check_sums(&r);
			CHECK(r.end.vanished);
			CHECK(r.total[FAULTS] >= 4 * 50 * 400);
			CHECK(2 * r.torn <= r.rows);
			CHECK(r.most_tasks <= 5);
		}
	}
	if (s)
		source_perf.close(s);
	if (w.in >= 0)
		close(w.in);
	end_waiting(&w);
}

static void
one_thread_alone(void)
{
	struct sampled r = {0};
	struct waiting w;
	struct source_target t = {SOURCE_THREADS, &w.pid, 1};
	struct source_spec spec = {.target = &t};
	struct source *s;
	char byte;

	if (!start_waiting(&w, "1", "1000"))
		return;
	s = open_source(&r, &spec);
	if (!s) {
		test_skip("%s", r.e.what);
	} else if (CHECK(source_perf.start(s, &r.e))) {
		CHECK(write(w.in, "+", 1) == 1 && read(w.out, &byte, 1) == 1);
		source_perf.stop(s);
		if (wait_and_sample(s, &r)) {
			/* The four others touch 1000 pages each, the first thread almost none. */
			CHECK(r.total[FAULTS] < 1000);
			CHECK(!r.end.vanished);
			CHECK_NEAR(r.most_tasks, 1, 0);
			check_sums(&r);
		}
	}
	if (s)
		source_perf.close(s);
	close(w.in);
	end_waiting(&w);
}

/* The kernel swaps the events of a task with those of its children while it forks. Without the guard no event could
 * join the group of its leader. */
static void
a_process_that_forks_all_the_time(void)
{
	pid_t pid = fork();
	struct source_target t = {SOURCE_PROCESSES, &pid, 1};
	struct source_spec spec = {.target = &t};
	size_t opened = 0;

	if (pid == 0)
		for (;;) {
			pid_t child = fork();

			if (child == 0)
				_exit(0);
			waitpid(child, NULL, 0);
		}
	for (int i = 0; i < 20; i++) {
		struct sampled r = {0};
		struct source *s = open_source(&r, &spec);

		if (!s) {
			test_skip("%s", r.e.what);
			break;
		}
		opened++;
		CHECK(source_perf.start(s, &r.e));
		for (double until = clock_seconds() + 30;
			r.sum[FAULTS] == 0 && clock_seconds() < until && take_rows(s, &r);)
			continue; /* on a busy machine the process may wait for its turn */
		source_perf.stop(s);
		if (wait_and_sample(s, &r)) {
			CHECK(r.sum[FAULTS] > 0);
			/* its group is often read one by one */
			CHECK(llabs((long long)(r.sum[FAULTS] - r.sum[MINOR] - r.sum[MAJOR])) <= 100);
		}
		for (int k = 0; k < N; k++)
			CHECK_INT(r.status[k].health == OBS_UNSUPPORTED && r.status[k].error == EINVAL, 0);
		source_perf.close(s);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void
targets_that_are_not_there(void)
{
	const int none = 0x7ffffff0, cpu = 60000;
	const struct { struct source_target t; const char *why; } row[] = {
		{{SOURCE_PROCESSES, &none, 1}, "there is no process"},
		{{SOURCE_THREADS, &none, 1}, "there is no thread"},
		{{SOURCE_CPUS, &cpu, 1}, "there is no CPU 60000"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source_spec spec = {.target = &row[i].t};
		struct sampled r = {0};
		struct source *s = open_source(&r, &spec);

		test_label("%s", row[i].why);
		CHECK(!s);
		CHECK(strstr(r.e.what, row[i].why) != NULL);
		CHECK(*r.e.hint);
		if (s)
			source_perf.close(s);
	}
}

static void
a_zombie_has_nothing_to_watch(void)
{
	pid_t pid = fork();
	struct source_target t = {SOURCE_PROCESSES, &pid, 1};
	struct source_spec spec = {.target = &t};
	struct sampled r = {0};
	struct source *s;
	siginfo_t info;

	if (pid == 0)
		_exit(0);
	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	s = open_source(&r, &spec);
	CHECK(!s);
	if (strstr(r.e.what, "perf_event_open")) /* even this much is not permitted here */
		test_skip("%s", r.e.what);
	else
		CHECK_STR(r.e.what, "what was to be watched has ended");
	if (s)
		source_perf.close(s);
	waitpid(pid, NULL, 0);
}

static void
the_whole_machine(void)
{
	struct source_target t = {.kind = SOURCE_CPUS};
	struct source_spec spec = {.target = &t};
	struct sampled r = {0};
	struct source *s = open_source(&r, &spec);

	if (!s) {
		test_skip("%s", r.e.what);
		return;
	}
	if (CHECK(source_perf.start(s, &r.e))) {
		while ((r.rows < 5 || (r.sum[CONTEXT] == 0 && r.rows < 5000)) && take_rows(s, &r))
			continue; /* each wait for the next row is a switch, unless the row is already due */
		source_perf.stop(s);
		if (wait_and_sample(s, &r)) {
			CHECK(r.sum[CONTEXT] > 0 || r.status[CONTEXT].health == OBS_UNSUPPORTED);
			CHECK(r.most_tasks >= 1);
			CHECK(2 * r.torn <= r.rows);
			CHECK_INT(r.counted[FAULTS], 1);
		}
	}
	source_perf.close(s);
}

static void
processes_of_others_are_refused(void)
{
	struct sampled r = {0};
	pid_t child;
	int status;

	if (geteuid() != 0) {
		test_skip("needs root, which can become another user");
		return;
	}
	child = fork();
	if (child == 0) {
		const int init = 1;
		const struct source_target process = {SOURCE_PROCESSES, &init, 1}, machine = {.kind = SOURCE_CPUS};
		struct source_spec spec = {.target = &process};
		bool good = syscall(SYS_setresuid, 65534, 65534, 65534) == 0;

		good &= !open_source(&r, &spec) && strstr(r.e.what, "belongs to uid 0") &&
			strstr(r.e.hint, "for one group");
		spec = (struct source_spec){.target = &machine};
		good &= !open_source(&r, &spec) && strstr(r.e.what, "CAP_PERFMON") && *r.e.hint;
		_exit(good ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_INT(WEXITSTATUS(status), 0);
}

TEST_MAIN(CASE(rows_add_up_to_the_totals), CASE(threads_and_forks_come_and_go), CASE(a_short_command_has_one_row),
	CASE(a_command_can_be_ended), CASE(all_threads_of_a_running_process), CASE(one_thread_alone),
	CASE(a_process_that_forks_all_the_time), CASE(targets_that_are_not_there), CASE(a_zombie_has_nothing_to_watch),
	CASE(the_whole_machine), CASE(processes_of_others_are_refused))
