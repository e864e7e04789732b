#include "collect/process/minder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pipe.h"
#include "collect/process/processes.h"
#include "collect/process/setup.h"
#include "collect/source.h"

#define UNTOLD_MS 10 /* between two polls for deaths without a descriptor */

/* Sends `sig` to all living descendants of this process that are not in the process group `but` (0: only counts them).
 * Returns their number. */
static size_t
signal_descendants(int sig, pid_t but)
{
	struct process *process;
	size_t n = processes_list(&process), count = 0;

	processes_mark(process, n, getpid(), false);
	for (size_t i = 0; i < n; i++) {
		if (!process[i].ours || process[i].dead || (but && getpgid(process[i].pid) == but))
			continue;
		count++;
		if (sig)
			kill(process[i].pid, sig);
	}
	free(process);
	return count;
}

static uint64_t
nanoseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

/* Says how much time was used before execve(2), which is not the program's. A write(2) would count as one of the
 * program's (io:syscw); send(2) does not. */
static void
say_time_so_far(int failed)
{
	struct minder_failure f = {.step = SETUP_COMMAND};
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	f.user_ns = nanoseconds(u.ru_utime);
	f.system_ns = nanoseconds(u.ru_stime);
	(void)!send(failed, &f, sizeof f, MSG_NOSIGNAL);
}

_Noreturn static void
run_command(const struct minder_orders *orders)
{
	const struct source_spec *spec = orders->spec;
	struct minder_failure f = {0};
	enum setup_step step = SETUP_COMMAND;
	sigset_t none;
	int null;
	char go;

	/* Undoes settings that hecate made for itself and the command must not inherit. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (orders->own_group)
		setpgid(0, 0);
	if (spec->no_input && (null = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		dup2(null, STDIN_FILENO);
	if (spec->out_fd >= 0)
		dup2(spec->out_fd, STDOUT_FILENO);
	if (spec->err_fd >= 0)
		dup2(spec->err_fd, STDERR_FILENO);
	close(orders->control);
	close(orders->report);
	if (read(orders->go, &go, 1) != 1)
		_exit(127); /* hecate gave up or has died */
	if (spec->setup)
		f.error = setup_apply(spec->setup, &step);
	if (!f.error) {
		step = SETUP_COMMAND;
		say_time_so_far(orders->failed);
		execvp(spec->argv[0], spec->argv);
		f.error = errno;
	}
	f.step = (int)step;
	(void)!send(orders->failed, &f, sizeof f, MSG_NOSIGNAL);
	_exit(127);
}

/* Reaps dead children. Returns true if the command is among them; its status is then in *end. *children: some are left.
 */
static bool
reap(pid_t command, struct child_end *end, bool *children)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0 || (pid < 0 && errno == EINTR))
		if (pid == command) {
			end->status = status;
			end->at_ns = clock_ns();
			ended = true;
		}
	*children = pid == 0;
	return ended;
}

static void
minder_drain(int signals)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
		continue;
}

/* Waits for a child's death, for `ms` milliseconds, or for a byte on `control` if that is given. True: there is a byte.
 */
static bool
wait_for_death(int signals, int control, int ms)
{
	struct pollfd p[2] = {{.fd = signals, .events = POLLIN}, {.fd = control, .events = POLLIN}};

	/* Without a descriptor for deaths, children are polled. */
	if (signals < 0 && (ms < 0 || ms > UNTOLD_MS))
		ms = UNTOLD_MS;
	poll(p, 2, ms);
	minder_drain(signals);
	return control >= 0 && p[1].revents != 0;
}

/* Asks the command to end, also one that was stopped by job control. A group of its own is signalled as a whole, and so
 * are processes that have left it. */
static void
signal_command(pid_t command, bool own_group, int sig)
{
	kill(own_group ? -command : command, sig);
	kill(own_group ? -command : command, SIGCONT);
	if (own_group)
		signal_descendants(sig, command);
}

/* Reads `control`. A byte is a signal, which is sent to the command; the command may handle it. MINDER_LET_RUN leaves
 * the command alone. Returns false at end of file: hecate has died or wants everything ended. */
static bool
pass_signal(const struct minder_orders *o, pid_t command)
{
	unsigned char order;

	if (read(o->control, &order, 1) != 1)
		return false;
	if (order == MINDER_LET_RUN)
		_exit(0);
	signal_command(command, o->own_group, order);
	return true;
}

/* Against a program that forks faster than it is killed, SIGKILL is repeated. For a task stuck in the kernel the wait
 * is limited. */
static void
kill_everything(pid_t command, bool own_group, int signals)
{
	struct child_end end;
	bool children;

	for (int i = 0; i < 200; i++) {
		if (own_group)
			kill(-command, SIGKILL);
		signal_descendants(SIGKILL, 0);
		reap(command, &end, &children);
		if (!children)
			return;
		wait_for_death(signals, -1, 10);
	}
}

static void
end_everything(pid_t command, bool own_group, int signals)
{
	uint64_t until = clock_ns() + (uint64_t)CHILD_GRACE_MS * 1000000;
	struct child_end end;
	bool children;

	signal_command(command, own_group, SIGTERM);
	for (;;) {
		uint64_t now = clock_ns();

		reap(command, &end, &children);
		if (!children)
			return;
		if (now >= until)
			break;
		wait_for_death(signals, -1, (int)((until - now) / 1000000) + 1);
	}
	kill_everything(command, own_group, signals);
}

static uint64_t
own_cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
take_time_of_children(struct child_end *end)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	end->user_ns = nanoseconds(u.ru_utime);
	end->system_ns = nanoseconds(u.ru_stime);
	end->cpu_ns = end->user_ns + end->system_ns;
}

static void
become_minder(const struct minder_orders *orders)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	unsigned low = (unsigned)orders->control, high = (unsigned)orders->report;

	setpgid(0, 0);
	prctl(PR_SET_NAME, "hecate-minder");
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (low > high) {
		low = (unsigned)orders->report;
		high = (unsigned)orders->control;
	}
	if (low > 3)
		close_range(3, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0u, 0);
}

/* Writes the report. Returns false when that is impossible; hecate would wait for it as long as the minder lives. */
static bool
minder_send_message(int report, const struct minder_word *w)
{
	return pipe_write(report, w, sizeof *w) == (ssize_t)sizeof *w;
}

/* Reads to the end of file; the command has ended, so signals are dropped. */
static void
drain_orders(int control)
{
	unsigned char order;
	ssize_t n;

	do
		n = read(control, &order, 1);
	while (n > 0 || (n < 0 && errno == EINTR));
}

_Noreturn void
minder_run(const struct minder_orders *orders)
{
	struct minder_word word = {0};
	sigset_t child;
	bool children = true, asked = false;
	uint64_t until, fork_ns;
	int signals;

	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigfillset(&child);
	sigprocmask(SIG_SETMASK, &child, NULL);
	fork_ns = own_cpu_time();
	word.pid = fork();
	if (word.pid == 0)
		run_command(orders);
	fork_ns = own_cpu_time() - fork_ns;
	if (word.pid < 0) {
		word.error = errno;
		minder_send_message(orders->report, &word);
		_exit(1);
	}
	if (orders->own_group)
		setpgid(word.pid, word.pid);
	become_minder(orders);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	signals = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
	if (!minder_send_message(orders->report, &word)) {
		end_everything(word.pid, orders->own_group, signals);
		_exit(1);
	}
	while (!reap(word.pid, &word.end, &children))
		if (wait_for_death(signals, orders->control, -1)) {
			if (!pass_signal(orders, word.pid)) {
				end_everything(word.pid, orders->own_group, signals);
				_exit(0);
			}
			asked = orders->own_group;
		}
	/* of a command that was asked to end nothing is left */
	until = clock_ns() + (uint64_t)(asked ? CHILD_GRACE_MS : CHILD_STRAGGLE_MS) * 1000000;
	for (uint64_t now = clock_ns(); children && now < until; now = clock_ns()) {
		struct child_end straggler;

		wait_for_death(signals, -1, (int)((until - now) / 1000000) + 1);
		reap(word.pid, &straggler, &children);
	}
	if (asked && children)
		kill_everything(word.pid, true, signals);
	take_time_of_children(&word.end);
	word.end.fork_ns = fork_ns;
	word.end.left_behind = children ? signal_descendants(0, 0) : 0;
	word.end.known = true;
	if (!minder_send_message(orders->report, &word))
		_exit(1);
	/* The minder's I/O account includes its reaped children, and not every user can read a zombie's. So the minder
	 * stays until hecate has read it. */
	drain_orders(orders->control);
	_exit(0);
}
